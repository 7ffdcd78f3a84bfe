package soft

import "github.com/ByteArena/box2d"

// rope keeps the distance between two anchors below a maximum.
type rope struct {
	jointConstraint
	length float32 // the greatest distance
}

func (c *rope) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2RopeJoint)
	c.anchors(b, j, t.M_localAnchorA, t.M_localAnchorB)
	c.length = float32(t.M_maxLength)
	c.start(s, &j.pushed, t.M_impulse)
}

func (c *rope) warmStart(_ pass, a, b *state, g grip) {
	r, _ := c.span(g)
	c.push(&r, a, b, c.impulses[0])
}

func (c *rope) solve(in pass, a, b *state, g grip, bias bool) {
	r, l := c.span(g)
	// The library's impulse of a rope is at most 0, but that of stop is at least 0.
	r = r.flipped()
	c.impulses[0] = -c.impulses[0]
	c.stop(0, &r, a, b, c.length-l, in.invH, c.softness(bias))
	c.impulses[0] = -c.impulses[0]
}

func (c *rope) store(_, _ *state, g grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2RopeJoint)
	r, _ := c.span(g)
	t.M_impulse, t.M_u = p[0], toB2(r.jB)
}
