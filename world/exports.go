package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2"
	"halfstep/internal/exports"
	"halfstep/internal/phasetrace"
	"halfstep/internal/query"
	"halfstep/internal/shifted"
)

func init() { exports.World = private{} }

// private has methods that only halfstep's own packages can call. They step worlds, record worlds and go
// back in time. The packages get a value of this type from package privateapi.
type private struct{}

// NewCommands returns commands that go through a queue to a simulation. In a replay s is nil, because no
// simulation carries out the commands. The commands then return zero handles.
func (private) NewCommands(q interface {
	Send(at uint64, c Command)
	Room() int
}, s *Simulation) Commands {
	if s == nil {
		return Commands{queue: q}
	}
	return Commands{queue: q, handles: &s.world.handles}
}

// NewQuery returns a Query of any space, such as the bodies on the screen. [World.Query] returns a Query
// of a world.
func (private) NewQuery(s query.Space, f QueryFilter) Query { return Query{s, f} }

// NewOrder returns a command that does nothing to the world. It carries an order, such as to go back in
// time, to the code that drives the [Simulation].
func (private) NewOrder(order any) Command { return Command{order: order} }

// Order returns the argument of NewOrder, or nil.
func (private) Order(c *Command) any { return c.order }

// IsClosure reports whether the command runs a function without a name, which no recording can
// store.
func (private) IsClosure(c *Command) bool { return c.Op == opDo && c.Do != nil }

// Unregistered returns the name of the function that a command calls, if the world does not know the
// function. If the world knows it, the result is "".
func (private) Unregistered(w *World, c *Command) string {
	if c.Op != opDo || c.Do != nil || w.function(c.Name) != nil {
		return ""
	}
	return c.Name
}

// HasCode reports whether a world has code that no file can store: controllers, hooks, stateful
// code, or functions that commands may call.
func (private) HasCode(w *World) bool {
	if len(w.controls)+len(w.hooks)+len(w.states)+len(w.registered) > 0 || w.preSolve != nil || w.shouldCollide != nil {
		return true
	}
	some := false
	registered.Range(func(any, any) bool { some = true; return false })
	return some
}

// OnlyReads reports whether the command is a question or an order, which does not change the world.
func (private) OnlyReads(c *Command) bool { return c.Op == opInspect || c.order != nil }

// IsForce reports whether the command only pushes a body for a frame.
func (private) IsForce(c *Command) bool {
	return c.Op == opForce || c.Op == opForceAt || c.Op == opTorque
}

// Press pushes a dynamic body during a step of dt seconds with a force at a point of the world and with a
// torque. Over the step they amount to the given impulse, in N·s, and angular impulse, in N·m·s. A force
// acts in each part of the step, like gravity. An impulse at the start of the step would move a body that
// floats at rest. Unlike [World.Force], Press lets the body fall asleep.
func (private) Press(w *World, b Body, dt float64, impulse, at Vec, turn float64) error {
	r, err := w.mutable(b, checkVec("impulse", impulse, maxValue), checkVec("point", at, maxPosition), checkNumber("angular impulse", turn))
	if err != nil {
		return err
	}
	f := b2.Times(1/dt, b2vec(impulse))
	torque := float64(turn/dt) + b2.Cross(box2d.B2Vec2Sub(b2vec(at), r.b.M_sweep.C), f)
	w.box.AddForce(r.b, f, torque, false) // the body may fall asleep
	return nil
}

// SameForce reports whether two commands have the same effect. IsForce must be true of both.
func (private) SameForce(a, b *Command) bool {
	return a.Op == b.Op && a.Body == b.Body && a.V == b.V && a.P == b.P && a.X == b.X
}

// Loads appends to dst, for each body, the sum of the forces that wait for the next step.
func (private) Loads(s *Simulation, dst []exports.Load) []exports.Load {
	for _, l := range s.world.forces.loaded {
		if l.of.b != nil {
			f, o := l.frame, l.once
			dst = append(dst, exports.Load{
				Body: uint64(l.of.handle), X: f.force.X, Y: f.force.Y, Torque: f.torque,
				OnceX: o.force.X, OnceY: o.force.Y, Twist: o.torque,
			})
		}
	}
	return dst
}

// EventKey returns the fields by which two events count as the same. These are the kind, the tick, the
// bodies, the shapes, the segments of chains and the joint. An EventRetracted has the key of the event that
// did not happen.
func (private) EventKey(e *Event) exports.EventKey {
	kind := e.Kind
	if kind == EventRetracted {
		kind = e.Was
	}
	return exports.EventKey{
		uint64(kind)<<8 | uint64(e.op), e.Tick, uint64(e.A), uint64(e.B), uint64(e.ShapeA), uint64(e.ShapeB),
		uint64(uint32(e.childA))<<32 | uint64(uint32(e.childB)), uint64(e.Joint),
	}
}

// EventRest returns the fields of an event that are not exported, so that the event can be stored.
func (private) EventRest(e *Event) exports.EventRest {
	return exports.EventRest{Op: uint8(e.op), Struck: e.struck, ChildA: e.childA, ChildB: e.childB}
}

// SetEventRest sets the fields of an event that are not exported. EventRest has returned them.
func (private) SetEventRest(e *Event, r exports.EventRest) {
	e.op, e.struck, e.childA, e.childB = opcode(r.Op), r.Struck, r.ChildA, r.ChildB
}

// IsReply reports whether the event is the answer to a question. Programs do not see such events.
func (private) IsReply(e *Event) bool { return e.Kind == answered }

// Reply calls the reply function of a question if the event is an answer. It reports whether the event is
// an answer. The code that delivers the events calls Reply.
func (private) Reply(e *Event) bool {
	if e.Kind != answered || e.reply == nil {
		return false
	}
	(*e.reply)(e.Tick)
	return true
}

// Follow makes the simulation report the phases of its steps to l.
func (private) Follow(s *Simulation, l *phasetrace.Recorder) {
	s.world.phases = l
	if s.world.stepper != nil {
		s.world.stepper.Follow(l)
	}
}

// StepAsLibrary makes a new world of FastStep step by Box2D's own B2World.Step. Tests compare FastStep with
// it. Box2D's step cannot step features that Box2D lacks, such as capsules.
func (private) StepAsLibrary(w *World) {
	w.stepper.Close()
	w.stepper, w.step = nil, w.libraryStep
}

// Continuous reports whether the current step is computing times of impact (continuous collision). Any
// goroutine may call it. With SoftStep all times of impact are computed in one phase.
func (private) Continuous(s *Simulation) bool { return s.world.watch.Continuous() }

// Interrupt ends the simulation: the current step panics with [ErrInterrupted] in continuous collision, or
// the next step panics before it begins. The world cannot be used any more. Any goroutine may call it.
func (private) Interrupt(s *Simulation) { s.world.watch.Interrupt(ErrInterrupted) }

// HandlesMade returns the number of handles that the world has given out itself. It does not count handles
// that commands have chosen.
func (private) HandlesMade(s *Simulation) uint64 { return s.world.registry.made }

// SkipHandles makes the world continue as if it had given out n handles. A replay calls it where the
// recorded run went back in time, because the discarded steps had used handles.
func (private) SkipHandles(s *Simulation, n uint64) {
	s.world.registry.made = max(s.world.registry.made, n)
}

// Tick returns the loop's tick of a snapshot, which events and states have. After World.Restore it is later
// than the snapshot's World.Tick.
func (private) Tick(s *Snapshot) uint64 { return s.saved.tick + s.shift }

// BeginFrame does the work of [Simulation.BeginFrame]. If still is true, no time passes in the frame.
func (private) BeginFrame(s *Simulation, still bool) {
	s.BeginFrame()
	s.world.when.still = still
}

// Snapshot is [World.Snapshot] without the commands that wait for their tick. Replays use it, because they
// repeat the recorded commands. Matches use it, because the players send the commands. A match calls it in
// its first controller, which is called again after a restore.
func (private) Snapshot(w *World, s *Snapshot) error {
	err := w.snapshot(s)
	if err == nil && w.when.phase == before {
		s.saved.ran = 0
	}
	return err
}

// TickOf returns the loop's present tick, which events and states have. After World.Restore it is later than
// World.Tick.
func (private) TickOf(w *World) uint64 { return w.when.state() }

// Jumped reports whether the body in a slot was teleported or shifted after a tick. If so, states from before
// that tick cannot be blended with the present states.
func (private) Jumped(s *Simulation, slot int, after uint64) bool {
	w := &s.world
	if slot >= len(w.places.slots) || w.places.slots[slot].b == nil {
		return false
	}
	jump, shifted := w.places.slots[slot].jump, w.places.slots[slot].shifted
	return jump == jumpPending || jump != noJump && jump+w.when.shift > after || shifted > 0 && shifted-1+w.when.shift >= after
}

// Shifts returns the calls of [World.Shift] since the last call of Shifts. The loop moves its stored states
// by the same distances.
func (private) Shifts(s *Simulation) []shifted.Body {
	shifts := s.world.carried
	s.world.carried = nil
	return shifts
}

// Fingerprint appends one byte for each of the six values of every body that Hash covers, in the order of
// Hash.
func (private) Fingerprint(s *Simulation, dst []byte) []byte {
	for r := s.world.registry.first; r != nil; r = r.next {
		for _, x := range values(r) {
			dst = append(dst, fingerprint(x))
		}
	}
	return dst
}

// FirstDifference returns the first value of a body that differs from a fingerprint of another run at the same
// tick. It returns the body, its name, the name of the value and its present number, in m, rad, m/s or rad/s.
// If only the number of bodies differs, value is "bodies" and got is the present number of bodies. If nothing
// differs, value is empty.
func (private) FirstDifference(s *Simulation, old []byte) (b Body, name, value string, got float64) {
	i, bodies := 0, 0
	for r := s.world.registry.first; r != nil; r = r.next {
		bodies++
		for k, x := range values(r) {
			if i < len(old) && old[i] != fingerprint(x) {
				return r.handle, r.name, valueNames[k], x
			}
			i++
		}
	}
	if i != len(old) {
		return 0, "", "bodies", float64(bodies)
	}
	return 0, "", "", 0
}

// Structure announces the bodies, shapes and joints of a world in a log, like Simulation.Start. The records
// have tick 0.
func (private) Structure(s *Simulation, log *buffer.Log[body2d.Structure]) {
	for _, r := range s.world.news.announceTo(log) {
		r.Tick = 0
	}
}
