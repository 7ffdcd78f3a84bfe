package box

// Op says what a Command does.
type Op uint8

// The operations, with the fields of Command each uses. Force and torque act
// on every step of the frame they are given in (see World.Step's notes on
// forces); an impulse acts once.
const (
	OpNone             Op = iota
	OpCreateBody          // Body (the new name), BodyDef
	OpDestroyBody         // Body
	OpCreateShape         // Body, Shape (the new name), ShapeDef
	OpDestroyShape        // Shape
	OpCreateJoint         // Joint (the new name), JointDef
	OpDestroyJoint        // Joint
	OpForce               // Body, V (N), at the centre of mass
	OpForceAt             // Body, V (N), P (point of the world, m)
	OpTorque              // Body, X (N·m)
	OpImpulse             // Body, V (N·s), at the centre of mass
	OpImpulseAt           // Body, V (N·s), P (point of the world, m)
	OpAngularImpulse      // Body, X (N·m·s)
	OpVelocity            // Body, V (m/s)
	OpAngularVelocity     // Body, X (rad/s)
	OpTeleport            // Body, P (origin, m), X (angle, rad)
	OpSetKind             // Body, N (a BodyKind)
	OpSetAwake            // Body, On
	OpSetEnabled          // Body, On
	OpSetBullet           // Body, On
	OpSetGravityScale     // Body, X
	OpSetDamping          // Body, X (linear, 1/s), Y (angular, 1/s)
	OpSetFixedRotation    // Body, On
	OpSetSmoothing        // Body, N (-1 inherits, else a buffer.Smoothing)
	OpSetGravity          // V (m/s²)
	OpSetTarget           // Joint (a mouse joint), P
	OpSetMotor            // Joint, On, X (speed), Y (maximum force or torque)
	OpSetLimits           // Joint, On, X (lower), Y (upper)
	OpSetMotorOffset      // Joint (a motor joint), P (linear offset, m), X (angular offset, rad)
	OpDo                  // Do; or Name and Args, of what was registered
	OpInspect             // Do, which must not change the world; it is never recorded
)

// Command is one change to the world, carried out between two steps on the
// physics goroutine. Its Op says which of the other fields count, and in what
// units.
type Command struct {
	Op    Op
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
	Do       func(*World)
	Name     string // of a registered function, see Register
	Args     []float64
}

// IsClosure reports whether the command runs a function that has no name, which
// no recording can keep.
func (c *Command) IsClosure() bool { return c.Op == OpDo && c.Do != nil }

// OnlyReads reports whether the command leaves the world as it is.
func (c *Command) OnlyReads() bool { return c.Op == OpInspect }
