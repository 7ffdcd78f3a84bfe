package soft

import "github.com/ByteArena/box2d"

// gear couples two joints, of A with C and of B with D: its impulse acts on A and C, and
// times the ratio on B and D.
type gear struct {
	jointConstraint
	c, d     int32 // states
	mC, mD   mass
	one, two gearSide
	ratio    float32
	off      float32 // by how much, at the start of the step
}

// gearSide is one of the two joints that a gear connects.
type gearSide struct {
	turning bool
	axis    vec // of a prismatic joint, in the world
	rA, rC  vec
	at      float32 // coordinate at the start of the step
}

// side describes the joint between body c (its A) and body a (its B).
func (s *Stepper) side(j box2d.B2JointInterface, a, c int32) gearSide {
	switch t := j.(type) {
	case *box2d.B2PrismaticJoint:
		g := gearSide{axis: s.direction(c, t.M_localXAxisA)}
		g.rC, g.rA = s.local(c, t.M_localAnchorA), s.local(a, t.M_localAnchorB)
		pa, pc := &s.poses[a], &s.poses[c]
		d := vec{float32(pa.x - pc.x), float32(pa.y - pc.y)}.add(g.rA).sub(g.rC)
		g.at = dot(g.axis, d)
		return g
	case *box2d.B2RevoluteJoint:
		return gearSide{turning: true, at: float32(s.angleBetween(c, a) - t.M_referenceAngle)}
	}
	return gearSide{turning: true}
}

func (g *gearSide) row() row {
	if g.turning {
		return turning
	}
	return along(g.axis, g.rC, g.rA)
}

func (c *gear) prepare(s *Stepper, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2GearJoint)
	c.c, c.mC = s.solverBody(j.gear[0])
	c.d, c.mD = s.solverBody(j.gear[1])
	c.one, c.two = s.side(t.M_joint1, j.bodyA, j.gear[0]), s.side(t.M_joint2, j.bodyB, j.gear[1])
	c.ratio = float32(t.M_ratio)
	c.off = c.one.at + float32(c.ratio*c.two.at) - float32(t.M_constant)
	c.start(s, &j.pushed, t.M_impulse)
}

// rows returns the rows of A against C and of B against D.
func (c *gear) rows() (one, two row) {
	one, two = c.one.row(), c.two.row()
	k := c.ratio
	return one, row{two.jA.times(k), two.jB.times(k), k * two.wA, k * two.wB}
}

func (c *gear) warmStart(s *Stepper, a, b *state, _, _ vec) {
	one, two := c.rows()
	c.pushBoth(s, a, b, &one, &two, c.impulses[0])
}

func (c *gear) solve(s *Stepper, a, b *state, _, _ vec, bias bool) {
	cc, d := &s.states[c.c], &s.states[c.d]
	one, two := c.rows()
	k := float32(c.mC.m*dot(one.jA, one.jA)) + float32(c.mA.m*dot(one.jB, one.jB)) +
		float32(float32(c.mC.i*one.wA)*one.wA) + float32(float32(c.mA.i*one.wB)*one.wB) +
		float32(c.mD.m*dot(two.jA, two.jA)) + float32(c.mB.m*dot(two.jB, two.jB)) +
		float32(float32(c.mD.i*two.wA)*two.wA) + float32(float32(c.mB.i*two.wB)*two.wB)
	if !(k > 0) {
		return
	}
	soft := c.softness(bias)
	err := float32(0)
	if bias {
		err = c.off +
			dot(one.jA, cc.d) + dot(one.jB, a.d) + float32(one.wA*cc.da) + float32(one.wB*a.da) +
			dot(two.jA, d.d) + dot(two.jB, b.d) + float32(two.wA*d.da) + float32(two.wB*b.da)
	}
	cdot := one.speed(cc, a) + two.speed(d, b)
	old := c.impulses[0]
	impulse := -float32(soft.massScale*float32((cdot+float32(soft.biasRate*err))/k)) - float32(soft.impulseScale*old)
	c.impulses[0] = old + impulse
	c.pushBoth(s, a, b, &one, &two, impulse)
}

func (c *gear) pushBoth(s *Stepper, a, b *state, one, two *row, impulse float32) {
	x := jointConstraint{mA: c.mC, mB: c.mA}
	x.push(one, &s.states[c.c], a, impulse)
	x = jointConstraint{mA: c.mD, mB: c.mB}
	x.push(two, &s.states[c.d], b, impulse)
}

func (c *gear) store(_, _ *state, _, _ vec, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2GearJoint)
	t.M_impulse = p[0]
	one, two := c.rows()
	t.M_JvAC, t.M_JwA, t.M_JwC = toB2(one.jB), float64(one.wB), -float64(one.wA)
	t.M_JvBD, t.M_JwB, t.M_JwD = toB2(two.jB), float64(two.wB), -float64(two.wA)
}
