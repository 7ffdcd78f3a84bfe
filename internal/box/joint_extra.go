package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/statehash"
)

// JointExtra has the settings of a joint that the library's types lack. A joint with the zero value
// behaves as in the library. The user data of a joint contains its JointExtra: see ExtraOf.
type JointExtra struct {
	// The spring of a revolute or prismatic joint: its frequency in Hz, its damping ratio, and its
	// target in rad or m.
	Frequency, Damping, SpringTarget float64

	// The limits of the length of a distance joint or of the translation of a wheel joint, in m.
	EnableLimit  bool
	Lower, Upper float64

	// The anchors of a motor joint, and its velocities in m/s and rad/s. With velocities the motor drives
	// the second body at this speed in the first body's frame, and not to an offset.
	AnchorA, AnchorB box2d.B2Vec2
	EnableMotor      bool
	LinearVelocity   box2d.B2Vec2
	AngularVelocity  float64

	// The softness of the joint's constraints with the soft stepper: a frequency in Hz, 0 for the
	// stepper's default, and a damping ratio.
	ConstraintFrequency, ConstraintDamping float64

	// The impulses of the spring and of the limits in the last step, in N·s or N·m·s.
	SpringImpulse, LimitImpulse float64
}

// ExtraOf returns a joint's JointExtra, or nil if its user data has none.
func ExtraOf(j box2d.B2JointInterface) *JointExtra { return extraOf(j, false) }

// extraOf returns a joint's JointExtra. If make is true and the joint has none, it creates one. Then it
// returns nil only if the user data cannot contain a JointExtra.
func extraOf(j box2d.B2JointInterface, make bool) *JointExtra {
	switch user := j.GetUserData().(type) {
	case *JointExtra:
		return user
	case interface{ JointExtra(make bool) *JointExtra }:
		return user.JointExtra(make)
	}
	return nil
}

// PutExtra copies the settings from a JointExtra to a joint. If from is nil, it copies the zero value.
func PutExtra(j box2d.B2JointInterface, from *JointExtra) {
	x := extraOf(j, from != nil)
	switch {
	case x == nil:
	case from != nil:
		*x = *from
	default:
		*x = JointExtra{}
	}
}

// usedExtra returns a joint's JointExtra, or nil if the joint has none or its JointExtra is zero.
func usedExtra(j box2d.B2JointInterface) *JointExtra {
	if x := ExtraOf(j); x != nil && *x != (JointExtra{}) {
		return x
	}
	return nil
}

// HasSpring reports whether x gives a revolute or prismatic joint a spring. x may be nil.
func (x *JointExtra) HasSpring() bool { return x != nil && x.Frequency > 0 }

// HasLimit reports whether x gives a distance or wheel joint limits. x may be nil.
func (x *JointExtra) HasLimit() bool { return x != nil && x.EnableLimit }

// MovesAnchors reports whether x gives a motor joint anchors or a velocity. x may be nil.
func (x *JointExtra) MovesAnchors() bool {
	return x != nil && (x.EnableMotor || x.AnchorA != box2d.B2Vec2{} || x.AnchorB != box2d.B2Vec2{})
}

// hash adds all fields of x to h.
func (x *JointExtra) hash(h *statehash.Hash) {
	h.Floats(x.Frequency, x.Damping, x.SpringTarget, x.Lower, x.Upper)
	h.Bool(x.EnableLimit)
	h.Bool(x.EnableMotor)
	h.Floats(x.AnchorA.X, x.AnchorA.Y, x.AnchorB.X, x.AnchorB.Y, x.LinearVelocity.X, x.LinearVelocity.Y, x.AngularVelocity)
	h.Floats(x.ConstraintFrequency, x.ConstraintDamping, x.SpringImpulse, x.LimitImpulse)
}
