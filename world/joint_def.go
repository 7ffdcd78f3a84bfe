package world

import (
	"fmt"

	"github.com/ByteArena/box2d"
)

// mouseForce is how strong a mouse joint is of which nobody says so, N/kg. It holds what
// it drags against a hundred times its weight.
const mouseForce = 1000

// jointDef makes Box2D's definition, or says why Box2D could not take it.
func (w *World) jointDef(d *JointDef, r *joint) (box2d.B2JointDefInterface, error) {
	if d.Kind == GearJoint {
		return w.gearDef(d, r)
	}
	var a, b *box2d.B2Body
	rb, err := w.lookupBody(d.B)
	if err != nil {
		return nil, fmt.Errorf("%w (body B)", err)
	}
	b = rb.b
	if d.Kind == MouseJoint && d.A == 0 {
		a = w.groundBody()
	} else {
		ra, err := w.lookupBody(d.A)
		if err != nil {
			return nil, fmt.Errorf("%w (body A)", err)
		}
		a = ra.b
	}
	if a == b {
		return nil, fmt.Errorf("world: a joint from %v to itself", d.A)
	}
	var made box2d.B2JointDefInterface
	switch d.Kind {
	case RevoluteJoint:
		j := box2d.MakeB2RevoluteJointDef()
		j.LocalAnchorA, j.LocalAnchorB, j.ReferenceAngle = b2vec(d.AnchorA), b2vec(d.AnchorB), d.ReferenceAngle
		j.EnableLimit, j.LowerAngle, j.UpperAngle = d.EnableLimit, d.Lower, d.Upper
		j.EnableMotor, j.MotorSpeed, j.MaxMotorTorque = d.EnableMotor, d.MotorSpeed, d.MaxMotorForce
		made = &j
	case PrismaticJoint:
		j := box2d.MakeB2PrismaticJointDef()
		j.LocalAnchorA, j.LocalAnchorB, j.ReferenceAngle = b2vec(d.AnchorA), b2vec(d.AnchorB), d.ReferenceAngle
		j.LocalAxisA = axis(d.AxisA)
		j.EnableLimit, j.LowerTranslation, j.UpperTranslation = d.EnableLimit, d.Lower, d.Upper
		j.EnableMotor, j.MotorSpeed, j.MaxMotorForce = d.EnableMotor, d.MotorSpeed, d.MaxMotorForce
		made = &j
	case DistanceJoint:
		j := box2d.MakeB2DistanceJointDef()
		j.LocalAnchorA, j.LocalAnchorB = b2vec(d.AnchorA), b2vec(d.AnchorB)
		j.FrequencyHz, j.DampingRatio = d.Frequency, d.Damping
		if j.Length = d.Length; j.Length == 0 {
			j.Length = distance(place(a, d.AnchorA), place(b, d.AnchorB))
		}
		made = &j
	case PulleyJoint:
		j := box2d.MakeB2PulleyJointDef()
		j.LocalAnchorA, j.LocalAnchorB = b2vec(d.AnchorA), b2vec(d.AnchorB)
		j.GroundAnchorA, j.GroundAnchorB = b2vec(d.GroundA), b2vec(d.GroundB)
		if j.LengthA = d.LengthA; j.LengthA == 0 {
			j.LengthA = distance(place(a, d.AnchorA), j.GroundAnchorA)
		}
		if j.LengthB = d.LengthB; j.LengthB == 0 {
			j.LengthB = distance(place(b, d.AnchorB), j.GroundAnchorB)
		}
		if j.Ratio = d.Ratio; j.Ratio == 0 {
			j.Ratio = 1
		}
		if j.Ratio < 1e-9 {
			return nil, fmt.Errorf("world: ratio is %v", j.Ratio)
		}
		made = &j
	case MouseJoint:
		if b.M_type != box2d.B2BodyType.B2_dynamicBody {
			return nil, fmt.Errorf("world: %v is not dynamic (body B)", d.B)
		}
		j := box2d.MakeB2MouseJointDef()
		j.Target, j.MaxForce = b2vec(d.Target), d.MaxForce
		if j.MaxForce == 0 {
			j.MaxForce = mouseForce * b.M_mass
		}
		if d.Frequency > 0 {
			j.FrequencyHz, j.DampingRatio = d.Frequency, d.Damping
		}
		if j.FrequencyHz < minMouseFrequency {
			return nil, fmt.Errorf("world: frequency is %v", j.FrequencyHz)
		}
		made = &j
	case WheelJoint:
		j := box2d.MakeB2WheelJointDef()
		j.LocalAnchorA, j.LocalAnchorB, j.LocalAxisA = b2vec(d.AnchorA), b2vec(d.AnchorB), axis(d.AxisA)
		j.EnableMotor, j.MotorSpeed, j.MaxMotorTorque = d.EnableMotor, d.MotorSpeed, d.MaxMotorForce
		j.FrequencyHz, j.DampingRatio = d.Frequency, d.Damping
		made = &j
	case WeldJoint:
		j := box2d.MakeB2WeldJointDef()
		j.LocalAnchorA, j.LocalAnchorB, j.ReferenceAngle = b2vec(d.AnchorA), b2vec(d.AnchorB), d.ReferenceAngle
		j.FrequencyHz, j.DampingRatio = d.Frequency, d.Damping
		made = &j
	case FrictionJoint:
		j := box2d.MakeB2FrictionJointDef()
		j.LocalAnchorA, j.LocalAnchorB = b2vec(d.AnchorA), b2vec(d.AnchorB)
		j.MaxForce, j.MaxTorque = d.MaxForce, d.MaxTorque
		made = &j
	case RopeJoint:
		if d.MaxLength <= box2d.B2_linearSlop {
			return nil, fmt.Errorf("world: maximum length is %v", d.MaxLength)
		}
		j := box2d.MakeB2RopeJointDef()
		j.LocalAnchorA, j.LocalAnchorB, j.MaxLength = b2vec(d.AnchorA), b2vec(d.AnchorB), d.MaxLength
		made = &j
	default:
		j := box2d.MakeB2MotorJointDef()
		j.LinearOffset, j.AngularOffset = b2vec(d.LinearOffset), d.AngularOffset
		j.MaxForce, j.MaxTorque = d.MaxForce, d.MaxTorque
		if d.Correction > 0 {
			j.CorrectionFactor = d.Correction
		}
		made = &j
	}
	made.SetBodyA(a)
	made.SetBodyB(b)
	return made, nil
}

// gearDef couples two joints. Box2D reads four bodies and relies on all four
// being in one island, which it does not see to: the second body of each joint
// must not be static (islands end there) and the first must be enabled.
func (w *World) gearDef(d *JointDef, r *joint) (box2d.B2JointDefInterface, error) {
	var ends [2]*box2d.B2Body
	for i, n := range [...]Joint{d.Joint1, d.Joint2} {
		p, err := w.lookupJoint(n)
		if err != nil {
			return nil, fmt.Errorf("%w (Joint%d)", err, i+1)
		}
		if p.kind != RevoluteJoint && p.kind != PrismaticJoint {
			return nil, fmt.Errorf("world: a gear couples revolute and prismatic joints; %v is neither", n)
		}
		r.parts[i], ends[i] = p, p.j.GetBodyB()
		if ends[i].M_type == box2d.B2BodyType.B2_staticBody {
			return nil, fmt.Errorf("world: a gear couples joints whose second body moves; that of %v is static", n)
		}
		if !p.j.GetBodyA().IsActive() {
			return nil, fmt.Errorf("world: a gear couples joints of enabled bodies; one of %v is not", n)
		}
		if named := [...]Body{d.A, d.B}[i]; named != 0 && w.HandleOf(ends[i]) != named {
			return nil, fmt.Errorf("world: %v is not the second body of %v", named, n)
		}
	}
	if r.parts[0] == r.parts[1] || ends[0] == ends[1] {
		return nil, fmt.Errorf("world: a gear couples two joints with second bodies of their own")
	}
	j := box2d.MakeB2GearJointDef()
	j.BodyA, j.BodyB = ends[0], ends[1]
	j.Joint1, j.Joint2 = r.parts[0].j, r.parts[1].j
	if d.Ratio != 0 {
		j.Ratio = d.Ratio
	}
	return &j, nil
}

// groundBody is what a mouse joint holds on to: Box2D wants two bodies.
func (w *World) groundBody() *box2d.B2Body {
	if w.ground == nil {
		def := box2d.MakeB2BodyDef()
		w.edited()
		w.ground = w.box.CreateBody(&def, false)
	}
	return w.ground
}
