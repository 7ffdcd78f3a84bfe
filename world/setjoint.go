package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

func (w *World) editJoint(j Joint) (*joint, error) {
	if w.phase == stepping {
		return nil, ErrStepping
	}
	return w.joint(j)
}

// SetTarget moves the point that a mouse joint pulls to, m. The joint is
// announced anew, for its line ends there.
func (w *World) SetTarget(handle Joint, p Vec) error {
	r, err := w.editJoint(handle)
	if err == nil {
		err = checkVec("target", p, maxPosition)
	}
	if err != nil {
		return err
	}
	j, ok := r.j.(*box2d.B2MouseJoint)
	if !ok {
		return fmt.Errorf("box: %v is not a mouse joint", handle)
	}
	if j.M_targetA == b2vec(p) {
		return nil
	}
	j.SetTarget(b2vec(p))
	w.announceRemoved(body2d.JointRemoved, 0, r.id)
	if w.phase == after { // the removal is late, so must this be
		w.late = append(w.late, lateRecord{kind: body2d.JointAdded, joint: handle})
		return nil
	}
	w.announceJoint(r)
	return nil
}

// SetMotor turns the motor of a revolute, prismatic or wheel joint on or off
// and sets its speed (rad/s or m/s) and its maximum torque or force (N·m or N).
func (w *World) SetMotor(handle Joint, on bool, speed, maximum float64) error {
	r, err := w.editJoint(handle)
	if err == nil {
		err = firstError(checkNumber("motor speed", speed), checkPositive("maximum motor force", maximum))
	}
	if err != nil {
		return err
	}
	switch j := r.j.(type) {
	case *box2d.B2RevoluteJoint:
		j.EnableMotor(on)
		j.SetMotorSpeed(speed)
		j.SetMaxMotorTorque(maximum)
	case *box2d.B2PrismaticJoint:
		j.EnableMotor(on)
		j.SetMotorSpeed(speed)
		j.SetMaxMotorForce(maximum)
	case *box2d.B2WheelJoint:
		j.EnableMotor(on)
		j.SetMotorSpeed(speed)
		j.SetMaxMotorTorque(maximum)
	default:
		return fmt.Errorf("box: %v has no motor", handle)
	}
	return nil
}

// SetLimits turns the limits of a revolute or prismatic joint on or off and
// sets them (rad or m).
func (w *World) SetLimits(handle Joint, on bool, lower, upper float64) error {
	r, err := w.editJoint(handle)
	if err == nil {
		err = firstError(checkNumber("lower limit", lower), checkNumber("upper limit", upper))
	}
	if err == nil && lower > upper {
		err = fmt.Errorf("box: lower limit %v is above upper limit %v", lower, upper)
	}
	if err != nil {
		return err
	}
	switch j := r.j.(type) {
	case *box2d.B2RevoluteJoint:
		j.EnableLimit(on)
		j.SetLimits(lower, upper)
	case *box2d.B2PrismaticJoint:
		j.EnableLimit(on)
		j.SetLimits(lower, upper)
	default:
		return fmt.Errorf("box: %v has no limits", handle)
	}
	return nil
}

// SetMotorOffset sets where a motor joint wants its second body, in the frame
// of the first: m and rad.
func (w *World) SetMotorOffset(handle Joint, p Vec, angle float64) error {
	r, err := w.editJoint(handle)
	if err == nil {
		err = firstError(checkVec("linear offset", p, maxPosition), checkPosition("angular offset", angle))
	}
	if err != nil {
		return err
	}
	j, ok := r.j.(*box2d.B2MotorJoint)
	if !ok {
		return fmt.Errorf("box: %v is not a motor joint", handle)
	}
	j.SetLinearOffset(b2vec(p))
	j.SetAngularOffset(angle)
	return nil
}
