package engine

import (
	"halfstep/buffer"
	"halfstep/physicsloop/box"
	"halfstep/renderloop"
)

// World is the Box2D world as code on the physics goroutine sees it: in
// Config.Setup, in Do, in controllers and contact hooks. It must not be kept
// or used anywhere else.
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

// BodyDef describes a body, ShapeDef a shape with its surface, JointDef a joint.
type (
	BodyDef  = box.BodyDef
	ShapeDef = box.ShapeDef
	JointDef = box.JointDef
	Filter   = box.Filter
	Mass     = box.Mass
)

// BodyKind tells static, kinematic and dynamic bodies apart.
type BodyKind = box.BodyKind

// The kinds of body.
const (
	Static    = box.Static
	Kinematic = box.Kinematic
	Dynamic   = box.Dynamic
)

// Constructors of shapes, with density 1 kg/m² and friction 0.2.
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

// Event is something that happened in a step or between two.
type Event = box.Event

// The kinds of event; see Event for the fields each uses.
const (
	Begin       = box.Begin
	End         = box.End
	Hit         = box.Hit
	SensorBegin = box.SensorBegin
	SensorEnd   = box.SensorEnd
	Slept       = box.Slept
	Woke        = box.Woke
	Removed     = box.Removed
	Rejected    = box.Rejected
)

// State is a body's state at one tick, 32 bytes as the GPU reads it.
type State = buffer.BodyState

// View is what a frame shows: the states of two consecutive ticks and how far
// between them the shown instant lies.
type View = renderloop.View[buffer.BodyState]

// Smoothing says how the picture between two ticks is made.
type Smoothing = buffer.Smoothing

// The smoothing modes.
const (
	Interpolate = buffer.Interpolate
	None        = buffer.None
	Extrapolate = buffer.Extrapolate
	Hermite     = buffer.Hermite
)

// Sync says how frames and steps go together.
type Sync = renderloop.Sync

// The sync modes.
const (
	Pipelined = renderloop.Pipelined
	Lockstep  = renderloop.Lockstep
)

// Rate is an exact fraction: steps per second, or a time scale.
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

// Failure is a panic on the physics goroutine, as an error with its stack.
type Failure = buffer.Failure

// DebugLayers is a set of optional payloads that a view can carry.
type DebugLayers = buffer.DebugLayers

// The debug layers.
const (
	DebugContacts = buffer.DebugContacts
	DebugBoxes    = buffer.DebugBoxes
)
