package forces_test

import (
	"math"
	"testing"

	"halfstep/world"
	"halfstep/world/forces"
)

func TestWindPushesWithTheDynamicPressureOfTheExposedEdges(t *testing.T) {
	const density, speed = .1, 8.
	for name, c := range map[string]struct {
		s     world.ShapeDef
		angle float64
		push  float64 // N, along the wind
	}{
		"plate across": {world.Box(.1, 1), 0, density / 2 * speed * speed * 2},
		"plate along":  {world.Box(1, .1), 0, density / 2 * speed * speed * .2},
		// Two edges of 1 m at 45°: half of the pressure acts on each, and cos 45° of the push
		// counts.
		"square on edge": {world.Box(.5, .5), math.Pi / 4, density / 2 * speed * speed * math.Sqrt2 / 2},
		"circle":         {world.Circle(.5), 0, 2. / 3 * density * .5 * speed * speed},
		// The round ends are pushed like a circle.
		"capsule across": {world.Capsule(world.Vec{Y: -1}, world.Vec{Y: 1}, .5), 0, (density/2*2 + 2./3*density*.5) * speed * speed},
		"capsule along":  {world.Capsule(world.Vec{X: -1}, world.Vec{X: 1}, .5), 0, 2. / 3 * density * .5 * speed * speed},
	} {
		s := world.NewSimulation(world.Config{NoGravity: true})
		w := s.World()
		b := body(t, w, world.BodyDef{Angle: c.angle, FixedRotation: true, Mass: &world.Mass{Mass: 50}, Shapes: []world.ShapeDef{c.s}})
		w.AddController(&forces.Wind{Velocity: world.Vec{X: speed}, Density: density})
		run(s, 1)
		// The wind pushes the edges of a body one after the other, each a little less than the
		// one before.
		if v := info(t, w, b).Velocity; math.Abs(v.X*50/dt/c.push-1) > 2e-3 || math.Abs(v.Y) > 1e-6 {
			t.Errorf("%s: %v N, want %v", name, v.X*50/dt, c.push)
		}
	}
}

func TestWindBringsNothingBeyondItsOwnSpeed(t *testing.T) {
	s := world.NewSimulation(world.Config{NoGravity: true})
	w := s.World()
	light := world.Box(.5, .5)
	light.Density = 1e-4
	a := body(t, w, world.BodyDef{Shapes: []world.ShapeDef{light}})
	ball := world.Circle(.5)
	ball.Density = 1e-4
	b := body(t, w, world.BodyDef{Position: world.Vec{Y: 9}, Shapes: []world.ShapeDef{ball}})
	w.AddController(&forces.Wind{Velocity: world.Vec{X: 7}, Density: 1})
	for range 120 {
		run(s, 1)
		for _, b := range [...]world.Body{a, b} {
			if v := info(t, w, b).Velocity; v.X > 7+1e-9 || v.X < 0 {
				t.Fatalf("tick %d: %v", w.Tick(), v)
			}
		}
	}
	if v := info(t, w, a).Velocity.X; v < 6.5 {
		t.Errorf("%v m/s only", v)
	}
}

func TestStillAirSlowsWhatTurns(t *testing.T) {
	s := world.NewSimulation(world.Config{NoGravity: true})
	w := s.World()
	vane := world.Polygon(world.Vec{X: 2, Y: -.1}, world.Vec{X: 3, Y: -.1}, world.Vec{X: 3, Y: .1}, world.Vec{X: 2, Y: .1})
	b := body(t, w, world.BodyDef{AngularVelocity: 4, Mass: &world.Mass{Mass: 50, Inertia: 20}, Shapes: []world.ShapeDef{vane}})
	w.AddController(&forces.Wind{Density: .1})
	run(s, 1)
	// 10 m/s across an edge of a metre, 2.5 m from the centre.
	want := 4 - .1/2*100*2.5*dt/20
	if omega := info(t, w, b).AngularVelocity; math.Abs(omega-want) > 1e-5 {
		t.Errorf("it turns at %v, want %v", omega, want)
	}
}

func TestAGustIsGivenThePlaceAndTheTime(t *testing.T) {
	s := world.NewSimulation(world.Config{NoGravity: true})
	w := s.World()
	body(t, w, world.BodyDef{Position: world.Vec{X: 3, Y: 4}, Shapes: []world.ShapeDef{world.Circle(.5)}})
	var at world.Vec
	var seconds float64
	wind := &forces.Wind{Density: .1, Seconds: 5, Gust: func(p world.Vec, s float64) world.Vec {
		at, seconds = p, s
		return world.Vec{}
	}}
	w.AddController(wind)
	run(s, 30)
	if at != (world.Vec{X: 3, Y: 4}) || math.Abs(seconds-5.5) > 1e-9 || wind.Seconds != seconds {
		t.Errorf("given %v and %v s", at, seconds)
	}
}

func TestWindWakesSleepersOnlyIfAsked(t *testing.T) {
	for _, wakes := range []bool{false, true} {
		s := world.NewSimulation(world.Config{})
		w := s.World()
		b := body(t, w, world.BodyDef{NoGravity: true, Asleep: true, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
		w.AddController(&forces.Wind{Velocity: world.Vec{X: 5}, Density: .1, Wakes: wakes})
		run(s, 5)
		if moves := info(t, w, b).Velocity.X > 0; moves != wakes {
			t.Errorf("Wakes %v, and it moves: %v", wakes, moves)
		}
	}
}
