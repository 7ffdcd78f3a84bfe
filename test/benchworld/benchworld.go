// Package benchworld builds the scenes of package benchscene in the engine's
// world. Package benchscene itself builds them in a bare Box2D world.
package benchworld

import (
	"halfstep/test/benchscene"
	"halfstep/world"
)

// Config is the configuration of every scene.
func Config() world.Config {
	return world.Config{
		Gravity:            world.Vec{X: benchscene.GravityX, Y: benchscene.GravityY},
		VelocityIterations: benchscene.VelocityIterations, PositionIterations: benchscene.PositionIterations,
		NoSleep: true,
	}
}

// AddTo builds the scene in the world, with its bodies in the scene's order.
func AddTo(w *world.World, s benchscene.Scene) error {
	bodies := make([]world.Body, len(s.Bodies))
	for i, d := range s.Bodies {
		var err error
		if bodies[i], err = w.CreateBody(world.BodyDef{
			Kind: world.BodyKind(d.Type), Position: world.Vec{X: d.X, Y: d.Y},
			AngularVelocity: d.AngularVelocity, Shapes: shapes(d),
		}); err != nil {
			return err
		}
	}
	for _, j := range s.Joints {
		if _, err := w.CreateJoint(world.JointDef{
			Kind: world.RevoluteJoint, A: bodies[j.A], B: bodies[j.B],
			AnchorA: world.Vec{X: j.AX, Y: j.AY}, AnchorB: world.Vec{X: j.BX, Y: j.BY},
		}); err != nil {
			return err
		}
	}
	return nil
}

func shapes(d benchscene.Body) []world.ShapeDef {
	var shapes []world.ShapeDef
	switch {
	case d.Circle:
		shapes = append(shapes, world.CircleAt(0, 0, d.HX))
	case d.Capsule:
		shapes = append(shapes, world.Capsule(world.Vec{X: d.HY - d.HX}, world.Vec{X: d.HX - d.HY}, d.HY))
	case len(d.Parts) > 0:
		for _, p := range d.Parts {
			shapes = append(shapes, world.Polygon(
				world.Vec{X: p.X - p.HX, Y: p.Y - p.HY}, world.Vec{X: p.X + p.HX, Y: p.Y - p.HY},
				world.Vec{X: p.X + p.HX, Y: p.Y + p.HY}, world.Vec{X: p.X - p.HX, Y: p.Y + p.HY}))
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
