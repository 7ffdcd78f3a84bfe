package scenes

import (
	"halfstep/engine"
	"halfstep/internal/benchscene"
	"halfstep/world"
)

// bench is a scene of the step benchmark, with its numbers.
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
		shapes = append(shapes, world.Circle(d.HX))
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
