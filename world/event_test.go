package world

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"halfstep/internal/box"
)

func TestATouchIsBeginThenHitThenEnd(t *testing.T) {
	r := newRig(t, gravity())
	g := r.ground()
	ball := Circle(.5)
	ball.Restitution = .5
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 2}, Shapes: []ShapeDef{ball}})
	shapes, _ := r.Shapes(b)
	r.start()
	var all []Event
	for len(only(all, ContactEnd)) == 0 && r.tick < 100 {
		r.run(1)
		for _, e := range r.events() {
			if e.Tick != r.tick {
				t.Errorf("%+v in tick %d", e, r.tick)
			}
			all = append(all, e)
		}
	}
	if len(all) != 3 || all[0].Kind != ContactBegin || all[1].Kind != ContactHit || all[2].Kind != ContactEnd {
		t.Fatalf("events %+v", all)
	}
	mass, _ := r.massOf(b)
	for _, e := range all {
		if e.A != g || e.B != b || e.ShapeB != shapes[0] || e.ShapeA == 0 {
			t.Errorf("names of %+v", e)
		}
	}
	for _, e := range all[:2] {
		if !near(e.Normal.Y, 1, 1e-9) || !near(e.Point.Y, 0, .05) || !near(e.Point.X, 0, 1e-9) {
			t.Errorf("place of %+v", e)
		}
	}
	// The body fell 1.5 m and keeps half of its speed.
	if want := mass * 1.5 * 5.48; !near(all[1].Impulse, want, .05*want) || all[0].Tick != all[1].Tick {
		t.Errorf("impulse %v, want about %v", all[1].Impulse, want)
	}
}

func TestABulletsHitHasItsImpulse(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.body(BodyDef{Shapes: []ShapeDef{Edge(Vec{X: 5, Y: -5}, Vec{X: 5, Y: 5})}})
	b := r.body(BodyDef{Kind: Dynamic, Velocity: Vec{X: 100, Y: 0}, Bullet: true, Shapes: []ShapeDef{Circle(.1)}})
	r.start()
	var hits []Event
	for range 10 {
		r.run(1)
		hits = append(hits, only(r.events(), ContactHit)...)
	}
	mass, _ := r.massOf(b)
	if len(hits) != 1 || !near(hits[0].Impulse, 100*mass, mass) {
		t.Errorf("hits %+v, want one of %v", hits, 100*mass)
	}
}

func TestASensorReportsAndPushesNothing(t *testing.T) {
	for _, first := range []bool{true, false} { // whichever of the two is Box2D's fixture A
		r := newRig(t, Config{NoGravity: true})
		zone := Box(1, 1)
		zone.Sensor = true
		var gate Body
		make := func() { gate = r.body(BodyDef{Position: Vec{X: 3, Y: 0}, Shapes: []ShapeDef{zone}}) }
		if first {
			make()
		}
		b := r.body(BodyDef{Kind: Dynamic, Velocity: Vec{X: 6, Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
		if !first {
			make()
		}
		sensor, _ := r.Shapes(gate)
		shape, _ := r.Shapes(b)
		r.start()
		var all []Event
		for range 90 {
			r.run(1)
			all = append(all, r.events()...)
		}
		if len(all) != 2 || all[0].Kind != SensorBegin || all[1].Kind != SensorEnd {
			t.Fatalf("events %+v", all)
		}
		for _, e := range all {
			if e.A != gate || e.B != b || e.ShapeA != sensor[0] || e.ShapeB != shape[0] {
				t.Errorf("event %+v", e)
			}
		}
		if r.speed(b) != (Vec{X: 6, Y: 0}) {
			t.Error("it pushed")
		}
	}
}

func TestSleepAndWakingAreTold(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, .51)
	r.start()
	var all []Event
	for range 120 {
		r.run(1)
		all = append(all, r.events()...)
	}
	r.frame(1, Command{Op: opImpulse, Body: b, V: Vec{X: 0, Y: 5}})
	all = append(all, r.events()...)
	slept, woke := only(all, BodySlept), only(all, BodyWoke)
	if len(slept) != 1 || slept[0].A != b || slept[0].Tick < 30 || slept[0].Tick > 60 {
		t.Errorf("slept %+v", slept)
	}
	if len(woke) != 1 || woke[0].A != b || woke[0].Tick != 121 {
		t.Errorf("woke %+v", woke)
	}
}

func TestRemovedHandsTheUserDataBack(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	user := new(int)
	b := r.body(BodyDef{User: user, Name: "it"})
	if i, err := r.Body(b); i.User != user || err != nil {
		t.Errorf("user %v, %v", i.User, err)
	}
	r.start()
	r.run(4)
	r.apply(Command{Op: opDestroyBody, Body: b})
	got := r.events()
	if len(got) != 1 || got[0].Kind != BodyRemoved || got[0].A != b || got[0].User != user || got[0].Tick != 4 {
		t.Errorf("events %+v", got)
	}
	if _, err := r.Body(b); err == nil {
		t.Error("a dead body has user data")
	}
}

func TestEventsAllocateNothingInTheSteadyState(t *testing.T) {
	r := newRig(t, gravity())
	a, b := r.box(0, 0), r.box(0, 0)
	r.start()
	r.run(2)
	var c Contact
	for x := range r.Contacts() {
		c = x
	}
	if c.A != a && c.B != a {
		t.Fatalf("no contact of %v and %v", a, b)
	}
	contact := firstContact(r.World)
	l := (*listener)(r.World)
	turn := func() {
		for range 100 {
			r.when.phase = stepping
			clear(r.contacts.begun)
			l.BeginContact(contact, -1)
			l.EndContact(contact)
			r.when.phase = after
			r.contacts.tellHits()
			r.aftermath.look(true)
			r.contacts.told = r.contacts.told[:0]
			r.when.phase = idle
		}
		for r.out.Events.Peek(r.out.Events.Count()) != nil {
			r.out.Events.Take()
		}
	}
	turn()
	turn()
	if n := testing.AllocsPerRun(20, turn); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestEventsAreTheSameEveryTime(t *testing.T) {
	for seed := range uint64(4) {
		play := func() []Event {
			r := newRig(t, Config{Gravity: Vec{Y: -10}, Stepper: Stepper(seed % 2)})
			(&chaos{Rand: rand.New(rand.NewPCG(seed, 11))}).frames(r, 100)
			return r.events()
		}
		a, b := play(), play()
		if len(a) < 60 || !reflect.DeepEqual(a, b) {
			t.Errorf("seed %d: %d and %d events differ", seed, len(a), len(b))
		}
		for i := 1; i < len(a); i++ {
			if a[i].Tick < a[i-1].Tick {
				t.Fatal("ticks go back")
			}
		}
	}
}

// firstContact is the newest.
func firstContact(w *World) (c box.Contact) {
	for c = range w.box.EachContact() {
		break
	}
	return c
}

func TestContactsOfWhichNobodyIsToldLeaveNothing(t *testing.T) {
	for _, hooked := range []bool{false, true} {
		s := NewSimulation(Config{Stepper: SoftStep, NoGravity: true})
		w := s.World()
		for range 2 {
			if _, err := w.CreateBody(BodyDef{Kind: Dynamic, Shapes: []ShapeDef{Box(1, 1)}}); err != nil {
				t.Fatal(err)
			}
		}
		told := 0
		if hooked {
			w.AddContactHook(func(_ *World, events []Event) { told += len(events) })
		}
		s.Step(1, dt)
		if kept := cap(w.contacts.spare) > 0; kept != hooked || told > 0 != hooked {
			t.Errorf("hooked: %v: events are kept: %v, %d were told", hooked, kept, told)
		}
		s.Close()
	}
}

func TestEndOfADestroyedContactHasATick(t *testing.T) {
	r, platform, b := sleepers(t)
	r.events()
	r.apply(Command{Op: opDestroyBody, Body: platform})
	got := only(r.events(), ContactEnd)
	if len(got) != 1 || got[0].Tick != 120 || got[0].A != platform || got[0].B != b {
		t.Errorf("ends: %+v", got)
	}
	var heard []Event
	r.AddContactHook(func(_ *World, c []Event) { heard = append(heard, c...) })
	r.run(1)
	if len(heard) != 1 || heard[0].Kind != ContactEnd {
		t.Errorf("the hooks heard %+v", heard)
	}
}

func TestARetractedEventSaysWhatDidNotHappenAndHasItsKey(t *testing.T) {
	hit := Event{
		Kind: ContactHit, Tick: 74, Contact: Contact{A: 1, B: 2, ShapeA: 3, ShapeB: 4, Impulse: 3.1},
		NameA: "ball", NameB: "ground",
	}
	gone := hit
	gone.Kind, gone.Was = EventRetracted, hit.Kind
	if got, want := gone.String(), `tick 74: retracted: "ball" hit "ground" with 3.1 N·s`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if (private{}).EventKey(&gone) != (private{}).EventKey(&hit) {
		t.Error("it has another key")
	}
	harder := hit
	harder.Impulse, harder.Point = 5, Vec{X: 1}
	if (private{}).EventKey(&harder) != (private{}).EventKey(&hit) {
		t.Error("how hard and where belong to the key")
	}
	for what, other := range map[string]Event{
		"tick":  {Kind: ContactHit, Tick: 75, Contact: hit.Contact},
		"kind":  {Kind: ContactBegin, Tick: 74, Contact: hit.Contact},
		"body":  {Kind: ContactHit, Tick: 74, Contact: Contact{A: 1, B: 5, ShapeA: 3, ShapeB: 4}},
		"shape": {Kind: ContactHit, Tick: 74, Contact: Contact{A: 1, B: 2, ShapeA: 3, ShapeB: 5}},
	} {
		if (private{}).EventKey(&other) == (private{}).EventKey(&hit) {
			t.Errorf("another %s, and the same key", what)
		}
	}
}
