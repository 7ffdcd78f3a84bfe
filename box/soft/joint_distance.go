package soft

import "github.com/ByteArena/box2d"

// distance keeps two anchors as far apart as they were, or is a spring.
type distance struct {
	jointConstraint
	spring spring
	length float32
}

func (c *distance) prepare(s *Stepper, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2DistanceJoint)
	c.anchors(s, j, t.M_localAnchorA, t.M_localAnchorB)
	c.length = float32(t.M_length)
	c.spring.set(s, t.M_frequencyHz, t.M_dampingRatio)
	c.start(s, &j.pushed, t.M_impulse)
}

func (c *distance) warmStart(_ *Stepper, a, b *state, g grip) {
	r, _ := c.span(g)
	c.push(&r, a, b, c.impulses[0])
}

func (c *distance) solve(_ *Stepper, a, b *state, g grip, bias bool) {
	r, l := c.span(g)
	c.hold(0, &r, a, b, l-c.length, c.spring.or(c.softness(bias)))
}

func (c *distance) store(_, _ *state, g grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2DistanceJoint)
	r, _ := c.span(g)
	t.M_impulse, t.M_u = p[0], toB2(r.jB)
}
