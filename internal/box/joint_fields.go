package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/statehash"
)

// JointFields point to a joint's settings and impulses. A pointer is nil if the joint's type lacks the
// field. The function [Set] changes the variables behind these pointers.
type JointFields struct {
	AnchorA, AnchorB, GroundA, GroundB, AxisA, Target, LinearOffset, LinearVelocity *box2d.B2Vec2

	EnableMotor, EnableLimit                                               *bool
	ReferenceAngle, MotorSpeed, MaxMotorForce, Lower, Upper, AngularOffset *float64
	constant, Ratio, Length, MaxLength, MaxForce, MaxTorque, Correction    *float64
	Frequency, Damping, LengthA, LengthB, SpringTarget, AngularVelocity    *float64
	ConstraintFrequency, ConstraintDamping                                 *float64

	// The impulses of the last step. Motor is the impulse of the joint's motor.
	Motor      *float64
	impulses   [3]*float64
	limit      *float64    // impulse of a limit
	limitState *uint8      // the library's M_limitState
	extra      *JointExtra // nil if the joint has no JointExtra

	// Push and Turn are the effects of the joint on its second body in the last step. Push is an impulse at
	// the body's anchor, in N·s. Turn is an angular impulse, in N·m·s. The library's GetReactionForce and
	// GetReactionTorque give other values: they omit the motor of a revolute joint, and for pulleys and
	// gears they have the opposite sign or concern other bodies.
	Push box2d.B2Vec2
	Turn float64
}

// FieldsOf returns the fields of a joint, which the caller may only read. The result is empty if the
// joint's type is not one of the library's. To write to fields, call FieldsToSet.
func FieldsOf(j box2d.B2JointInterface) JointFields {
	x := ExtraOf(j)
	if _, can := j.GetUserData().(interface{ JointExtra(make bool) *JointExtra }); x == nil && can {
		f := fieldsOf(j, &noExtra)
		f.extra = nil
		return f
	}
	return fieldsOf(j, x)
}

var noExtra JointExtra // nobody may write to this variable

// FieldsToSet returns the fields of a joint, which the caller may also write. It creates the joint's
// JointExtra if there is none.
func FieldsToSet(j box2d.B2JointInterface) JointFields { return fieldsOf(j, extraOf(j, true)) }

// fieldsOf returns the fields of a joint and those of its JointExtra x. x may be nil.
func fieldsOf(j box2d.B2JointInterface, x *JointExtra) JointFields {
	f := libraryFields(j)
	if x == nil {
		return f
	}
	f.extra = x
	f.ConstraintFrequency, f.ConstraintDamping = &x.ConstraintFrequency, &x.ConstraintDamping
	switch t := j.(type) {
	case *box2d.B2RevoluteJoint:
		f.Frequency, f.Damping, f.SpringTarget = &x.Frequency, &x.Damping, &x.SpringTarget
		f.Turn += x.SpringImpulse
	case *box2d.B2PrismaticJoint:
		f.Frequency, f.Damping, f.SpringTarget = &x.Frequency, &x.Damping, &x.SpringTarget
		f.Push = b2.Plus(f.Push, x.SpringImpulse, t.M_axis)
	case *box2d.B2DistanceJoint:
		f.EnableLimit, f.Lower, f.Upper, f.limit = &x.EnableLimit, &x.Lower, &x.Upper, &x.LimitImpulse
		f.Push = b2.Plus(f.Push, x.LimitImpulse, t.M_u)
	case *box2d.B2WheelJoint:
		f.EnableLimit, f.Lower, f.Upper, f.limit = &x.EnableLimit, &x.Lower, &x.Upper, &x.LimitImpulse
		f.Push = b2.Plus(f.Push, x.LimitImpulse, t.M_ax)
	case *box2d.B2MotorJoint:
		f.AnchorA, f.AnchorB = &x.AnchorA, &x.AnchorB
		f.EnableMotor, f.LinearVelocity, f.AngularVelocity = &x.EnableMotor, &x.LinearVelocity, &x.AngularVelocity
	}
	return f
}

// libraryFields returns the fields of a joint without those of its JointExtra.
func libraryFields(j box2d.B2JointInterface) (f JointFields) {
	switch t := j.(type) {
	case *box2d.B2RevoluteJoint:
		f.AnchorA, f.AnchorB, f.ReferenceAngle = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_referenceAngle
		f.EnableLimit, f.Lower, f.Upper, f.limitState = &t.M_enableLimit, &t.M_lowerAngle, &t.M_upperAngle, &t.M_limitState
		f.EnableMotor, f.MotorSpeed, f.MaxMotorForce = &t.M_enableMotor, &t.M_motorSpeed, &t.M_maxMotorTorque
		f.Motor, f.limit, f.impulses = &t.M_motorImpulse, &t.M_impulse.Z, three(&t.M_impulse)
		f.Push, f.Turn = xy(&t.M_impulse), t.M_impulse.Z+t.M_motorImpulse
	case *box2d.B2PrismaticJoint:
		f.AnchorA, f.AnchorB, f.ReferenceAngle = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_referenceAngle
		f.AxisA = &t.M_localXAxisA
		f.EnableLimit, f.Lower, f.Upper, f.limitState = &t.M_enableLimit, &t.M_lowerTranslation, &t.M_upperTranslation, &t.M_limitState
		f.EnableMotor, f.MotorSpeed, f.MaxMotorForce = &t.M_enableMotor, &t.M_motorSpeed, &t.M_maxMotorForce
		f.Motor, f.limit, f.impulses = &t.M_motorImpulse, &t.M_impulse.Z, three(&t.M_impulse)
		f.Push, f.Turn = b2.Plus(b2.Times(t.M_impulse.X, t.M_perp), t.M_motorImpulse+t.M_impulse.Z, t.M_axis), t.M_impulse.Y
	case *box2d.B2DistanceJoint:
		f.AnchorA, f.AnchorB, f.Length = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_length
		f.Frequency, f.Damping = &t.M_frequencyHz, &t.M_dampingRatio
		f.impulses[0], f.Push = &t.M_impulse, b2.Times(t.M_impulse, t.M_u)
	case *box2d.B2PulleyJoint:
		f.AnchorA, f.AnchorB, f.GroundA, f.GroundB = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_groundAnchorA, &t.M_groundAnchorB
		f.LengthA, f.LengthB, f.Ratio, f.constant = &t.M_lengthA, &t.M_lengthB, &t.M_ratio, &t.M_constant
		f.impulses[0], f.Push = &t.M_impulse, b2.Times(-t.M_ratio*t.M_impulse, t.M_uB)
	case *box2d.B2MouseJoint:
		f.AnchorB, f.Target, f.MaxForce = &t.M_localAnchorB, &t.M_targetA, &t.M_maxForce
		f.Frequency, f.Damping = &t.M_frequencyHz, &t.M_dampingRatio
		f.impulses, f.Push = [3]*float64{&t.M_impulse.X, &t.M_impulse.Y}, t.M_impulse
	case *box2d.B2GearJoint:
		f.Ratio, f.constant = &t.M_ratio, &t.M_constant
		f.impulses[0], f.Push, f.Turn = &t.M_impulse, b2.Times(t.M_impulse, t.M_JvBD), t.M_impulse*t.M_JwB
	case *box2d.B2WheelJoint:
		f.AnchorA, f.AnchorB, f.AxisA = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_localXAxisA
		f.Frequency, f.Damping = &t.M_frequencyHz, &t.M_dampingRatio
		f.EnableMotor, f.MotorSpeed, f.MaxMotorForce = &t.M_enableMotor, &t.M_motorSpeed, &t.M_maxMotorTorque
		f.Motor, f.impulses = &t.M_motorImpulse, [3]*float64{&t.M_impulse, &t.M_springImpulse}
		f.Push, f.Turn = b2.Plus(b2.Times(t.M_impulse, t.M_ay), t.M_springImpulse, t.M_ax), t.M_motorImpulse
	case *box2d.B2WeldJoint:
		f.AnchorA, f.AnchorB, f.ReferenceAngle = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_referenceAngle
		f.Frequency, f.Damping = &t.M_frequencyHz, &t.M_dampingRatio
		f.impulses, f.Push, f.Turn = three(&t.M_impulse), xy(&t.M_impulse), t.M_impulse.Z
	case *box2d.B2FrictionJoint:
		f.AnchorA, f.AnchorB, f.MaxForce, f.MaxTorque = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_maxForce, &t.M_maxTorque
		f.impulses = [3]*float64{&t.M_linearImpulse.X, &t.M_linearImpulse.Y, &t.M_angularImpulse}
		f.Push, f.Turn = t.M_linearImpulse, t.M_angularImpulse
	case *box2d.B2RopeJoint:
		f.AnchorA, f.AnchorB, f.MaxLength = &t.M_localAnchorA, &t.M_localAnchorB, &t.M_maxLength
		f.impulses[0], f.Push = &t.M_impulse, b2.Times(t.M_impulse, t.M_u)
	case *box2d.B2MotorJoint:
		f.LinearOffset, f.AngularOffset, f.Correction = &t.M_linearOffset, &t.M_angularOffset, &t.M_correctionFactor
		f.MaxForce, f.MaxTorque = &t.M_maxForce, &t.M_maxTorque
		f.impulses = [3]*float64{&t.M_linearImpulse.X, &t.M_linearImpulse.Y, &t.M_angularImpulse}
		f.Push, f.Turn = t.M_linearImpulse, t.M_angularImpulse
	}
	return f
}

func three(v *box2d.B2Vec3) [3]*float64 { return [3]*float64{&v.X, &v.Y, &v.Z} }

func xy(v *box2d.B2Vec3) box2d.B2Vec2 { return box2d.B2Vec2{X: v.X, Y: v.Y} }

// vecs returns the vectors of a joint, in the order in which a hash adds them.
func (f *JointFields) vecs() [8]*box2d.B2Vec2 {
	return [...]*box2d.B2Vec2{f.AnchorA, f.AnchorB, f.GroundA, f.GroundB, f.AxisA, f.Target, f.LinearOffset, f.LinearVelocity}
}

// numbers returns all numbers of a joint that a step reads, in the order in which a hash adds them.
func (f *JointFields) numbers() [19]*float64 {
	return [...]*float64{
		f.ReferenceAngle, f.MotorSpeed, f.MaxMotorForce, f.Lower, f.Upper, f.AngularOffset, f.constant, f.Ratio,
		f.Length, f.MaxLength, f.MaxForce, f.MaxTorque, f.Correction, f.Frequency, f.Damping,
		f.SpringTarget, f.AngularVelocity, f.ConstraintFrequency, f.ConstraintDamping,
	}
}

// CopyFrom copies the settings from one joint to another. It skips settings that one of the two lacks.
func (f *JointFields) CopyFrom(from *JointFields) {
	vecs, fromVecs := f.vecs(), from.vecs()
	for i := range vecs {
		assign(vecs[i], fromVecs[i])
	}
	numbers, fromNumbers := f.numbers(), from.numbers()
	for i := range numbers {
		assign(numbers[i], fromNumbers[i])
	}
	assign(f.LengthA, from.LengthA) // numbers lacks these two, because no step reads them
	assign(f.LengthB, from.LengthB)
	assign(f.EnableMotor, from.EnableMotor)
	assign(f.EnableLimit, from.EnableLimit)
}

// assign copies a field if both joints have the field.
func assign[T any](to, from *T) {
	if to != nil && from != nil {
		*to = *from
	}
}

// HashJoint adds to h a joint's settings, and the impulses with which its next step starts.
func HashJoint(h *statehash.Hash, j box2d.B2JointInterface) {
	f := libraryFields(j)
	for _, v := range f.vecs() {
		if v != nil {
			h.Floats(v.X, v.Y)
		}
	}
	if f.Motor != nil {
		limited, state := false, 0
		if f.limitState != nil {
			limited, state = *f.EnableLimit, int(*f.limitState)
		}
		h.Bool(*f.EnableMotor)
		h.Bool(limited)
		h.Int(state)
		h.Floats(*f.Motor)
	}
	numbers := f.numbers()
	for _, x := range append(numbers[:], f.impulses[:]...) {
		if x != nil {
			h.Floats(*x)
		}
	}
	if x := usedExtra(j); x != nil {
		x.hash(h)
	}
}

// forget sets the impulses to 0.
func (f *JointFields) forget() {
	if f.extra != nil {
		f.extra.SpringImpulse, f.extra.LimitImpulse = 0, 0
	}
	for _, p := range append(f.impulses[:], f.Motor) {
		if p != nil {
			*p = 0
		}
	}
}

// Set writes to one of a joint's fields. If the value changes, it wakes the joint's bodies. It returns
// false if the joint's type lacks the field.
func Set[T comparable](s *World, j box2d.B2JointInterface, at *T, x T) bool {
	if at != nil && *at != x {
		*at = x
		s.EditJoint(j, true)
	}
	return at != nil
}

// SetLimits sets the limits of a joint, and wakes the joint's bodies if the limits change. New limits
// begin without an impulse. It returns false if the joint's type has no limits.
func (s *World) SetLimits(j box2d.B2JointInterface, on bool, lower, upper float64) bool {
	f := FieldsToSet(j)
	if f.EnableLimit == nil {
		return false
	}
	if *f.EnableLimit != on || *f.Lower != lower || *f.Upper != upper {
		*f.EnableLimit, *f.Lower, *f.Upper, *f.limit = on, lower, upper, 0
		s.EditJoint(j, true)
	}
	return true
}

// SetLength sets the length of a distance joint, the maximum length of a rope joint, or the length of a
// pulley's rope. Then the two parts of a pulley's rope change in proportion. It wakes the joint's bodies
// if the length changes, and returns false if the joint's type has no length.
func (s *World) SetLength(j box2d.B2JointInterface, length float64) bool {
	f := FieldsToSet(j)
	if f.LengthA == nil {
		return Set(s, j, f.Length, length) || Set(s, j, f.MaxLength, length)
	}
	if was := *f.constant; was != length {
		if was > 0 {
			*f.LengthA *= length / was
		}
		*f.LengthB = (length - *f.LengthA) / *f.Ratio
	}
	return Set(s, j, f.constant, length)
}
