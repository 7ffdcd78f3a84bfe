package renderloop

// Stats are the counters of a Loop since New.
type Stats struct {
	Frames uint64
	// Held counts the frames that were held at the newest state because physics
	// was late.
	Held uint64
	// Backward counts the frames that showed an earlier instant than the frame
	// before. It is always 0.
	Backward uint64
	// Demanded is the number of ticks demanded.
	Demanded uint64
	// MaxBacklog is the largest number of ticks that were demanded and not done.
	MaxBacklog uint64
	// RealNanos is the sum of all frame times, ns.
	RealNanos int64
	// Lag is the present distance of the shown instant behind the clock, beyond
	// the one frame of Pipelined, in ticks.
	Lag float64
	// Trail is the part of a frame by which the shown instant trails the clock: 1
	// in Pipelined, 0 in Lockstep, and from 0 to 1 in Auto.
	Trail float64
	// WaitNanos is the time for which the last frame waited for its steps in
	// Auto, ns.
	WaitNanos int64
	// Missed counts the frames that waited in Auto and whose steps were not done
	// within the budget.
	Missed uint64
	// DroppedEvents counts the events that nobody read; see MaxPendingEvents.
	DroppedEvents uint64
}

// MaxPendingEvents is the number of unread events from earlier frames that are
// kept. A frame drops the oldest beyond that number, so that a program that never
// reads events does not collect them for ever. A program that reads all events in
// every frame loses none, however many there are.
const MaxPendingEvents = 1 << 15

// Stats returns the counters.
func (l *Loop[S, E, C]) Stats() Stats {
	s := l.stats
	s.Demanded = l.clock.Demand()
	if l.sync != Lockstep {
		s.Trail = l.auto.trail
	}
	return s
}
