package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// JointInfo is what a joint is at this moment, and what it did in the last step.
type JointInfo struct {
	Kind JointKind
	A, B Body // that it joins; A is zero where a mouse joint holds on to the world
	Name string
	User any // from its definition

	// Def would make the joint as it is now: with the motor, limits, spring,
	// lengths and maximum forces that were set since it was made.
	Def JointDef

	// PointA and PointB are where the anchors are in the world, m. Of a mouse
	// joint, PointA is the target. Of a gear or motor joint, they are the
	// bodies' origins.
	PointA, PointB Vec
	Angle          float64 // of B less that of A, less the ReferenceAngle, rad
	AngularSpeed   float64 // of B less that of A, rad/s
	Translation    float64 // of B along the axis of a prismatic or wheel joint, m
	Speed          float64 // at which Translation grows, m/s
	// Length is from PointA to PointB, m. Of a pulley, it is that of the rope:
	// from GroundA to PointA, and Ratio times from GroundB to PointB.
	Length float64

	// Force and Torque are what the joint did to B in the last step, its motor
	// included; Force acted at PointB. While the bodies sleep, they are those of
	// the step in which they fell asleep. They are 0 while one of the bodies is
	// disabled or neither is dynamic, and from SetKind or SetEnabled to the next step.
	Force  Vec     // N
	Torque float64 // N·m
	// MotorForce is the motor's part in that: N of a prismatic joint, N·m of a
	// revolute or wheel joint.
	MotorForce float64
}

// Joint returns what a joint is at this moment. The error wraps [ErrStale] if it
// does not exist.
func (w *World) Joint(j Joint) (JointInfo, error) {
	r, err := w.lookupJoint(j)
	if err != nil {
		return JointInfo{}, err
	}
	a, b := r.j.GetBodyA(), r.j.GetBodyB()
	d := w.defOf(r)
	i := JointInfo{
		Kind: r.kind, A: d.A, B: d.B, Name: r.name, User: r.user, Def: d,
		PointA: fromB2(place(a, d.AnchorA)), PointB: fromB2(place(b, d.AnchorB)),
		Angle:        b.M_sweep.A - a.M_sweep.A - d.ReferenceAngle,
		AngularSpeed: b.M_angularVelocity - a.M_angularVelocity,
	}
	switch t := r.j.(type) {
	case *box2d.B2PrismaticJoint:
		i.Translation, i.Speed = t.GetJointTranslation(), t.GetJointSpeed()
	case *box2d.B2WheelJoint:
		i.Translation, i.Speed = t.GetJointTranslation(), t.GetJointLinearSpeed()
	case *box2d.B2MouseJoint:
		i.PointA = d.Target
	}
	i.Length = distance(b2vec(i.PointA), b2vec(i.PointB))
	if r.kind == PulleyJoint {
		i.Length = distance(b2vec(d.GroundA), b2vec(i.PointA)) + float64(d.Ratio*distance(b2vec(d.GroundB), b2vec(i.PointB)))
	}
	if r.acts() {
		perSecond := w.b2.M_inv_dt0
		impulse, turn := r.reaction()
		i.Force, i.Torque = Vec{perSecond * impulse.X, perSecond * impulse.Y}, perSecond*turn
		i.MotorForce = perSecond * r.motorImpulse()
	}
	return i, nil
}

// acts reports whether the solver heeds the joint while its bodies are awake.
func (r *joint) acts() bool {
	a, b := r.j.GetBodyA(), r.j.GetBodyB()
	return a.IsActive() && b.IsActive() && (a.M_type == b2.DynamicBody || b.M_type == b2.DynamicBody)
}

// forgetPushes ends what the joints of a body have pushed with. A gear acts on the bodies of
// the joints that it couples as well.
func (w *World) forgetPushes(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; e = e.Next {
		if r := jointOf(e.Joint); r != nil {
			for _, r := range append([]*joint{r}, r.gears...) {
				w.box.ForgetPushes(r.j)
			}
		}
	}
}

// reaction is what the joint did to its second body in the last step: an impulse
// at its anchor, N·s, and one that turns it, N·m·s. Box2D's GetReactionForce and
// GetReactionTorque leave out the motor of a revolute joint, and are about other
// bodies and the other direction of pulleys and gears.
func (r *joint) reaction() (impulse box2d.B2Vec2, turn float64) {
	switch t := r.j.(type) {
	case *box2d.B2RevoluteJoint:
		return box2d.B2Vec2{X: t.M_impulse.X, Y: t.M_impulse.Y}, t.M_impulse.Z + t.M_motorImpulse
	case *box2d.B2PrismaticJoint:
		return b2.Plus(b2.Times(t.M_impulse.X, t.M_perp), t.M_motorImpulse+t.M_impulse.Z, t.M_axis), t.M_impulse.Y
	case *box2d.B2PulleyJoint:
		return b2.Times(-t.M_ratio*t.M_impulse, t.M_uB), 0
	case *box2d.B2GearJoint:
		return b2.Times(t.M_impulse, t.M_JvBD), t.M_impulse * t.M_JwB
	case *box2d.B2WheelJoint:
		return b2.Plus(b2.Times(t.M_impulse, t.M_ay), t.M_springImpulse, t.M_ax), t.M_motorImpulse
	}
	own := r.j.(interface {
		GetReactionForce(float64) box2d.B2Vec2
		GetReactionTorque(float64) float64
	})
	return own.GetReactionForce(1), own.GetReactionTorque(1)
}

func (r *joint) motorImpulse() float64 {
	switch t := r.j.(type) {
	case *box2d.B2RevoluteJoint:
		return t.M_motorImpulse
	case *box2d.B2PrismaticJoint:
		return t.M_motorImpulse
	case *box2d.B2WheelJoint:
		return t.M_motorImpulse
	}
	return 0
}

func (w *World) defOf(r *joint) JointDef {
	d := JointDef{
		Kind: r.kind, A: w.HandleOf(r.j.GetBodyA()), B: w.HandleOf(r.j.GetBodyB()),
		CollideConnected: r.j.IsCollideConnected(), Name: r.name, User: r.user,
		BreakForce: r.breakForce, BreakTorque: r.breakTorque, KeepBroken: r.keepBroken,
	}
	anchors := func(a, b box2d.B2Vec2) { d.AnchorA, d.AnchorB = fromB2(a), fromB2(b) }
	limits := func(on bool, lower, upper float64) { d.EnableLimit, d.Lower, d.Upper = on, lower, upper }
	motor := func(on bool, speed, most float64) { d.EnableMotor, d.MotorSpeed, d.MaxMotorForce = on, speed, most }
	switch t := r.j.(type) {
	case *box2d.B2RevoluteJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		limits(t.M_enableLimit, t.M_lowerAngle, t.M_upperAngle)
		motor(t.M_enableMotor, t.M_motorSpeed, t.M_maxMotorTorque)
		d.ReferenceAngle = t.M_referenceAngle
	case *box2d.B2PrismaticJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		limits(t.M_enableLimit, t.M_lowerTranslation, t.M_upperTranslation)
		motor(t.M_enableMotor, t.M_motorSpeed, t.M_maxMotorForce)
		d.AxisA, d.ReferenceAngle = fromB2(t.M_localXAxisA), t.M_referenceAngle
	case *box2d.B2DistanceJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		d.Length, d.Frequency, d.Damping = t.M_length, t.M_frequencyHz, t.M_dampingRatio
	case *box2d.B2PulleyJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		d.GroundA, d.GroundB = fromB2(t.M_groundAnchorA), fromB2(t.M_groundAnchorB)
		d.LengthA, d.LengthB, d.Ratio = t.M_lengthA, t.M_lengthB, t.M_ratio
	case *box2d.B2MouseJoint:
		d.AnchorB, d.Target = fromB2(t.M_localAnchorB), fromB2(t.M_targetA)
		// Zero would stand for the target, and for a default.
		if d.AnchorB == (Vec{}) {
			d.AnchorB.X = math.SmallestNonzeroFloat64
		}
		d.MaxForce = max(d.MaxForce, math.SmallestNonzeroFloat64)
		d.MaxForce, d.Frequency, d.Damping = t.M_maxForce, t.M_frequencyHz, t.M_dampingRatio
	case *box2d.B2GearJoint:
		d.Joint1, d.Joint2, d.Ratio = r.parts[0].handle, r.parts[1].handle, t.M_ratio
	case *box2d.B2WheelJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		motor(t.M_enableMotor, t.M_motorSpeed, t.M_maxMotorTorque)
		d.AxisA, d.Frequency, d.Damping = fromB2(t.M_localXAxisA), t.M_frequencyHz, t.M_dampingRatio
	case *box2d.B2WeldJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		d.ReferenceAngle, d.Frequency, d.Damping = t.M_referenceAngle, t.M_frequencyHz, t.M_dampingRatio
	case *box2d.B2FrictionJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		d.MaxForce, d.MaxTorque = t.M_maxForce, t.M_maxTorque
	case *box2d.B2RopeJoint:
		anchors(t.M_localAnchorA, t.M_localAnchorB)
		d.MaxLength = t.M_maxLength
	case *box2d.B2MotorJoint:
		d.LinearOffset, d.AngularOffset = fromB2(t.M_linearOffset), t.M_angularOffset
		d.MaxForce, d.MaxTorque, d.Correction = t.M_maxForce, t.M_maxTorque, t.M_correctionFactor
	}
	return d
}
