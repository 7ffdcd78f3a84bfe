package world

import (
	"errors"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

func TestAFilterDecidesWhichShapesCollide(t *testing.T) {
	r := newRig(t, gravity())
	free := r.box(50, 0) // a newer box takes its place in Box2D's tree
	ground := r.ground()
	ghost := r.body(BodyDef{Name: "ghost", Kind: Dynamic, Position: Vec{X: 0, Y: .55}, Shapes: []ShapeDef{Box(.5, .5)}})
	solid := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 3, Y: 1}, Shapes: []ShapeDef{Box(.5, .5)}})
	check(t, r.DestroyBody(free))
	last := r.body(BodyDef{Position: Vec{X: 3, Y: -1}, Shapes: []ShapeDef{Box(1, .9)}})
	r.SetShouldCollide(func(w *World, a, b Shape) bool {
		if a >= b {
			t.Errorf("asked about %v and %v: the older one comes first", a, b)
		}
		if s, _ := w.Shape(b); s.Body == last {
			return true
		}
		s, err := w.Shape(b)
		info, err2 := w.Body(s.Body)
		if err != nil || err2 != nil {
			t.Error(err, err2)
		}
		if err := w.Impulse(s.Body, Vec{X: 1, Y: 1}); !errors.Is(err, ErrStepping) {
			t.Errorf("it changed the world: %v", err)
		}
		return info.Name != "ghost"
	})
	check(t, r.SetKind(ground, Kinematic)) // asks between two steps
	r.start()
	r.run(60)
	if r.at(ghost).Y > -1 || !near(r.at(solid).Y, .5, .02) {
		t.Errorf("ghost at %v, solid at %v", r.at(ghost), r.at(solid))
	}
}

func TestAFilterIsAskedAfterTheFiltersOfTheShapes(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	s := Box(.5, .5)
	s.Filter = Filter{Category: 1} // collides with nothing
	r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 1}, Shapes: []ShapeDef{s}})
	r.SetShouldCollide(func(*World, Shape, Shape) bool { t.Error("asked"); return true })
	r.start()
	r.run(60)
}

func TestAChangedFilterReachesSleepersInBothDirections(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, .5)
	r.start()
	r.run(90)
	if r.isAwake(b) {
		t.Fatal("it is not asleep")
	}
	on := false
	r.SetShouldCollide(func(*World, Shape, Shape) bool { return on })
	r.run(10)
	if y := r.at(b).Y; y > .4 || y < -.4 {
		t.Errorf("with a filter that refuses it is at y = %v", y)
	}
	on = true
	check(t, r.Refilter(b))
	r.events()
	r.run(1)
	if n := begins(r.events(), b); n != 1 {
		t.Errorf("%d contacts began in the next step", n)
	}
	r.run(60)
	if y := r.at(b).Y; !near(y, .5, .03) {
		t.Errorf("allowed again, it is at y = %v", y)
	}
	r.SetShouldCollide(func(*World, Shape, Shape) bool { return false })
	r.run(2)
	r.SetShouldCollide(nil)
	r.run(60)
	if y := r.at(b).Y; !near(y, .5, .03) {
		t.Errorf("without a filter it is at y = %v", y)
	}
	if err := r.Refilter(99); !errors.Is(err, ErrStale) {
		t.Errorf("a stale body: %v", err)
	}
}

func TestAFilterThatLetsPassStillCountsAgainstMaxContacts(t *testing.T) {
	r := newRig(t, Config{NoGravity: true, MaxContacts: 5})
	on := false
	r.SetShouldCollide(func(*World, Shape, Shape) bool { return on })
	for i := range 8 {
		s := Box(.5, .5)
		s.Filter = Filter{Group: int16(-1 - i)}
		r.body(BodyDef{Kind: Dynamic, Position: Vec{X: float64(i) * 2}, Velocity: Vec{X: -float64(i) * 60}, Shapes: []ShapeDef{s}})
	}
	r.start()
	r.run(3)
	if n := r.Counts().Contacts; n != 0 {
		t.Fatalf("%d contacts", n)
	}
	on = true
	r.SetShouldCollide(func(*World, Shape, Shape) bool { return on })
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, ErrCrowded) {
			t.Errorf("panicked with %v", err)
		}
	}()
	r.run(9)
	t.Errorf("%d contacts, and the step went on", r.Counts().Contacts)
}

func TestAFilterAllocatesNothing(t *testing.T) {
	norace.Only(t)
	r := newRig(t, gravity())
	r.ground()
	r.box(0, .5)
	r.SetShouldCollide(func(w *World, a, b Shape) bool { _, err := w.Shape(a); return err == nil })
	r.start()
	r.run(5)
	f := r.Box2D().M_contactManager.M_contactFilter
	a, b := firstContact(r.World).Shapes()
	if n := testing.AllocsPerRun(100, func() { f.ShouldCollide(a, b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The hook changes its answer: at first it excludes the wall, and later it does not.
func TestFastBodiesPassWhatShouldCollideExcludes(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		for _, bullet := range []bool{false, true} {
			for _, kind := range []BodyKind{Static, Kinematic} {
				r := newRig(t, Config{NoGravity: true, Stepper: stepper, Workers: 2})
				solid := false
				r.SetShouldCollide(func(*World, Shape, Shape) bool { return solid })
				r.body(BodyDef{Kind: kind, Position: Vec{X: 5.3, Y: 0}, Shapes: []ShapeDef{Box(.05, 5)}})
				b := r.body(BodyDef{Kind: Dynamic, Bullet: bullet, Velocity: Vec{X: 60, Y: 0}, Shapes: []ShapeDef{Circle(.2)}})
				r.start()
				r.run(30)
				if x := r.at(b).X; !near(x, 30, .01) {
					t.Errorf("%v, bullet %v, %v: it is at %v m", stepper, bullet, kind, x)
				}
				solid = true
				check(t, r.Teleport(b, Vec{}, 0))
				r.run(30)
				if x := r.at(b).X; x > 5.3 {
					t.Errorf("%v, bullet %v, %v: it is at %v m although the wall is solid", stepper, bullet, kind, x)
				}
			}
		}
	}
}

func TestShapesCollideByDefault(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, 1)
	r.start()
	r.run(120)
	if y := r.at(b).Y; !near(y, .5, .02) {
		t.Errorf("the box lies at y = %v, not on the ground", y)
	}
}

func TestFiltersAreHonoured(t *testing.T) {
	for name, f := range map[string][2]Filter{
		"negative group":   {{Group: -1}, {Group: -1}},
		"mask":             {{Category: 2, Mask: 0xffff}, {Category: 1, Mask: 1}},
		"mask of nothing":  {{Category: 1}, {}},
		"a high category":  {{Category: 1 << 63, Mask: AllCategories}, {Category: 1, Mask: AllCategories &^ (1 << 63)}},
		"a high mask":      {{Category: 1 << 40, Mask: 1 << 41}, {Category: 1 << 42, Mask: 1 << 40}},
		"group beats mask": {{Category: 1, Mask: 1, Group: -2}, {Category: 1, Mask: 1, Group: -2}},
	} {
		r := newRig(t, gravity())
		edge := Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0})
		edge.Filter = f[0]
		r.body(BodyDef{Shapes: []ShapeDef{edge}})
		box := Box(.5, .5)
		box.Filter = f[1]
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 1}, Shapes: []ShapeDef{box}})
		r.start()
		r.run(120)
		if y := r.at(b).Y; y > -1 {
			t.Errorf("%s: stopped at y = %v", name, y)
		}
	}
}

// In the library's 16 categories all shapes collide, because the filters of the world
// decide.
func TestCategoriesBeyondTheSixteenthLetShapesMeet(t *testing.T) {
	for _, stepper := range []Stepper{FastStep, SoftStep} {
		for name, c := range map[string]struct {
			ground, box Filter
			speed       float64 // down, m/s; the step sweeps a fast body
			held        bool
		}{
			"each has the other":         {Filter{Category: 1 << 40, Mask: 1 << 63}, Filter{Category: 1 << 63, Mask: 1 << 40}, 0, true},
			"each has the other, fast":   {Filter{Category: 1 << 40, Mask: 1 << 63}, Filter{Category: 1 << 63, Mask: 1 << 40}, 90, true},
			"one has not the other":      {Filter{Category: 1 << 40, Mask: 1 << 63}, Filter{Category: 1 << 63, Mask: 1 << 24}, 0, false},
			"low bits alike, fast":       {Filter{Category: 1<<40 | 1, Mask: 1 << 16}, Filter{Category: 1 << 32, Mask: 1<<40 | 1}, 90, false},
			"the zero filter has all":    {Filter{}, Filter{Category: 1 << 50, Mask: 1}, 0, true},
			"sixteen bits are no more":   {Filter{Category: 1, Mask: 0xffff}, Filter{Category: 1 << 16, Mask: AllCategories}, 0, false},
			"a group, whatever the mask": {Filter{Category: 1 << 40, Group: 3}, Filter{Category: 1 << 50, Group: 3}, 0, true},
		} {
			r := newRig(t, Config{Stepper: stepper})
			edge, box := Edge(Vec{X: -9, Y: 0}, Vec{X: 9, Y: 0}), Box(.5, .5)
			edge.Filter, box.Filter = c.ground, c.box
			r.body(BodyDef{Shapes: []ShapeDef{edge}})
			b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 3}, Velocity: Vec{Y: -c.speed}, Shapes: []ShapeDef{box}})
			r.start()
			r.run(120)
			if held := r.at(b).Y > 0; held != c.held {
				t.Errorf("%v, %s: held is %v, and it is at y = %v", stepper, name, held, r.at(b).Y)
			}
		}
	}
}

// A fixture that was made through Box2D has the library's filter, and no record.
func TestAFixtureOfBox2DsHasTheLibrarysSixteenCategories(t *testing.T) {
	for name, c := range map[string]struct {
		bits box2d.B2Filter
		held bool
	}{
		"by default":   {box2d.MakeB2Filter(), true},
		"another mask": {box2d.B2Filter{CategoryBits: 1, MaskBits: 0xfffe}, false},
	} {
		r := newRig(t, gravity())
		fd := box2d.MakeB2FixtureDef()
		edge := box2d.MakeB2EdgeShape()
		edge.Set(box2d.B2Vec2{X: -9}, box2d.B2Vec2{X: 9})
		fd.Shape, fd.Filter = &edge, c.bits
		r.BodyPointer(r.body(BodyDef{})).CreateFixtureFromDef(&fd)
		box := Box(.5, .5)
		box.Filter = Filter{Category: 1 << 40, Mask: AllCategories}
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 1}, Shapes: []ShapeDef{box}})
		r.start()
		r.run(120)
		if held := r.at(b).Y > 0; held != c.held {
			t.Errorf("%s: held is %v", name, held)
		}
	}
}
