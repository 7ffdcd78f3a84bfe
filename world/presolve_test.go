package world

import (
	"slices"
	"testing"
)

func TestPreSolveIsShownTheWholeContact(t *testing.T) {
	r := newRig(t, gravity())
	ground := Box(9, 1)
	ground.Friction, ground.Restitution, ground.SurfaceSpeed = .9, .1, 2
	g := r.body(BodyDef{Position: Vec{Y: -1}, Shapes: []ShapeDef{ground}})
	box := Box(.5, .5)
	box.Friction, box.Restitution = .4, .3
	r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: .5}, FixedRotation: true, Shapes: []ShapeDef{box}})
	calls := 0
	r.SetPreSolve(func(w *World, c *PreSolveContact) {
		up := c.Normal.Y
		if c.B == g {
			up = -up
		}
		if calls++; !near(c.Friction, .6, 1e-15) || c.Restitution != .3 || c.TangentSpeed != 2 || !c.Solid || !near(up, 1, 1e-12) ||
			len(c.Points) != 2 || !near(abs(c.Points[0].X-c.Points[1].X), 1, .05) || c.Depth < -.016 || c.Depth > .03 || c.Began != (calls == 1) {
			t.Errorf("call %d: %+v", calls, *c)
		}
		c.Friction, c.Restitution, c.TangentSpeed = .5, .25, 1 // the next call must not see these values
	})
	r.start()
	r.run(20)
	if calls < 20 {
		t.Errorf("%d calls", calls)
	}
}

func abs(x float64) float64 { return max(x, -x) }

func TestWhatPreSolveWritesHoldsForOneStep(t *testing.T) {
	for name, c := range map[string]struct {
		write func(c *PreSolveContact)
		want  func(v Vec) bool
	}{
		"nothing":      {func(*PreSolveContact) {}, func(v Vec) bool { return v.X > 3-tiny*9 && v.X < 7 && v.Y < .1 }},
		"no friction":  {func(c *PreSolveContact) { c.Friction = 0 }, func(v Vec) bool { return v.X == 9 }},
		"bounce":       {func(c *PreSolveContact) { c.Restitution = 1 }, func(v Vec) bool { return abs(v.Y) > 1 }},
		"conveyor":     {func(c *PreSolveContact) { c.TangentSpeed = 6 }, func(v Vec) bool { return near(v.X, 6, 1e-6) }},
		"not a number": {func(c *PreSolveContact) { c.Friction = nan }, func(v Vec) bool { return v.X > 3-tiny*9 && v.X < 7 }},
	} {
		r := newRig(t, gravity())
		ground := Box(90, 1)
		ground.Friction = .6
		r.body(BodyDef{Position: Vec{Y: -1}, Shapes: []ShapeDef{ground}})
		box := Box(.5, .5)
		box.Friction = .6
		b := r.body(BodyDef{Kind: Dynamic, Position: Vec{Y: 1}, Velocity: Vec{X: 9}, FixedRotation: true, NoSleep: true, Shapes: []ShapeDef{box}})
		r.SetPreSolve(func(_ *World, p *PreSolveContact) { c.write(p) })
		r.start()
		r.run(60)
		if v := r.speed(b); !c.want(v) {
			t.Errorf("%s: %v", name, v)
		}
		bad := only(r.events(), CommandRejected)
		if (name == "not a number") != (len(bad) == 1) || len(bad) == 1 && !oneLine(bad[0].Err) {
			t.Errorf("%s: %v", name, bad)
		}
		// Without the hook the shapes' own values count again.
		r.SetPreSolve(nil)
		r.run(120)
		if v := r.speed(b); name != "bounce" && !near(v.X, 0, 1e-6) {
			t.Errorf("%s: after it %v", name, v)
		}
	}
}

func TestPreSolveIsNotAskedAboutWhatPassesAOneWayShape(t *testing.T) {
	r := newRig(t, gravity())
	r.platform(0)
	b := r.thrown(0, -2.5, Vec{Y: 9})
	var began []uint64
	r.SetPreSolve(func(w *World, c *PreSolveContact) {
		if r.at(b).Y < .4 {
			t.Errorf("asked at y = %v", r.at(b).Y)
		}
		if c.Began {
			began = append(began, w.Tick()+1)
		}
	})
	r.start()
	r.run(150)
	var told []uint64
	for _, e := range only(r.events(), ContactBegin) {
		told = append(told, e.Tick)
	}
	if len(began) == 0 || !slices.Equal(began, told) {
		t.Errorf("began at %v, told at %v", began, told)
	}
}

// A hook replaces itself during a step. With every stepper its values are used until the
// end of that step, and the new hook is called from the next step on.
func TestAPreSolveHookThatReplacesItselfIsAskedUntilTheStepEnds(t *testing.T) {
	var hashes []uint64
	for i, c := range []Config{{}, {Workers: 1}, {Workers: 4}, {Stepper: SoftStep, Workers: 1}} {
		r := newLibraryRig(t, Config{})
		if i > 0 {
			r = newRig(t, c)
		}
		r.body(BodyDef{Shapes: []ShapeDef{Box(50, .5)}})
		for i := range 30 {
			r.body(BodyDef{Kind: Dynamic, Position: Vec{X: float64(i) - 15, Y: 1}, Shapes: []ShapeDef{Box(.3, .5)}, Velocity: Vec{X: 3}})
		}
		var first, second [4]int // in each tick, the number of contacts for which each hook was called
		tick := 0
		r.SetPreSolve(func(w *World, c *PreSolveContact) {
			first[tick]++
			c.Friction = 0
			if tick == 1 {
				w.SetPreSolve(func(_ *World, c *PreSolveContact) { second[tick]++ })
			}
		})
		r.start()
		for tick = range first {
			r.frame(1)
		}
		if first[1] != 30 || first[2] != 0 || second[1] != 0 || second[2] != 30 {
			t.Errorf("%v: the old hook was asked %v times, the new one %v", c.Stepper, first, second)
		}
		if c.Stepper != SoftStep {
			hashes = append(hashes, r.Hash())
		}
		r.Close()
	}
	if hashes[1] != hashes[2] { // the first world may have another stepper
		t.Errorf("other bits: %x", hashes)
	}
}

func TestAPairThatPreSolveLetsPassHasEventsAndIsNotListed(t *testing.T) {
	for _, stepper := range bothSteppers {
		r := newRig(t, Config{Stepper: stepper})
		r.ground()
		r.box(0, .5)
		r.SetPreSolve(func(_ *World, c *PreSolveContact) { c.Solid = false })
		r.start()
		r.run(6)
		if n := len(only(r.events(), ContactBegin)); n != 1 {
			t.Errorf("%v: %d contacts began", stepper, n)
		}
		for c := range r.Contacts() {
			t.Errorf("%v: %+v is listed", stepper, c)
		}
	}
}

func TestPreSolveLetsBodiesPass(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.box(0, 1)
	r.SetPreSolve(func(_ *World, c *PreSolveContact) { c.Solid = false })
	r.start()
	r.run(120)
	if y := r.at(b).Y; y > -1 {
		t.Errorf("stopped at y = %v", y)
	}
}
