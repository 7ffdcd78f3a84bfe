package scenes

import (
	"math"

	"halfstep/engine"
	"halfstep/test/benchscene"
	"halfstep/test/benchworld"
	"halfstep/world"
)

// These are the scenes of the step benchmark, which cmd/stepbench measures.
func init() {
	Register(bench("fall1000", "1,000 half-metre boxes falling into a container", View{Y: 11.5, Width: 29, Height: 27}, benchFriction))
	Register(bench("fall5000", "5,000 half-metre boxes falling into a container", View{Y: 24, Width: 68, Height: 54}, benchFriction))
	Register(bench("fall10000", "10,000 half-metre boxes falling into a container", View{Y: 31, Width: 84, Height: 68}, benchFriction))
	Register(bench("islands", "200 separate piles of 25 boxes on a kilometre of ground; 8 are in sight, the arrow keys lead to the others", View{Y: 2, Width: 48, Height: 12}, benchFriction))
	Register(bench("jointgrid", "a net of 20 by 20 circles held by revolute joints", View{X: 9.5, Y: -9.5, Width: 22, Height: 22}))
	Register(bench("pyramid", "820 unit boxes in a pyramid with a base of 40", View{Y: 19.6, Width: 46, Height: 44}, benchFriction))
	Register(bench("tumbler", "1,024 boxes in a box that turns 25 degrees a second", View{Y: 10, Width: 30, Height: 30}, benchFriction, tumblerSpeed))
}

// benchParam is a parameter of benchmark scenes, with the function that adds
// the parameter to a scene.
type benchParam struct {
	Param
	add func(*builder, Param)
}

var (
	benchFriction = benchParam{Param{Name: "friction", Max: 1.5, Default: benchscene.Friction, Step: .05}, (*builder).frictionOfAll}
	tumblerSpeed  = benchParam{Param{Name: "turning speed", Unit: "°/s", Min: -90, Max: 90, Default: 25, Step: 5}, tumblerTurns}
)

// tumblerTurns makes a parameter of the speed of the box that turns. The box is the only
// kinematic body.
func tumblerTurns(b *builder, p Param) {
	b.param(p, func(w *world.World, speed float64) {
		for n := range w.Bodies() {
			if i, err := w.Body(n); err == nil && i.Kind == world.Kinematic {
				w.SetAngularVelocity(n, speed*math.Pi/180)
			}
		}
	})
}

// bench returns the benchmark scene with that name. The scene has the world
// settings of the benchmark, and some of the parameters above.
func bench(name, description string, view View, params ...benchParam) Scene {
	shown := make([]Param, len(params))
	for i := range params {
		shown[i] = params[i].Param
	}
	return Scene{
		Name: name, Description: description, View: view,
		Category: Stacks, Params: shown,
		Config: func() engine.Config {
			settings := benchworld.Config()
			settings.Stepper = world.SoftStep
			return engine.Config{
				World: settings,
				Setup: build(func(b *builder) {
					s, err := benchscene.Build(name)
					if err == nil {
						err = benchworld.AddTo(b.w, s)
					}
					b.fail(err)
					for _, p := range params {
						p.add(b, p.Param)
					}
				}),
			}
		},
	}
}
