package play

import (
	"math"

	"halfstep/world"
)

// theWorld stands for the second body of a joint with the world. Join then makes a nail (a static body
// without shapes), which holds the first body.
const theWorld = 0

// Join makes a joint of kind d.Kind between bodies a and b. Body b may be theWorld. The user has
// dragged from a point of a to a point of b, in m. A joint with one anchor holds the bodies at the
// second point. A body that cannot move becomes the joint's first body, so that the angle, the limits
// and the motor of the joint are those of the moving body. The parameter what is the name of the change
// for undo.
func (m *Builder) Join(what string, d world.JointDef, a, b world.Body, from, to world.Vec) {
	under := m.stage.Under().Player
	if under.Kind(a) != world.Dynamic && under.Kind(b) != world.Dynamic {
		m.host.Say("a joint needs a body that can move")
		return
	}
	tied := d.Kind == world.DistanceJoint || d.Kind == world.RopeJoint // a joint that holds at two points, not at one
	pivot := to
	switch d.Kind {
	case world.WheelJoint:
		d.AxisA = world.Vec{Y: 1}
	case world.PrismaticJoint:
		d.AxisA = world.Vec{X: to.X - from.X, Y: to.Y - from.Y}
	}
	if b != theWorld && under.Kind(b) != world.Dynamic {
		a, b, from, to = b, a, to, from
	}
	m.changes.ChangeWorld(what, func(p *Player) {
		d, from, to := d, from, to // each half gets a copy
		anchor := func(b world.Body, at world.Vec) world.Vec {
			pose, ok := p.Pose(b)
			if !ok {
				return world.Vec{} // a new nail is not shown yet; its anchor is its origin
			}
			return pose.LocalPoint(at)
		}
		if tied {
			d.MaxLength = math.Hypot(to.X-from.X, to.Y-from.Y)
		}
		if d.A, d.B = a, b; b == theWorld {
			d.A, d.B = p.CreateBody(world.BodyDef{Name: nailName, Position: pivot}), a
			from, to = to, from // the nail is the joint's first body
		}
		if tied {
			d.AnchorA, d.AnchorB = anchor(d.A, from), anchor(d.B, to)
		} else {
			d.Anchor = &pivot
		}
		if j := p.CreateJoint(d); !m.inspect.Pinned {
			m.inspect.ChooseIn(d.B, m.inspect.Right)
			m.inspect.Joint = j
		}
	})
}
