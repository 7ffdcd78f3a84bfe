package world

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
	"halfstep/buffer/body2d"
)

// CreateJoint joins two bodies. The error says what Box2D could not take; then
// nothing is made. Only a mouse joint wakes its body.
func (w *World) CreateJoint(def JointDef) (Joint, error) {
	w.checkGoroutine()
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
	def, err := w.asPlaced(def)
	if err != nil {
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
	w.jointID++
	r.id = w.jointID
	r.j = w.box.CreateJoint(bd, def.CollideConnected, func(j box2d.B2JointInterface) { round(j, bd, def) })
	w.joints[handle] = r
	w.listBreakable(r)
	for _, p := range r.parts {
		if p != nil {
			p.gears = append(p.gears, r)
		}
	}
	if def.Kind == MouseJoint {
		w.box.WakeBody(r.j.GetBodyB())
	}
	w.jointEdited()
	w.announceJoint(r)
	return nil
}

func (d *JointDef) check() error {
	if d.Kind > MotorJoint {
		return fmt.Errorf("world: no joint kind %d", d.Kind)
	}
	switch d.Kind {
	case DistanceJoint, MouseJoint, WheelJoint, WeldJoint:
	default:
		if d.Frequency != 0 {
			return fmt.Errorf("world: a %v joint has no spring: frequency is %v", d.Kind, d.Frequency)
		}
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
		checkFrequency(d.Frequency), checkPositive("damping", d.Damping),
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
	if r != nil {
		w.leaves(func() { w.announceJoint(r) })
		w.jointEvent(JointRemoved, r)
	}
	w.box.DestroyJoint(j)
	w.jointEdited()
	if r != nil {
		r.j = nil
		delete(w.joints, r.handle)
		w.announceRemoved(body2d.JointRemoved, 0, r.id)
	}
}

// without takes a joint out of a list. One that goes with its gears takes the
// last first.
func without(list []*joint, j *joint) []*joint {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == j {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

// round computes again what Box2D has computed of a joint that it has made, with the
// same bits on every machine.
func round(made box2d.B2JointInterface, def box2d.B2JointDefInterface, of *JointDef) {
	switch j := made.(type) {
	case *box2d.B2PrismaticJoint:
		x := b2.Unit(def.(*box2d.B2PrismaticJointDef).LocalAxisA)
		j.M_localXAxisA, j.M_localYAxisA = x, box2d.B2Vec2{X: -x.Y, Y: x.X}
	case *box2d.B2MouseJoint:
		if j.M_localAnchorB = b2vec(of.AnchorB); of.AnchorB == (Vec{}) {
			j.M_localAnchorB = b2.TransformBack(&j.M_bodyB.M_xf, j.M_targetA)
		}
	case *box2d.B2PulleyJoint:
		j.M_constant = j.M_lengthA + float64(j.M_ratio*j.M_lengthB)
	case *box2d.B2GearJoint:
		j.M_constant = coordinate(j.M_joint1) + float64(j.M_ratio*coordinate(j.M_joint2))
	}
}

// coordinate is how far a joint that a gear couples has turned or moved.
func coordinate(of box2d.B2JointInterface) float64 {
	a, b := of.GetBodyA(), of.GetBodyB()
	switch j := of.(type) {
	case *box2d.B2RevoluteJoint:
		return b.M_sweep.A - a.M_sweep.A - j.M_referenceAngle
	case *box2d.B2PrismaticJoint:
		arm := box2d.B2Vec2Add(b2.Rotate(b.M_xf.Q, j.M_localAnchorB), box2d.B2Vec2Sub(b.M_xf.P, a.M_xf.P))
		return b2.Dot(box2d.B2Vec2Sub(b2.RotateBack(a.M_xf.Q, arm), j.M_localAnchorA), j.M_localXAxisA)
	}
	return 0
}
