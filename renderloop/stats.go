package renderloop

// Stats are the loop's counters since it was made.
type Stats struct {
	// Loop names the loop that replaces this one; it is empty for this one.
	Loop   string
	Frames uint64
	// Held counts frames whose picture had to stay at the newest state because
	// physics was late.
	Held uint64
	// Backward counts frames that showed an earlier instant than the frame
	// before. It stays 0, whatever physics does.
	Backward uint64
	// Demanded is the number of steps demanded.
	Demanded uint64
	// Waited counts the steps that physics had to wait for. The loop does not
	// know it; the engine fills it in.
	Waited uint64
	// MaxBacklog is the largest number of steps so far that were demanded and
	// not yet done.
	MaxBacklog uint64
	// RealNanos is the sum of all frame times, in nanoseconds.
	RealNanos int64
	// Lag is how far the shown instant trails the clock now, beyond the one
	// frame of Pipelined, in ticks.
	Lag float64
	// DroppedEvents counts events that were not taken in time; see
	// MaxPendingEvents.
	DroppedEvents uint64
}

// MaxPendingEvents is how many events of earlier frames may wait to be taken. A
// frame drops the oldest beyond that, so that a program that never takes events
// does not collect them for ever. A program that takes all events in every frame
// loses none, however many there are.
const MaxPendingEvents = 1 << 15

// Stats returns the counters as they are now.
func (l *Loop[S, E, C]) Stats() Stats {
	s := l.stats
	s.Demanded = l.clock.Demand()
	return s
}
