package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// JointInfo describes a joint at one moment, and its effects in the last step.
type JointInfo struct {
	Kind JointKind
	A, B Body // bodies of the joint; A is zero if a mouse joint is fixed to the world
	Name string
	User any // from the joint's definition

	// Def is a definition of the joint's present state. It has all later changes, such as those of the
	// motor and the limits.
	Def JointDef

	// PointA and PointB are the places of the anchors in the world, in m. For a mouse joint, PointA is
	// the target. For a gear joint, they are the bodies' origins.
	PointA, PointB Vec
	Angle          float64 // angle of B minus angle of A minus ReferenceAngle, in rad
	AngularSpeed   float64 // of B relative to A, in rad/s
	Translation    float64 // of B along the axis of a prismatic or wheel joint, in m
	Speed          float64 // rate of change of Translation, in m/s
	// Length is the distance from PointA to PointB, in m. For a pulley, it is the length of the rope:
	// the distance from GroundA to PointA, plus Ratio times the distance from GroundB to PointB.
	Length float64

	// Force and Torque are the joint's action on B in the last step, with that of its motor. Force acted
	// at PointB. While the bodies sleep, both keep their values from the step in which the bodies fell
	// asleep. Both are 0 while one of the bodies is disabled or neither is dynamic. After SetKind or
	// SetEnabled they are 0 until the next step.
	Force  Vec     // in N
	Torque float64 // in N·m
	// MotorForce is the motor's part of Force or Torque. It is in N for a prismatic joint, and in N·m
	// for a revolute or wheel joint. With SoftStep, a motor at a limit of its joint pushes only as much
	// as it needs to stay there.
	MotorForce float64
}

// Joint returns the present state of a joint. The error wraps [ErrStale] if the joint does not exist.
func (w *World) Joint(j Joint) (JointInfo, error) {
	r, err := w.lookupJoint(j)
	if err != nil {
		return JointInfo{}, err
	}
	a, b := r.j.GetBodyA(), r.j.GetBodyB()
	d := r.def()
	i := JointInfo{
		Kind: r.kind, A: d.A, B: d.B, Name: r.name, User: r.user, Def: d,
		PointA: fromB2(place(a, d.AnchorA)), PointB: fromB2(place(b, d.AnchorB)),
		Angle:        b.M_sweep.A - a.M_sweep.A - d.ReferenceAngle,
		AngularSpeed: b.M_angularVelocity - a.M_angularVelocity,
	}
	switch t := r.j.(type) {
	case *box2d.B2PrismaticJoint:
		i.Translation, i.Speed = t.GetJointTranslation(), t.GetJointSpeed()
	case *box2d.B2WheelJoint:
		i.Translation, i.Speed = t.GetJointTranslation(), t.GetJointLinearSpeed()
	case *box2d.B2MouseJoint:
		i.PointA = d.Target
	}
	i.Length = distance(b2vec(i.PointA), b2vec(i.PointB))
	if r.kind == PulleyJoint { // float64(…) keeps compilers from fusing the product and the sum
		i.Length = distance(b2vec(d.GroundA), b2vec(i.PointA)) + float64(d.Ratio*distance(b2vec(d.GroundB), b2vec(i.PointB)))
	}
	if r.acts() {
		perSecond := w.b2.M_inv_dt0 // in 1/s; the last step's impulses times perSecond are forces
		f := box.FieldsOf(r.j)
		i.Force, i.Torque = Vec{perSecond * f.Push.X, perSecond * f.Push.Y}, perSecond*f.Turn
		if f.Motor != nil {
			i.MotorForce = perSecond * *f.Motor
		}
	}
	return i, nil
}

// acts reports whether the solver uses the joint while the joint's bodies are awake.
func (r *joint) acts() bool {
	a, b := r.j.GetBodyA(), r.j.GetBodyB()
	return a.IsActive() && b.IsActive() && (a.M_type == b2.DynamicBody || b.M_type == b2.DynamicBody)
}

// forgetPushes sets the reactions of a body's joints, and of the gears on these joints, to 0. It is called
// when the body has changed its kind or was disabled or enabled.
func (k *links) forgetPushes(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; e = e.Next {
		if r := jointOf(e.Joint); r != nil {
			for _, r := range append([]*joint{r}, r.gears...) {
				k.box.ForgetPushes(r.j)
			}
		}
	}
}

// def returns JointInfo.Def.
func (r *joint) def() JointDef {
	d := JointDef{
		Kind: r.kind, A: handleOf(r.j.GetBodyA()), B: handleOf(r.j.GetBodyB()),
		CollideConnected: r.j.IsCollideConnected(), Name: r.name, User: r.user,
		BreakForce: r.breakForce, BreakTorque: r.breakTorque, KeepBroken: r.keepBroken,
	}
	to, from := d.fields(), box.FieldsOf(r.j)
	to.CopyFrom(&from)
	switch r.kind {
	case PrismaticJoint:
		if x := b2vec(d.AxisA); b2.Unit(x) != x {
			d.AxisA = fromB2(beforeUnit(x))
		}
	case GearJoint:
		d.Joint1, d.Joint2 = r.parts[0].handle, r.parts[1].handle
	case MouseJoint: // an AnchorB of zero would mean the target, and a MaxForce of zero 1,000 N/kg
		if d.AnchorB == (Vec{}) {
			d.AnchorB.X = math.SmallestNonzeroFloat64
		}
		d.MaxForce = max(d.MaxForce, math.SmallestNonzeroFloat64)
	}
	return d
}

// beforeUnit returns an axis that Box2D turns into the unit vector x. Box2D divides the axis of a new joint
// by its length, which may change the last bits of x.
func beforeUnit(x box2d.B2Vec2) box2d.B2Vec2 {
	const most = 3 // number of float64 values to try on each side
	ulp := func(x float64) float64 { return math.Nextafter(math.Abs(x), 2) - math.Abs(x) }
	for i := range 2*most + 1 {
		for j := range 2*most + 1 {
			y := box2d.B2Vec2{X: x.X + float64(float64(i-most)*ulp(x.X)), Y: x.Y + float64(float64(j-most)*ulp(x.Y))}
			if b2.Unit(y) == x {
				return y
			}
		}
	}
	return x
}
