package buffer

import "halfstep/internal/atomic"

// Remainder is the part of a step that is left in the clock, as the fraction Units/Step.
// A Step of 0 means that the part is unknown.
type Remainder struct{ Units, Step int64 }

// Fraction is the remainder in steps, from 0 to 1.
func (r Remainder) Fraction() float64 { return float64(r.Units) / float64(r.Step) }

// Frame is the request of one frame to physics: commands, and after them steps.
type Frame struct {
	// After is the tick after which the commands are applied. Physics applies them when the
	// step to that tick is done, before the next step.
	After uint64
	// Demand is the tick that physics must reach. Because it is a tick, and not a number of
	// steps, physics may handle several frames together.
	Demand uint64
	// Ahead is the tick up to which physics predicts, see physicsloop.Predictor. With 0
	// physics predicts nothing, and drops earlier predictions.
	Ahead uint64
	// Needs is the tick whose state this frame waits for, or the next frame needs. If
	// commands change predicted states, physics computes this state first.
	Needs uint64
	// Again says that the forces of the frame before act in the steps of this frame, too,
	// because these steps were predicted with the same forces.
	Again bool
	// Repredict says that physics must predict the steps ahead again, up to Needs at once. The
	// length of the steps has changed, or the exchange no longer has the state that the frame
	// needs.
	Repredict bool
	// Dt is the length of a step, s.
	Dt float64
	// Commands is the number of records in the command log up to the end of this frame's
	// commands.
	Commands uint64
	// Still says that no time passes in this frame. Then a body that is created is shown at
	// its place at once.
	Still bool
	// Remainder is the remainder of the clock after this frame. Recordings store it.
	Remainder Remainder
}

// Demand is the queue of frames that the render side requests. One bell announces steps,
// commands and the end. One atomic word publishes a frame's commands together with its
// steps, so physics cannot see the commands without the steps, or the steps without the
// commands.
//
// Physics does the demanded steps, and predicts as far as Frame.Ahead. It sleeps when
// there is nothing to do. The clock limits how far physics can be behind.
//
// A Demand must be created with NewDemand and must not be copied.
type Demand struct {
	frames *Log[Frame]

	// posted is the number of posted frames. Post stores it after it has written the frame
	// and its commands. Physics loads it before it reads them.
	posted atomic.Uint64

	// limit is the last tick to which physics may step. If all bits are 1 there is no limit.
	// A simulated clock moves the limit, until RemoveLimit.
	limit atomic.Uint64

	// Physics reads quit before posted. In the other order it could drop a frame that was
	// posted just before the call of Quit.
	quit atomic.Bool

	bell bell // wakes physics
}

// unlimited is the value of limit after RemoveLimit: there is no limit, and SetLimit does not
// change that.
const unlimited = ^uint64(0) - 1

// NewDemand returns an empty demand without a limit.
func NewDemand() *Demand {
	d := &Demand{frames: NewLog[Frame](), bell: newBell()}
	d.limit.Store(^uint64(0))
	return d
}

// Post publishes a frame and wakes physics. It returns the number of frames posted so
// far. Only the render side may call it.
func (d *Demand) Post(f Frame) uint64 {
	d.frames.Append(f)
	n := d.frames.Count()
	d.posted.Store(n)
	d.Ring()
	return n
}

// Posted is the number of frames posted so far. Any goroutine may call it.
func (d *Demand) Posted() uint64 { return d.posted.Load() }

// SetLimit allows physics to step up to and including the tick, and wakes physics. After
// RemoveLimit it does nothing. Only the render side may call it.
func (d *Demand) SetLimit(tick uint64) {
	l := d.limit.Load()
	if l != tick && l != unlimited && d.limit.CompareAndSwap(l, tick) { // RemoveLimit may come in between
		d.Ring()
	}
}

// RemoveLimit removes the limit for good. On a simulated clock, call it before Quit. Then a
// frame in progress can no longer keep physics from the demanded steps. Any goroutine may
// call it.
func (d *Demand) RemoveLimit() {
	d.limit.Store(unlimited)
	d.Ring()
}

// Limit is the last tick to which physics may step. Any goroutine may call it.
func (d *Demand) Limit() uint64 { return d.limit.Load() }

// Ring wakes physics. If physics is not asleep, its next Wait does not block. Any
// goroutine.
func (d *Demand) Ring() { d.bell.ring() }

// Quit asks physics to stop when it has done all posted frames. Any
// goroutine.
func (d *Demand) Quit() {
	d.quit.Store(true)
	d.Ring()
}

// Next returns the oldest unfinished frame, or nil if there is none, and whether Quit was
// called. Only physics may call it.
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
