package scenes

import (
	"halfstep/engine"
	"halfstep/internal/benchscene"
	"halfstep/internal/benchworld"
	"halfstep/world"
)

// These are the scenes of the step benchmark, which cmd/stepbench measures.
func init() {
	Register(bench("fall1000", "1,000 half-metre boxes falling into a container", View{Y: 12, Height: 30}))
	Register(bench("fall5000", "5,000 half-metre boxes falling into a container", View{Y: 19, Height: 46}))
	Register(bench("fall10000", "10,000 half-metre boxes falling into a container: for -stepper soft", View{Y: 27, Height: 64}))
	Register(bench("islands", "200 separate piles of 25 boxes", View{Y: 5, Height: 28}))
	Register(bench("jointgrid", "a net of 20 by 20 circles held by revolute joints", View{X: 9.5, Y: -12, Height: 40}))
	Register(bench("pyramid", "820 unit boxes in a pyramid with a base of 40", View{Y: 19, Height: 46}))
	Register(bench("tumbler", "1,024 boxes in a box that turns 25 degrees a second", View{Y: 10, Height: 32}))
}

// bench returns the benchmark scene of that name, with the world settings of
// the benchmark.
func bench(name, description string, view View) Scene {
	return Scene{
		Name: name, Description: description, View: view,
		Config: func() engine.Config {
			return engine.Config{
				World: benchworld.Config(),
				Setup: func(w *world.World) error {
					s, err := benchscene.Build(name)
					if err != nil {
						return err
					}
					return benchworld.AddTo(w, s)
				},
			}
		},
	}
}
