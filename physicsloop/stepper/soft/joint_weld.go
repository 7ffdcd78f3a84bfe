package soft

import "github.com/ByteArena/box2d"

// weld keeps two bodies together, with an angle that may be a spring.
type weld struct {
	jointConstraint
	spring spring  // of the angle
	angle  float32 // at the start of the step
}

func (c *weld) prepare(s *Stepper, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2WeldJoint)
	c.anchors(s, j, t.M_localAnchorA, t.M_localAnchorB)
	c.angle = float32(s.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle)
	c.spring.set(s, t.M_frequencyHz, t.M_dampingRatio)
	c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y, t.M_impulse.Z)
}

func (c *weld) solve(_ *Stepper, a, b *state, rA, rB vec, bias bool) {
	soft := c.softness(bias)
	c.hold(2, &turning, a, b, c.angle+(b.da-a.da), c.spring.or(soft))
	c.point(0, a, b, rA, rB, c.between(a, b, rA, rB), soft, 0)
}

func (c *weld) store(_, _ *state, _, _ vec, of box2d.B2JointInterface, p impulses) {
	of.(*box2d.B2WeldJoint).M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[2]}
}
