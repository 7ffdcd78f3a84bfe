package world

import (
	"math"
	"testing"

	"halfstep/buffer/body2d"
)

func TestCaptureIsTheCentreOfMass(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.body(BodyDef{
		Kind: Dynamic, Position: Vec{X: 3, Y: 4}, Angle: math.Pi / 2, Velocity: Vec{X: 1, Y: 2}, AngularVelocity: .5,
		Shapes: []ShapeDef{CircleAt(1, 0, .5)},
	})
	r.start()
	s := r.state(b)
	// The definition gives the velocity of the origin; the centre is 1 m above it.
	want := body2d.State{X: 3, Y: 5, VX: .5, VY: 2, Omega: .5, Bits: s.Bits}
	want.SetAngle(math.Pi / 2)
	if s != want {
		t.Errorf("captured %+v, want %+v", s, want)
	}
	if f := s.Flags(); f != body2d.Alive|body2d.Awake|body2d.Jump {
		t.Errorf("flags %b", f)
	}
}

func TestCaptureKeepsTheTurns(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.body(BodyDef{Kind: Dynamic, Angle: 2e6*math.Pi + .25, Shapes: []ShapeDef{Box(1, 1)}})
	r.start()
	if s := r.state(b); s.Turns != 1e6 || !near(float64(s.Angle), .25, 1e-6) {
		t.Errorf("captured %+v", s)
	}
}

func TestUnusedSlotsKeepIndicesAndGenerations(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	a, b, c := r.box(0, 0), r.box(5, 0), r.box(9, 0)
	r.start()
	r.frame(1, Command{Op: opDestroyBody, Body: b})
	if len(r.states) != 3 || r.states[1] != (body2d.State{Bits: 1 << 8}) {
		t.Fatalf("states %+v", r.states)
	}
	for i, n := range []Body{a, 0, c} {
		if n == 0 {
			continue
		}
		if k, _ := r.slotOf(n); k != i {
			t.Errorf("slot of %v is %d", n, k)
		}
	}
	d := r.box(5, 0)
	if i, g := r.slotOf(d); i != 1 || g != 1 {
		t.Errorf("the free slot is used as %d, generation %d", i, g)
	}
	r.capture()
	if s := r.state(d); s.Generation() != 1 || s.Flags()&body2d.Alive == 0 {
		t.Errorf("state %+v", s)
	}
}

func TestGenerationWraps(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.places.slots[0].generation = body2d.GenerationMask
	check(t, r.DestroyBody(b))
	r.start()
	if r.states[0].Generation() != 0 || r.states[0].Flags() != 0 {
		t.Errorf("state %+v", r.states[0])
	}
	if _, g := r.slotOf(r.box(0, 0)); g != 0 {
		t.Errorf("generation %d", g)
	}
}

func TestJumpIsShownForOneTick(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.start()
	want := func(when string, jump bool) {
		t.Helper()
		if r.has(b, body2d.Jump) != jump {
			t.Errorf("%s: jump is %v", when, !jump)
		}
	}
	want("at tick 0", true)
	r.run(1)
	want("at tick 1", false)
	r.frame(2, Command{Op: opTeleport, Body: b, P: Vec{X: 9, Y: 9}})
	want("two steps after a teleport", false)
	r.frame(1, Command{Op: opTeleport, Body: b, P: Vec{X: 1, Y: 1}})
	want("at the first tick after a teleport", true)
	r.run(1)
	want("a tick later", false)

	// In a paused world the same tick is captured again and again.
	r.apply(Command{Op: opTeleport, Body: b, P: Vec{X: 5, Y: 5}})
	r.capture()
	want("edited", true)
	r.capture()
	want("edited, captured again", true)
	r.run(1)
	want("the tick after the edit", false)
}

func TestABodyJumpsWhereItIsMadeWhileTimeStandsStill(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	r.start()
	r.run(3)
	made := Body(7)
	for _, still := range []bool{false, true} {
		for _, steps := range []int{0, 1} { // the state after the first step is the first one with the body
			made++
			(private{}).BeginFrame(r.driven.Simulation, still)
			r.Apply(r.tick, &Command{Op: opCreateBody, Body: made, BodyDef: &BodyDef{Kind: Dynamic}}, false)
			for range steps {
				r.tick++
				r.Simulation.Step(r.tick, dt)
			}
			r.EndFrame()
			if r.capture(); r.has(made, body2d.Jump) != (still && steps == 0) {
				t.Errorf("still %v, %d steps: jump is %v", still, steps, r.has(made, body2d.Jump))
			}
			if r.run(1); r.has(made, body2d.Jump) {
				t.Errorf("still %v, %d steps: it jumps a tick later", still, steps)
			}
		}
	}
}

func TestAMovedCentreIsNotBlended(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.start()
	r.run(1)
	r.structure()
	box := Box(.5, .5)
	for i := range box.Points {
		box.Points[i].X++
	}
	r.frame(1, Command{Op: opCreateShape, Body: b, Shape: 3, ShapeDef: &box})
	got := records(r.structure(), body2d.BodyChanged)
	if len(got) != 1 || got[0].LocalX != .5 || got[0].Handle != uint64(b) {
		t.Errorf("records %+v", got)
	}
	if s := r.state(b); !r.has(b, body2d.Jump) || s.X != .5 {
		t.Errorf("state %+v", s)
	}
	r.frame(1, Command{Op: opDestroyShape, Shape: 3})
	if got := records(r.structure(), body2d.BodyChanged); len(got) != 1 || got[0].LocalX != 0 || !r.has(b, body2d.Jump) {
		t.Errorf("destroyed: records %+v", got)
	}
}

func TestAGivenMassOutlivesChangesOfShape(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.body(BodyDef{Kind: Dynamic, Mass: &Mass{7, Vec{X: 1, Y: 0}, 10}, Shapes: []ShapeDef{Box(1, 1)}})
	r.start()
	same := func(when string) {
		t.Helper()
		m, i := r.massOf(b)
		c := r.info(b).Centre
		if m != 7 || i != 3 || c != (Vec{X: 1, Y: 0}) {
			t.Errorf("%s: mass %v, inertia %v, centre %v", when, m, i, c)
		}
	}
	same("made")
	circle := CircleAt(0, 5, 1)
	r.apply(Command{Op: opCreateShape, Body: b, Shape: 3, ShapeDef: &circle})
	same("with another shape")
	r.apply(Command{Op: opDestroyShape, Shape: 3})
	same("without it")
	r.apply(Command{Op: opSetKind, Body: b, N: 0}, Command{Op: opSetKind, Body: b, N: 2})
	same("static and back")
	r.apply(Command{Op: opSetFixedRotation, Body: b, On: true}, Command{Op: opSetFixedRotation, Body: b})
	same("fixed and freed")
}

func TestFlagsTellSleepAndDisabling(t *testing.T) {
	r := newRig(t, gravity())
	g := r.ground()
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: 5}, Asleep: true, Shapes: []ShapeDef{Box(1, 1)}})
	c := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 9, Y: 5}, Disabled: true, Shapes: []ShapeDef{Box(1, 1)}})
	r.start()
	r.run(1)
	for n, want := range map[Body]body2d.Flags{g: body2d.Alive, b: body2d.Alive, c: body2d.Alive | body2d.Disabled} {
		if s := r.state(n); s.Flags() != want {
			t.Errorf("%v: flags %b, want %b", n, s.Flags(), want)
		}
	}
	if c := r.Counts(); c.Awake != 0 || c.Bodies != 3 {
		t.Errorf("counts %+v", c)
	}
	r.frame(1, Command{Op: opSetAwake, Body: b, On: true}, Command{Op: opSetEnabled, Body: c, On: true})
	r.run(1)
	for _, n := range []Body{b, c} {
		if s := r.state(n); s.Flags() != body2d.Alive|body2d.Awake || s.VY == 0 {
			t.Errorf("%v: state %+v", n, s)
		}
	}
	if c := r.Counts(); c.Awake != 2 {
		t.Errorf("counts %+v", c)
	}
}

func TestASmoothingModeOfABodyIsInItsFlags(t *testing.T) {
	r := newRig(t, Config{NoGravity: true})
	b := r.box(0, 0)
	r.start()
	for _, mode := range []body2d.Smoothing{body2d.Inherit, 0, 1, 2, 3, body2d.Inherit} {
		r.apply(Command{Op: opSetSmoothing, Body: b, N: int32(mode)})
		r.capture()
		s := r.state(b)
		if m := s.Flags().Smoothing(); m != mode {
			t.Errorf("mode %d: %v", mode, m)
		}
		if s.Flags()&(body2d.Alive|body2d.Awake|body2d.Jump) != body2d.Alive|body2d.Awake|body2d.Jump {
			t.Errorf("mode %d: flags %b", mode, s.Flags())
		}
	}
}

func TestBodyDestroyedAfterAStepIsStillCaptured(t *testing.T) {
	r := newRig(t, gravity())
	r.ground()
	b := r.body(BodyDef{Kind: Dynamic, Position: Vec{X: 0, Y: .6}, User: "boom", Shapes: []ShapeDef{Box(.5, .5)}})
	slot, _ := r.slotOf(b)
	r.AddContactHook(func(w *World, contacts []Event) {
		for _, c := range contacts {
			if c.Kind == ContactBegin {
				check(t, w.DestroyBody(c.B))
				if w.Alive(b) {
					t.Error("alive")
				}
				w.CreateBody(BodyDef{}) // this body must not get the slot yet
			}
		}
	})
	r.start()
	r.structure()
	for r.Alive(b) && r.tick < 100 {
		r.run(1)
	}
	touched := r.tick
	s := r.states[slot]
	if f := s.Flags(); f&body2d.Alive == 0 || s.Generation() != 0 || !near(float64(s.Y), .5, .05) || f&body2d.Impact == 0 {
		t.Errorf("final state %+v", s)
	}
	events := r.events()
	if got := only(events, BodyRemoved); len(got) != 1 || got[0].Tick != touched || got[0].A != b || got[0].User != "boom" {
		t.Errorf("removed %+v", got)
	}
	if got := records(r.structure(), body2d.BodyRemoved); len(got) != 0 {
		t.Errorf("announced at once: %+v", got)
	}
	r.capture()
	if r.states[slot] != s {
		t.Error("another capture of the tick lost it")
	}
	r.run(1)
	if r.states[slot].Flags() != 0 || r.states[slot].Generation() != 1 {
		t.Errorf("a tick later: %+v", r.states[slot])
	}
	if got := records(r.structure(), body2d.BodyRemoved); len(got) != 1 || got[0].Slot != int32(slot) || got[0].Tick != touched+1 {
		t.Errorf("records %+v", got)
	}
}

func TestBodyDestroyedBetweenStepsIsGone(t *testing.T) {
	r := newRig(t, gravity())
	b := r.box(0, 0)
	r.start()
	r.run(2)
	r.structure()
	r.apply(Command{Op: opDestroyBody, Body: b})
	r.capture()
	if r.states[0].Flags() != 0 {
		t.Errorf("state %+v", r.states[0])
	}
	if got := records(r.structure(), body2d.BodyRemoved); len(got) != 1 || got[0].Tick != 2 {
		t.Errorf("records %+v", got)
	}
}
