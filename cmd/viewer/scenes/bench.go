package scenes

import (
	"halfstep/engine"
	"halfstep/internal/benchscene"
	"halfstep/world"
)

// These are the scenes of the step benchmark, which cmd/stepbench measures.
func init() {
	Register(bench("fall1000", "1,000 half-metre boxes falling into a container", View{Y: 12, Height: 30}))
	Register(bench("fall5000", "5,000 half-metre boxes falling into a container", View{Y: 19, Height: 46}))
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
				World: world.Config{Gravity: vec{X: benchscene.GravityX, Y: benchscene.GravityY}, VelocityIterations: benchscene.VelocityIterations, PositionIterations: benchscene.PositionIterations, NoSleep: true},
				Setup: build(func(b *builder) {
					s, err := benchscene.Build(name)
					b.fail(err)
					b.addBench(s)
				}),
			}
		},
	}
}

func (b *builder) addBench(s benchscene.Scene) {
	bodies := make([]world.Body, len(s.Bodies))
	for i, d := range s.Bodies {
		bodies[i] = b.body(world.BodyDef{
			Kind: world.BodyKind(d.Type), Position: vec{X: d.X, Y: d.Y},
			AngularVelocity: d.AngularVelocity, Shapes: benchShapes(d),
		})
	}
	for _, j := range s.Joints {
		b.joint(world.JointDef{
			Kind: world.RevoluteJoint, A: bodies[j.A], B: bodies[j.B],
			AnchorA: vec{X: j.AX, Y: j.AY}, AnchorB: vec{X: j.BX, Y: j.BY},
		})
	}
}

func benchShapes(d benchscene.Body) []world.ShapeDef {
	var shapes []world.ShapeDef
	switch {
	case d.Circle:
		shapes = append(shapes, world.CircleAt(0, 0, d.HX))
	case len(d.Parts) > 0:
		for _, p := range d.Parts {
			shapes = append(shapes, boxAt(p.X, p.Y, p.HX, p.HY, 0))
		}
	default:
		shapes = append(shapes, world.Box(d.HX, d.HY))
	}
	for i := range shapes {
		shapes[i].Density, shapes[i].Friction = benchscene.Density, benchscene.Friction
		if !d.Collides {
			shapes[i].Filter = world.Filter{Category: benchscene.LonerCategory, Mask: benchscene.LonerMask}
		}
	}
	return shapes
}
