package world

type opcode uint8

// The operations, with the fields of Command that each uses. Recordings have
// these numbers.
const (
	opNone                 opcode = iota
	opCreateBody                  // Body (the new handle), Shape (that of its first shape; the others follow), BodyDef
	opDestroyBody                 // Body
	opCreateShape                 // Body, Shape (the new handle), ShapeDef
	opDestroyShape                // Shape
	opCreateJoint                 // Joint (the new handle), JointDef
	opDestroyJoint                // Joint
	opForce                       // Body, V (N), at the centre of mass
	opForceAt                     // Body, V (N), P (point of the world, m)
	opTorque                      // Body, X (N·m)
	opImpulse                     // Body, V (N·s), at the centre of mass
	opImpulseAt                   // Body, V (N·s), P (point of the world, m)
	opAngularImpulse              // Body, X (N·m·s)
	opVelocity                    // Body, V (m/s)
	opAngularVelocity             // Body, X (rad/s)
	opTeleport                    // Body, P (origin, m), X (angle, rad)
	opSetKind                     // Body, N (a BodyKind)
	opSetAwake                    // Body, On
	opSetEnabled                  // Body, On
	opSetBullet                   // Body, On
	opSetGravityScale             // Body, X
	opSetDamping                  // Body, X (linear, 1/s), Y (angular, 1/s)
	opSetFixedRotation            // Body, On
	opSetSmoothing                // Body, N (-1 inherits, else a body2d.Smoothing)
	opSetGravity                  // V (m/s²)
	opSetTarget                   // Joint (a mouse joint), P
	opSetMotor                    // Joint, On, X (speed), Y (maximum force or torque)
	opSetLimits                   // Joint, On, X (lower), Y (upper)
	opSetMotorOffset              // Joint (a motor joint), P (linear offset, m), X (angular offset, rad)
	opDo                          // Do; or Name and Args, of what was registered
	opInspect                     // Do, which must not change the world; it is never recorded
	opSetFilter                   // Shape, Filter
	opSetFriction                 // Shape, X
	opSetRestitution              // Shape, X
	opSetDensity                  // Shape, X (kg/m²)
	opSetSensor                   // Shape, On
	opReplaceShape                // Shape, ShapeDef
	opSetSpring                   // Joint, X (Hz), Y (damping ratio)
	opSetLength                   // Joint, X (m)
	opSetMaxForce                 // Joint, X (N)
	opSetMaxTorque                // Joint, X (N·m)
	opSetBreakLimits              // Joint, X (N), Y (N·m)
	opSetOneWay                   // Shape, V (direction, zero for none)
	opSetSurfaceSpeed             // Shape, X (m/s)
	opDropThrough                 // Body
	opExplode                     // P (at, m), X (radius, m), V.X (falloff, m), Y (N·s/m), Filter.Mask
	opSnapshot                    // N (under which number)
	opRestore                     // N
	opShift                       // Body, V (m)
	opSetSpringTarget             // Joint, X (rad or m)
	opSetMotorVelocity            // Joint (a motor joint), On, V (m/s), X (rad/s)
	opSetSoftness                 // Joint, X (Hz), Y (damping ratio)
	opSetCollideConnected         // Joint, On
	opSetSurfaces                 // Surfaces
	opSetMaterial                 // Shape, N (a Material)
	opSetRollingResistance        // Shape, X
	opSetSleepSpeeds              // Body, X (m/s), Y (rad/s)
	opMoveTo                      // Body, P (origin, m), X (angle, rad)
	opSetFixedAxes                // Body, N (1 for x, 2 for y)
	opSetSegmentMaterial          // Shape, N (a Material), X (the segment)
	opSetName                     // Body, Name

	opcodes // how many there are
)

// Command is one change to the world on its way to a [Simulation]. [Commands]
// make them, queues carry them, and recordings keep them, by the names of these
// fields. Op says which of the other fields count, and in what units: m, rad,
// kg, s and what is made from them.
type Command struct {
	Op    opcode // one of the methods of Commands
	On    bool
	N     int32
	Body  Body
	Shape Shape
	Joint Joint
	V, P  Vec
	X, Y  float64

	BodyDef  *BodyDef // read by Apply, neither changed nor kept
	ShapeDef *ShapeDef
	JointDef *JointDef
	Surfaces *Surfaces
	Do       func(*World)
	Name     string // of a registered function, see Register, or of a body
	Args     []float64

	Filter Filter

	Source  int  // of Commands.From; 0 is none
	AtStart bool // of Commands.At(0), which queues cannot tell from no At

	order any // see inside.NewOrder
}
