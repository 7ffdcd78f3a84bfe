package scene

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// View is what one frame shows: a pair of states and the shown instant between these states. The
// slices are valid until the next frame. S is the type of the state of one body.
type View[S any] struct {
	Prev, Cur []S // states at ticks Tick-1 and Tick, by slot

	// PrevSerial and CurSerial identify the contents of Prev and Cur. States with equal
	// serials are equal, and need not be uploaded again.
	PrevSerial, CurSerial uint64

	// PrevChanges and CurChanges say which states of Prev and Cur have changed since earlier
	// serials. They are nil if the changes are unknown.
	PrevChanges, CurChanges *buffer.Changes

	Tick     uint64 // the tick of Cur
	Revision uint32 // the number of earlier publications of Tick

	// Alpha is the blend factor, 0 at Prev and 1 at Cur. At tick 0 Prev and Cur are the same and
	// Instant is 0, but Extrapolate uses Alpha to move bodies towards tick 1.
	Alpha float32
	// Instant is the shown instant in ticks, Tick - 1 + Alpha. It never decreases in an Epoch,
	// except if the rate changes in RunAhead, because the length of a tick then changes.
	Instant float64
	// Epoch is the number of seeks of a replay that are finished. When Epoch changes, a
	// program should drop its data of earlier frames, such as trails.
	Epoch uint32
	// Dt is the length of the step to Cur, in s.
	Dt float64

	// Smoothing is the mode of bodies without a mode of their own.
	Smoothing body2d.Smoothing

	// LateVelocity is true if the velocity of a state is the velocity at the end of the step, as
	// with the soft stepper, and false if it is the velocity at the start of the step.
	LateVelocity bool

	Scene  *Scene
	Debug  *body2d.Debug // the debug data of Cur; nil unless a debug layer is on
	Counts body2d.Counts

	// Steps is the number of steps that this frame has demanded.
	Steps int
	// Held is true if physics was late, so that the picture stays at Cur.
	Held bool
	// Fresh is true if the pair is new in this frame.
	Fresh bool

	// StepNanos is the real time that the step to Cur took, in ns.
	StepNanos int64
}
