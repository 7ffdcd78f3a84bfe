package world

import (
	"sync/atomic"

	"halfstep/buffer/body2d"
)

// Commands changes the world from outside the physics goroutine. An engine embeds a Commands
// for the goroutine that draws. Its Remote returns another for other goroutines. No call
// waits: a command is carried out later, between two steps. Other commands can use a handle
// at once, even before the command that returned the handle is carried out.
//
// The commands of a frame are carried out in order: after the steps that earlier frames
// demanded, and before the next step. They are carried out even in a frame without a step, so
// a paused world can be edited. A command with a stale handle or a number that is not finite
// cannot be carried out. It changes nothing and comes back as a CommandRejected event. A
// command after the end of physics is dropped and counted.
//
// Slices and the targets of pointers in definitions are copied, and may be changed after the
// call. User values are not copied.
type Commands struct {
	queue   queue
	handles *handles // nil if no simulation carries out the commands
	at      uint64   // the tick given to At; 0 without At
	atStart bool     // At(0) was called
	source  int      // source is the source that From has set.
}

// queue carries commands to a [Simulation]. An engine has a queue for the goroutine that draws,
// and another for all other goroutines.
type queue interface {
	// Send sends a command that is carried out after the tick at. 0 means with the next frame.
	Send(at uint64, c Command)
	// Room returns the number of further commands that can be sent without drops.
	Room() int
}

// handles gives the handles of new objects to commands, on any goroutine. It stores the last
// handle of a body, of a shape and of a joint. All commands of a world share one handles.
type handles [3]atomic.Uint64

const (
	ofBodies = iota
	ofShapes
	ofJoints
)

// reserve makes sure that the handles in c and all lower handles are not given out again.
func (h *handles) reserve(c chosen) {
	atLeast(&h[ofBodies], c.body)
	atLeast(&h[ofShapes], c.shape)
	atLeast(&h[ofJoints], c.joint)
}

// atLeast raises n to the handle least. It ignores handles that the world made, because these have a
// range of numbers of their own.
func atLeast(n *atomic.Uint64, least uint64) {
	for {
		old := n.Load()
		if old >= least || least&madeHere != 0 || n.CompareAndSwap(old, least) {
			return
		}
	}
}

// next gives out n consecutive handles, and returns the first.
func (h *handles) next(of, n int) uint64 {
	if h == nil || n == 0 {
		return 0
	}
	return h[of].Add(uint64(n)) - uint64(n) + 1
}

// At returns commands that take effect after a tick and before the next step. If the tick has
// passed, they take effect with this frame.
func (c Commands) At(tick uint64) Commands {
	c.at, c.atStart = tick, tick == 0
	return c
}

// From returns commands of a source, such as a player. The source is any number except 0. If
// an engine goes back in time (History.Rollback), new commands of a source replace its
// earlier commands for the same tick.
func (c Commands) From(source int) Commands {
	c.source = source
	return c
}

func (c Commands) send(cmd Command) {
	detach(&cmd) // copies the caller's memory
	cmd.Source, cmd.AtStart = c.source, c.atStart
	c.queue.Send(c.at, cmd)
}

// Room returns the number of further commands that can be given now without drops. It is 0
// after the end of physics. Before that, the goroutine that draws has no limit, and all other
// goroutines share one limit. Commands for a later tick (At) have another limit: 262,144 can
// wait, and further commands are dropped and counted.
func (c Commands) Room() int { return c.queue.Room() }

// Nothing sends a command that changes nothing. Such a command can replace all earlier
// commands of a source for a tick when an engine goes back in time; see From.
func (c Commands) Nothing() { c.send(Command{}) }

// Do calls f on the physics goroutine, where f may change the world in any way. Recordings
// cannot store f: see DoNamed. Inspect and [Ask] are for functions that only read.
func (c Commands) Do(f func(*World)) {
	c.send(Command{Op: opDo, Do: f})
}

// DoNamed calls the function with the given name on the physics goroutine; see [Register]
// and [World.Register]. If no function has the name, a CommandRejected event follows.
func (c Commands) DoNamed(name string, args ...float64) {
	c.send(Command{Op: opDo, Name: name, Args: args})
}

// Inspect calls f on the physics goroutine. f must not change the world, so recordings
// do not contain the call. [Ask] returns an answer.
func (c Commands) Inspect(f func(*World)) { c.send(Command{Op: opInspect, Do: f}) }

// CreateBody creates a body with its shapes and returns its handle.
func (c Commands) CreateBody(def BodyDef) Body {
	b, _ := c.createBody(&def)
	return b
}

// CreateBodyWithShapes creates a body like CreateBody. It also returns the handles of the
// shapes, in the order of BodyDef.Shapes.
func (c Commands) CreateBodyWithShapes(def BodyDef) (Body, []Shape) {
	b, first := c.createBody(&def)
	shapes := make([]Shape, len(def.Shapes))
	if first != 0 {
		for i := range shapes {
			shapes[i] = first + Shape(i)
		}
	}
	return b, shapes
}

func (c Commands) createBody(def *BodyDef) (b Body, first Shape) {
	b, first = Body(c.handles.next(ofBodies, 1)), Shape(c.handles.next(ofShapes, len(def.Shapes)))
	c.send(Command{Op: opCreateBody, Body: b, Shape: first, BodyDef: def})
	return b, first
}

// DestroyBody removes a body with its shapes and joints.
func (c Commands) DestroyBody(b Body) { c.send(Command{Op: opDestroyBody, Body: b}) }

// CreateShape adds a shape to a body.
func (c Commands) CreateShape(b Body, def ShapeDef) Shape {
	s := Shape(c.handles.next(ofShapes, 1))
	c.send(Command{Op: opCreateShape, Body: b, Shape: s, ShapeDef: &def})
	return s
}

// DestroyShape removes a shape from its body.
func (c Commands) DestroyShape(s Shape) { c.send(Command{Op: opDestroyShape, Shape: s}) }

// CreateJoint joins two bodies.
func (c Commands) CreateJoint(def JointDef) Joint {
	j := Joint(c.handles.next(ofJoints, 1))
	c.send(Command{Op: opCreateJoint, Joint: j, JointDef: &def})
	return j
}

// DestroyJoint removes a joint.
func (c Commands) DestroyJoint(j Joint) { c.send(Command{Op: opDestroyJoint, Joint: j}) }

// Force pushes a body at its centre of mass, with a force in N, in every step of
// this frame. Forces on a body in one frame add up. If the frame runs no step, the
// forces wait for the next step, unless a later frame's forces replace them.
func (c Commands) Force(b Body, force Vec) { c.send(Command{Op: opForce, Body: b, V: force}) }

// ForceAt pushes a body like Force, but at a point of the world, in m.
func (c Commands) ForceAt(b Body, force, at Vec) {
	c.send(Command{Op: opForceAt, Body: b, V: force, P: at})
}

// Torque turns a body, with a torque in N·m, in every step of this frame, like Force.
func (c Commands) Torque(b Body, torque float64) {
	c.send(Command{Op: opTorque, Body: b, X: torque})
}

// Impulse pushes a body once at its centre of mass, with an impulse in N·s.
func (c Commands) Impulse(b Body, impulse Vec) {
	c.send(Command{Op: opImpulse, Body: b, V: impulse})
}

// ImpulseAt pushes a body once at a point of the world, in m, with an impulse in N·s.
func (c Commands) ImpulseAt(b Body, impulse, at Vec) {
	c.send(Command{Op: opImpulseAt, Body: b, V: impulse, P: at})
}

// AngularImpulse turns a body once, with an angular impulse in N·m·s.
func (c Commands) AngularImpulse(b Body, impulse float64) {
	c.send(Command{Op: opAngularImpulse, Body: b, X: impulse})
}

// SetVelocity sets the velocity of a body's centre of mass, in m/s.
func (c Commands) SetVelocity(b Body, velocity Vec) {
	c.send(Command{Op: opVelocity, Body: b, V: velocity})
}

// SetAngularVelocity sets a body's angular velocity, in rad/s; see
// [World.SetAngularVelocity].
func (c Commands) SetAngularVelocity(b Body, omega float64) {
	c.send(Command{Op: opAngularVelocity, Body: b, X: omega})
}

// Teleport moves a body's origin to a position, in m, and turns the body to an angle, in
// rad. The picture shows the body there at once, without blending.
func (c Commands) Teleport(b Body, position Vec, angle float64) {
	c.send(Command{Op: opTeleport, Body: b, P: position, X: angle})
}

// MoveTo moves a kinematic body so that the next step ends with the body at a position, in m,
// and at an angle, in rad; see [World.MoveTo].
func (c Commands) MoveTo(b Body, position Vec, angle float64) {
	c.send(Command{Op: opMoveTo, Body: b, P: position, X: angle})
}

// Shift moves a body by a distance, in m, without a jump in the picture. It is for the edge of
// a world that wraps round, or for a new origin of the whole world. See [World.Shift].
func (c Commands) Shift(b Body, by Vec) {
	c.send(Command{Op: opShift, Body: b, V: by})
}

// SetKind makes a body static, kinematic or dynamic.
func (c Commands) SetKind(b Body, kind BodyKind) {
	c.send(Command{Op: opSetKind, Body: b, N: int32(kind)})
}

// SetName gives a body a new name.
func (c Commands) SetName(b Body, name string) { c.send(Command{Op: opSetName, Body: b, Name: name}) }

// SetAwake wakes a body or puts it to sleep.
func (c Commands) SetAwake(b Body, on bool) {
	c.send(Command{Op: opSetAwake, Body: b, On: on})
}

// SetEnabled removes a body from the simulation or puts it back; see [World.SetEnabled].
func (c Commands) SetEnabled(b Body, on bool) {
	c.send(Command{Op: opSetEnabled, Body: b, On: on})
}

// SetBullet sets whether continuous collision also checks a body against dynamic bodies.
func (c Commands) SetBullet(b Body, on bool) {
	c.send(Command{Op: opSetBullet, Body: b, On: on})
}

// SetGravityScale sets the factor of the world's gravity for a body; 0 means no gravity.
func (c Commands) SetGravityScale(b Body, scale float64) {
	c.send(Command{Op: opSetGravityScale, Body: b, X: scale})
}

// SetDamping sets a body's linear and angular damping, in 1/s.
func (c Commands) SetDamping(b Body, linear, angular float64) {
	c.send(Command{Op: opSetDamping, Body: b, X: linear, Y: angular})
}

// SetFixedAxes sets whether a dynamic body keeps its x and its y; see [World.SetFixedAxes].
func (c Commands) SetFixedAxes(b Body, x, y bool) {
	axes := int32(0)
	if x {
		axes |= fixedX
	}
	if y {
		axes |= fixedY
	}
	c.send(Command{Op: opSetFixedAxes, Body: b, N: axes})
}

// SetFixedRotation sets whether a body never turns.
func (c Commands) SetFixedRotation(b Body, on bool) {
	c.send(Command{Op: opSetFixedRotation, Body: b, On: on})
}

// SetBodySmoothing sets the smoothing mode of a body. With body2d.Inherit the body has the
// engine's mode.
func (c Commands) SetBodySmoothing(b Body, mode body2d.Smoothing) {
	c.send(Command{Op: opSetSmoothing, Body: b, N: int32(mode)})
}

// SetGravity sets the world's gravity, in m/s².
func (c Commands) SetGravity(gravity Vec) { c.send(Command{Op: opSetGravity, V: gravity}) }

// DropThrough lets a body fall through one-way shapes; see [World.DropThrough].
func (c Commands) DropThrough(b Body) { c.send(Command{Op: opDropThrough, Body: b}) }

// Explode pushes the dynamic bodies around a point away from the point; see [World.Explode].
func (c Commands) Explode(e Explosion) { c.send(e.command()) }

// SetFilter sets which shapes a shape collides with. It takes effect in the next step.
func (c Commands) SetFilter(s Shape, filter Filter) {
	c.send(Command{Op: opSetFilter, Shape: s, Filter: filter})
}

// SetFriction sets a shape's friction, at least 0. The shape's contacts change, too.
func (c Commands) SetFriction(s Shape, friction float64) {
	c.send(Command{Op: opSetFriction, Shape: s, X: friction})
}

// SetRestitution sets a shape's restitution, at least 0; 0 means no bounce. The shape's contacts
// change, too.
func (c Commands) SetRestitution(s Shape, restitution float64) {
	c.send(Command{Op: opSetRestitution, Shape: s, X: restitution})
}

// SetDensity sets a shape's density, in kg/m²; see [World.SetDensity].
func (c Commands) SetDensity(s Shape, density float64) {
	c.send(Command{Op: opSetDensity, Shape: s, X: density})
}

// SetSensor sets whether a shape is a sensor or solid.
func (c Commands) SetSensor(s Shape, on bool) {
	c.send(Command{Op: opSetSensor, Shape: s, On: on})
}

// SetOneWay makes a shape solid only from the side to which direction points. The length of
// direction does not matter. A direction of length 0 makes it solid from all sides. See [World.SetOneWay].
func (c Commands) SetOneWay(s Shape, direction Vec) {
	c.send(Command{Op: opSetOneWay, Shape: s, V: direction})
}

// SetSurfaces sets the rules by which all surfaces act on each other; see [World.SetSurfaces].
func (c Commands) SetSurfaces(s Surfaces) { c.send(Command{Op: opSetSurfaces, Surfaces: &s}) }

// SetMaterial sets the material of a shape; see [World.SetMaterial].
func (c Commands) SetMaterial(s Shape, m Material) {
	c.send(Command{Op: opSetMaterial, Shape: s, N: int32(m)})
}

// SetSegmentMaterial sets the material of one segment of a chain; see
// [World.SetSegmentMaterial].
func (c Commands) SetSegmentMaterial(s Shape, segment int, m Material) {
	c.send(Command{Op: opSetSegmentMaterial, Shape: s, N: int32(m), X: float64(segment)})
}

// SetRollingResistance sets a shape's rolling resistance, as a fraction of the normal force. It
// must be at least 0; see ShapeDef.RollingResistance.
func (c Commands) SetRollingResistance(s Shape, resistance float64) {
	c.send(Command{Op: opSetRollingResistance, Shape: s, X: resistance})
}

// SetSleepSpeeds sets the greatest speeds of a body at rest, in m/s and rad/s; see
// [World.SetSleepSpeeds].
func (c Commands) SetSleepSpeeds(b Body, speed, spin float64) {
	c.send(Command{Op: opSetSleepSpeeds, Body: b, X: speed, Y: spin})
}

// SetSurfaceSpeed sets the speed of a shape's surface, in m/s; see [World.SetSurfaceSpeed].
func (c Commands) SetSurfaceSpeed(s Shape, speed float64) {
	c.send(Command{Op: opSetSurfaceSpeed, Shape: s, X: speed})
}

// ReplaceShape gives a shape all values of a definition; see [World.ReplaceShape].
func (c Commands) ReplaceShape(s Shape, def ShapeDef) {
	c.send(Command{Op: opReplaceShape, Shape: s, ShapeDef: &def})
}

// SetTarget moves the point to which a mouse joint pulls, in m.
func (c Commands) SetTarget(j Joint, target Vec) {
	c.send(Command{Op: opSetTarget, Joint: j, P: target})
}

// SetMotor sets whether the motor of a revolute, prismatic or wheel joint is on. The speed is
// in rad/s, or in m/s for a prismatic joint. The maximum is a torque in N·m, or a force in N
// for a prismatic joint.
func (c Commands) SetMotor(j Joint, on bool, speed, maximum float64) {
	c.send(Command{Op: opSetMotor, Joint: j, On: on, X: speed, Y: maximum})
}

// SetLimits sets whether the limits of a revolute, prismatic, distance or wheel joint are on,
// and sets the limits, in rad or m.
func (c Commands) SetLimits(j Joint, on bool, lower, upper float64) {
	c.send(Command{Op: opSetLimits, Joint: j, On: on, X: lower, Y: upper})
}

// SetMotorOffset sets the target of a motor joint for its body B, in the frame of A. The offset
// is in m, the angle in rad.
func (c Commands) SetMotorOffset(j Joint, offset Vec, angle float64) {
	c.send(Command{Op: opSetMotorOffset, Joint: j, P: offset, X: angle})
}

// SetMotorVelocity makes a motor joint drive its body B at a velocity in the frame of A, in
// m/s, and at an angular velocity, in rad/s; see [World.SetMotorVelocity].
func (c Commands) SetMotorVelocity(j Joint, on bool, velocity Vec, angular float64) {
	c.send(Command{Op: opSetMotorVelocity, Joint: j, On: on, V: velocity, X: angular})
}

// SetSpring sets the spring of a joint. The frequency is in Hz. A damping ratio of 1 is
// critical. See [World.SetSpring].
func (c Commands) SetSpring(j Joint, frequency, damping float64) {
	c.send(Command{Op: opSetSpring, Joint: j, X: frequency, Y: damping})
}

// SetSpringTarget sets the target of the spring of a revolute or prismatic joint, in rad or
// m.
func (c Commands) SetSpringTarget(j Joint, target float64) {
	c.send(Command{Op: opSetSpringTarget, Joint: j, X: target})
}

// SetSoftness sets the softness of a joint in SoftStep, as a frequency in Hz and a damping
// ratio; see [World.SetSoftness].
func (c Commands) SetSoftness(j Joint, frequency, damping float64) {
	c.send(Command{Op: opSetSoftness, Joint: j, X: frequency, Y: damping})
}

// SetCollideConnected sets whether the two bodies of a joint collide.
func (c Commands) SetCollideConnected(j Joint, on bool) {
	c.send(Command{Op: opSetCollideConnected, Joint: j, On: on})
}

// SetLength sets the length of a distance, rope or pulley joint, in m; see [World.SetLength].
func (c Commands) SetLength(j Joint, length float64) {
	c.send(Command{Op: opSetLength, Joint: j, X: length})
}

// SetMaxForce sets the maximum force of a friction, motor or mouse joint, in N.
func (c Commands) SetMaxForce(j Joint, force float64) {
	c.send(Command{Op: opSetMaxForce, Joint: j, X: force})
}

// SetMaxTorque sets the maximum torque of a friction or motor joint, in N·m.
func (c Commands) SetMaxTorque(j Joint, torque float64) {
	c.send(Command{Op: opSetMaxTorque, Joint: j, X: torque})
}

// SetBreakLimits sets the reactions above which a joint breaks: a force in N and a torque in
// N·m. 0 means no limit.
func (c Commands) SetBreakLimits(j Joint, force, torque float64) {
	c.send(Command{Op: opSetBreakLimits, Joint: j, X: force, Y: torque})
}
