package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// SetMotor turns the motor of a revolute, prismatic or wheel joint on or off
// and sets its speed, rad/s or m/s, and its maximum torque, N·m, or force, N.
func (w *World) SetMotor(j Joint, on bool, speed, maximum float64) error {
	r, err := w.editJoint(j, checkNumber("motor speed", speed), checkPositive("maximum motor force", maximum))
	if err != nil {
		return err
	}
	driven, ok := r.j.(interface {
		EnableMotor(bool)
		SetMotorSpeed(float64)
	})
	if !ok {
		return fmt.Errorf("world: %v has no motor", j)
	}
	driven.EnableMotor(on)
	driven.SetMotorSpeed(speed)
	switch raw := r.j.(type) {
	case interface{ SetMaxMotorTorque(float64) }:
		raw.SetMaxMotorTorque(maximum)
	case interface{ SetMaxMotorForce(float64) }:
		raw.SetMaxMotorForce(maximum)
	}
	return nil
}

// SetLimits turns the limits of a revolute or prismatic joint on or off and
// sets them, rad or m.
func (w *World) SetLimits(j Joint, on bool, lower, upper float64) error {
	r, err := w.editJoint(j, checkNumber("lower limit", lower), checkNumber("upper limit", upper))
	if err == nil && lower > upper {
		err = fmt.Errorf("world: lower limit %v is above upper limit %v", lower, upper)
	}
	if err != nil {
		return err
	}
	limited, ok := r.j.(interface {
		EnableLimit(bool)
		SetLimits(lower, upper float64)
	})
	if !ok {
		return fmt.Errorf("world: %v has no limits", j)
	}
	limited.EnableLimit(on)
	limited.SetLimits(lower, upper)
	return nil
}

// SetTarget moves the point that a mouse joint pulls to, m.
func (w *World) SetTarget(j Joint, target Vec) error {
	r, err := w.editJoint(j, checkVec("target", target, maxPosition))
	if err != nil {
		return err
	}
	raw, ok := r.j.(*box2d.B2MouseJoint)
	if !ok {
		return fmt.Errorf("world: %v is not a mouse joint", j)
	}
	if raw.M_targetA == b2vec(target) {
		return nil
	}
	raw.SetTarget(b2vec(target))
	// The joint is announced anew: its line ends at the target.
	w.announceRemoved(body2d.JointRemoved, 0, r.id)
	w.announceInTime(lateRecord{kind: body2d.JointAdded, joint: j})
	return nil
}

// SetMotorOffset sets where a motor joint drives its body B to, in A's frame: m
// and rad.
func (w *World) SetMotorOffset(j Joint, offset Vec, angle float64) error {
	r, err := w.editJoint(j, checkVec("linear offset", offset, maxPosition), checkPosition("angular offset", angle))
	if err != nil {
		return err
	}
	raw, ok := r.j.(*box2d.B2MotorJoint)
	if !ok {
		return fmt.Errorf("world: %v is not a motor joint", j)
	}
	raw.SetLinearOffset(b2vec(offset))
	raw.SetAngularOffset(angle)
	return nil
}
