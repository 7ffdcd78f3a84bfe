package soft

import "github.com/ByteArena/box2d"

// revolute is a pin with a motor, limits of its angle, or a spring. See joint_pins.go for
// those with none.
type revolute struct {
	jointConstraint
	freeAxis         // the angle, in rad
	angle    float32 // at the start of the step
}

// The impulses of a revolute: of the point (two), the motor, the lower limit and the
// upper one, and the spring. A prismatic has the axis across and the angle for the point.
const (
	ofMotor  = 2
	ofLower  = 3
	ofUpper  = 4
	ofSpring = 5
)

func (c *revolute) prepare(s *Stepper, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2RevoluteJoint)
	c.anchors(s, j, t.M_localAnchorA, t.M_localAnchorB)
	c.limit, c.motor = t.M_enableLimit, t.M_enableMotor
	c.angle = float32(s.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle)
	c.lower, c.upper = float32(t.M_lowerAngle), float32(t.M_upperAngle)
	c.speed, c.most = float32(t.M_motorSpeed), s.h*float32(t.M_maxMotorTorque)
	c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y, t.M_motorImpulse, max(t.M_impulse.Z, 0), max(-t.M_impulse.Z, 0))
	c.dropUnused(c.motor, c.limit)
	c.target = c.spring.setExtra(s, &c.jointConstraint)
}

func (c *revolute) warmStart(_ *Stepper, a, b *state, g grip) {
	p := &c.impulses
	c.pushPoint(a, b, g, vec{p[0], p[1]})
	if turn := c.driven(); turn != 0 {
		c.push(&turning, a, b, turn)
	}
}

func (c *revolute) solve(s *Stepper, a, b *state, g grip, bias bool) {
	soft := c.softness(bias)
	turn := c.angle + (b.da - a.da)
	speed := c.reachable(turn, s.invH)
	r, with := turning, vec{}
	if c.takesAlone(speed) {
		r, with = c.turnsAlone(&g)
	}
	c.pushAlong(&c.jointConstraint, &r, with, a, b, turn, speed, s.invH, soft)
	c.point(0, a, b, g, g.gap, soft, 0)
}

func (c *revolute) store(_, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2RevoluteJoint)
	t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[ofLower]}
	t.M_motorImpulse = p[ofMotor]
}
