package soft

import "github.com/ByteArena/box2d"

// prismatic is a slider along an axis of A, with a motor, limits and a spring.
type prismatic struct {
	jointConstraint
	freeAxis         // along the axis, in m
	axis     vec     // in the world at the start of the step; it turns with A
	angle    float32 // by which B is off at the start of the step, rad
}

func (c *prismatic) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2PrismaticJoint)
	c.anchors(b, j, t.M_localAnchorA, t.M_localAnchorB)
	c.axis = b.direction(j.bodyA, t.M_localXAxisA)
	c.angle = float32(b.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle)
	c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y)
	c.freeAxis, *c.free() = s.freeAxis(axisOf{
		t.M_enableLimit, t.M_enableMotor, t.M_lowerTranslation, t.M_upperTranslation,
		t.M_motorSpeed, t.M_maxMotorForce, s.topSpeed, t.M_motorImpulse, t.M_impulse.Z,
	}, 0, c.extra, &j.pushed)
}

func (c *prismatic) free() *freeImpulses { return (*freeImpulses)(c.impulses[ofMotor:]) }

func (c *prismatic) warmStart(_ pass, a, b *state, g grip) {
	p := &c.impulses
	across, along := slide(a, g, c.axis)
	c.push(&across, a, b, p[0])
	c.push(&turning, a, b, p[1])
	c.push(&along, a, b, c.free().sum())
}

func (c *prismatic) solve(in pass, a, b *state, g grip, bias bool) {
	soft := c.softness(bias)
	across, along := slide(a, g, c.axis)
	at := dot(along.jB, g.gap)
	speed := c.reachable(at, in.invH)
	r, with := along, vec{}
	if c.takesAlone(speed) {
		r, with = c.alone(&along, &across, &turning)
	}
	sum := c.freeAxis.solve(c.free(), at, r.speed(a, b), c.yields(&r), speed, in.invH, soft)
	c.push(&r, a, b, sum)
	c.impulses[0] += float32(with.x * sum)
	c.impulses[1] += float32(with.y * sum)
	c.straighten(a, b, &across, dot(across.jB, g.gap), c.angle+(b.da-a.da), soft)
}

// straighten solves the row across the axis and the angle at once, as weld.fix does.
func (c *prismatic) straighten(a, b *state, across *row, off, angle float32, soft softness) {
	iA, iB := c.mA.i, c.mB.i
	perTurn := c.effectiveMass(&turning)
	t := float32(perTurn * (turning.speed(a, b) + soft.bias(angle)))
	both := float32(iB*across.wB) - float32(iA*across.wA) // what a turn does to the row
	arm := across.wA + across.wB
	m := c.mA.m + c.mB.m + float32(float32(float32(iA*iB)*perTurn)*float32(arm*arm))
	p := (across.speed(a, b) + soft.bias(off) - float32(both*t)) / m
	t -= float32(float32(both*p) * perTurn)
	old, oldTurn := c.impulses[0], c.impulses[1]
	c.impulses[0] = old - float32(soft.massScale*p) - float32(soft.impulseScale*old)
	c.impulses[1] = oldTurn - float32(soft.massScale*t) - float32(soft.impulseScale*oldTurn)
	c.push(across, a, b, c.impulses[0]-old)
	c.push(&turning, a, b, c.impulses[1]-oldTurn)
}

func (c *prismatic) store(a, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2PrismaticJoint)
	t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[ofLower]}
	t.M_motorImpulse = p[ofMotor]
	x := a.q.apply(c.axis)
	t.M_axis, t.M_perp = toB2(x), toB2(vec{-x.y, x.x})
}
