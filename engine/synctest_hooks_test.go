package engine_test

import (
	"testing"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
)

// Earlier, a sync test reported that bodies[0].known of the soft stepper
// differed, after a command had taken a snapshot and a hook had made bodies.
func TestASyncTestHoldsWhereCommandsTakeSnapshotsAndHooksMakeBodies(t *testing.T) {
	norace.Only(t)
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		e := start(t, engine.Config{
			World: world.Config{Stepper: stepper}, Testing: engine.Testing{SyncTest: 4},
			Setup: func(w *world.World) error {
				w.AddContactHook(func(w *world.World, _ []world.Event) {
					if w.Tick()%7 == 3 {
						w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{Y: 9}, Shapes: []world.ShapeDef{world.Circle(.3)}})
					}
				})
				return stack(w)
			},
		})
		for i := range 80 {
			switch i % 10 {
			case 2, 3, 7:
				e.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 3, Y: 9}, Shapes: []world.ShapeDef{world.Circle(.3)}})
				e.Commands.KeepSnapshot(i % 3)
			case 5, 6:
				e.RestoreSnapshot(2)
				e.Commands.KeepSnapshot(2)
			}
			e.Step(i % 3)
		}
		if err := e.Failure(); err != nil {
			t.Errorf("%v: %v", stepper, err)
		}
	}
}
