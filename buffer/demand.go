package buffer

import "halfstep/internal/atomic"

// Frame is what the render side asks for in one frame: commands, then steps.
type Frame struct {
	// After is the tick that the commands follow: they are applied once it is
	// done and before the next step.
	After uint64
	// Demand is the tick to reach. It is absolute, so nothing is lost when
	// several frames are picked up together.
	Demand uint64
	// Dt is seconds per step.
	Dt float64
	// Commands is how many records of the command log belong to this frame or
	// to earlier ones.
	Commands uint64
	// Carry is the clock's remainder after this frame, as a fraction of a
	// step: Carry/Step. Recordings keep it.
	Carry, Step int64
}

// Demand is what the render side wants done, in order, with one doorbell for
// everything: steps, commands and quitting. One word publishes a frame's
// commands together with its steps, so physics can not see one without the
// other.
//
// Physics only runs what was demanded: with nothing to do it sleeps, and no
// backlog can outgrow what the clock allows.
//
// A Demand must be created with NewDemand and must not be copied.
type Demand struct {
	frames *Log[Frame]

	// posted is the number of frames. Its store follows the writes to the
	// frame and to its commands, physics' load comes before reading them.
	posted atomic.Uint64

	// limit is the tick beyond which physics may not step yet; all ones means
	// no limit. An injected clock moves it.
	limit atomic.Uint64

	// quit is read before posted: the other way round, work posted just before
	// quitting would be dropped.
	quit atomic.Bool

	bell bell // wakes physics
}

// NewDemand returns a demand of nothing, without a limit.
func NewDemand() *Demand {
	d := &Demand{frames: NewLog[Frame](), bell: newBell()}
	d.limit.Store(^uint64(0))
	return d
}

// Post publishes a frame and rings. It returns the number of frames posted so
// far. Render side only.
func (d *Demand) Post(f Frame) uint64 {
	d.frames.Append(f)
	n := d.frames.Count()
	d.posted.Store(n)
	d.Ring()
	return n
}

// Posted is the number of frames posted so far. Any goroutine.
func (d *Demand) Posted() uint64 { return d.posted.Load() }

// SetLimit lets physics step up to and including the tick, and rings. Any
// goroutine.
func (d *Demand) SetLimit(tick uint64) {
	if d.limit.Load() != tick {
		d.limit.Store(tick)
		d.Ring()
	}
}

// Limit is the tick up to which physics may step.
func (d *Demand) Limit() uint64 { return d.limit.Load() }

// Ring wakes physics, or keeps it from falling asleep. Any goroutine.
func (d *Demand) Ring() { d.bell.ring() }

// Quit asks physics to stop once what was posted before is done.
func (d *Demand) Quit() {
	d.quit.Store(true)
	d.Ring()
}

// Next returns the oldest frame not yet done, or nil, and whether to quit when
// there is none. Physics only.
func (d *Demand) Next() (f *Frame, quit bool) {
	quit = d.quit.Load()
	return d.frames.Peek(d.posted.Load()), quit
}

// Quitting reports whether Quit was called. Physics only.
func (d *Demand) Quitting() bool { return d.quit.Load() }

// Done drops the frame that Next returned. Physics only.
func (d *Demand) FinishFrame() { d.frames.Take() }

// Wait sleeps until the bell rings. Physics only.
func (d *Demand) Wait() { d.bell.wait() }
