package soft

import "github.com/ByteArena/box2d"

// friction slows the relative motion of two bodies.
type friction struct {
	jointConstraint
	mostPush, mostTurn float32 // the greatest impulses in a sub-step
}

func (c *friction) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2FrictionJoint)
	c.anchors(b, j, t.M_localAnchorA, t.M_localAnchorB)
	c.mostPush, c.mostTurn = s.h*float32(t.M_maxForce), s.h*float32(t.M_maxTorque)
	c.start(s, &j.pushed, t.M_linearImpulse.X, t.M_linearImpulse.Y, t.M_angularImpulse)
	c.dropForce(c.mostPush)
}

func (c *friction) solve(_ pass, a, b *state, g grip, _ bool) {
	c.drive(2, &turning, a, b, 0, c.mostTurn)
	if c.mostPush > 0 {
		c.point(0, a, b, g, vec{}, rigid, c.mostPush)
	}
}

func (c *friction) store(_, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2FrictionJoint)
	t.M_linearImpulse, t.M_angularImpulse = box2d.B2Vec2{X: p[0], Y: p[1]}, p[2]
}
