package soft

import "github.com/ByteArena/box2d"

// gear couples two joints: a joint of A with C, and a joint of B with D. Its impulse
// acts on A and C, and the impulse multiplied by ratio acts on B and D.
type gear struct {
	jointConstraint
	c, d     int32 // c and d are the states of C and D
	one, two gearSide
	ratio    float32
	constant float32 // constant is the sum of the first joint's coordinate and ratio times the second joint's coordinate. It does not change.
}

// gearSide is one of the two joints that a gear couples.
type gearSide struct {
	turning bool
	angle   float32         // angle is the angle of a revolute joint at the start of the step.
	of      jointConstraint // of has only the masses of C and A. For a prismatic joint it also has the anchors.
	axis    vec             // axis is the axis of a prismatic joint, in the world at the start of the step. It turns with C.
	row     row             // row is set by look in each pass.
}

// side describes the joint j between body c, which is the A of the joint, and body a,
// which is the B of the joint.
func (s *bodies) side(j box2d.B2JointInterface, a, c int32) (g gearSide) {
	switch t := j.(type) {
	case *box2d.B2PrismaticJoint:
		g.axis = s.direction(c, t.M_localXAxisA)
		g.of.rA, g.of.rB, g.of.centres = s.local(c, t.M_localAnchorA), s.local(a, t.M_localAnchorB), s.centres(c, a)
	case *box2d.B2RevoluteJoint:
		g.turning, g.angle = true, float32(s.angleBetween(c, a)-t.M_referenceAngle)
	}
	return g
}

// look sets the row. It returns the joint's coordinate in rad or m.
func (g *gearSide) look(c, a *state) float32 {
	if g.turning {
		g.row = turning
		return g.angle + (a.da - c.da)
	}
	at := g.of.grip(c, a)
	_, g.row = slide(c, at, g.axis)
	return dot(g.row.jB, at.gap)
}

func (c *gear) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2GearJoint)
	c.one, c.two = b.side(t.M_joint1, j.bodyA, j.gear[0]), b.side(t.M_joint2, j.bodyB, j.gear[1])
	c.one.of.mB, c.two.of.mB = c.mA, c.mB
	c.ratio, c.constant = float32(t.M_ratio), float32(t.M_constant)
	c.start(s, &j.pushed, t.M_impulse)
}

// look sets the rows of A against C and of B against D, and returns their error.
func (c *gear) look(in pass, a, b *state) float32 {
	x, y := c.one.look(&in.states[c.c], a), c.two.look(&in.states[c.d], b)
	r, k := &c.two.row, c.ratio
	*r = row{jA: r.jA.times(k), jB: r.jB.times(k), wA: k * r.wA, wB: k * r.wB}
	return x + float32(k*y) - c.constant
}

func (c *gear) warmStart(in pass, a, b *state, _ grip) {
	c.look(in, a, b)
	c.pushBoth(in, a, b, c.impulses[0])
}

func (c *gear) solve(in pass, a, b *state, _ grip, bias bool) {
	off := c.look(in, a, b)
	k := c.one.of.yields(&c.one.row) + c.two.of.yields(&c.two.row)
	if !(k > 0) {
		return
	}
	soft := c.softness(bias)
	cdot := c.one.row.speed(&in.states[c.c], a) + c.two.row.speed(&in.states[c.d], b)
	old := c.impulses[0]
	impulse := -float32(soft.massScale*float32((cdot+soft.bias(off))/k)) - float32(soft.impulseScale*old)
	c.impulses[0] = old + impulse
	c.pushBoth(in, a, b, impulse)
}

func (c *gear) pushBoth(in pass, a, b *state, impulse float32) {
	c.one.of.push(&c.one.row, &in.states[c.c], a, impulse)
	c.two.of.push(&c.two.row, &in.states[c.d], b, impulse)
}

func (c *gear) store(_, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2GearJoint)
	t.M_impulse = p[0]
	one, two := &c.one.row, &c.two.row
	t.M_JvAC, t.M_JwA, t.M_JwC = toB2(one.jB), float64(one.wB), -float64(one.wA)
	t.M_JvBD, t.M_JwB, t.M_JwD = toB2(two.jB), float64(two.wB), -float64(two.wA)
}
