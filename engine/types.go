package engine

import (
	"halfstep/buffer"
	"halfstep/physicsloop/box"
	"halfstep/renderloop"
)

// World is the Box2D world as code on the physics goroutine sees it: in
// Config.Setup, in Do, in controllers and contact hooks. It must not be kept
// or used anywhere else.
//
// It creates, changes and destroys bodies, shapes and joints at once, with an
// error where a command has a Rejected event; reads positions, velocities,
// masses and user data; answers queries (RayCast, QueryPoint, QueryBox,
// Contacts); takes controllers (AddController, AddControllerEvery), contact
// hooks (AddContactHook, SetPreSolve) and named functions (Register); and gives
// access to Box2D itself (Box2D, BodyPointer). Its methods are listed by
//
//	go doc halfstep/physicsloop/box.World
type World = box.World

// Body, Shape and Joint are handles. They are never reused: a handle that
// outlives its body is stale for ever, and using it is a Rejected event, not
// another body. The zero handle names nothing.
type (
	Body  = box.Body
	Shape = box.Shape
	Joint = box.Joint
)

// Vec is a point or a vector; metres unless the field says otherwise.
type Vec = box.Vec

// BodyDef describes a body: kind, place, velocity, damping, shapes, name, user
// data. Its zero value is a static body at the origin. The fields, with their
// units, are listed by
//
//	go doc halfstep/physicsloop/box.BodyDef
type BodyDef = box.BodyDef

// ShapeDef describes a shape with its surface: outline, density, friction,
// restitution, sensor, filter. Make one with CircleShape, BoxShape,
// PolygonShape, EdgeShape, ChainShape or LoopShape and change what must be
// different. The fields are listed by
//
//	go doc halfstep/physicsloop/box.ShapeDef
type ShapeDef = box.ShapeDef

// JointDef describes a joint between two bodies. Which fields count depends on
// the kind:
//
//	go doc halfstep/physicsloop/box.JointKind
//	go doc halfstep/physicsloop/box.JointDef
type JointDef = box.JointDef

// Filter decides which shapes collide: Category, Mask and Group, as in Box2D.
// The zero Filter collides with everything.
type Filter = box.Filter

// Mass is a body's mass given outright, instead of by the densities of its
// shapes: Mass in kg, Centre in m, Inertia about the body's origin in kg·m².
type Mass = box.Mass

// BodyKind tells static, kinematic and dynamic bodies apart.
type BodyKind = box.BodyKind

// The kinds of body.
const (
	Static    = box.Static
	Kinematic = box.Kinematic
	Dynamic   = box.Dynamic
)

// Constructors of shapes, with density 1 kg/m², friction 0.2 and no bounce. All
// lengths are in metres, in the body's frame: CircleShape takes the centre and
// the radius, BoxShape half the width and half the height, PolygonShape 3 to 8
// corners of a convex outline, EdgeShape two ends, ChainShape and LoopShape the
// points of an open and of a closed line.
var (
	CircleShape  = box.CircleShape
	BoxShape     = box.BoxShape
	PolygonShape = box.PolygonShape
	EdgeShape    = box.EdgeShape
	ChainShape   = box.ChainShape
	LoopShape    = box.LoopShape
)

// The kinds of joint; see JointDef for what each uses.
const (
	RevoluteJoint  = box.RevoluteJoint
	PrismaticJoint = box.PrismaticJoint
	DistanceJoint  = box.DistanceJoint
	PulleyJoint    = box.PulleyJoint
	MouseJoint     = box.MouseJoint
	GearJoint      = box.GearJoint
	WheelJoint     = box.WheelJoint
	WeldJoint      = box.WeldJoint
	FrictionJoint  = box.FrictionJoint
	RopeJoint      = box.RopeJoint
	MotorJoint     = box.MotorJoint
)

// Event is something that happened in a step or between two: its Kind, the Tick
// at whose instant it can be seen, the bodies A and B with their shapes, Point
// (m), Normal (unit, from A to B), Impulse (N·s), User and Err. See the kinds for
// which of them count.
type Event = box.Event

// The kinds of event.
const (
	Begin       = box.Begin       // two shapes began to touch: A, B, ShapeA, ShapeB, Point, Normal
	End         = box.End         // they ceased to
	Hit         = box.Hit         // follows a Begin that pushed: Impulse, the strongest of the step
	SensorBegin = box.SensorBegin // ShapeB of B entered the sensor ShapeA of A
	SensorEnd   = box.SensorEnd   // it left
	Slept       = box.Slept       // A fell asleep
	Woke        = box.Woke        // A woke up
	Removed     = box.Removed     // A is gone; User is its user data
	Rejected    = box.Rejected    // a command about A was not carried out; Err says why
	Lost        = box.Lost        // A left the world (1e9 m, or not a number) and was put back, stopped and disabled; Err
)

// ErrStale is wrapped by the error of a Rejected event, and by those of World's
// methods, where a handle names nothing, or nothing any more.
var ErrStale = box.ErrStale

// ErrCrowded is wrapped by errors about shapes that make more contacts than
// Config.MaxContacts.
var ErrCrowded = box.ErrCrowded

// ErrStepping is what World's methods return that would change the world while
// Box2D steps: in a function given to World.SetPreSolve. Use World.Later there.
var ErrStepping = box.ErrStepping

// State is a body's state at one tick, 32 bytes as the GPU reads it: X and Y of
// the centre of mass in m, Angle in rad with whole Turns, VX and VY in m/s, Omega
// in rad/s, flags and generation. See Engine.States and View.
type State = buffer.BodyState

// View is what a frame shows: the states Prev and Cur of two consecutive ticks,
// by slot, and how far between them the shown instant lies (Alpha, 0 to 1). It is
// good until the next frame.
type View = renderloop.View[buffer.BodyState]

// Smoothing says how the picture between two ticks is made.
type Smoothing = buffer.Smoothing

// The smoothing modes.
const (
	Interpolate = buffer.Interpolate // blend the two states (the default)
	None        = buffer.None        // show the newest state as it is
	Extrapolate = buffer.Extrapolate // carry the newest state on along its velocity
	Hermite     = buffer.Hermite     // a curve through both positions and velocities
)

// Sync says how frames and steps go together.
type Sync = renderloop.Sync

// The sync modes.
const (
	Pipelined = renderloop.Pipelined // one frame behind the clock; the render thread never waits (the default)
	Lockstep  = renderloop.Lockstep  // no lag; a frame waits for its steps
)

// Rate is an exact fraction Num/Den: steps per second, or a time scale.
type Rate = renderloop.Rate

// Hz is the rate of n steps a second.
func Hz(n int64) Rate { return renderloop.Hz(n) }

// Controller acts on the world before every step, on the physics goroutine.
type Controller = box.Controller

// ControllerFunc makes a Controller of a function.
type ControllerFunc = box.ControllerFunc

// Contact is two shapes that touch, or began or ceased to; see
// World.AddContactHook.
type Contact = box.Contact

// Colour is red, green, blue, alpha, 0..255 each, alpha not premultiplied. The
// zero Colour leaves the choice to the renderer.
type Colour = buffer.Colour

// Register names a function, for all worlds of this process, so that DoNamed can
// ask for it and a recording can keep that it did. World.Register does so for
// one world. The function must do the same whenever it is given the same world
// and arguments. Register panics if the name is empty or taken.
func Register(name string, f func(w *World, args []float64)) { box.Register(name, f) }

// Command is one change to the world, carried out on the physics goroutine
// between two steps.
type Command = box.Command

// Commands gives commands to the world.
type Commands = box.Commands

// RayHit is where a ray meets a shape.
type RayHit = box.RayHit

// Ask asks.
func Ask[T any](c Commands, question func(*World) T, reply func(tick uint64, t T)) {
	box.Ask(c, question, reply)
}

// Failure is a panic on the physics goroutine, or its end by runtime.Goexit, as
// an error with its stack.
type Failure = buffer.Failure

// ErrGoexit is wrapped by the Failure of user code that called runtime.Goexit on
// the physics goroutine, as a test's Fatal, FailNow and Skip do.
var ErrGoexit = buffer.ErrGoexit

// DebugLayers is a set of optional payloads that a view can carry.
type DebugLayers = buffer.DebugLayers

// The debug layers.
const (
	DebugContacts = buffer.DebugContacts
	DebugBoxes    = buffer.DebugBoxes
)
