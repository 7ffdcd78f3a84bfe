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
	A, B Body // its bodies; A is zero if a mouse joint is fixed to the world
	Name string
	User any // from its definition

	// Def is a definition of the joint's present state, with all later changes of its motor, limits,
	// spring, lengths, maximum forces and velocities.
	Def JointDef

	// PointA and PointB are the places of the anchors in the world, m. For a mouse joint, PointA is
	// the target. For a gear joint, they are the bodies' origins.
	PointA, PointB Vec
	Angle          float64 // the angle of B minus the angle of A minus the ReferenceAngle, rad
	AngularSpeed   float64 // of B relative to A, rad/s
	Translation    float64 // of B along the axis of a prismatic or wheel joint, m
	Speed          float64 // the rate of change of Translation, m/s
	// Length is the distance from PointA to PointB, m. For a pulley, it is the length of the rope:
	// from GroundA to PointA, plus Ratio times the distance from GroundB to PointB.
	Length float64

	// Force and Torque are the joint's action on B in the last step, with its motor; Force acted at
	// PointB. While the bodies sleep, the two keep their values from the step in which the bodies
	// fell asleep. They are 0 while one of the bodies is disabled or neither is dynamic, and from
	// SetKind or SetEnabled to the next step.
	Force  Vec     // N
	Torque float64 // N·m
	// MotorForce is the part of Force or Torque that the motor contributes: N for a prismatic joint,
	// N·m for a revolute or wheel joint. With SoftStep, a motor at a limit of its joint pushes only
	// as much as it needs to stay there.
	MotorForce float64
}

// Joint returns the present state of a joint. The error wraps [ErrStale] if it does not exist.
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
		perSecond := w.b2.M_inv_dt0 // 1/s: the last step's impulses times perSecond are forces
		f := box.FieldsOf(r.j)
		i.Force, i.Torque = Vec{perSecond * f.Push.X, perSecond * f.Push.Y}, perSecond*f.Turn
		if f.Motor != nil {
			i.MotorForce = perSecond * *f.Motor
		}
	}
	return i, nil
}

// acts reports whether the solver uses the joint unless its bodies sleep.
func (r *joint) acts() bool {
	a, b := r.j.GetBodyA(), r.j.GetBodyB()
	return a.IsActive() && b.IsActive() && (a.M_type == b2.DynamicBody || b.M_type == b2.DynamicBody)
}

// forgetPushes sets the reactions of a body's joints to 0, because the body has changed its kind
// or was disabled or enabled. It does the same for gears on these joints.
func (k *links) forgetPushes(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; e = e.Next {
		if r := jointOf(e.Joint); r != nil {
			for _, r := range append([]*joint{r}, r.gears...) {
				k.box.ForgetPushes(r.j)
			}
		}
	}
}

// def is JointInfo.Def.
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
	case MouseJoint: // zero values here do not mean defaults: an AnchorB of zero would mean the target, a MaxForce of zero 1,000 N/kg
		if d.AnchorB == (Vec{}) {
			d.AnchorB.X = math.SmallestNonzeroFloat64
		}
		d.MaxForce = max(d.MaxForce, math.SmallestNonzeroFloat64)
	}
	return d
}

// beforeUnit returns an axis that Box2D turns into the unit vector x. When Box2D makes a joint,
// it divides the axis by the length of the axis, and that may change the last bits of x.
func beforeUnit(x box2d.B2Vec2) box2d.B2Vec2 {
	const most = 3 // float64 steps to try on each side
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
