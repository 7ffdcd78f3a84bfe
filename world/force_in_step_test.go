package world_test

import (
	"errors"
	"math"
	"testing"

	"halfstep/world"
)

// box2d issue 140: a force that was given in the middle of a step sometimes had no
// effect.
func TestAForceGivenWithinAStepIsRefusedOrActs(t *testing.T) {
	withEach(t, func(t *testing.T, s world.Stepper) {
		x := newSituation(t, world.Config{Stepper: s, NoGravity: true})
		x.body(world.Static, world.Vec{}, world.Box(.5, .5))
		x.body(world.Dynamic, world.Vec{X: .95}, world.Circle(.5))
		far := x.body(world.Dynamic, world.Vec{X: 20}, world.Circle(.5))
		calls, refused := 0, 0
		x.SetPreSolve(func(w *world.World, _ *world.PreSolveContact) {
			if calls++; calls > 1 {
				return
			}
			if err := w.Force(far, world.Vec{X: 60 * x.info(far).Mass}); errors.Is(err, world.ErrStepping) {
				refused++
			}
		})
		x.steps(5)
		if v := x.info(far).Velocity.X; refused == 0 && math.Abs(v-1) > 1e-6 || refused == 1 && v != 0 {
			t.Errorf("refused %d times of %d, and then it moves at %g m/s", refused, calls, v)
		}
	})
}
