package engine_test

import (
	"sync"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// crowd has the features that Box2D counts in variables of its package: fast bullets, a
// sensor, and queries.
func crowd(w *world.World) error {
	if err := stack(w); err != nil {
		return err
	}
	sensor := world.Box(2, 2)
	sensor.Sensor = true
	if _, err := w.CreateBody(world.BodyDef{Position: world.Vec{Y: 3}, Shapes: []world.ShapeDef{sensor}}); err != nil {
		return err
	}
	for i := range 8 {
		_, err := w.CreateBody(world.BodyDef{
			Kind: world.Dynamic, Bullet: true, Position: world.Vec{X: float64(i) - 4, Y: 12},
			Velocity: world.Vec{Y: -100}, Shapes: []world.ShapeDef{world.Circle(.2)},
		})
		if err != nil {
			return err
		}
	}
	w.AddController(world.ControllerFunc(func(w *world.World, _ float64) {
		_ = w.Query(world.QueryFilter{Sensors: true}).OverlapBox(world.Vec{X: -1}, world.Vec{X: 1, Y: 5}, func(world.Body, world.Shape) bool { return true })
	}))
	return nil
}

// With -race the test would detect worlds that share data. Without -race it would detect
// a world that changes the results of another world.
func TestSeveralEnginesRunAtOnceWithoutSharing(t *testing.T) {
	for name, stepper := range map[string]world.Stepper{"fast step": world.FastStep, "soft step": world.SoftStep} {
		const engines, ticks = 4, 90
		hashes := make([]uint64, engines)
		var wg sync.WaitGroup
		for i := range engines {
			wg.Go(func() {
				e, err := engine.New(engine.Config{Time: engine.Time{Simulated: true}, World: world.Config{Stepper: stepper, Workers: 2}, Setup: crowd})
				if err != nil {
					t.Error(err)
					return
				}
				e.SetLastTick(ticks)
				for e.View().Tick < ticks && e.Failure() == nil {
					e.RayCast(world.Vec{X: -9, Y: 1}, world.Vec{X: 9, Y: 1}, func(uint64, world.RayHit, bool) {})
					e.Advance(time.Second / 60)
				}
				e.Inspect(func(w *world.World) { hashes[i] = w.Hash() })
				e.Advance(time.Second)
				if err := e.Failure(); err != nil {
					t.Error(err)
				}
				e.Close()
			})
		}
		wg.Wait()
		for _, h := range hashes {
			if h != hashes[0] || h == 0 {
				t.Fatalf("%s: hashes %x", name, hashes)
			}
		}
	}
}
