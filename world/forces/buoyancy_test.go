package forces_test

import (
	"math"
	"testing"

	"halfstep/world"
	"halfstep/world/forces"
)

// gz-sim issue 1210: with soft, a body with the density of the water rose by 6 cm a
// second for ever.
func TestWhatFloatsWithoutWeightStays(t *testing.T) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for _, every := range []int{1, 3} {
			s := world.NewSimulation(world.Config{Stepper: stepper, NoSleep: true})
			w := s.World()
			b := body(t, w, world.BodyDef{Position: world.Vec{Y: -5}, Shapes: []world.ShapeDef{world.Box(.5, .5)}})
			w.AddControllerEvery(every, &forces.Fluid{Density: 1, Drag: 1.5})
			run(s, 600)
			if moved := math.Abs(info(t, w, b).Position.Y + 5); moved > .001 {
				t.Errorf("%v, every %d steps: it has moved by %.3f m", stepper, every, moved)
			}
			s.Close()
		}
	}
}
