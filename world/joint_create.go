package world

import (
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
)

// CreateJoint joins two bodies. The error says what Box2D could not take; then
// nothing is made. Only a mouse joint wakes its body.
func (w *World) CreateJoint(def JointDef) (Joint, error) {
	w.own()
	if w.phase == stepping {
		return 0, ErrStepping
	}
	n := Joint(w.newHandle())
	return n, w.createJoint(n, &def)
}

func (w *World) createJoint(handle Joint, def *JointDef) error {
	if w.phase == stepping {
		return ErrStepping
	}
	if err := def.check(); err != nil {
		return err
	}
	r := &joint{
		handle: handle, kind: def.Kind, name: def.Name, user: def.User,
		breakForce: def.BreakForce, breakTorque: def.BreakTorque, keepBroken: def.KeepBroken,
	}
	bd, err := w.jointDef(def, r)
	if err != nil {
		return err
	}
	bd.SetUserData(r)
	bd.SetCollideConnected(def.CollideConnected)
	w.jointID++
	r.id = w.jointID
	r.j = w.b2.CreateJoint(bd)
	w.touchEnds(r.j)
	w.active.JointMade(r.j)
	w.joints[handle] = r
	w.listBreakable(r)
	for _, p := range r.parts {
		if p != nil {
			p.gears = append(p.gears, r)
		}
	}
	if def.Kind == MouseJoint {
		w.wake(r.j.GetBodyB())
	}
	w.announceJoint(r)
	return nil
}

func (d *JointDef) check() error {
	if d.Kind > MotorJoint {
		return fmt.Errorf("world: no joint kind %d", d.Kind)
	}
	if d.EnableLimit && d.Lower > d.Upper {
		return fmt.Errorf("world: lower limit %v is above upper limit %v", d.Lower, d.Upper)
	}
	if !(d.Correction >= 0 && d.Correction <= 1) {
		return fmt.Errorf("world: correction is %v", d.Correction)
	}
	return firstError(
		checkVec("anchor A", d.AnchorA, maxPosition), checkVec("anchor B", d.AnchorB, maxPosition),
		checkVec("axis", d.AxisA, maxPosition), checkPosition("reference angle", d.ReferenceAngle),
		checkNumber("lower limit", d.Lower), checkNumber("upper limit", d.Upper),
		checkNumber("motor speed", d.MotorSpeed), checkPositive("maximum motor force", d.MaxMotorForce),
		checkPositive("length", d.Length), checkPositive("maximum length", d.MaxLength),
		checkPositive("frequency", d.Frequency), checkPositive("damping", d.Damping),
		checkVec("ground A", d.GroundA, maxPosition), checkVec("ground B", d.GroundB, maxPosition),
		checkPositive("length A", d.LengthA), checkPositive("length B", d.LengthB),
		checkNumber("ratio", d.Ratio), checkVec("target", d.Target, maxPosition),
		checkPositive("maximum force", d.MaxForce), checkPositive("maximum torque", d.MaxTorque),
		checkVec("linear offset", d.LinearOffset, maxPosition), checkPosition("angular offset", d.AngularOffset),
		checkPositive("break force", d.BreakForce), checkPositive("break torque", d.BreakTorque),
	)
}

// DestroyJoint removes a joint, with the gears that couple it, and wakes its
// bodies. While Box2D steps, it waits until the step is over.
func (w *World) DestroyJoint(j Joint) error {
	r, err := w.lookupJoint(j)
	if err != nil {
		return err
	}
	if w.phase == stepping {
		w.Later(func(w *World) { w.DestroyJoint(j) })
		return nil
	}
	w.destroyJoint(r.j)
	return nil
}

func (w *World) destroyJoint(j box2d.B2JointInterface) {
	r := jointOf(j)
	if r != nil {
		// A gear would go on reading the joint.
		for len(r.gears) > 0 {
			w.destroyJoint(r.gears[len(r.gears)-1].j)
		}
		for _, p := range r.parts {
			if p != nil {
				p.gears = without(p.gears, r)
			}
		}
	}
	w.touchEnds(j)
	w.active.JointGoes(j)
	w.b2.DestroyJoint(j)
	w.active.Flagged(j.GetBodyB())
	if r != nil {
		delete(w.joints, r.handle)
		w.unlistBreakable(r)
		w.announceRemoved(body2d.JointRemoved, 0, r.id)
	}
}

func without(list []*joint, j *joint) []*joint {
	for i, o := range list {
		if o == j {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}
