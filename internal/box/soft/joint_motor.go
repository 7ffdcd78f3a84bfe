package soft

import (
	"math"

	"github.com/ByteArena/box2d"
)

// motor moves B to a position and an angle relative to A, or at a velocity relative to A.
type motor struct {
	jointConstraint
	moves              bool     // moves says that the motor drives B at the velocity. Otherwise it drives B to the position.
	velocity           vec      // velocity is in the world at the start of the step. It turns with A.
	turn               float32  // angular velocity, rad/s
	offset             vec      // offset is the vector from A to the position, in the world at the start of the step.
	angle              float32  // angle is the error of B's angle at the start of the step, in rad.
	soft               softness // soft is the softness for the position. Each pass corrects a part of the error.
	backTurn           float32  // backTurn is the greatest speed at which the motor corrects the angle, in rad/s.
	mostPush, mostTurn float32  // the greatest impulses in a sub-step
}

func (c *motor) prepare(b *bodies, s *stride, j *joint, of box2d.B2JointInterface) {
	t := of.(*box2d.B2MotorJoint)
	if x := c.extra; x.MovesAnchors() {
		c.anchors(b, j, x.AnchorA, x.AnchorB)
		c.moves, c.turn = x.EnableMotor, clamp(float32(x.AngularVelocity), -s.topSpin, s.topSpin)
		c.velocity = b.poses[j.bodyA].q.apply(vec{float32(x.LinearVelocity.X), float32(x.LinearVelocity.Y)})
	} else {
		c.anchors(b, j, box2d.B2Vec2{}, box2d.B2Vec2{})
	}
	c.offset = b.poses[j.bodyA].q.apply(vec{float32(t.M_linearOffset.X), float32(t.M_linearOffset.Y)})
	c.angle = float32(b.angleBetween(j.bodyA, j.bodyB) - t.M_angularOffset)
	c.mostPush, c.mostTurn = s.h*float32(t.M_maxForce), s.h*float32(t.M_maxTorque)
	c.soft = softness{biasRate: float32(t.M_correctionFactor) / s.dt, massScale: 1, most: 0.5 * s.topSpeed}
	c.backTurn = 0.5 * s.topSpin
	c.start(s, &j.pushed, t.M_linearImpulse.X, t.M_linearImpulse.Y, t.M_angularImpulse)
	c.dropForce(c.mostPush)
}

func (c *motor) solve(_ pass, a, b *state, g grip, _ bool) {
	if c.moves {
		c.drive(2, &turning, a, b, c.turn, c.mostTurn)
		if c.mostPush > 0 {
			v := a.q.apply(c.velocity)
			c.point(0, a, b, g, vec{-v.x, -v.y}, softness{biasRate: 1, massScale: 1, most: math.MaxFloat32}, c.mostPush)
		}
		return
	}
	turn := clamp(float32(c.soft.biasRate*(c.angle+(b.da-a.da))), -c.backTurn, c.backTurn)
	c.drive(2, &turning, a, b, -turn, c.mostTurn)
	if c.mostPush > 0 {
		err := g.gap.sub(a.q.apply(c.offset))
		c.point(0, a, b, g, err, c.soft, c.mostPush)
	}
}

func (c *motor) store(_, _ *state, _ grip, of box2d.B2JointInterface, p impulses) {
	t := of.(*box2d.B2MotorJoint)
	t.M_linearImpulse, t.M_angularImpulse = box2d.B2Vec2{X: p[0], Y: p[1]}, p[2]
}
