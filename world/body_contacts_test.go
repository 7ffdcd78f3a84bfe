package world

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/test/norace"
)

func contactsOf(t *testing.T, ask func(func(Contact) bool) error) (all []Contact) {
	t.Helper()
	check(t, ask(func(c Contact) bool { all = append(all, c); return true }))
	return all
}

// A box rises through a one-way shape: neither has the other as a contact.
func TestWhatPassesAOneWayShapeIsNoContactOfEither(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	shelf := r.body(BodyDef{Shapes: []ShapeDef{func() ShapeDef { s := Box(5, .2); s.OneWay = Vec{Y: 1}; return s }()}})
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: -1}, Velocity: Vec{Y: 6}, Shapes: []ShapeDef{Box(.5, .5)}})
	r.start()
	touched := false
	for range 20 {
		r.run(1)
		for i := range r.World.box.EachContact() {
			touched = touched || i.IsTouching()
		}
		for _, body := range []Body{shelf, b} {
			shapes, err := r.Shapes(body)
			check(t, err)
			for _, s := range shapes {
				if got := contactsOf(t, func(f func(Contact) bool) error { return r.ShapeContacts(s, f) }); len(got) > 0 {
					t.Fatalf("%v has %v", s, got)
				}
			}
		}
	}
	if info, err := r.Body(b); err != nil || !touched || info.Position.Y < .5 {
		t.Errorf("they touched: %v; the box is at %v, %v", touched, info.Position, err)
	}
}

// A body's contacts are those in Box2D's list of all contacts.
func TestContactsOfABodyAndOfAShapeAreThoseOfTheWorld(t *testing.T) {
	bodies, sensors := 0, 0
	for seed := range uint64(5) {
		q := newQuestioner(t, rand.New(rand.NewPCG(seed, 7)))
		q.run(30)
		want := map[Body][]Contact{}
		solid := map[Shape][]Contact{}
		for c := range q.Contacts() {
			want[c.A] = append(want[c.A], c)
			want[c.B] = append(want[c.B], c.reversed())
			solid[c.ShapeA] = append(solid[c.ShapeA], c)
			solid[c.ShapeB] = append(solid[c.ShapeB], c.reversed())
		}
		inside := map[Shape][]Shape{}
		for i := range q.World.box.EachContact() {
			if i.IsTouching() {
				fA, fB := i.Shapes()
				a, b := shapeOf(fA), shapeOf(fB)
				if a.fix.IsSensor() {
					inside[a.handle] = append(inside[a.handle], b.handle)
				}
				if b.fix.IsSensor() {
					inside[b.handle] = append(inside[b.handle], a.handle)
				}
			}
		}
		same := func(got, want []Contact) bool {
			for _, c := range want {
				if !slices.Contains(got, c) {
					return false
				}
			}
			return len(got) == len(want)
		}
		for b := range q.Bodies() {
			got := contactsOf(t, func(f func(Contact) bool) error { return q.BodyContacts(b, f) })
			bodies += len(got)
			if !same(got, want[b]) {
				t.Fatalf("%v: %v, want %v", b, got, want[b])
			}
			shapes, err := q.Shapes(b)
			check(t, err)
			for _, s := range shapes {
				got := contactsOf(t, func(f func(Contact) bool) error { return q.ShapeContacts(s, f) })
				if !q.registry.shapes[s].fix.IsSensor() {
					if !same(got, solid[s]) {
						t.Fatalf("%v: %v, want %v", s, got, solid[s])
					}
					continue
				}
				sensors += len(got)
				var others []Shape
				for _, c := range got {
					if c.ShapeA != s || c.A != b || c.Normal != (Vec{}) {
						t.Fatalf("%v: %+v", s, c)
					}
					others = append(others, c.ShapeB)
				}
				slices.Sort(others)
				slices.Sort(inside[s])
				if !slices.Equal(others, inside[s]) {
					t.Fatalf("in the sensor %v: %v, want %v", s, others, inside[s])
				}
			}
		}
		q.Close()
	}
	if bodies < 25 || sensors < 10 {
		t.Errorf("%d contacts of bodies, %d of sensors", bodies, sensors)
	}
}

func TestTheNormalOfABodysContactPointsAwayFromIt(t *testing.T) {
	r := newRig(t, gravity())
	ground := r.ground()
	box := r.box(0, .5)
	r.start()
	r.run(3)
	for b, y := range map[Body]float64{ground: 1, box: -1} {
		got := contactsOf(t, func(f func(Contact) bool) error { return r.BodyContacts(b, f) })
		if len(got) != 1 || got[0].A != b || !near(got[0].Normal.Y, y, 1e-9) || got[0].Impulse <= 0 {
			t.Errorf("%v: %+v", b, got)
		}
	}
}

// BodyContacts puts the given body first, so it exchanges the materials like the bodies.
func TestTheMaterialsOfABodysContactAreInTheOrderOfItsShapes(t *testing.T) {
	r := newRig(t, gravity())
	floor, crate := Box(10, .5), Box(.5, .5)
	floor.Material, crate.Material = 3, 7
	ground := r.body(BodyDef{Position: Vec{Y: -.5}, Shapes: []ShapeDef{floor}})
	box := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: .5}, Shapes: []ShapeDef{crate}})
	r.start()
	r.run(3)
	for b, want := range map[Body][2]Material{ground: {3, 7}, box: {7, 3}} {
		got := contactsOf(t, func(f func(Contact) bool) error { return r.BodyContacts(b, f) })
		if len(got) != 1 || [2]Material{got[0].MaterialA, got[0].MaterialB} != want {
			t.Errorf("%v: %+v, want the materials %v", b, got, want)
		}
	}
}

func TestContactsMayBeDestroyedAndAskedForWhileTheyAreTold(t *testing.T) {
	r := newRig(t, gravity())
	ground := r.ground()
	for x := range 20 {
		r.box(float64(x)*2, .5)
	}
	r.start()
	r.run(3)
	calls := 0
	check(t, r.BodyContacts(ground, func(c Contact) bool {
		calls++
		check(t, r.BodyContacts(c.B, func(own Contact) bool {
			if own.A != c.B || own.B != ground {
				t.Errorf("%+v", own)
			}
			return true
		}))
		for b := range r.Bodies() {
			if b != ground && b != c.B && calls == 1 {
				check(t, r.DestroyBody(b))
			}
		}
		return true
	}))
	if calls != 1 || len(r.contacts.touching) != 0 {
		t.Errorf("%d calls, %d left over", calls, len(r.contacts.touching))
	}
}

func TestContactsOfWhatIsGoneAreAnError(t *testing.T) {
	r := newRig(t, gravity())
	b := r.box(0, 0)
	shapes, err := r.Shapes(b)
	check(t, err)
	check(t, r.DestroyBody(b))
	for _, err := range []error{r.BodyContacts(b, nil), r.ShapeContacts(shapes[0], nil), r.BodyContacts(0, nil), r.ShapeContacts(77, nil)} {
		if !oneLine(err) || !errors.Is(err, ErrStale) {
			t.Error(err)
		}
	}
}

func TestAskingForContactsAllocatesNothing(t *testing.T) {
	norace.Only(t)
	r := newRig(t, gravity())
	ground := r.ground()
	for x := range 20 {
		r.box(float64(x)*2, .5)
	}
	r.start()
	r.run(3)
	n := 0
	if allocs := testing.AllocsPerRun(100, func() {
		check(t, r.BodyContacts(ground, func(Contact) bool { n++; return true }))
	}); allocs != 0 || n != 101*20 {
		t.Errorf("%v allocations, %d contacts", allocs, n)
	}
}
