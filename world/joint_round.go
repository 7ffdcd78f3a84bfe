package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/b2"
)

// round computes again what Box2D has computed of a joint that it has made, with the
// same bits on every machine.
func (r *joint) round(def box2d.B2JointDefInterface) {
	switch j := r.j.(type) {
	case *box2d.B2PrismaticJoint:
		x := b2.Unit(def.(*box2d.B2PrismaticJointDef).LocalAxisA)
		j.M_localXAxisA, j.M_localYAxisA = x, box2d.B2Vec2{X: -x.Y, Y: x.X}
	case *box2d.B2MouseJoint:
		j.M_localAnchorB = b2.TransformBack(&j.M_bodyB.M_xf, j.M_targetA)
	case *box2d.B2PulleyJoint:
		j.M_constant = j.M_lengthA + float64(j.M_ratio*j.M_lengthB)
	case *box2d.B2GearJoint:
		j.M_constant = coordinate(j.M_joint1) + float64(j.M_ratio*coordinate(j.M_joint2))
	}
}

// coordinate is how far a joint that a gear couples has turned or moved.
func coordinate(of box2d.B2JointInterface) float64 {
	a, b := of.GetBodyA(), of.GetBodyB()
	switch j := of.(type) {
	case *box2d.B2RevoluteJoint:
		return b.M_sweep.A - a.M_sweep.A - j.M_referenceAngle
	case *box2d.B2PrismaticJoint:
		arm := box2d.B2Vec2Add(b2.Rotate(b.M_xf.Q, j.M_localAnchorB), box2d.B2Vec2Sub(b.M_xf.P, a.M_xf.P))
		return b2.Dot(box2d.B2Vec2Sub(b2.RotateBack(a.M_xf.Q, arm), j.M_localAnchorA), j.M_localXAxisA)
	}
	return 0
}
