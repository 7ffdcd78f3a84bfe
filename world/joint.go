package world

import (
	"iter"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/soft"
)

// JointKind is one of Box2D's eleven kinds of joint.
type JointKind uint8

// The kinds of joint, with the fields of JointDef that each kind uses besides A, B and
// CollideConnected.
const (
	// RevoluteJoint: AnchorA, AnchorB, ReferenceAngle, limits (rad), motor (rad/s, N·m), Frequency,
	// Damping, SpringTarget (rad). The two bodies swing about the anchor with Frequency. Frequency 0
	// means no spring.
	RevoluteJoint JointKind = iota
	// PrismaticJoint: AnchorA, AnchorB, AxisA, ReferenceAngle, limits (m), motor (m/s, N), Frequency,
	// Damping, SpringTarget (m). Frequency 0 means no spring.
	PrismaticJoint
	// DistanceJoint: AnchorA, AnchorB, Length, Frequency, Damping, limits of the length (m). Frequency
	// 0 means a rigid rod or, with limits, a length that is free between them.
	DistanceJoint
	// PulleyJoint: AnchorA, AnchorB, GroundA, GroundB, LengthA, LengthB, Ratio.
	PulleyJoint
	// MouseJoint: AnchorB, Target, MaxForce, Frequency, Damping; A may be zero. It pulls AnchorB to
	// Target. AnchorB can be a point that the user picked in a picture, even if the body has moved
	// since then. If AnchorB is zero, it pulls the point of B that is at Target when the joint is made.
	// MaxForce 0 means 1,000 N for each kg of B, and Frequency 0 means 5 Hz, damped by 0.7. B stays
	// dynamic while the joint exists.
	MouseJoint
	// GearJoint: Joint1, Joint2, Ratio; A and B are the second bodies of these joints and may be zero.
	// They must not be static, and the first bodies must be enabled. It is destroyed when either joint
	// is destroyed.
	GearJoint
	// WheelJoint: AnchorA, AnchorB, AxisA, motor (rad/s, N·m), Frequency, Damping, limits of the
	// translation along the axis (m). Frequency 0 leaves the axis free.
	WheelJoint
	// WeldJoint: AnchorA, AnchorB, ReferenceAngle, Frequency, Damping.
	WeldJoint
	// FrictionJoint: AnchorA, AnchorB, MaxForce, MaxTorque.
	FrictionJoint
	// RopeJoint: AnchorA, AnchorB, MaxLength.
	RopeJoint
	// MotorJoint: AnchorA, AnchorB, LinearOffset, AngularOffset, MaxForce, MaxTorque, Correction. With
	// EnableMotor it drives AnchorB at LinearVelocity and B at AngularVelocity relative to A, and
	// ignores the offsets.
	MotorJoint
)

// String is the kind as a word, such as "revolute".
func (k JointKind) String() string {
	return wordOf([]string{
		"revolute", "prismatic", "distance", "pulley", "mouse", "gear", "wheel", "weld", "friction", "rope", "motor",
	}, int(k))
}

// JointDef describes a joint between bodies A and B. Anchors, axes and offsets
// are in the frames of their bodies.
type JointDef struct {
	Kind             JointKind
	A, B             Body
	CollideConnected bool // the two bodies still collide

	// Anchor is a point of the world, m, at which both bodies hold the joint, or nil. AnchorA, AnchorB
	// and ReferenceAngle then follow from the places of the bodies, and AxisA is a direction of the
	// world. Revolute, prismatic, wheel, weld and friction joints can use Anchor.
	Anchor *Vec

	AnchorA, AnchorB Vec     // m
	AxisA            Vec     // direction in A's frame; zero means (1, 0)
	ReferenceAngle   float64 // angle of B minus angle of A at rest, rad

	EnableLimit  bool
	Lower, Upper float64 // rad or m

	EnableMotor   bool
	MotorSpeed    float64 // rad/s or m/s
	MaxMotorForce float64 // N for a prismatic joint, N·m for the others; math.MaxFloat32 means no limit

	Length    float64 // m; for a distance joint 0 means the present distance
	MaxLength float64 // m
	Frequency float64 // frequency of the spring, Hz, 0 or at least 1e-9; see JointKind for the meaning of 0; only for kinds with a spring
	Damping   float64 // damping ratio of the spring, 1 is critical

	SpringTarget float64 // the target of the spring of a revolute or prismatic joint, rad or m

	GroundA, GroundB Vec     // for a pulley, points of the world above the bodies, m
	LengthA, LengthB float64 // lengths of the two parts of a pulley's rope, m; 0 means the present length
	Ratio            float64 // of a pulley or gear; 0 means 1
	Joint1, Joint2   Joint   // revolute or prismatic joints that a gear couples

	Target        Vec     // point of the world, m
	MaxForce      float64 // N; math.MaxFloat32 means no limit
	MaxTorque     float64 // N·m; math.MaxFloat32 means no limit
	LinearOffset  Vec     // from A to B in A's frame, m
	AngularOffset float64 // rad
	Correction    float64 // 0 to 1; 0 means 0.3

	LinearVelocity  Vec     // of a motor joint, m/s in A's frame
	AngularVelocity float64 // of a motor joint, rad/s

	// ConstraintFrequency, Hz, and ConstraintDamping, a damping ratio, make the constraints of a joint
	// yield like a spring, with SoftStep. They do not affect the joint's own spring. Frequency 0 means
	// as hard as the steps allow: 60 Hz, or a quarter of the number of sub-steps in a second if that is
	// less. FastStep has rigid joints, and refuses a frequency.
	ConstraintFrequency, ConstraintDamping float64

	Name string
	User any

	// A joint breaks in a step in which its reaction is above BreakForce, N, or BreakTorque, N·m; 0
	// means no limit. JointInfo defines the reaction. A JointBroke event reports the break, and the
	// joint is destroyed. With KeepBroken the joint stays, and the event comes whenever its reaction
	// rises above a limit.
	BreakForce, BreakTorque float64
	KeepBroken              bool
}

// FindJoint returns the first joint with that name, in order of creation.
func (w *World) FindJoint(name string) (Joint, bool) {
	w.checkGoroutine()
	var found Joint
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil && r.name == name {
			found = r.handle // found may be replaced: Box2D lists the newest joint first
		}
	}
	return found, found != 0
}

// Joints yields the joints, newest first. Joints that the loop destroys are left out.
func (w *World) Joints() iter.Seq[Joint] {
	return func(yield func(Joint) bool) {
		w.checkGoroutine()
		var all []Joint
		for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
			all = append(all, w.HandleOfJoint(j))
		}
		w.registry.yieldJoints(all, yield)
	}
}

// JointsOf yields the joints of a body, newest first. Joints that the loop destroys are left out,
// and a body that does not exist has none.
func (w *World) JointsOf(b Body) iter.Seq[Joint] {
	return func(yield func(Joint) bool) {
		r, err := w.lookupBody(b)
		if err != nil {
			return
		}
		var all []Joint
		for e := r.b.M_jointList; e != nil; e = e.Next {
			all = append(all, w.HandleOfJoint(e.Joint))
		}
		w.registry.yieldJoints(all, yield)
	}
}

func (g *registry) yieldJoints(all []Joint, yield func(Joint) bool) {
	for _, j := range all {
		if g.joints[j] != nil && !yield(j) {
			return
		}
	}
}

// JointExtra returns the values for which Box2D's joint has no fields. If there are none, it makes them
// if make is true, and otherwise returns nil. The steppers call this method on the user data of Box2D's
// joints, which is this record.
func (r *joint) JointExtra(make bool) *box.JointExtra {
	if r.extra == nil && make {
		r.extra = new(box.JointExtra)
	}
	return r.extra
}

// links make, break and destroy the joints.
type links struct {
	b2       *box2d.B2World
	box      *box.World
	soft     *soft.Stepper // nil unless SoftStep
	registry *registry
	news     *news

	breakable []*joint      // joints with a break limit, in order of creation
	ground    *box2d.B2Body // takes the place of body A in mouse joints without A; made with the first such joint
}

// joint is the world's record of a joint, beside Box2D's own.
type joint struct {
	handle Joint
	j      box2d.B2JointInterface
	kind   JointKind
	id     uint32 // joints are numbered in order of creation; structure records use the number
	name   string
	user   any
	gears  []*joint        // the gears that couple this joint
	parts  [2]*joint       // the joints that this gear couples
	seen   uint64          // the number of the last restore (keeping.restores) that kept the joint or brought it back
	extra  *box.JointExtra // values for which Box2D's joint has no fields, or nil; never nil again once made

	breakForce, breakTorque float64
	keepBroken              bool
	strained                bool // the reaction was above a limit in the last step, and keepBroken is set
}
