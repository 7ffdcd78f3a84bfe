package engine_test

import (
	"bytes"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
	"halfstep/world/forces"
)

// harbour has a pool, wind, a one-way pier, and hooks. A registered function sets one of
// the hooks.
func harbour(w *world.World) error {
	pool := []world.Vec{{X: -9, Y: -6}, {X: 9, Y: -6}, {X: 8}, {X: 0, Y: -.3}, {X: -8}}
	w.AddController(&forces.Fluid{Outline: pool, Density: 2, Drag: 1, Flow: world.Vec{X: 1}})
	w.AddController(&forces.Wind{Velocity: world.Vec{X: 4}, Density: .1, Wakes: true,
		Gust: func(at world.Vec, s float64) world.Vec { return world.Vec{X: at.Y * .1, Y: s * .2} }})
	pier := world.Box(3, .2)
	pier.OneWay, pier.SurfaceSpeed = world.Vec{Y: 1}, -1
	if _, err := w.CreateBody(world.BodyDef{Position: world.Vec{X: -6, Y: 1}, Shapes: []world.ShapeDef{pier}}); err != nil {
		return err
	}
	for i := range 40 {
		s := world.Box(.3, .2)
		if i%2 == 0 {
			s = world.Circle(.3)
		}
		if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i%8)*1.6 - 7, Y: float64(i / 8)}, Shapes: []world.ShapeDef{s}}); err != nil {
			return err
		}
	}
	w.SetPreSolve(func(_ *world.World, c *world.PreSolveContact) {
		c.Restitution = .1 * float64(c.A%5)
		c.Solid = (c.A+c.B)%3 != 0
	})
	w.Register("ghosts", func(w *world.World, args []float64) {
		n := world.Shape(args[0])
		w.SetShouldCollide(func(_ *world.World, a, b world.Shape) bool { return (a+b)%n != 0 })
	})
	return nil
}

func TestHooksAndControllersReplayWithEveryStepper(t *testing.T) {
	norace.Only(t)
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: harbour, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, FromSetup: true}}})
	if err != nil {
		t.Fatal(err)
	}
	e.SetLastTick(150)
	for i := 0; e.View().Tick < 150 && e.Failure() == nil; i++ {
		if i%40 == 10 {
			e.DoNamed("ghosts", float64(2+i/40))
		}
		e.Advance(17 * time.Millisecond)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]func(*engine.Config){
		"one worker":   func(c *engine.Config) { c.World.Workers = 1 },
		"four workers": func(c *engine.Config) { c.World.Workers = 4 },
		"the library":  func(c *engine.Config) { c.Setup = asLibrary(c.Setup) },
	} {
		c := read(t, file.Bytes()).Config(harbour)
		c.Time.Simulated = true
		set(&c)
		if err := replayed(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// the hooks have an effect: with another hook the run differs
	other := func(w *world.World) error {
		err := harbour(w)
		w.SetPreSolve(nil)
		return err
	}
	if _, err := read(t, file.Bytes()).Verify(other); err == nil {
		t.Error("without the PreSolve hook nothing differs")
	}
}
