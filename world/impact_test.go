package world

import (
	"reflect"
	"slices"
	"testing"

	"halfstep/buffer/body2d"
)

// impacts counts the ticks in which a body is marked with an impact.
func (r *rig) impacts(b Body, ticks int) (n int) {
	for range ticks {
		r.run(1)
		if r.has(b, body2d.Impact) {
			n++
		}
	}
	return
}

func TestABounceIsAnImpactInItsTickOnly(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	ball := Circle(.5)
	ball.Restitution = .8
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 3}, Shapes: []ShapeDef{ball}})
	r.start()
	for r.speed(b).Y <= 0 && r.tick < 100 {
		r.run(1)
		if up := r.speed(b).Y > 0; r.has(b, body2d.Impact) != up {
			t.Fatalf("tick %d: impact %v with v = %v", r.tick, !up, r.speed(b).Y)
		}
	}
	if n := r.impacts(b, 20); n != 0 {
		t.Errorf("%d impacts in the air", n)
	}
}

func TestRestAndFlightAreNoImpacts(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	low, high := r.box(0, .51), r.box(0, 1.52)
	flying := r.box(9, 50)
	r.start()
	r.run(30)
	for _, b := range []Body{low, high, flying} {
		if n := r.impacts(b, 30); n != 0 {
			t.Errorf("%v: %d impacts", b, n)
		}
	}
}

func TestAPushIntoATouchingBodyIsAnImpact(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b := r.box(0, 0), r.box(1, 0)
	r.start()
	r.run(10)
	r.frame(1, Command{Op: opVelocity, Body: a, V: Vec{X: 4, Y: 0}})
	if !r.has(a, body2d.Impact) || !r.has(b, body2d.Impact) || r.speed(b).X < 1 {
		t.Errorf("impacts %v, %v; b moves at %v", r.has(a, body2d.Impact), r.has(b, body2d.Impact), r.speed(b))
	}
}

func TestAKickIsAnImpactAndThrustIsNot(t *testing.T) {
	for name, c := range map[string]struct {
		Command
		want int
	}{
		"impulse":         {Command{Op: opImpulse, V: Vec{X: 5, Y: 0}}, 1},
		"velocity":        {Command{Op: opVelocity, V: Vec{X: 5, Y: 0}}, 1},
		"spin":            {Command{Op: opAngularVelocity, X: 9}, 1},
		"angular impulse": {Command{Op: opAngularImpulse, X: 3}, 1},
		"nudge":           {Command{Op: opImpulse, V: Vec{X: .1, Y: 0}}, 0},
		"thrust":          {Command{Op: opForce, V: Vec{X: 500, Y: 0}}, 0},
		"torque":          {Command{Op: opTorque, X: 100}, 0},
	} {
		r := newRig(t, gravity())
		b := r.box(0, 0)
		r.start()
		r.run(3)
		c.Body = b
		r.frame(1, c.Command)
		got := 0
		if r.has(b, body2d.Impact) {
			got++
		}
		got += r.impacts(b, 5)
		if got != c.want {
			t.Errorf("%s: %d impacts, want %d", name, got, c.want)
		}
	}
}

func TestAKickAfterAStepMarksTheTickThatShowsIt(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.AddContactHook(func(w *World, _ []Event) {
		if w.Tick() == 3 {
			check(t, w.Impulse(b, Vec{X: 9, Y: 0}))
		}
	})
	r.start()
	for r.tick < 6 {
		r.run(1)
		if r.has(b, body2d.Impact) != (r.tick == 3) {
			t.Errorf("tick %d: impact is %v", r.tick, r.tick != 3)
		}
	}
}

func TestAGentleTouchIsAnImpact(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.body(BodyDef{Shapes: []ShapeDef{Box(.5, .5)}})
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 1.1, Y: 0}, Velocity: Vec{X: -.2, Y: 0}, Shapes: []ShapeDef{Box(.5, .5)}})
	r.start()
	var marked, begun []uint64
	for range 60 {
		r.run(1)
		if r.has(b, body2d.Impact) {
			marked = append(marked, r.tick)
		}
		for _, e := range only(r.events(), ContactBegin) {
			begun = append(begun, e.Tick)
		}
	}
	if len(begun) != 1 || len(marked) != 1 || begun[0] != marked[0] {
		t.Errorf("begun in %v, marked in %v", begun, marked)
	}
}

func TestThrustAlongTheGroundIsNoImpact(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, .51)
	r.start()
	r.run(20)
	n := 0
	for range 10 {
		r.frame(1, Command{Op: opForce, Body: b, V: Vec{X: 60, Y: 0}})
		if r.has(b, body2d.Impact) {
			n++
		}
	}
	if n != 0 || r.speed(b).X < 5 {
		t.Errorf("%d impacts on the way to %v", n, r.speed(b))
	}
}

func TestStatesAndEventsOfManyBodiesAreTheSameWithAnyNumberOfWorkers(t *testing.T) {
	play := func(workers int) *rig {
		cfg := gravity()
		cfg.Stepper, cfg.Workers = SoftStep, workers
		r := newRig(t, cfg)
		r.body(BodyDef{Shapes: []ShapeDef{BoxAt(Vec{X: 50, Y: -1}, 80, 1, 0)}})
		for i := range 1300 {
			r.body(BodyDef{
				Kind: Dynamic, Position: Vec{X: float64(i%50) * 2, Y: .5 + 1.5*float64(i/50)}, Asleep: i%7 == 0 && i < 50,
				Angle: float64(i%3) * .1, Shapes: []ShapeDef{Box(.5, .5)},
			})
		}
		r.start()
		return r
	}
	alone, shared := play(1), play(4)
	impacts, turned := 0, 0
	for tick := range 80 {
		alone.run(1)
		shared.run(1)
		if i := slices.IndexFunc(alone.states, func(s body2d.State) bool { return s.Flags()&body2d.Impact != 0 }); i >= 0 {
			impacts++
		}
		a, s := alone.events(), shared.events()
		turned += len(only(a, BodySlept)) + len(only(a, BodyWoke))
		if !slices.Equal(alone.states, shared.states) || !reflect.DeepEqual(a, s) {
			t.Fatalf("tick %d: other states or events with 4 workers", tick+1)
		}
	}
	if impacts == 0 || turned == 0 {
		t.Errorf("%d ticks with impacts, %d bodies that fell asleep or woke", impacts, turned)
	}
}
