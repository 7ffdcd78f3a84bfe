package world

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box"
)

// CreateJoint joins two bodies. If it returns an error, which names the invalid value, it has created
// nothing. A mouse joint wakes its body B. Other joints wake no body.
func (w *World) CreateJoint(def JointDef) (Joint, error) {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return 0, ErrStepping
	}
	n := Joint(w.registry.newHandle())
	return n, w.createJoint(n, &def)
}

// createJoint does the same as CreateJoint, but the caller, a command or the world, chooses
// the handle.
func (w *World) createJoint(handle Joint, def *JointDef) error {
	d := &w.joining // scratch: a copy of the definition in which defaults replace zeros
	*d = *def
	if w.when.phase == stepping {
		return ErrStepping
	}
	if err := d.check(); err != nil {
		return err
	}
	if err := w.links.resolveAnchor(d); err != nil {
		return err
	}
	r := &joint{
		handle: handle, kind: d.Kind, name: d.Name, user: d.User,
		breakForce: d.BreakForce, breakTorque: d.BreakTorque, keepBroken: d.KeepBroken,
	}
	made := box.JointDef{Kind: int(d.Kind), CollideConnected: d.CollideConnected, UserData: r, Fields: d.fields()}
	if err := w.links.joinedBy(d, r, &made); err != nil {
		return err
	}
	if err := d.complete(made.A, made.B); err != nil {
		return err
	}
	if err := w.links.checkSoftness(d.ConstraintFrequency); err != nil {
		return err
	}
	if made.A == nil { // the ground body is made last, when no error is possible any more
		made.A = w.links.groundBody()
	}
	w.registry.jointID++
	r.id = w.registry.jointID
	r.j = w.box.CreateJoint(&made)
	w.registry.joints[handle] = r
	w.links.listBreakable(r)
	for _, p := range r.parts { // the joints that the gear couples
		if p != nil {
			p.gears = append(p.gears, r)
		}
	}
	if d.Kind == MouseJoint {
		w.box.WakeBody(r.j.GetBodyB())
	}
	w.registry.jointEdited(r.j)
	w.news.announceJoint(r)
	return nil
}

func (d *JointDef) check() error {
	if d.Kind > MotorJoint {
		return fmt.Errorf("world: no joint kind %d", d.Kind)
	}
	switch d.Kind {
	case RevoluteJoint, PrismaticJoint, DistanceJoint, MouseJoint, WheelJoint, WeldJoint:
	default:
		if d.Frequency != 0 {
			return fmt.Errorf("world: a %v joint has no spring: frequency is %v", d.Kind, d.Frequency)
		}
	}
	if d.EnableLimit {
		if err := d.Kind.checkLimits(d.EnableLimit, d.Lower, d.Upper); err != nil {
			return err
		}
	}
	if !(d.Correction >= 0 && d.Correction <= 1) {
		return fmt.Errorf("world: correction is %v", d.Correction)
	}
	return firstError(
		checkVec("anchor A", d.AnchorA, maxPosition), checkVec("anchor B", d.AnchorB, maxPosition),
		checkVec("axis", d.AxisA, maxPosition), checkPosition("reference angle", d.ReferenceAngle),
		checkNumber("lower limit", d.Lower), checkNumber("upper limit", d.Upper),
		checkNumber("motor speed", d.MotorSpeed), checkMost("maximum motor force", d.MaxMotorForce),
		checkPositive("length", d.Length), checkPositive("maximum length", d.MaxLength),
		checkFrequency(d.Frequency), checkPositive("damping", d.Damping),
		checkVec("ground A", d.GroundA, maxPosition), checkVec("ground B", d.GroundB, maxPosition),
		checkPositive("length A", d.LengthA), checkPositive("length B", d.LengthB),
		checkNumber("ratio", d.Ratio), checkVec("target", d.Target, maxPosition),
		checkMost("maximum force", d.MaxForce), checkMost("maximum torque", d.MaxTorque),
		checkVec("linear offset", d.LinearOffset, maxPosition), checkPosition("angular offset", d.AngularOffset),
		checkNumber("spring target", d.SpringTarget),
		checkVec("linear velocity", d.LinearVelocity, maxValue), checkNumber("angular velocity", d.AngularVelocity),
		checkFrequency(d.ConstraintFrequency), checkPositive("damping of the constraint", d.ConstraintDamping),
		checkPositive("break force", d.BreakForce), checkPositive("break torque", d.BreakTorque),
	)
}

// DestroyJoint removes a joint and the gears that couple it. It wakes the bodies of the joint. While
// Box2D steps, the removal waits until the step is over.
func (w *World) DestroyJoint(j Joint) error {
	r, err := w.lookupJoint(j)
	if err != nil {
		return err
	}
	if w.when.phase == stepping {
		w.Later(func(w *World) { w.DestroyJoint(j) })
		return nil
	}
	w.links.destroyJoint(r.j)
	return nil
}

// destroyJoint destroys the gears that couple a joint, and then the joint. A joint that was made through
// World.Box2D has no record.
func (k *links) destroyJoint(j box2d.B2JointInterface) {
	r := jointOf(j)
	if r != nil {
		// no gear may read a joint that was destroyed
		for len(r.gears) > 0 {
			k.destroyJoint(r.gears[len(r.gears)-1].j)
		}
		for _, p := range r.parts {
			if p != nil {
				p.gears = without(p.gears, r)
			}
		}
	}
	if r != nil {
		k.news.leaves(func() { k.news.announceJoint(r) })
		k.news.jointEvent(JointRemoved, r)
	}
	k.registry.jointEdited(j)
	k.box.DestroyJoint(j)
	if r != nil {
		r.j = nil
		delete(k.registry.joints, r.handle)
		k.news.announceRemoved(body2d.JointRemoved, 0, r.id) // joints have no slot
	}
}

// without removes a joint from a list. It searches from the end, because destroyJoint begins with a
// joint's last gear.
func without(list []*joint, j *joint) []*joint {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == j {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}
