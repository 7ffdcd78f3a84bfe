package soft

import "github.com/ByteArena/box2d"

// wheel is a turning slider along an axis of A that may be a spring, with a motor.
type wheel struct {
	jointConstraint
	motor  bool
	spring spring  // along the axis
	axis   vec     // of the world at the start of the step, fixed to A
	speed  float32 // of the motor, rad/s
	most   float32 // angular impulse of the motor in a sub-step
}

func (c *wheel) prepare(s *Stepper, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2WheelJoint)
	c.anchors(s, j, t.M_localAnchorA, t.M_localAnchorB)
	c.axis = s.direction(j.bodyA, t.M_localXAxisA)
	c.motor = t.M_enableMotor
	c.speed, c.most = float32(t.M_motorSpeed), s.h*float32(t.M_maxMotorTorque)
	c.spring.set(s, t.M_frequencyHz, t.M_dampingRatio)
	c.start(s, &j.pushed, t.M_impulse, t.M_springImpulse, t.M_motorImpulse)
	c.dropUnused(c.motor, false)
	if !c.spring.is {
		c.impulses[1] = 0
	}
}

func (c *wheel) warmStart(_ *Stepper, a, b *state, g grip) {
	p := &c.impulses
	across, along := slide(a, g, c.axis)
	c.push(&across, a, b, p[0])
	c.push(&along, a, b, p[1])
	c.push(&turning, a, b, p[ofMotor])
}

func (c *wheel) solve(_ *Stepper, a, b *state, g grip, bias bool) {
	across, along := slide(a, g, c.axis)
	if c.motor {
		c.drive(ofMotor, &turning, a, b, c.speed, c.most)
	}
	if c.spring.is {
		c.hold(1, &along, a, b, dot(along.jB, g.gap), c.spring.softness)
	}
	c.hold(0, &across, a, b, dot(across.jB, g.gap), c.softness(bias))
}

func (c *wheel) store(a, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2WheelJoint)
	t.M_impulse, t.M_springImpulse, t.M_motorImpulse = p[0], p[1], p[ofMotor]
	x := a.q.apply(c.axis)
	t.M_ax, t.M_ay = toB2(x), toB2(vec{-x.y, x.x})
}
