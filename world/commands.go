package world

import (
	"sync/atomic"

	"halfstep/buffer/body2d"
)

// Commands gives commands to the world. Those of the engine itself (Engine
// embeds it) come from the render thread, take no lock, and belong to the frame
// in which they are given; see Engine.Remote for other goroutines and
// Commands.At for scripts.
//
// A frame's commands are applied in order once the ticks demanded before it
// are done, before the next step, and also while no step follows: a paused
// world can be edited. A command that can not be carried out (a stale handle,
// a number that is not finite) is reported by a Rejected event. One that is given
// after Close, or after a Failure, is dropped and counted: see DroppedCommands.
//
// What is given belongs to the engine from the call on: slices and what
// pointers in definitions point to are copied, and may be changed and used
// again at once. User values are kept as they are.
type Commands struct {
	queue   CommandQueue
	handles *Handles
	at      uint64
}

// CommandQueue takes commands on their way to a world. An engine has one for the
// goroutine that draws and one for all others.
type CommandQueue interface {
	// Send takes a command. It is to be applied once tick at is done; 0 means
	// with the next frame.
	Send(at uint64, c Command)
	// Room is how many commands can be sent now before they are dropped.
	Room() int
}

// Handles hands out handles for what commands create. Any goroutine.
type Handles struct{ body, shape, joint atomic.Uint64 }

// NewCommands returns commands that go through a queue.
func NewCommands(q CommandQueue, h *Handles) Commands { return Commands{queue: q, handles: h} }

// At returns commands that take effect once the tick is done, before the next
// step, whatever the frame rate. If that tick has passed they take effect at
// once.
func (c Commands) At(tick uint64) Commands {
	c.at = max(tick, 1)
	return c
}

func (c Commands) send(cmd Command) {
	own(&cmd)
	c.queue.Send(c.at, cmd)
}

// Room is how many commands can be given now before they are dropped. There is
// none once physics has ended, and no limit on the goroutine that draws. All
// other goroutines share theirs.
func (c Commands) Room() int { return c.queue.Room() }

// Do runs f on the physics goroutine, where everything Box2D can do is allowed.
// A closure can not be recorded: see DoNamed.
func (c Commands) Do(f func(*World)) {
	c.send(Command{Op: opDo, Do: f})
}

// DoNamed runs the function registered under that name on the physics
// goroutine; see Register and World.Register. A name that nobody has registered
// is a Rejected event.
func (c Commands) DoNamed(name string, args ...float64) {
	c.send(Command{Op: opDo, Name: name, Args: args})
}

// Inspect runs f on the physics goroutine as Do does. f must not change the
// world, and is not recorded.
func (c Commands) Inspect(f func(*World)) { c.send(Command{Op: opInspect, Do: f}) }

// CreateBody creates a body with its shapes and returns its handle, which can
// be used in commands at once.
func (c Commands) CreateBody(def BodyDef) Body {
	b := Body(c.handles.body.Add(1))
	c.send(Command{Op: opCreateBody, Body: b, BodyDef: &def})
	return b
}

// DestroyBody removes a body with its shapes and joints.
func (c Commands) DestroyBody(b Body) { c.send(Command{Op: opDestroyBody, Body: b}) }

// CreateShape adds a shape to a body.
func (c Commands) CreateShape(b Body, def ShapeDef) Shape {
	s := Shape(c.handles.shape.Add(1))
	c.send(Command{Op: opCreateShape, Body: b, Shape: s, ShapeDef: &def})
	return s
}

// DestroyShape removes a shape from its body.
func (c Commands) DestroyShape(s Shape) { c.send(Command{Op: opDestroyShape, Shape: s}) }

// CreateJoint joins two bodies.
func (c Commands) CreateJoint(def JointDef) Joint {
	j := Joint(c.handles.joint.Add(1))
	c.send(Command{Op: opCreateJoint, Joint: j, JointDef: &def})
	return j
}

// DestroyJoint removes a joint.
func (c Commands) DestroyJoint(j Joint) { c.send(Command{Op: opDestroyJoint, Joint: j}) }

// Force pushes a body at its centre of mass, in N, on every step of this
// frame. Forces on a body within a frame add up. If the frame runs no step,
// they wait for the next step, unless a later frame's forces replace them.
func (c Commands) Force(b Body, f Vec) { c.send(Command{Op: opForce, Body: b, V: f}) }

// ForceAt is Force at a point of the world, in m.
func (c Commands) ForceAt(b Body, f, p Vec) {
	c.send(Command{Op: opForceAt, Body: b, V: f, P: p})
}

// Torque turns a body, in N·m, on every step of this frame, as Force does.
func (c Commands) Torque(b Body, t float64) { c.send(Command{Op: opTorque, Body: b, X: t}) }

// Impulse pushes a body once at its centre of mass, in N·s.
func (c Commands) Impulse(b Body, i Vec) { c.send(Command{Op: opImpulse, Body: b, V: i}) }

// ImpulseAt is Impulse at a point of the world, in m.
func (c Commands) ImpulseAt(b Body, i, p Vec) {
	c.send(Command{Op: opImpulseAt, Body: b, V: i, P: p})
}

// AngularImpulse turns a body once, in N·m·s.
func (c Commands) AngularImpulse(b Body, i float64) {
	c.send(Command{Op: opAngularImpulse, Body: b, X: i})
}

// SetVelocity sets the velocity of the centre of mass, in m/s.
func (c Commands) SetVelocity(b Body, v Vec) {
	c.send(Command{Op: opVelocity, Body: b, V: v})
}

// SetAngularVelocity sets the angular velocity, in rad/s.
func (c Commands) SetAngularVelocity(b Body, w float64) {
	c.send(Command{Op: opAngularVelocity, Body: b, X: w})
}

// Teleport moves a body's origin to p, in m, and turns it to the angle, in rad.
// The picture jumps with it.
func (c Commands) Teleport(b Body, p Vec, angle float64) {
	c.send(Command{Op: opTeleport, Body: b, P: p, X: angle})
}

// SetKind makes a body static, kinematic or dynamic.
func (c Commands) SetKind(b Body, k BodyKind) {
	c.send(Command{Op: opSetKind, Body: b, N: int32(k)})
}

// SetAwake wakes a body or puts it to sleep.
func (c Commands) SetAwake(b Body, on bool) {
	c.send(Command{Op: opSetAwake, Body: b, On: on})
}

// SetEnabled takes a body out of the simulation or puts it back.
func (c Commands) SetEnabled(b Body, on bool) {
	c.send(Command{Op: opSetEnabled, Body: b, On: on})
}

// SetBullet turns continuous collision against dynamic bodies on or off.
func (c Commands) SetBullet(b Body, on bool) {
	c.send(Command{Op: opSetBullet, Body: b, On: on})
}

// SetGravityScale multiplies gravity for a body; 0 is none.
func (c Commands) SetGravityScale(b Body, s float64) {
	c.send(Command{Op: opSetGravityScale, Body: b, X: s})
}

// SetDamping sets linear and angular damping, in 1/s.
func (c Commands) SetDamping(b Body, linear, angular float64) {
	c.send(Command{Op: opSetDamping, Body: b, X: linear, Y: angular})
}

// SetFixedRotation keeps a body from turning.
func (c Commands) SetFixedRotation(b Body, on bool) {
	c.send(Command{Op: opSetFixedRotation, Body: b, On: on})
}

// SetBodySmoothing gives a body a smoothing mode of its own.
func (c Commands) SetBodySmoothing(b Body, m body2d.Smoothing) {
	c.send(Command{Op: opSetSmoothing, Body: b, N: int32(m)})
}

// ClearBodySmoothing makes a body follow the global smoothing mode again.
func (c Commands) ClearBodySmoothing(b Body) {
	c.send(Command{Op: opSetSmoothing, Body: b, N: -1})
}

// SetGravity sets the world's gravity, in m/s².
func (c Commands) SetGravity(g Vec) { c.send(Command{Op: opSetGravity, V: g}) }

// SetTarget moves the target of a mouse joint, in m.
func (c Commands) SetTarget(j Joint, p Vec) { c.send(Command{Op: opSetTarget, Joint: j, P: p}) }

// SetMotor sets a joint's motor: speed in rad/s or m/s, maximum torque in N·m
// or force in N.
func (c Commands) SetMotor(j Joint, on bool, speed, maximum float64) {
	c.send(Command{Op: opSetMotor, Joint: j, On: on, X: speed, Y: maximum})
}

// SetLimits sets a joint's limits, in rad or m.
func (c Commands) SetLimits(j Joint, on bool, lower, upper float64) {
	c.send(Command{Op: opSetLimits, Joint: j, On: on, X: lower, Y: upper})
}

// SetMotorOffset sets where a motor joint drives body B to, in A's frame: m and
// rad.
func (c Commands) SetMotorOffset(j Joint, offset Vec, angle float64) {
	c.send(Command{Op: opSetMotorOffset, Joint: j, P: offset, X: angle})
}
