package world

import (
	"fmt"

	"halfstep/internal/box/b2"
)

// resolveAt gives a definition with At the anchors, the axis and the reference angle that follow
// from where the two bodies are now, in place of it.
func (w *World) resolveAt(d *JointDef) error {
	if d.At == nil {
		return nil
	}
	switch d.Kind {
	case RevoluteJoint, PrismaticJoint, WheelJoint, WeldJoint, FrictionJoint:
	default:
		return fmt.Errorf("world: a %v joint has no At: it has no point that both bodies share", d.Kind)
	}
	if err := checkVec("the point At", *d.At, maxPosition); err != nil {
		return err
	}
	a, err := w.lookupBody(d.A)
	if err != nil {
		return err
	}
	b, err := w.lookupBody(d.B)
	if err != nil {
		return err
	}
	d.AnchorA = fromB2(b2.TransformBack(&a.b.M_xf, b2vec(*d.At)))
	d.AnchorB = fromB2(b2.TransformBack(&b.b.M_xf, b2vec(*d.At)))
	d.AxisA = fromB2(b2.RotateBack(a.b.M_xf.Q, axis(d.AxisA)))
	d.ReferenceAngle = b.b.M_sweep.A - a.b.M_sweep.A
	d.At = nil
	return nil
}
