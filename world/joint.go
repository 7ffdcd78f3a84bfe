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
	// Damping, SpringTarget (rad). The spring has the given Frequency. Frequency 0 means no spring.
	RevoluteJoint JointKind = iota
	// PrismaticJoint: AnchorA, AnchorB, AxisA, ReferenceAngle, limits (m), motor (m/s, N), Frequency,
	// Damping, SpringTarget (m). Frequency 0 means no spring.
	PrismaticJoint
	// DistanceJoint: AnchorA, AnchorB, Length, Frequency, Damping, limits of the length (m). With
	// Frequency 0 it is a rigid rod, or the length is free between the limits if there are any.
	DistanceJoint
	// PulleyJoint: AnchorA, AnchorB, GroundA, GroundB, LengthA, LengthB, Ratio.
	PulleyJoint
	// MouseJoint: AnchorB, Target, MaxForce, Frequency, Damping; A may be zero. It pulls AnchorB to
	// Target. A program can take AnchorB from a point that the user picked in a picture, even if the
	// body has moved since then. If AnchorB is zero, the joint pulls the point of B that is at Target
	// when the joint is made. MaxForce 0 means 1,000 N for each kg of B. Frequency 0 means 5 Hz with a
	// damping ratio of 0.7. B stays dynamic while the joint exists.
	MouseJoint
	// GearJoint: Joint1, Joint2, Ratio; A and B are the second bodies of these joints and may be zero.
	// The second bodies must not be static, and the first bodies must be enabled. If Joint1 or Joint2 is
	// destroyed, the gear is destroyed, too.
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

// String returns the kind as a word, such as "revolute".
func (k JointKind) String() string {
	return wordOf([]string{
		"revolute", "prismatic", "distance", "pulley", "mouse", "gear", "wheel", "weld", "friction", "rope", "motor",
	}, int(k))
}

// JointDef describes a joint between the bodies A and B. Anchors, axes and offsets are in the
// frames of their bodies.
type JointDef struct {
	Kind             JointKind
	A, B             Body
	CollideConnected bool // the two bodies still collide

	// Anchor is a point of the world at which the joint holds both bodies, in m, or nil. With an
	// Anchor, the places of the bodies give AnchorA, AnchorB and ReferenceAngle, and AxisA is a
	// direction of the world. Revolute, prismatic, wheel, weld and friction joints can use Anchor.
	Anchor *Vec

	AnchorA, AnchorB Vec     // in m
	AxisA            Vec     // direction in A's frame; zero means (1, 0)
	ReferenceAngle   float64 // angle of B minus angle of A at rest, in rad

	EnableLimit  bool
	Lower, Upper float64 // in rad or m

	EnableMotor   bool
	MotorSpeed    float64 // in rad/s or m/s
	MaxMotorForce float64 // in N for a prismatic joint, in N·m for the others; math.MaxFloat32 means no limit

	Length    float64 // in m; for a distance joint 0 means the present distance
	MaxLength float64 // in m
	Frequency float64 // frequency of the spring, in Hz; 0 or at least 1e-9; JointKind says what 0 means; only for kinds with a spring
	Damping   float64 // damping ratio of the spring; 1 is critical

	SpringTarget float64 // target of the spring of a revolute or prismatic joint, in rad or m

	GroundA, GroundB Vec     // for a pulley: points of the world above the bodies, in m
	LengthA, LengthB float64 // for a pulley: lengths of the two parts of the rope, in m; 0 means the present length
	Ratio            float64 // for a pulley or gear; 0 means 1
	Joint1, Joint2   Joint   // for a gear: the revolute or prismatic joints that it couples

	Target        Vec     // point of the world, in m
	MaxForce      float64 // in N; math.MaxFloat32 means no limit
	MaxTorque     float64 // in N·m; math.MaxFloat32 means no limit
	LinearOffset  Vec     // from A to B in A's frame, in m
	AngularOffset float64 // in rad
	Correction    float64 // from 0 to 1; 0 means 0.3

	LinearVelocity  Vec     // of a motor joint in A's frame, in m/s
	AngularVelocity float64 // of a motor joint, in rad/s

	// ConstraintFrequency, in Hz, and ConstraintDamping, a damping ratio, make the constraints of a
	// joint yield like a spring with SoftStep. They do not affect the joint's own spring. Frequency 0
	// makes the constraints as hard as the steps allow: 60 Hz, or a quarter of the number of sub-steps
	// in a second if that is less. FastStep has rigid joints, and refuses a frequency.
	ConstraintFrequency, ConstraintDamping float64

	Name string
	User any

	// A joint breaks in a step in which its reaction is above BreakForce, in N, or BreakTorque, in N·m.
	// 0 means no limit. JointInfo defines the reaction. The joint is destroyed, and a JointBroke event
	// reports that. If KeepBroken is set, the joint stays, and the event comes whenever the reaction
	// rises above a limit.
	BreakForce, BreakTorque float64
	KeepBroken              bool
}

// FindJoint returns the first joint with the given name, in order of creation.
func (w *World) FindJoint(name string) (Joint, bool) {
	w.checkGoroutine()
	var found Joint
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil && r.name == name {
			found = r.handle // goes on, because Box2D lists the newest joint first
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

// JointsOf yields the joints of a body, newest first. Joints that the loop destroys are left out.
// A body that does not exist has no joints.
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

// JointExtra returns the values of a joint that Box2D's joint lacks. If there are none, it makes them if
// make is true, and returns nil if make is false. The steppers call this method on the user data of
// Box2D's joints, which is this record.
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
	ground    *box2d.B2Body // body A of mouse joints without A; made with the first such joint
}

// joint is the world's own record of a joint, besides Box2D's joint.
type joint struct {
	handle Joint
	j      box2d.B2JointInterface
	kind   JointKind
	id     uint32 // joints are numbered in order of creation; structure records use the number
	name   string
	user   any
	gears  []*joint        // the gears that couple the joint
	parts  [2]*joint       // for a gear: the joints that it couples
	seen   uint64          // number of the last restore (keeping.restores) that kept the joint or brought it back
	extra  *box.JointExtra // values that Box2D's joint lacks; nil until they are first needed

	breakForce, breakTorque float64
	keepBroken              bool
	strained                bool // the reaction was above a limit in the last step, and keepBroken is set
}
