package soft

import "github.com/ByteArena/box2d"

// wheel lets B turn, and slide along an axis of A, where it may have a spring and limits. A motor
// may turn it.
type wheel struct {
	jointConstraint
	motor, limit bool
	spring       spring  // along the axis
	axis         vec     // in the world at the start of the step; it turns with A
	lower, upper float32 // along the axis
	speed        float32 // of the motor, rad/s
	most         float32 // greatest angular impulse of the motor in a sub-step
}

func (c *wheel) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2WheelJoint)
	c.anchors(b, j, t.M_localAnchorA, t.M_localAnchorB)
	c.axis = b.direction(j.bodyA, t.M_localXAxisA)
	c.motor = t.M_enableMotor
	c.speed, c.most = clamp(float32(t.M_motorSpeed), -s.topSpin, s.topSpin), s.h*float32(t.M_maxMotorTorque)
	c.spring.set(s, t.M_frequencyHz, t.M_dampingRatio)
	c.limit, c.lower, c.upper = c.extraLimits()
	lower, upper := c.limitStarts()
	c.start(s, &j.pushed, t.M_impulse, t.M_springImpulse, t.M_motorImpulse, lower, upper)
	c.dropUnused(c.motor, c.limit)
	if !c.spring.is {
		c.impulses[1] = 0
	}
}

func (c *wheel) warmStart(_ pass, a, b *state, g grip) {
	p := &c.impulses
	across, along := slide(a, g, c.axis)
	c.push(&across, a, b, p[0])
	c.push(&along, a, b, p[1]+p[ofLower]-p[ofUpper])
	c.push(&turning, a, b, p[ofMotor])
}

func (c *wheel) solve(in pass, a, b *state, g grip, bias bool) {
	across, along := slide(a, g, c.axis)
	if c.motor {
		c.drive(ofMotor, &turning, a, b, c.speed, c.most)
	}
	soft, at := c.softness(bias), dot(along.jB, g.gap)
	if c.spring.is {
		c.hold(1, &along, a, b, at, c.spring.softness)
	}
	if c.limit {
		c.stops(&along, a, b, at, c.lower, c.upper, in.invH, soft)
	}
	c.hold(0, &across, a, b, dot(across.jB, g.gap), soft)
}

func (c *wheel) store(a, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2WheelJoint)
	t.M_impulse, t.M_springImpulse, t.M_motorImpulse = p[0], p[1], p[ofMotor]
	x := a.q.apply(c.axis)
	t.M_ax, t.M_ay = toB2(x), toB2(vec{-x.y, x.x})
}
