package world

import (
	"fmt"

	"github.com/ByteArena/box2d"
)

// minMouseFrequency is the softest spring of a mouse joint, Hz: its square must
// not vanish.
const minMouseFrequency = 1e-3

// minFrequency is the softest spring, Hz, but for none at all: the step divides by
// stiffness, and one near zero makes the bodies, and what they lie on, lose their places.
const minFrequency = 1e-9

func checkFrequency(hz float64) error {
	if hz > 0 && hz < minFrequency {
		return fmt.Errorf("world: frequency is %v: must be 0, or at least %v", hz, minFrequency)
	}
	return checkPositive("frequency", hz)
}

// settings points to the numbers of a joint that are set one by one; those that its
// kind has not are nil.
func (r *joint) settings() (s struct{ frequency, damping, maxForce, maxTorque *float64 }) {
	switch t := r.j.(type) {
	case *box2d.B2DistanceJoint:
		s.frequency, s.damping = &t.M_frequencyHz, &t.M_dampingRatio
	case *box2d.B2MouseJoint:
		s.frequency, s.damping, s.maxForce = &t.M_frequencyHz, &t.M_dampingRatio, &t.M_maxForce
	case *box2d.B2WheelJoint:
		s.frequency, s.damping = &t.M_frequencyHz, &t.M_dampingRatio
	case *box2d.B2WeldJoint:
		s.frequency, s.damping = &t.M_frequencyHz, &t.M_dampingRatio
	case *box2d.B2FrictionJoint:
		s.maxForce, s.maxTorque = &t.M_maxForce, &t.M_maxTorque
	case *box2d.B2MotorJoint:
		s.maxForce, s.maxTorque = &t.M_maxForce, &t.M_maxTorque
	}
	return s
}

// SetSpring sets the spring of a distance, mouse, wheel or weld joint: its
// frequency, Hz, and its damping ratio, 1 is critical. A frequency of 0 makes a
// distance or weld joint rigid and leaves a wheel's axis free; a mouse joint has
// 0.001 Hz or more.
func (w *World) SetSpring(j Joint, frequency, damping float64) error {
	r, err := w.editJoint(j, checkFrequency(frequency), checkPositive("damping", damping))
	if err != nil {
		return err
	}
	if r.kind == MouseJoint && frequency < minMouseFrequency {
		return fmt.Errorf("world: frequency is %v", frequency)
	}
	s := r.settings()
	err = w.setNumber(r, "spring", s.frequency, frequency)
	if err == nil {
		err = w.setNumber(r, "spring", s.damping, damping)
	}
	return err
}

// SetLength sets the length of a distance joint, m, the maximum length of a rope
// joint, or the length of a pulley's rope, which is LengthA and Ratio times
// LengthB: both change in proportion.
func (w *World) SetLength(j Joint, length float64) error {
	r, err := w.editJoint(j, checkPositive("length", length))
	if err != nil {
		return err
	}
	var to *float64
	switch raw := r.j.(type) {
	case *box2d.B2DistanceJoint:
		to = &raw.M_length
	case *box2d.B2RopeJoint:
		if length <= box2d.B2_linearSlop {
			return fmt.Errorf("world: maximum length is %v", length)
		}
		to = &raw.M_maxLength
	case *box2d.B2PulleyJoint:
		if raw.M_constant == length {
			return nil
		}
		if raw.M_constant > 0 {
			raw.M_lengthA *= length / raw.M_constant
		}
		raw.M_lengthB = (length - raw.M_lengthA) / raw.M_ratio
		to = &raw.M_constant
	}
	return w.setNumber(r, "length", to, length)
}

// SetMaxForce sets the maximum force of a friction, motor or mouse joint, N.
func (w *World) SetMaxForce(j Joint, force float64) error {
	r, err := w.editJoint(j, checkPositive("maximum force", force))
	if err == nil {
		err = w.setNumber(r, "maximum force", r.settings().maxForce, force)
	}
	return err
}

// SetMaxTorque sets the maximum torque of a friction or motor joint, N·m.
func (w *World) SetMaxTorque(j Joint, torque float64) error {
	r, err := w.editJoint(j, checkPositive("maximum torque", torque))
	if err == nil {
		err = w.setNumber(r, "maximum torque", r.settings().maxTorque, torque)
	}
	return err
}

func (w *World) setNumber(r *joint, what string, to *float64, x float64) error {
	if to == nil {
		return fmt.Errorf("world: %v has no %s: it is a %v joint", r.handle, what, r.kind)
	}
	if *to != x {
		*to = x
		w.box.EditJoint(r.j, true)
	}
	return nil
}
