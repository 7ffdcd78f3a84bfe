package renderloop

import "halfstep/buffer"

// Seek goes to another tick, of a physicsloop.Jumper. A command that was sent
// just before takes the simulation to the tick before (or to this one, if there
// is none before), and physics steps from there. The clock's remainder becomes
// units/whole of a step.
//
// No time passes in the frames until the seek has arrived, which includes the
// frame that first shows the tick. On the wall clock, but in Lockstep, these frames
// show the picture at hand; otherwise the next frame waits.
func (l *Loop[S, E, C]) Seek(tick uint64, units, whole int64) {
	d := l.link.Demand
	if l.virtual != nil {
		d.SetLimit(max(l.clock.Demand(), tick)) // what was demanded before is done first
	}
	l.start(tick, units, whole)
	l.sent = l.link.Commands.Count()
	carry, step := l.clock.Remainder()
	l.seeking = d.Post(buffer.Frame{
		After: tick, Demand: tick, Dt: l.clock.Dt(), Commands: l.sent, Carry: carry, Step: step,
	})
}

// StartAt begins at another tick than 0, which physics starts with, and with units/whole
// of a step as the clock's remainder. It comes before the first frame.
func (l *Loop[S, E, C]) StartAt(tick uint64, units, whole int64) {
	l.start(tick, units, whole)
	if l.virtual != nil {
		l.virtual.restart(tick, 0)
		l.link.Demand.SetLimit(tick)
	}
}

// start makes the next frame that of a loop that has demanded and shown the tick.
func (l *Loop[S, E, C]) start(tick uint64, units, whole int64) {
	l.clock.Seek(tick, units, whole)
	l.last.demand, l.last.alpha = tick, l.clock.Alpha()
	l.last.advance, l.last.leap, l.lag = 0, 0, lag{}
	l.aim.Reset()
	l.shown.aimed = 0
	l.shown.asked = instant{l.last.demand, l.last.alpha}
}

// arrive shows the tick of a seek once physics is there, and waits for it on request.
func (l *Loop[S, E, C]) arrive(wait bool) {
	v := &l.view
	v.Fresh, v.Demanded = false, 0
	if wait {
		l.link.Await(0, l.seeking)
	}
	if l.link.Frames() < l.seeking {
		return
	}
	if l.virtual != nil {
		l.virtual.restart(l.last.demand, l.seeking)
		l.link.Demand.SetLimit(l.last.demand)
	}
	l.seeking = 0
	v.Epoch++
	l.shown.base, l.shown.t = 0, 0
	v.Fresh = l.acquire()
	l.show(l.within(v.Tick), true)
}
