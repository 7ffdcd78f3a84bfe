package buffer

import "halfstep/internal/atomic"

// Remainder is the part of a step that is left in the clock after whole steps, as the fraction
// Units/Step. A Step of 0 means that the part is unknown.
type Remainder struct{ Units, Step int64 }

// Fraction returns the remainder in steps, from 0 to 1.
func (r Remainder) Fraction() float64 { return float64(r.Units) / float64(r.Step) }

// Frame is what one frame of the render side asks physics to do: first commands, and then steps.
type Frame struct {
	// After is the tick after whose step physics applies the commands, before the next step.
	After uint64
	// Demand is the tick that physics must reach. It is not a number of steps, so physics may carry
	// out several frames together.
	Demand uint64
	// Ahead is the tick up to which physics predicts, see physicsloop.Predictor. 0 means that
	// physics drops all predictions and makes no new ones.
	Ahead uint64
	// Needs is the tick whose state this frame or the next frame shows. If commands change
	// predicted states, physics computes the states up to Needs before all later states.
	Needs uint64
	// Again is true if the forces of the last frame also act in the steps of this frame, because
	// these steps were predicted with these forces.
	Again bool
	// Repredict is true if physics must drop its predictions and predict again. The length of the
	// steps has changed, or the exchange no longer has the state that the frame needs.
	Repredict bool
	// Dt is the length of a step, in s.
	Dt float64
	// Commands is the count of the command log after the last command of this frame.
	Commands uint64
	// Still is true if no time of the clock passes in this frame. A body that is created in such a
	// frame is shown at once.
	Still bool
	// Remainder is the Remainder of the clock after this frame, for recordings.
	Remainder Remainder
}

// Demand is the queue of the frames that the render side posts to physics. One atomic word
// publishes a frame's commands together with the frame's steps, so physics cannot see the commands
// without the steps, or the steps without the commands.
//
// Physics sleeps in Wait when there is no frame to carry out and no tick to predict.
//
// A Demand must be created with NewDemand and must not be copied.
type Demand struct {
	frames *Log[Frame]

	// posted is the number of posted frames. Post stores posted after it has written the frame and
	// the frame's commands. Physics loads posted before it reads the frame.
	posted atomic.Uint64

	// limit is the last tick to which physics may step. The value with all bits set means that
	// there is no limit. A simulated clock raises the limit, until RemoveLimit.
	limit atomic.Uint64

	// Physics must load quit before posted. If it loaded posted first, it could miss a frame that
	// was posted just before the call of Quit.
	quit atomic.Bool

	bell bell // wakes physics
}

// unlimited is the value of limit after RemoveLimit. SetLimit does not change this value.
const unlimited = ^uint64(0) - 1

// NewDemand returns a demand without frames and without a limit.
func NewDemand() *Demand {
	d := &Demand{frames: NewLog[Frame](), bell: newBell()}
	d.limit.Store(^uint64(0))
	return d
}

// Post publishes a frame and wakes physics. It returns Posted. Only the render side may call Post.
func (d *Demand) Post(f Frame) uint64 {
	d.frames.Append(f)
	n := d.frames.Count()
	d.posted.Store(n)
	d.Ring()
	return n
}

// Posted returns the number of frames that were posted so far. Any goroutine may call Posted.
func (d *Demand) Posted() uint64 { return d.posted.Load() }

// SetLimit allows physics to do the steps up to the given tick, and wakes physics. After
// RemoveLimit it does nothing. Only the render side may call SetLimit.
func (d *Demand) SetLimit(tick uint64) {
	l := d.limit.Load()
	if l != tick && l != unlimited && d.limit.CompareAndSwap(l, tick) { // RemoveLimit may come in between
		d.Ring()
	}
}

// RemoveLimit removes the limit for good. With a simulated clock, call RemoveLimit before Quit, so
// that physics can do all demanded steps. Any goroutine may call it.
func (d *Demand) RemoveLimit() {
	d.limit.Store(unlimited)
	d.Ring()
}

// Limit returns the last tick to which physics may step. Any goroutine may call Limit.
func (d *Demand) Limit() uint64 { return d.limit.Load() }

// Ring wakes physics. If physics is awake, its next Wait does not block. Any goroutine may call
// Ring.
func (d *Demand) Ring() { d.bell.ring() }

// Quit asks physics to stop after all posted frames. Any goroutine may call Quit.
func (d *Demand) Quit() {
	d.quit.Store(true)
	d.Ring()
}

// Next returns the oldest unfinished frame, or nil if all frames are finished. The result quit is
// true if Quit was called. Only physics may call Next.
func (d *Demand) Next() (f *Frame, quit bool) {
	quit = d.quit.Load()
	return d.frames.Peek(d.posted.Load()), quit
}

// Quitting reports whether Quit was called. Only physics may call it.
func (d *Demand) Quitting() bool { return d.quit.Load() }

// FinishFrame removes the frame that Next returned. Only physics may call it.
func (d *Demand) FinishFrame() { d.frames.Take() }

// Wait blocks until the bell rings. Only physics may call it.
func (d *Demand) Wait() { d.bell.wait() }
