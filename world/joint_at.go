package world

import (
	"fmt"

	"halfstep/internal/box/b2"
)

// asPlaced is a copy of a definition without At: with the anchors, the axis and the reference
// angle that follow from where the two bodies are now.
func (w *World) asPlaced(d *JointDef) (*JointDef, error) {
	p := *d
	if d.At == nil {
		return &p, nil
	}
	switch d.Kind {
	case RevoluteJoint, PrismaticJoint, WheelJoint, WeldJoint, FrictionJoint:
	default:
		return nil, fmt.Errorf("world: a %v joint has no At: it has no point that both bodies share", d.Kind)
	}
	if err := checkVec("the point At", *d.At, maxPosition); err != nil {
		return nil, err
	}
	a, err := w.lookupBody(d.A)
	if err != nil {
		return nil, err
	}
	b, err := w.lookupBody(d.B)
	if err != nil {
		return nil, err
	}
	p.At = nil
	p.AnchorA = fromB2(b2.TransformBack(&a.b.M_xf, b2vec(*d.At)))
	p.AnchorB = fromB2(b2.TransformBack(&b.b.M_xf, b2vec(*d.At)))
	p.AxisA = fromB2(b2.RotateBack(a.b.M_xf.Q, axis(d.AxisA)))
	p.ReferenceAngle = b.b.M_sweep.A - a.b.M_sweep.A
	return &p, nil
}
