package soft

import "github.com/ByteArena/box2d"

// distance keeps two anchors at a distance, rigidly or with a spring; with limits and no spring
// it only keeps the distance between these.
type distance struct {
	jointConstraint
	spring       spring
	length       float32
	limit        bool
	lower, upper float32
}

func (c *distance) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2DistanceJoint)
	c.anchors(b, j, t.M_localAnchorA, t.M_localAnchorB)
	c.length = float32(t.M_length)
	c.spring.set(s, t.M_frequencyHz, t.M_dampingRatio)
	c.limit, c.lower, c.upper = c.extraLimits()
	lower, upper := c.limitStarts()
	c.start(s, &j.pushed, t.M_impulse, 0, 0, lower, upper)
	c.dropUnused(false, c.limit)
	if !c.holds() {
		c.impulses[0] = 0
	}
}

// holds reports whether the joint pulls to its length.
func (c *distance) holds() bool { return c.spring.is || !c.limit }

func (c *distance) warmStart(_ pass, a, b *state, g grip) {
	r, _ := c.span(g)
	c.push(&r, a, b, c.impulses[0]+c.impulses[ofLower]-c.impulses[ofUpper])
}

func (c *distance) solve(in pass, a, b *state, g grip, bias bool) {
	r, l := c.span(g)
	soft := c.softness(bias)
	if c.holds() {
		c.hold(0, &r, a, b, l-c.length, c.spring.or(soft))
	}
	if c.limit {
		c.stops(&r, a, b, l, c.lower, c.upper, in.invH, soft)
	}
}

func (c *distance) store(_, _ *state, g grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2DistanceJoint)
	r, _ := c.span(g)
	t.M_impulse, t.M_u = p[0], toB2(r.jB)
}
