package engine_test

import (
	"sync"
	"testing"
	"time"

	"halfstep/engine"
)

// crowd has what Box2D counts in variables of its package: fast bullets, a
// sensor, and queries.
func crowd(w *engine.World) error {
	if err := stack(w); err != nil {
		return err
	}
	sensor := engine.BoxShape(2, 2)
	sensor.Sensor = true
	if _, err := w.CreateBody(engine.BodyDef{Position: engine.Vec{Y: 3}, Shapes: []engine.ShapeDef{sensor}}); err != nil {
		return err
	}
	for i := range 8 {
		_, err := w.CreateBody(engine.BodyDef{
			Kind: engine.Dynamic, Bullet: true, Position: engine.Vec{X: float64(i) - 4, Y: 12},
			Velocity: engine.Vec{Y: -100}, Shapes: []engine.ShapeDef{engine.CircleShape(0, 0, .2)},
		})
		if err != nil {
			return err
		}
	}
	w.AddController(engine.ControllerFunc(func(w *engine.World, _ float64) {
		_ = w.QueryBox(engine.Vec{X: -1}, engine.Vec{X: 1, Y: 5}, func(engine.Body, engine.Shape) bool { return true })
	}))
	return nil
}

// Would catch, under -race, worlds that share anything; and without it, one
// world that changes another's results.
func TestSeveralEnginesRunAtOnceWithoutSharing(t *testing.T) {
	for name, stock := range map[string]bool{"fast step": false, "stock step": true} {
		const engines, ticks = 4, 90
		hashes := make([]uint64, engines)
		var wg sync.WaitGroup
		for i := range engines {
			wg.Go(func() {
				e, err := engine.New(engine.Config{Injected: true, StockStep: stock, Workers: 2, Setup: crowd})
				if err != nil {
					t.Error(err)
					return
				}
				e.SetLastTick(ticks)
				for e.View().Tick < ticks && e.Failure() == nil {
					e.RayCast(engine.Vec{X: -9, Y: 1}, engine.Vec{X: 9, Y: 1}, func(uint64, engine.RayHit, bool) {})
					e.Advance(time.Second / 60)
				}
				e.Inspect(func(w *engine.World) { hashes[i] = w.Hash() })
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
