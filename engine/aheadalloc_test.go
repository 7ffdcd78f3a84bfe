package engine_test

import (
	"runtime"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/norace"
	"halfstep/world"
)

// The pages of snapshots are reused. A frame that runs ahead therefore
// allocates nothing, even if there is a correction.
func TestAFrameThatRunsAheadAllocatesNothing(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for _, simulated := range []bool{true, false} {
			if !simulated && stepper == world.SoftStep {
				continue // the frames of this mode wait like those of the other mode
			}
			var ball world.Body
			setup := func(w *world.World) (err error) {
				_, err = w.CreateBody(world.BodyDef{Position: world.Vec{Y: -5}, Shapes: []world.ShapeDef{world.Box(10, .5)}})
				for i := 0; i < 30 && err == nil; i++ {
					_, err = w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: float64(i%10) - 4, Y: float64(i/10)*.41 - 4.3}, Shapes: []world.ShapeDef{world.Box(.2, .2)}})
				}
				ball, _ = w.CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, NoGravity: true, Shapes: []world.ShapeDef{world.Circle(.4)}})
				return err
			}
			e, err := engine.New(engine.Config{
				Setup: setup,
				World: world.Config{Stepper: stepper, Workers: 1}, Time: engine.Time{Sync: renderloop.RunAhead, WaitBudget: time.Second, Simulated: simulated},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			n := 0
			for _, kicks := range []bool{false, true} {
				frames := func() {
					for range 250 {
						if n++; kicks {
							e.SetVelocity(ball, world.Vec{X: float64(n%7) - 3})
						}
						if simulated {
							e.Advance(time.Second / 144)
						} else {
							e.Frame()
						}
					}
				}
				frames()
				// AllocsPerRun cannot be used: it allows only one processor, with which a
				// frame would wait without result. Some allocations are made by the runtime,
				// and on the wall clock the world may not be at rest yet.
				most := uint64(10)
				if !simulated {
					most = 125
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				frames()
				runtime.ReadMemStats(&after)
				if allocs := after.Mallocs - before.Mallocs; allocs > most {
					t.Errorf("%v, simulated %v, kicks %v: %v allocations in 250 frames", stepper, simulated, kicks, allocs)
				}
			}
		}
	}
}
