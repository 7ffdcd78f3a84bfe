package world

import (
	"fmt"

	"github.com/ByteArena/box2d"
)

// minMouseFrequency is the softest spring of a mouse joint, Hz: its square must
// not vanish.
const minMouseFrequency = 1e-3

// SetSpring sets the spring of a distance, mouse, wheel or weld joint: its
// frequency, Hz, and its damping ratio, 1 is critical. A frequency of 0 makes a
// distance or weld joint rigid and leaves a wheel's axis free; a mouse joint has
// 0.001 Hz or more.
func (w *World) SetSpring(j Joint, frequency, damping float64) error {
	r, err := w.editJoint(j, checkPositive("frequency", frequency), checkPositive("damping", damping))
	if err != nil {
		return err
	}
	var hz, ratio *float64
	switch raw := r.j.(type) {
	case *box2d.B2DistanceJoint:
		hz, ratio = &raw.M_frequencyHz, &raw.M_dampingRatio
	case *box2d.B2MouseJoint:
		if frequency < minMouseFrequency {
			return fmt.Errorf("world: frequency is %v", frequency)
		}
		hz, ratio = &raw.M_frequencyHz, &raw.M_dampingRatio
	case *box2d.B2WheelJoint:
		hz, ratio = &raw.M_frequencyHz, &raw.M_dampingRatio
	case *box2d.B2WeldJoint:
		hz, ratio = &raw.M_frequencyHz, &raw.M_dampingRatio
	default:
		return fmt.Errorf("world: %v has no spring: it is a %v joint", j, r.kind)
	}
	w.setNumber(r, hz, frequency)
	w.setNumber(r, ratio, damping)
	return nil
}

// SetLength sets the length of a distance joint, m, the maximum length of a rope
// joint, or the length of a pulley's rope, which is LengthA and Ratio times
// LengthB: both change in proportion.
func (w *World) SetLength(j Joint, length float64) error {
	r, err := w.editJoint(j, checkPositive("length", length))
	if err != nil {
		return err
	}
	switch raw := r.j.(type) {
	case *box2d.B2DistanceJoint:
		w.setNumber(r, &raw.M_length, length)
	case *box2d.B2RopeJoint:
		if length <= box2d.B2_linearSlop {
			return fmt.Errorf("world: maximum length is %v", length)
		}
		w.setNumber(r, &raw.M_maxLength, length)
	case *box2d.B2PulleyJoint:
		if raw.M_constant == length {
			return nil
		}
		if raw.M_constant > 0 {
			raw.M_lengthA *= length / raw.M_constant
		}
		raw.M_lengthB = (length - raw.M_lengthA) / raw.M_ratio
		w.setNumber(r, &raw.M_constant, length)
	default:
		return fmt.Errorf("world: %v has no length: it is a %v joint", j, r.kind)
	}
	return nil
}

// SetMaxForce sets the maximum force of a friction, motor or mouse joint, N.
func (w *World) SetMaxForce(j Joint, force float64) error {
	r, err := w.editJoint(j, checkPositive("maximum force", force))
	if err != nil {
		return err
	}
	switch raw := r.j.(type) {
	case *box2d.B2FrictionJoint:
		w.setNumber(r, &raw.M_maxForce, force)
	case *box2d.B2MotorJoint:
		w.setNumber(r, &raw.M_maxForce, force)
	case *box2d.B2MouseJoint:
		w.setNumber(r, &raw.M_maxForce, force)
	default:
		return fmt.Errorf("world: %v has no maximum force: it is a %v joint", j, r.kind)
	}
	return nil
}

// SetMaxTorque sets the maximum torque of a friction or motor joint, N·m.
func (w *World) SetMaxTorque(j Joint, torque float64) error {
	r, err := w.editJoint(j, checkPositive("maximum torque", torque))
	if err != nil {
		return err
	}
	switch raw := r.j.(type) {
	case *box2d.B2FrictionJoint:
		w.setNumber(r, &raw.M_maxTorque, torque)
	case *box2d.B2MotorJoint:
		w.setNumber(r, &raw.M_maxTorque, torque)
	default:
		return fmt.Errorf("world: %v has no maximum torque: it is a %v joint", j, r.kind)
	}
	return nil
}

func (w *World) setNumber(r *joint, to *float64, x float64) {
	if *to != x {
		*to = x
		w.wakeEnds(r)
	}
}
