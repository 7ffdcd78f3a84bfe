package world

import (
	"fmt"

	"halfstep/buffer/body2d"
	"halfstep/internal/box"
)

// minMouseFrequency is the lowest frequency of a mouse joint's spring, in Hz. The square of a lower
// frequency might be 0.
const minMouseFrequency = 1e-3

// minFrequency is the lowest frequency of other springs, in Hz. (0 means no spring.) The step divides by
// the stiffness, and a stiffness near zero throws bodies far away.
const minFrequency = 1e-9

func checkFrequency(hz float64) error {
	if hz > 0 && hz < minFrequency {
		return fmt.Errorf("world: frequency is %v: must be 0, or at least %v", hz, minFrequency)
	}
	return checkPositive("frequency", hz)
}

// setNumber sets a number of a joint after a check. The pointer at is nil if the kind of joint lacks the
// number.
func (k *links) setNumber(r *joint, what string, at *float64, x float64) error {
	if !box.Set(k.box, r.j, at, x) {
		return r.hasNo(what)
	}
	return nil
}

func (r *joint) hasNo(what string) error {
	return fmt.Errorf("world: %v has no %s: it is a %v joint", r.handle, what, r.kind)
}

// SetMotor sets whether the motor of a revolute, prismatic or wheel joint is on. The speed is in
// rad/s, or in m/s for a prismatic joint. The maximum is a torque in N·m, or a force in N for a
// prismatic joint.
func (w *World) SetMotor(j Joint, on bool, speed, maximum float64) error {
	r, err := w.editJoint(j, checkNumber("motor speed", speed), checkMost("maximum motor force", maximum))
	if err != nil {
		return err
	}
	f := box.FieldsToSet(r.j)
	if !box.Set(w.box, r.j, f.MotorSpeed, speed) {
		return r.hasNo("motor")
	}
	box.Set(w.box, r.j, f.EnableMotor, on)
	box.Set(w.box, r.j, f.MaxMotorForce, min(maximum, maxValue))
	return nil
}

// SetLimits sets whether the limits of a revolute, prismatic, distance or wheel joint are on, and
// sets the limits, in rad or m.
func (w *World) SetLimits(j Joint, on bool, lower, upper float64) error {
	r, err := w.editJoint(j, checkNumber("lower limit", lower), checkNumber("upper limit", upper))
	if err == nil {
		err = r.kind.checkLimits(on, lower, upper)
	}
	if err == nil && !w.box.SetLimits(r.j, on, lower, upper) {
		err = r.hasNo("limits")
	}
	return err
}

func (k JointKind) checkLimits(on bool, lower, upper float64) error {
	switch {
	case lower > upper:
		return fmt.Errorf("world: lower limit %v is above upper limit %v", lower, upper)
	case on && k == DistanceJoint && upper < 0:
		return fmt.Errorf("world: upper limit %v of a length", upper)
	}
	return nil
}

// SetSpring sets the spring of a revolute, prismatic, distance, mouse, wheel or weld joint. The
// frequency is in Hz. A damping ratio of 1 is critical. [JointKind] says what a frequency of 0
// means; a weld joint becomes rigid. A mouse joint needs at least 0.001 Hz.
func (w *World) SetSpring(j Joint, frequency, damping float64) error {
	r, err := w.editJoint(j, checkFrequency(frequency), checkPositive("damping", damping))
	if err != nil {
		return err
	}
	if r.kind == MouseJoint && frequency < minMouseFrequency {
		return fmt.Errorf("world: frequency is %v", frequency)
	}
	f := box.FieldsToSet(r.j)
	box.Set(w.box, r.j, f.Damping, damping)
	return w.links.setNumber(r, "spring", f.Frequency, frequency)
}

// SetSpringTarget sets the target of the spring of a revolute or prismatic joint, in rad or m.
func (w *World) SetSpringTarget(j Joint, target float64) error {
	r, err := w.editJoint(j, checkNumber("spring target", target))
	if err == nil {
		err = w.links.setNumber(r, "spring with a target", box.FieldsToSet(r.j).SpringTarget, target)
	}
	return err
}

// SetSoftness sets the softness of the constraints of a joint with SoftStep. The frequency is in Hz;
// the damping is a ratio. See JointDef.ConstraintFrequency.
func (w *World) SetSoftness(j Joint, frequency, damping float64) error {
	r, err := w.editJoint(j, checkFrequency(frequency), checkPositive("damping of the constraint", damping))
	if err == nil {
		err = w.links.checkSoftness(frequency)
	}
	if err != nil {
		return err
	}
	f := box.FieldsToSet(r.j)
	box.Set(w.box, r.j, f.ConstraintDamping, damping)
	return w.links.setNumber(r, "softness", f.ConstraintFrequency, frequency)
}

// SetCollideConnected sets whether the two bodies of a joint collide. The setting takes effect in
// the next step.
func (w *World) SetCollideConnected(j Joint, on bool) error {
	r, err := w.editJoint(j)
	if err == nil {
		w.box.SetCollideConnected(r.j, on)
	}
	return err
}

// SetLength sets the length of a distance joint, the maximum length of a rope joint, or the length
// of a pulley's rope, in m. The length of a pulley's rope is LengthA plus Ratio times LengthB, and
// both change in proportion.
func (w *World) SetLength(j Joint, length float64) error {
	r, err := w.editJoint(j, checkPositive("length", length))
	if err != nil {
		return err
	}
	if r.kind == RopeJoint {
		err = checkRope(length)
	}
	if err == nil && !w.box.SetLength(r.j, length) {
		err = r.hasNo("length")
	}
	return err
}

// SetMaxForce sets the maximum force of a friction, motor or mouse joint, in N.
func (w *World) SetMaxForce(j Joint, force float64) error {
	r, err := w.editJoint(j, checkMost("maximum force", force))
	if err == nil {
		err = w.links.setNumber(r, "maximum force", box.FieldsToSet(r.j).MaxForce, min(force, maxValue))
	}
	return err
}

// SetMaxTorque sets the maximum torque of a friction or motor joint, in N·m.
func (w *World) SetMaxTorque(j Joint, torque float64) error {
	r, err := w.editJoint(j, checkMost("maximum torque", torque))
	if err == nil {
		err = w.links.setNumber(r, "maximum torque", box.FieldsToSet(r.j).MaxTorque, min(torque, maxValue))
	}
	return err
}

// SetTarget moves the point to which a mouse joint pulls, in m.
func (w *World) SetTarget(j Joint, target Vec) error {
	r, err := w.editJoint(j, checkVec("target", target, maxPosition))
	if err != nil {
		return err
	}
	at := box.FieldsToSet(r.j).Target
	if at != nil && *at == b2vec(target) {
		return nil
	}
	if !box.Set(w.box, r.j, at, b2vec(target)) {
		return r.hasNo("target")
	}
	// The joint is announced to renderers again, because its line ends at the target.
	w.news.announceRemoved(body2d.JointRemoved, 0, r.id) // joints have no slot
	w.news.announceInTime(lateRecord{kind: body2d.JointAdded, joint: j})
	return nil
}

// SetMotorOffset sets the target of a motor joint for its body B, in the frame of A. The offset is
// in m, the angle in rad.
func (w *World) SetMotorOffset(j Joint, offset Vec, angle float64) error {
	r, err := w.editJoint(j, checkVec("linear offset", offset, maxPosition), checkPosition("angular offset", angle))
	if err != nil {
		return err
	}
	f := box.FieldsToSet(r.j)
	box.Set(w.box, r.j, f.LinearOffset, b2vec(offset))
	return w.links.setNumber(r, "offset", f.AngularOffset, angle)
}

// SetMotorVelocity makes a motor joint drive its body B at a velocity in the frame of A, in m/s, and at
// an angular velocity, in rad/s. If on is false, the joint drives B to its offset again.
func (w *World) SetMotorVelocity(j Joint, on bool, velocity Vec, angular float64) error {
	r, err := w.editJoint(j, checkVec("linear velocity", velocity, maxValue), checkNumber("angular velocity", angular))
	if err != nil {
		return err
	}
	f := box.FieldsToSet(r.j)
	if !box.Set(w.box, r.j, f.LinearVelocity, b2vec(velocity)) {
		return r.hasNo("velocity")
	}
	box.Set(w.box, r.j, f.AngularVelocity, angular)
	box.Set(w.box, r.j, f.EnableMotor, on)
	return nil
}
