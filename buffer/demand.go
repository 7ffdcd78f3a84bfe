package buffer

import "halfstep/internal/atomic"

// Remainder is the part of a step that is left in the clock: the fraction Units/Step.
// If Step is 0, it is unknown.
type Remainder struct{ Units, Step int64 }

// Fraction is the remainder in steps, from 0 to 1.
func (r Remainder) Fraction() float64 { return float64(r.Units) / float64(r.Step) }

// Frame is one frame's request to physics: commands, then steps.
type Frame struct {
	// After is the tick that the commands follow. Physics applies them when
	// that tick is done, before the next step.
	After uint64
	// Demand is the tick to reach. It is absolute, so physics may take several
	// frames at once.
	Demand uint64
	// Ahead is the tick up to which physics predicts, see physicsloop.Predictor. With 0
	// it predicts nothing and drops earlier predictions.
	Ahead uint64
	// Needs is the tick whose state this frame waits for, or the next frame needs.
	// If commands change predicted states, physics computes that one first.
	Needs uint64
	// Again says that the forces of the frame before act on the steps of this one, too,
	// because these steps were predicted with them.
	Again bool
	// Anew says that physics must predict the steps ahead again, at once as far as Needs:
	// their length has changed, or the exchange no longer has the state that the frame needs.
	Anew bool
	// Dt is seconds per step.
	Dt float64
	// Commands is the number of records in the command log that belong to this
	// frame or to earlier frames.
	Commands uint64
	// Still says that no time passes in this frame, so that a created body is shown at its
	// place at once.
	Still bool
	// Remainder is the remainder of the clock after this frame. Recordings store it.
	Remainder Remainder
}

// Demand is the queue of frames that the render side requests. One bell announces
// steps, commands and quitting. One atomic word publishes a frame's commands
// together with its steps, so physics cannot see one without the other.
//
// Physics does the demanded steps, and predicts as far as Frame.Ahead. It sleeps
// when there is nothing to do, and the clock limits its backlog.
//
// A Demand must be created with NewDemand and must not be copied.
type Demand struct {
	frames *Log[Frame]

	// posted is the number of frames. Post stores it after writing the frame
	// and its commands; physics loads it before reading them.
	posted atomic.Uint64

	// limit is the last tick that physics may step to; all ones means no limit. A
	// simulated clock moves it, until Lift.
	limit atomic.Uint64

	// Physics reads quit before posted. In the other order it could drop a frame
	// that was posted just before quitting.
	quit atomic.Bool

	bell bell // wakes physics
}

// lifted stands for no limit after Lift. SetLimit does not change it.
const lifted = ^uint64(0) - 1

// NewDemand returns an empty demand without a limit.
func NewDemand() *Demand {
	d := &Demand{frames: NewLog[Frame](), bell: newBell()}
	d.limit.Store(^uint64(0))
	return d
}

// Post publishes a frame and wakes physics. It returns the number of frames
// posted so far. Render side only.
func (d *Demand) Post(f Frame) uint64 {
	d.frames.Append(f)
	n := d.frames.Count()
	d.posted.Store(n)
	d.Ring()
	return n
}

// Posted is the number of frames posted so far. Any goroutine.
func (d *Demand) Posted() uint64 { return d.posted.Load() }

// SetLimit allows physics to step up to and including the tick, and wakes it. It
// does nothing after Lift. Render side only.
func (d *Demand) SetLimit(tick uint64) {
	l := d.limit.Load()
	if l != tick && l != lifted && d.limit.CompareAndSwap(l, tick) { // Lift may come in between
		d.Ring()
	}
}

// Lift removes the limit for good. Call it before Quit on a simulated clock: a
// frame in progress can then no longer keep physics from the demanded steps. Any
// goroutine.
func (d *Demand) Lift() {
	d.limit.Store(lifted)
	d.Ring()
}

// Limit is the last tick that physics may step to. Any goroutine.
func (d *Demand) Limit() uint64 { return d.limit.Load() }

// Ring wakes physics, or keeps its next Wait from blocking. Any goroutine.
func (d *Demand) Ring() { d.bell.ring() }

// Quit asks physics to stop when it has done all posted frames. Any
// goroutine.
func (d *Demand) Quit() {
	d.quit.Store(true)
	d.Ring()
}

// Next returns the oldest unfinished frame, or nil if there is none, and whether
// Quit was called. Physics only.
func (d *Demand) Next() (f *Frame, quit bool) {
	quit = d.quit.Load()
	return d.frames.Peek(d.posted.Load()), quit
}

// Quitting reports whether Quit was called. Physics only.
func (d *Demand) Quitting() bool { return d.quit.Load() }

// FinishFrame removes the frame that Next returned. Physics only.
func (d *Demand) FinishFrame() { d.frames.Take() }

// Wait blocks until the bell rings. Physics only.
func (d *Demand) Wait() { d.bell.wait() }
