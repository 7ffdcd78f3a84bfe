package world

import (
	"errors"
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// mouseForce is the default maximum force of a mouse joint for each kg of its body, in N/kg. Such a
// joint carries a hundred times the body's weight.
const mouseForce = 1000

// joinedBy writes the bodies of a joint to made. For a gear it writes the coupled joints to made and r. It
// returns an error if Box2D could not use these bodies and joints.
func (k *links) joinedBy(d *JointDef, r *joint, made *box.JointDef) error {
	if d.Kind == GearJoint {
		return k.gearedBy(d, r, made)
	}
	rb, err := k.registry.findBody(d.B)
	if err != nil {
		return fmt.Errorf("%w (body B)", err)
	}
	made.B = rb.b
	if d.Kind != MouseJoint || d.A != 0 { // for other joints createJoint chooses A
		ra, err := k.registry.findBody(d.A)
		if err != nil {
			return fmt.Errorf("%w (body A)", err)
		}
		made.A = ra.b
	}
	if made.A == made.B {
		return fmt.Errorf("world: a joint from %v to itself", d.A)
	}
	return nil
}

// complete replaces zeros in a definition by their defaults for the bodies a and b. It returns an error that
// names the invalid value.
func (d *JointDef) complete(a, b *box2d.B2Body) error {
	orElse := func(x *float64, other float64) {
		if *x == 0 {
			*x = other
		}
	}
	for _, most := range []*float64{&d.MaxMotorForce, &d.MaxForce, &d.MaxTorque} {
		*most = min(*most, maxValue) // math.MaxFloat32 is allowed
	}
	switch d.Kind {
	case PrismaticJoint, WheelJoint:
		d.AxisA = fromB2(axis(d.AxisA))
	case DistanceJoint:
		orElse(&d.Length, distance(place(a, d.AnchorA), place(b, d.AnchorB)))
	case PulleyJoint:
		orElse(&d.LengthA, distance(place(a, d.AnchorA), b2vec(d.GroundA)))
		orElse(&d.LengthB, distance(place(b, d.AnchorB), b2vec(d.GroundB)))
		if orElse(&d.Ratio, 1); d.Ratio < 1e-9 {
			return fmt.Errorf("world: ratio is %v", d.Ratio)
		}
	case MouseJoint:
		if b.M_type != box2d.B2BodyType.B2_dynamicBody {
			return fmt.Errorf("world: %v is not dynamic (body B)", d.B)
		}
		orElse(&d.MaxForce, mouseForce*b.M_mass)
		if d.Frequency == 0 {
			d.Frequency, d.Damping = 5, .7
		}
		if d.Frequency < minMouseFrequency {
			return fmt.Errorf("world: frequency is %v", d.Frequency)
		}
	case GearJoint:
		orElse(&d.Ratio, 1)
	case RopeJoint:
		return checkRope(d.MaxLength)
	case MotorJoint:
		orElse(&d.Correction, .3)
	}
	return nil
}

// checkSoftness returns an error for a ConstraintFrequency other than 0, if the world's stepper has rigid
// joints.
func (k *links) checkSoftness(frequency float64) error {
	if frequency > 0 && k.soft == nil {
		return errors.New("world: the joints of FastStep are rigid: SoftStep has a frequency of their constraints")
	}
	return nil
}

// checkRope returns an error for a maximum length that Box2D treats as a rounding error.
func checkRope(length float64) error {
	if length <= box2d.B2_linearSlop {
		return fmt.Errorf("world: maximum length is %v", length)
	}
	return nil
}

// gearedBy writes the two joints of a gear to r and made. Box2D reads their four bodies, which must all be
// in one island, but does not check that. So gearedBy checks it: the second body of each joint must not be
// static, because islands end at static bodies, and the first body must be enabled.
func (k *links) gearedBy(d *JointDef, r *joint, made *box.JointDef) error {
	var ends [2]*box2d.B2Body
	for i, n := range [...]Joint{d.Joint1, d.Joint2} {
		p, err := k.registry.findJoint(n)
		if err != nil {
			return fmt.Errorf("%w (Joint%d)", err, i+1)
		}
		if p.kind != RevoluteJoint && p.kind != PrismaticJoint {
			return fmt.Errorf("world: a gear couples revolute and prismatic joints; %v is neither", n)
		}
		r.parts[i], made.Geared[i], ends[i] = p, p.j, p.j.GetBodyB()
		if ends[i].M_type == box2d.B2BodyType.B2_staticBody {
			return fmt.Errorf("world: a gear couples joints whose second body moves; that of %v is static", n)
		}
		if !p.j.GetBodyA().IsActive() {
			return fmt.Errorf("world: a gear couples joints of enabled bodies; one of %v is not", n)
		}
		if named := [...]Body{d.A, d.B}[i]; named != 0 && handleOf(ends[i]) != named {
			return fmt.Errorf("world: %v is not the second body of %v", named, n)
		}
	}
	if r.parts[0] == r.parts[1] || ends[0] == ends[1] {
		return fmt.Errorf("world: a gear couples two joints with second bodies of their own")
	}
	made.A, made.B = ends[0], ends[1]
	return nil
}

// groundBody returns the body that replaces A in mouse joints without A, because Box2D needs two bodies.
func (k *links) groundBody() *box2d.B2Body {
	if k.ground == nil {
		def := box2d.MakeB2BodyDef()
		k.ground = k.box.CreateBody(&def, false) // not made asleep
	}
	return k.ground
}

// fields returns pointers to the fields of d. As box.FieldsOf does so for one of Box2D's joints, fields can be
// copied between d and the joint.
func (d *JointDef) fields() box.JointFields {
	return box.JointFields{
		AnchorA: (*box2d.B2Vec2)(&d.AnchorA), AnchorB: (*box2d.B2Vec2)(&d.AnchorB), AxisA: (*box2d.B2Vec2)(&d.AxisA),
		GroundA: (*box2d.B2Vec2)(&d.GroundA), GroundB: (*box2d.B2Vec2)(&d.GroundB),
		Target: (*box2d.B2Vec2)(&d.Target), LinearOffset: (*box2d.B2Vec2)(&d.LinearOffset),
		EnableMotor: &d.EnableMotor, MotorSpeed: &d.MotorSpeed, MaxMotorForce: &d.MaxMotorForce,
		EnableLimit: &d.EnableLimit, Lower: &d.Lower, Upper: &d.Upper,
		ReferenceAngle: &d.ReferenceAngle, AngularOffset: &d.AngularOffset,
		Length: &d.Length, LengthA: &d.LengthA, LengthB: &d.LengthB, MaxLength: &d.MaxLength, Ratio: &d.Ratio,
		MaxForce: &d.MaxForce, MaxTorque: &d.MaxTorque, Correction: &d.Correction,
		Frequency: &d.Frequency, Damping: &d.Damping, SpringTarget: &d.SpringTarget,
		LinearVelocity: (*box2d.B2Vec2)(&d.LinearVelocity), AngularVelocity: &d.AngularVelocity,
		ConstraintFrequency: &d.ConstraintFrequency, ConstraintDamping: &d.ConstraintDamping,
	}
}

// resolveAnchor replaces Anchor in a definition. The present places of the two bodies give the anchors, the
// axis and the reference angle.
func (k *links) resolveAnchor(d *JointDef) error {
	if d.Anchor == nil {
		return nil
	}
	switch d.Kind {
	case RevoluteJoint, PrismaticJoint, WheelJoint, WeldJoint, FrictionJoint:
	default:
		return fmt.Errorf("world: a %v joint has no Anchor: it has no point that both bodies share", d.Kind)
	}
	if err := checkVec("the point Anchor", *d.Anchor, maxPosition); err != nil {
		return err
	}
	a, err := k.registry.findBody(d.A)
	if err != nil {
		return err
	}
	b, err := k.registry.findBody(d.B)
	if err != nil {
		return err
	}
	d.AnchorA = fromB2(b2.TransformBack(&a.b.M_xf, b2vec(*d.Anchor)))
	d.AnchorB = fromB2(b2.TransformBack(&b.b.M_xf, b2vec(*d.Anchor)))
	d.AxisA = fromB2(b2.RotateBack(a.b.M_xf.Q, axis(d.AxisA)))
	d.ReferenceAngle = b.b.M_sweep.A - a.b.M_sweep.A
	d.Anchor = nil
	return nil
}
