package scene

import (
	"halfstep/buffer/body2d"
)

// View is what one frame shows: the pair of states in hand and how far between
// them the shown instant lies. Its slices belong to the exchange and are good
// until the next frame.
type View[S any] struct {
	Prev, Cur []S // states at ticks Tick-1 and Tick, by slot

	// PrevSerial and CurSerial name the contents of Prev and Cur: equal serials
	// are the same states, so what is on the GPU already need not go up again.
	PrevSerial, CurSerial uint64

	Tick     uint64
	Revision uint32

	// Alpha is the blend factor, 0 at Prev and 1 at Cur.
	Alpha float32
	// Instant is the shown instant in ticks: Tick - 1 + Alpha.
	Instant float64
	// Dt is seconds per tick.
	Dt float64

	// Smoothing is the global mode.
	Smoothing body2d.Smoothing

	Scene  *Scene
	Debug  *body2d.Debug // of Cur; nil while no debug layer is on
	Counts body2d.Counts

	// Demanded is the number of steps that this frame asked for.
	Demanded int
	// Held is set when physics was late and the picture had to wait at Cur.
	Held bool
	// Fresh is set when the pair was taken in this frame.
	Fresh bool

	// StepNanos is what the step to Cur cost, in nanoseconds of real time.
	StepNanos int64
}
