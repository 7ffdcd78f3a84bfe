package soft

import "github.com/ByteArena/box2d"

// motor moves B to a place and an angle relative to A, or at a velocity relative to A.
type motor struct {
	jointConstraint
	moves              bool    // at the velocity; otherwise to the place
	velocity           vec     // in the world at the start of the step; it turns with A
	turn               float32 // angular velocity, rad/s
	offset             vec     // from A to the place, in the world at the start of the step
	angle              float32 // by which B is off at the start of the step, rad
	correction         float32 // part of the error that is taken out in a second
	mostPush, mostTurn float32 // greatest impulses in a sub-step
}

func (c *motor) prepare(s *Stepper, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2MotorJoint)
	if x := c.extra; x.MovesAnchors() {
		c.anchors(s, j, x.AnchorA, x.AnchorB)
		c.moves, c.turn = x.EnableMotor, float32(x.AngularVelocity)
		c.velocity = s.poses[j.bodyA].q.apply(vec{float32(x.LinearVelocity.X), float32(x.LinearVelocity.Y)})
	} else {
		c.anchors(s, j, box2d.B2Vec2{}, box2d.B2Vec2{})
	}
	c.offset = s.poses[j.bodyA].q.apply(vec{float32(t.M_linearOffset.X), float32(t.M_linearOffset.Y)})
	c.angle = float32(s.angleBetween(j.bodyA, j.bodyB) - t.M_angularOffset)
	c.mostPush, c.mostTurn = s.h*float32(t.M_maxForce), s.h*float32(t.M_maxTorque)
	c.correction = float32(t.M_correctionFactor) / s.dt
	c.start(s, &j.pushed, t.M_linearImpulse.X, t.M_linearImpulse.Y, t.M_angularImpulse)
	c.dropForce(c.mostPush)
}

func (c *motor) solve(_ *Stepper, a, b *state, g grip, _ bool) {
	if c.moves {
		c.drive(2, &turning, a, b, c.turn, c.mostTurn)
		if c.mostPush > 0 {
			v := a.q.apply(c.velocity)
			c.point(0, a, b, g, vec{-v.x, -v.y}, softness{1, 1, 0}, c.mostPush)
		}
		return
	}
	c.drive(2, &turning, a, b, -float32(c.correction*(c.angle+(b.da-a.da))), c.mostTurn)
	if c.mostPush > 0 {
		err := g.gap.sub(a.q.apply(c.offset))
		c.point(0, a, b, g, err, softness{c.correction, 1, 0}, c.mostPush)
	}
}

func (c *motor) store(_, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2MotorJoint)
	t.M_linearImpulse, t.M_angularImpulse = box2d.B2Vec2{X: p[0], Y: p[1]}, p[2]
}
