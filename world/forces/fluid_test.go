package forces_test

import (
	"math"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/world"
	"halfstep/world/forces"
)

const dt = 1. / 60

// run steps a simulation.
func run(s *world.Simulation, n int) {
	for range n {
		s.BeginFrame()
		s.Step(s.World().Tick()+1, dt)
		s.EndFrame()
	}
}

func body(t *testing.T, w *world.World, d world.BodyDef) world.Body {
	t.Helper()
	d.Kind = world.Dynamic
	b, err := w.CreateBody(d)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func info(t *testing.T, w *world.World, b world.Body) world.BodyInfo {
	t.Helper()
	i, err := w.Body(b)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestAFloatingBodySettlesWhereItDisplacesItsWeight(t *testing.T) {
	for _, density := range []float64{.2, .5, .8} {
		s := world.NewSimulation(world.Config{})
		w := s.World()
		box, ball := world.Box(.8, .5), world.Circle(.6)
		box.Density, ball.Density = 2*density, 2*density
		b := body(t, w, world.BodyDef{Position: world.Vec{X: -3, Y: 6}, Shapes: []world.ShapeDef{box}})
		c := body(t, w, world.BodyDef{Position: world.Vec{X: 3, Y: 6}, Shapes: []world.ShapeDef{ball}})
		lies := world.Capsule(world.Vec{X: -1}, world.Vec{X: 1}, .4)
		lies.Density = 2 * density
		d := body(t, w, world.BodyDef{Position: world.Vec{X: 9, Y: 6}, Shapes: []world.ShapeDef{lies}})
		w.AddController(&forces.Fluid{Level: 4, Density: 2, Drag: 3})
		run(s, 1200)
		if deep := 4 - (info(t, w, b).Position.Y - .5); math.Abs(deep-density) > .002 {
			t.Errorf("density %v: the box is %v m deep, want %v", density, deep, density)
		}
		// A segment of this depth has this share of the circle's area.
		h := (4 - (info(t, w, c).Position.Y - .6)) / .6
		share := (math.Acos(1-h) - (1-h)*math.Sqrt(2*h-h*h)) / math.Pi
		if math.Abs(share-density) > .002 {
			t.Errorf("density %v: %v of the ball is in", density, share)
		}
		h = (4 - (info(t, w, d).Position.Y - .4)) / .4
		ends := (math.Acos(1-h) - (1-h)*math.Sqrt(2*h-h*h)) * .16
		if share := (ends + 2*h*.4) / (math.Pi*.16 + 2*.8); math.Abs(share-density) > .005 {
			t.Errorf("density %v: %v of the capsule is in", density, share)
		}
	}
}

func TestTheFirstStepInAFluidHasTheBuoyancyOfTheClosedFormula(t *testing.T) {
	s := world.NewSimulation(world.Config{Gravity: world.Vec{X: 1, Y: -9}})
	w := s.World()
	in := body(t, w, world.BodyDef{Position: world.Vec{Y: -5}, Velocity: world.Vec{X: 2}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	out := body(t, w, world.BodyDef{Position: world.Vec{Y: 5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
	w.AddController(&forces.Fluid{Density: 3, Drag: .5, Flow: world.Vec{X: 1}})
	run(s, 1)
	// The net force is (1 - 3) times the weight, and a drag of 3 kg · 0.5/s against 1 m/s.
	if v := info(t, w, in).Velocity; math.Abs(v.X-(2-2*dt-1.5*dt)) > 1e-12 || math.Abs(v.Y-18*dt) > 1e-12 {
		t.Errorf("in the fluid %v", v)
	}
	if v := info(t, w, out).Velocity; v.Y != -9*dt {
		t.Errorf("above it %v", v)
	}
}

func TestAFluidPushesAtTheCentroidOfThePartInIt(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	w := s.World()
	b := body(t, w, world.BodyDef{Shapes: []world.ShapeDef{world.Box(1, .5)}})
	pool := []world.Vec{{X: .5, Y: -3}, {X: 3, Y: -3}, {X: 3, Y: 3}, {X: .5, Y: 3}} // its right quarter
	w.AddController(&forces.Fluid{Outline: pool, Density: 1})
	run(s, 1)
	i := info(t, w, b)
	if spin := .5 * 10 * dt * .75 / i.Inertia; math.Abs(i.AngularVelocity-spin) > 1e-12 {
		t.Errorf("it turns at %v, want %v", i.AngularVelocity, spin)
	}
}

func TestFlowCarriesWhatFloats(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	w := s.World()
	box := world.Box(.5, .5)
	box.Density = .5
	b := body(t, w, world.BodyDef{Shapes: []world.ShapeDef{box}})
	w.AddController(&forces.Fluid{Density: 1, Drag: 2, Flow: world.Vec{X: 3}})
	run(s, 900)
	if v := info(t, w, b).Velocity; math.Abs(v.X-3) > .01 {
		t.Errorf("%v m/s", v.X)
	}
}

func TestWhatFloatsFallsAsleepOnceAndWakesWhenTheLevelRises(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	w := s.World()
	box := world.Box(.5, .5)
	box.Density = .5
	b := body(t, w, world.BodyDef{Position: world.Vec{Y: .2}, Shapes: []world.ShapeDef{box}})
	pool := &forces.Fluid{Density: 1, Drag: 4}
	w.AddController(pool)
	out := &buffer.Outbox[world.Event]{Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[world.Event]()}
	s.Start(out)
	run(s, 900)
	slept := 0
	for e := out.Events.Peek(out.Events.Count()); e != nil; e = out.Events.Peek(out.Events.Count()) {
		if e.Kind == world.BodySlept {
			slept++
		}
		out.Events.Take()
	}
	if slept != 1 || info(t, w, b).Awake {
		t.Errorf("it fell asleep %d times", slept)
	}
	pool.Level = 2
	run(s, 600)
	if y := info(t, w, b).Position.Y; math.Abs(y-2) > .01 {
		t.Errorf("at a level of 2 m it is at %v m", y)
	}
}

func TestControllersWithBadNumbersDoNothing(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]world.Controller{
		"NaN level":        &forces.Fluid{Level: nan, Density: 1},
		"negative density": &forces.Fluid{Level: 9, Density: -1},
		"infinite density": &forces.Fluid{Level: 9, Density: inf},
		"NaN drag":         &forces.Fluid{Level: 9, Density: 1, Drag: nan},
		"infinite flow":    &forces.Fluid{Level: 9, Density: 1, Drag: 1, Flow: world.Vec{X: inf}},
		"NaN corner":       &forces.Fluid{Density: 1, Outline: []world.Vec{{X: -9, Y: -9}, {X: nan, Y: -9}, {Y: 9}}},
		"two corners":      &forces.Fluid{Density: 1, Outline: []world.Vec{{X: -9, Y: -9}, {X: 9, Y: -9}}},
		"no area":          &forces.Fluid{Density: 1, Outline: []world.Vec{{X: -9}, {X: 9}, {X: 3}}},
		"stale body":       &forces.Fluid{Level: 9, Density: 1, Bodies: []world.Body{99}},
		"NaN wind":         &forces.Wind{Velocity: world.Vec{X: nan}, Density: 1},
		"negative air":     &forces.Wind{Velocity: world.Vec{X: 9}, Density: -1},
		"infinite gust":    &forces.Wind{Density: 1, Gust: func(world.Vec, float64) world.Vec { return world.Vec{X: inf} }},
		"NaN gust":         &forces.Wind{Density: 1, Gust: func(world.Vec, float64) world.Vec { return world.Vec{Y: nan} }},
	} {
		s := world.NewSimulation(world.Config{})
		b := body(t, s.World(), world.BodyDef{Velocity: world.Vec{X: 1}, AngularVelocity: 1, Shapes: []world.ShapeDef{world.Box(.5, .5), world.Circle(.3)}})
		s.World().AddController(c)
		run(s, 3)
		if i := info(t, s.World(), b); i.Velocity.X != 1 || i.AngularVelocity != 1 || math.Abs(i.Velocity.Y+30*dt) > 1e-12 {
			t.Errorf("%s: %+v", name, i)
		}
	}
}

func TestControllersLeaveSensorsAndLinesAlone(t *testing.T) {
	sensor := world.Box(.5, .5)
	sensor.Sensor = true
	for name, c := range map[string]world.Controller{
		"fluid": &forces.Fluid{Level: 9, Density: 1, Drag: 1},
		"wind":  &forces.Wind{Velocity: world.Vec{X: 9}, Density: 1},
	} {
		s := world.NewSimulation(world.Config{})
		b := body(t, s.World(), world.BodyDef{Shapes: []world.ShapeDef{sensor, world.Edge(world.Vec{}, world.Vec{X: 1, Y: 1})}})
		s.World().AddController(c)
		run(s, 3)
		if i := info(t, s.World(), b); i.Velocity.X != 0 || math.Abs(i.Velocity.Y+30*dt) > 1e-12 {
			t.Errorf("%s: %+v", name, i)
		}
	}
}

func TestControllersAllocateNothing(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	w := s.World()
	for i := range 20 {
		body(t, w, world.BodyDef{Position: world.Vec{X: float64(i)}, NoSleep: true, Shapes: []world.ShapeDef{world.Box(.4, .4), world.Circle(.5)}})
	}
	pool := []world.Vec{{X: -1, Y: -3}, {X: 30, Y: -3}, {X: 30}, {X: 12, Y: -.2}, {X: -1}}
	for name, c := range map[string]world.Controller{
		"level":   &forces.Fluid{Density: 1, Drag: 1},
		"outline": &forces.Fluid{Density: 1, Drag: 1, Outline: pool},
		"wind":    &forces.Wind{Velocity: world.Vec{X: 3}, Density: .1},
	} {
		if n := testing.AllocsPerRun(50, func() { c.BeforeStep(w, dt) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// The fluid compares the contents of the list Bodies, not only its address.
func TestABodyThatAFluidTakesOnIsPushedAlsoWhereItSleeps(t *testing.T) {
	s := world.NewSimulation(world.Config{})
	w := s.World()
	ball := world.Circle(.6)
	ball.Density = .5
	f := &forces.Fluid{Level: 4, Density: 2, Drag: 3, Bodies: make([]world.Body, 1)}
	w.AddController(f)
	b := body(t, w, world.BodyDef{Position: world.Vec{Y: 2}, Asleep: true, Shapes: []world.ShapeDef{ball}})
	run(s, 5)
	if i := info(t, w, b); i.Awake {
		t.Fatalf("before, it moves: %+v", i)
	}
	f.Bodies[0] = b
	run(s, 5)
	if i := info(t, w, b); !i.Awake || i.Velocity.Y <= 0 {
		t.Errorf("it is awake: %v, and moves with %v", i.Awake, i.Velocity)
	}
}
