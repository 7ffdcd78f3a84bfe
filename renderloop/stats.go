package renderloop

// Stats are the loop's counters since it was made.
type Stats struct {
	Frames uint64
	// Held counts frames whose picture had to wait at the newest state because
	// physics was late.
	Held uint64
	// Backward counts frames that showed an earlier instant than the frame
	// before. It is 0, whatever physics does.
	Backward uint64
	// MaxBacklog is the most ticks that were demanded and not done.
	MaxBacklog uint64
	// RealNanos is the sum of all frame times, ns.
	RealNanos int64
	// Lag is how far the shown instant trails the clock now, beyond the one
	// frame of Pipelined, in ticks.
	Lag float64
}

// Stats returns the counters.
func (l *Loop[S, E, C]) Stats() Stats { return l.stats }
