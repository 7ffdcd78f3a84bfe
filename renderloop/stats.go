package renderloop

// Stats are the loop's counters since it was made.
type Stats struct {
	// Loop names the loop that stands in for this one; it is empty for this one.
	Loop   string
	Frames uint64
	// Held counts frames whose picture had to wait at the newest state because
	// physics was late.
	Held uint64
	// Backward counts frames that showed an earlier instant than the frame
	// before. It is 0, whatever physics does.
	Backward uint64
	// Demanded is the number of ticks demanded.
	Demanded uint64
	// Waited counts steps that physics had to wait for, with time to spare. The
	// render side does not know it: it is filled in by who does.
	Waited uint64
	// MaxBacklog is the most ticks that were demanded and not done.
	MaxBacklog uint64
	// RealNanos is the sum of all frame times, ns.
	RealNanos int64
	// Lag is how far the shown instant trails the clock now, beyond the one
	// frame of Pipelined, in ticks.
	Lag float64
	// DroppedEvents counts events that nobody took; see MaxUntaken.
	DroppedEvents uint64
}

// MaxUntaken is how many events wait that were due in an earlier frame and that
// nobody took. Of more than these a frame drops the oldest: a program that never
// asks for events must not collect them for ever. One that takes all of them in
// every frame loses none, however many there are.
const MaxPendingEvents = 1 << 15

// Stats returns the counters.
func (l *Loop[S, E, C]) Stats() Stats {
	s := l.stats
	s.Demanded = l.clock.Demand()
	return s
}
