package benchscene

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// NewWorld makes an empty Box2D world with a scene's gravity, without sleep,
// and with a collision filter: a world of the library has none at first, and
// then ignores masks.
func NewWorld() *box2d.B2World {
	w := box2d.MakeB2World(box2d.MakeB2Vec2(GravityX, GravityY))
	w.SetAllowSleeping(false)
	w.SetContactFilter(&box2d.B2ContactFilter{})
	return &w
}

// AddTo builds the scene in a Box2D world and returns its bodies, in the
// scene's order.
func (s Scene) AddTo(world *box2d.B2World) []*box2d.B2Body {
	bodies := make([]*box2d.B2Body, 0, len(s.Bodies))
	for _, b := range s.Bodies {
		def := box2d.MakeB2BodyDef()
		def.Type = uint8(b.Type)
		def.Position = box2d.MakeB2Vec2(b.X, b.Y)
		def.AngularVelocity = b.AngularVelocity
		body := world.CreateBody(&def)
		bodies = append(bodies, body)

		fd := box2d.MakeB2FixtureDef()
		fd.Density, fd.Friction = Density, Friction
		fd.Filter = box2d.MakeB2Filter()
		if !b.Collides {
			fd.Filter.CategoryBits, fd.Filter.MaskBits = LonerCategory, LonerMask
		}
		switch {
		case b.Circle:
			shape := box2d.MakeB2CircleShape()
			shape.SetRadius(b.HX)
			fd.Shape = &shape
			body.CreateFixtureFromDef(&fd)
		case b.Capsule:
			fd.Shape, _ = b2.NewRoundPolygon([]box2d.B2Vec2{{X: b.HY - b.HX}, {X: b.HX - b.HY}}, b.HY)
			body.CreateFixtureFromDef(&fd)
		case len(b.Parts) > 0:
			for _, p := range b.Parts {
				shape := box2d.MakeB2PolygonShape()
				shape.SetAsBoxFromCenterAndAngle(p.HX, p.HY, box2d.MakeB2Vec2(p.X, p.Y), 0)
				fd.Shape = &shape
				body.CreateFixtureFromDef(&fd)
			}
		default:
			shape := box2d.MakeB2PolygonShape()
			shape.SetAsBox(b.HX, b.HY)
			fd.Shape = &shape
			body.CreateFixtureFromDef(&fd)
		}
	}
	for _, j := range s.Joints {
		def := box2d.MakeB2RevoluteJointDef()
		def.BodyA, def.BodyB = bodies[j.A], bodies[j.B]
		def.LocalAnchorA = box2d.MakeB2Vec2(j.AX, j.AY)
		def.LocalAnchorB = box2d.MakeB2Vec2(j.BX, j.BY)
		world.CreateJoint(&def)
	}
	return bodies
}
