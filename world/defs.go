package world

import (
	"halfstep/buffer/body2d"
)

// Body names a body. It is never reused, so a Body that outlives its body is
// stale for ever and can not reach another one. The zero Body names none.
type Body uint64

// Shape names a shape (a fixture) of a body; never reused; zero names none.
type Shape uint64

// Joint names a joint; never reused; zero names none.
type Joint uint64

// Vec is a point or vector; metres unless the field says otherwise.
type Vec struct{ X, Y float64 }

// BodyKind tells static, kinematic and dynamic bodies apart.
type BodyKind uint8

// The kinds of body, numbered as Box2D does.
const (
	Static    BodyKind = iota // never moves
	Kinematic                 // moves at the velocity it is given; nothing pushes it
	Dynamic                   // moves by forces, impulses and contacts
)

// BodyDef describes a body. The zero value is a static body at the origin.
type BodyDef struct {
	Kind            BodyKind
	Position        Vec     // of the body's origin, m
	Angle           float64 // rad
	Velocity        Vec     // of the origin, m/s; at most 2 m per step
	AngularVelocity float64 // rad/s
	LinearDamping   float64 // 1/s
	AngularDamping  float64 // 1/s
	GravityScale    float64 // times the world's gravity; 0 means 1, see NoGravity
	NoGravity       bool    // gravity does not act on it
	FixedRotation   bool    // it never turns
	Bullet          bool    // continuous collision against dynamic bodies too
	NoSleep         bool    // it never falls asleep
	Asleep          bool    // it starts asleep
	Disabled        bool    // it starts outside the simulation
	Mass            *Mass   // replaces what the shapes' densities give
	Shapes          []ShapeDef
	Name            string        // for -track, logs and lookups; need not be unique
	Colour          body2d.Colour // zero: chosen by the renderer
	User            any           // handed back by the Removed event and World.User
}

// Mass is a body's mass given outright.
type Mass struct {
	Mass    float64 // kg
	Centre  Vec     // in the body's frame, m
	Inertia float64 // about the body's origin, kg·m²
}

// ShapeKind says how ShapeDef.Points are read.
type ShapeKind uint8

// The kinds of shape.
const (
	CircleShape      ShapeKind = iota // Points[0] is the centre
	PolygonShape                      // 3 to 8 corners of a convex outline
	EdgeShape                         // 2 points
	ChainShape                        // 2 points or more
	ClosedChainShape                  // 3 points or more, closed
)

// ShapeDef describes a shape with its surface. Make one with CircleShape,
// BoxShape, PolygonShape, EdgeShape, ChainShape or LoopShape, which set
// Density 1 and Friction 0.2.
type ShapeDef struct {
	Kind        ShapeKind
	Points      []Vec   // in the body's frame, m
	Radius      float64 // of a circle, m
	Density     float64 // kg/m²
	Friction    float64 // 0 and up
	Restitution float64 // 0 (no bounce) to 1
	Sensor      bool    // reports overlaps, pushes nothing
	Filter      Filter  // the zero Filter collides with everything
	Name        string
	Colour      body2d.Colour // zero: as the body
	User        any

	// Ghost vertices of an edge or an open chain, where smooth collision with
	// a neighbour is wanted.
	Before, After *Vec
}

// Filter decides which shapes collide: two shapes of one non-zero Group do if
// it is positive and do not if it is negative; otherwise each Category must be
// in the other's Mask. Category and Mask both 0 stand for 1 and 0xffff, so the
// zero Filter collides with everything.
type Filter struct {
	Category, Mask uint16
	Group          int16
}

// CircleShape is a circle about (x, y) of the body's frame, in metres.
func CircleAt(x, y, radius float64) ShapeDef {
	return ShapeDef{Kind: CircleShape, Points: []Vec{{x, y}}, Radius: radius, Density: 1, Friction: .2}
}

// BoxShape is a box about the body's origin with half extents hx, hy in metres.
func Box(hx, hy float64) ShapeDef {
	return Polygon(Vec{-hx, -hy}, Vec{hx, -hy}, Vec{hx, hy}, Vec{-hx, hy})
}

// PolygonShape is the convex hull of 3 to 8 points.
func Polygon(points ...Vec) ShapeDef {
	return ShapeDef{Kind: PolygonShape, Points: points, Density: 1, Friction: .2}
}

// EdgeShape is a line segment between two points, in metres. It has no mass.
func Edge(a, b Vec) ShapeDef {
	return ShapeDef{Kind: EdgeShape, Points: []Vec{a, b}, Density: 1, Friction: .2}
}

// ChainShape is a line through points, without mass, smooth at its joints.
func Chain(points ...Vec) ShapeDef {
	return ShapeDef{Kind: ChainShape, Points: points, Density: 1, Friction: .2}
}

// LoopShape is a closed line through points, without mass.
func ClosedChain(points ...Vec) ShapeDef {
	return ShapeDef{Kind: ClosedChainShape, Points: points, Density: 1, Friction: .2}
}

// JointKind names Box2D's eleven joints.
type JointKind uint8

// The kinds of joint, with the fields of JointDef that each uses besides A, B
// and CollideConnected.
const (
	// RevoluteJoint: AnchorA, AnchorB, ReferenceAngle, limits (rad), motor
	// (rad/s, N·m).
	RevoluteJoint JointKind = iota
	// PrismaticJoint: AnchorA, AnchorB, AxisA, ReferenceAngle, limits (m),
	// motor (m/s, N).
	PrismaticJoint
	// DistanceJoint: AnchorA, AnchorB, Length, Frequency, Damping.
	DistanceJoint
	// PulleyJoint: AnchorA, AnchorB, GroundA, GroundB, LengthA, LengthB, Ratio.
	PulleyJoint
	// MouseJoint: Target, MaxForce, Frequency, Damping; A may be zero. It pulls
	// the point of B that is at Target when it is made. Frequency 0 means 5 Hz,
	// damped by 0.7. B stays dynamic while it exists.
	MouseJoint
	// GearJoint: Joint1, Joint2, Ratio; A and B are those joints' second bodies
	// and may be zero. Those must not be static, and the first bodies enabled.
	// It goes with either joint.
	GearJoint
	// WheelJoint: AnchorA, AnchorB, AxisA, motor (rad/s, N·m), Frequency,
	// Damping. Frequency 0 leaves the axis free.
	WheelJoint
	// WeldJoint: AnchorA, AnchorB, ReferenceAngle, Frequency, Damping.
	WeldJoint
	// FrictionJoint: AnchorA, AnchorB, MaxForce, MaxTorque.
	FrictionJoint
	// RopeJoint: AnchorA, AnchorB, MaxLength.
	RopeJoint
	// MotorJoint: LinearOffset, AngularOffset, MaxForce, MaxTorque, Correction.
	MotorJoint
)

// JointDef describes a joint between bodies A and B. Anchors, axes and offsets
// are in the frames of their bodies.
type JointDef struct {
	Kind             JointKind
	A, B             Body
	CollideConnected bool // the two bodies still collide

	AnchorA, AnchorB Vec     // m
	AxisA            Vec     // direction in A's frame; zero means (1, 0)
	ReferenceAngle   float64 // angle of B less angle of A at rest, rad

	EnableLimit  bool
	Lower, Upper float64 // rad or m

	EnableMotor   bool
	MotorSpeed    float64 // rad/s or m/s
	MaxMotorForce float64 // N, of a prismatic joint; N·m of the others

	Length    float64 // m; 0 of a distance joint means as placed
	MaxLength float64 // m
	Frequency float64 // of the spring, Hz; 0 is rigid
	Damping   float64 // damping ratio of the spring, 1 is critical

	GroundA, GroundB Vec     // points of the world, m
	LengthA, LengthB float64 // m; 0 means as placed
	Ratio            float64 // of a pulley or gear; 0 means 1
	Joint1, Joint2   Joint   // revolute or prismatic joints that a gear couples

	Target        Vec     // point of the world, m
	MaxForce      float64 // N
	MaxTorque     float64 // N·m
	LinearOffset  Vec     // of B from A in A's frame, m
	AngularOffset float64 // rad
	Correction    float64 // 0 to 1; 0 means 0.3

	Name string
	User any
}
