package soft

import "github.com/ByteArena/box2d"

// weld keeps two bodies together, with an angle that may be a spring.
type weld struct {
	jointConstraint
	spring spring  // of the angle
	angle  float32 // by which B is off at the start of the step, rad
}

func (c *weld) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2WeldJoint)
	c.anchors(b, j, t.M_localAnchorA, t.M_localAnchorB)
	c.angle = float32(b.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle)
	c.spring.set(s, t.M_frequencyHz, t.M_dampingRatio)
	c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y, t.M_impulse.Z)
}

func (c *weld) solve(_ pass, a, b *state, g grip, bias bool) {
	soft, angle := c.softness(bias), c.angle+(b.da-a.da)
	if c.spring.is {
		c.hold(2, &turning, a, b, angle, c.spring.softness)
		c.point(0, a, b, g, g.gap, soft, 0)
		return
	}
	c.fix(a, b, g, angle, soft)
}

// fix solves the point and the angle at once. Solved one after the other they undo each other:
// an impulse at the end of a long arm turns a body of little inertia.
//
// The angle comes first, and then the point with the mass that it has while the bodies turn as
// one, which depends on their masses and on the way between their centres of mass.
func (c *weld) fix(a, b *state, g grip, angle float32, soft softness) {
	iA, iB, m := c.mA.i, c.mB.i, c.mA.m+c.mB.m
	perTurn := c.effectiveMass(&turning)
	turn := float32(perTurn * (turning.speed(a, b) + soft.bias(angle)))
	both := left(iA, g.rA).add(left(iB, g.rB)) // the point's speed after an angular impulse of one
	p := g.speed(a, b).add(vec{soft.bias(g.gap.x), soft.bias(g.gap.y)}).plus(-turn, both)
	arm, i := left(1, g.rA.sub(g.rB)), float32(float32(iA*iB)*perTurn)
	p = p.plus(-float32(i*dot(arm, p))/(m+float32(i*dot(arm, arm))), arm).times(1 / m)
	turn -= float32(dot(both, p) * perTurn)
	o := &c.impulses
	old, oldTurn := vec{o[0], o[1]}, o[2]
	next := old.plus(-soft.massScale, p).plus(-soft.impulseScale, old)
	o[0], o[1] = next.x, next.y
	o[2] = oldTurn - float32(soft.massScale*turn) - float32(soft.impulseScale*oldTurn)
	c.pushPoint(a, b, g, next.sub(old))
	c.push(&turning, a, b, o[2]-oldTurn)
}

func (c *weld) store(_, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	of.(*box2d.B2WeldJoint).M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[2]}
}
