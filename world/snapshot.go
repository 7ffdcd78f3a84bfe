package world

import (
	"errors"
	"unsafe"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/soft"
	"halfstep/internal/box/store"
)

// Snapshot is the whole state of a world, to the bit. After [World.Restore] the
// same commands give the same states, hashes and callbacks. The zero Snapshot is
// empty; [World.Snapshot] fills it, and may fill the same one again and again,
// which allocates nothing once it is large enough.
//
// It holds bodies, shapes, joints and contacts with all that the solver keeps of
// them, the broad phase, sleep, gravity, forces that wait for a step, the ticks
// of the world, names, smoothing, the list of controllers and hooks, and the
// state of each [Stateful]. It does not hold what else user code knows: what User
// values point to, variables of closures, functions registered by name. Of
// commands that have not been carried out it holds those that wait for their tick
// ([Commands.At]), for an engine that begins with the snapshot.
//
// A Snapshot keeps bodies that were destroyed since in memory. It belongs to the
// physics goroutine of the world that it was taken of, but for MarshalBinary and
// AppendBinary: while the snapshot is neither taken anew nor restored, any
// goroutine may call them.
type Snapshot struct {
	of      *World   // nil while empty, and while no world has restored what was read
	loading *loading // of what was read
	b2      b2state.State
	soft    soft.State // empty unless SoftStep
	saved   saved
	counters
	edits uint64 // World.edits when bodies and shapes were taken; 0 is none
	*recordSet
	joints    []kept[joint]       // newest first
	jointed   uint64              // World.jointEdits when they were taken
	slots     *store.Column[slot] // in b2.Values
	slotCount int
	free      []int32
	loaded    []loaded
	events    []Event // begun and ended since the hooks last ran
	drawings  []body2d.Drawing
	control   callbacks
	numbered  numbered // as the world had them; those do not change
	scheduled []buffer.Scheduled[Command]
	user      []byte // the states of controls and states, one after the other
	userEnds  []int
}

// loaded is a body with forces that wait for a step, or that MoveTo moves.
type loaded struct {
	of          *body
	frame, once load
	aim         aim
	ago         uint64 // how many frames ago frame was given
}

// kept is a record and the value that it had.
type kept[T any] struct {
	at    *T
	value T
}

var (
	errNil     = errors.New("world: no Snapshot to take the state into")
	errEmpty   = errors.New("world: the snapshot is empty")
	errForeign = errors.New("world: the snapshot is of another world")
)

// Tick is the tick of the world, [World.Tick], at which the snapshot was taken.
func (s *Snapshot) Tick() uint64 { return s.saved.tick }

// Stepper is how the world was stepped; FastStep for an empty snapshot. Only a world
// that is stepped in the same way can restore what [LoadSnapshot] has read.
func (s *Snapshot) Stepper() (way Stepper) {
	switch {
	case s.loading != nil:
		way, _ = ParseStepper(s.loading.stepper) // claim refuses any other name
	case s.of != nil:
		way = s.of.way()
	}
	return way
}

// Size is about how many bytes of memory the snapshot takes if all that often changes in
// a step has changed since the one before.
func (s *Snapshot) Size() int {
	size := s.b2.Size() + sizeOf(s.joints) + sizeOf(s.free) + sizeOf(s.scheduled) + sizeOf(s.loaded) + sizeOf(s.events) + sizeOf(s.drawings) + len(s.user)
	if s.recordSet != nil {
		size += sizeOf(s.bodies) + sizeOf(s.shapes)
	}
	return size
}

func sizeOf[T any](s []T) int {
	var t T
	return len(s) * int(unsafe.Sizeof(t))
}

// empty drops all that the snapshot points to, and keeps its memory.
func (s *Snapshot) empty() {
	if w := s.of; w != nil {
		w.dropRecords(s.recordSet)
	}
	s.of, s.loading, s.numbered, s.edits, s.recordSet, s.slots, s.slotCount = nil, nil, nil, 0, nil, nil, 0
	s.b2.Forget()
	s.saved = saved{}
	s.joints = refill(s.joints, nil)
	s.loaded, s.events, s.drawings = refill(s.loaded, nil), refill(s.events, nil), refill(s.drawings, nil)
	s.scheduled = refill(s.scheduled, nil)
	s.control.take(&callbacks{})
}

// take makes c a copy of from.
func (c *callbacks) take(from *callbacks) {
	c.controls, c.hooks, c.states = refill(c.controls, from.controls), refill(c.hooks, from.hooks), refill(c.states, from.states)
	c.preSolve, c.shouldCollide = from.preSolve, from.shouldCollide
}

// refill replaces what is in a slice by a copy of from.
func refill[T any](to, from []T) []T { return cleared(to, append(to[:0], from...)) }

// cleared returns what has been written over a slice. What is left of the old
// contents beyond it is cleared, so that it can be collected.
func cleared[T any](old, written []T) []T {
	if len(written) < len(old) {
		clear(old[len(written):])
	}
	return written
}
