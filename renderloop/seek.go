package renderloop

import "halfstep/buffer"

// Seek shows a given tick of a replay. Before Seek, the caller must send a command that moves the
// simulation to the tick before the given tick, or to the given tick if that is the first tick.
// Physics then steps to the given tick. The clock's remainder becomes r.
//
// No time passes until a frame shows the tick. In Lockstep and on a simulated clock the next frame
// waits for the seek. In all other modes frames show the last picture until the seek is done.
func (l *Loop[S, E, C]) Seek(tick uint64, r buffer.Remainder) {
	d := l.link.Demand
	if l.physics.model != nil {
		d.SetLimit(max(l.clock.Demand(), tick)) // physics first does the steps that were demanded before
	}
	l.start(tick, r)
	l.postedCommands = l.link.Commands.Count()
	l.seeking = d.Post(buffer.Frame{
		After: tick, Demand: tick, Dt: l.clock.Dt(), Commands: l.postedCommands, Remainder: l.clock.Remainder(),
	})
}

// StartAt makes the loop begin at the given tick in place of tick 0, with r as the clock's
// remainder. Physics must start at the same tick. Call StartAt before the first frame.
func (l *Loop[S, E, C]) StartAt(tick uint64, r buffer.Remainder) {
	l.start(tick, r)
	l.physics.restart(tick)
}

// AcquireFirst takes the first states of physics, so that the view has states before the first
// frame. Call AcquireFirst after the start of physics. It makes no events due.
func (l *Loop[S, E, C]) AcquireFirst() { l.acquireUpTo(newestTick) }

// start sets the fields of the loop as if a frame had demanded and shown the tick.
func (l *Loop[S, E, C]) start(tick uint64, r buffer.Remainder) {
	l.clock.Seek(tick, r)
	l.rescale()
	l.last.demand, l.last.alpha = tick, l.clock.Remainder().Fraction()
	l.last.advance, l.last.overshoot, l.lag = 0, 0, lag{}
	l.aim.Reset()
	l.shown.aimed = 0
	l.shown.asked, l.shown.off = l.now(), 0
}

// arrive shows the tick of a seek once physics has reached the tick. If wait is true, and always on
// a simulated clock, arrive waits for physics.
func (l *Loop[S, E, C]) arrive(wait bool) {
	v := &l.view
	v.Fresh, v.Steps = false, 0
	if wait || l.physics.model != nil {
		l.link.Await(0, l.seeking) // waits until physics has done the posted frame
	}
	if l.link.Frames() < l.seeking {
		return
	}
	l.physics.restart(l.last.demand)
	l.seeking = 0
	v.Epoch++
	l.shown.at = start
	v.Fresh = l.acquireUpTo(newestTick)
	l.show(l.position(0), true)
}
