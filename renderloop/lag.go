package renderloop

// The lag changes by at most these fractions of the instant's own advance, so
// that a change of lag never makes the instant stand still or go back.
const (
	lagGrow   = 1.0 / 8
	lagShrink = 1.0 / 64

	// maxLag is the greatest lag in ticks. The exchange keeps only the newest two
	// pairs.
	maxLag = 1.0

	// peakWindow is the time for which a peak is remembered, in nanoseconds.
	peakWindow = 1_000_000_000
)

// peak is the greatest of some values in this window and in the last one.
type peak struct {
	now, before float64
	left        int64 // ns until the window ends
}

// observe takes the value of a frame of ns nanoseconds, and returns the greatest.
func (p *peak) observe(value float64, ns int64) float64 {
	if p.left -= ns; p.left <= 0 {
		p.before, p.now, p.left = p.now, 0, peakWindow
	}
	p.now = max(p.now, value)
	return max(p.now, p.before)
}

func (p *peak) scale(f float64) { p.now, p.before = p.now*f, p.before*f }

// lag is the distance, in ticks, of the shown instant behind the clock, beyond
// the one frame of Pipelined. A step that costs more than a frame is not done when
// the next frame draws. Without more lag, bodies would stand still in that frame
// and jump in the next.
type lag struct {
	ticks float64
	need  peak
}

// update adapts the lag in one frame. need is how far the instant without lag
// would be beyond the newest state, in ticks. advance is how far the instant
// moves in this frame apart from the lag, in ticks. ns is the frame time.
func (l *lag) update(need, advance float64, ns int64) {
	target := l.need.observe(min(max(need, 0), maxLag), ns)
	if target > l.ticks {
		l.ticks = min(target, l.ticks+lagGrow*advance)
	} else {
		l.ticks = max(target, l.ticks-lagShrink*advance)
	}
}

// held accounts for a frame that was held at the newest state while the instant
// was excess ticks beyond it. The lag may grow by that much without a visible
// effect.
func (l *lag) held(excess float64) {
	l.ticks = min(l.ticks+excess, max(l.ticks, l.need.now, l.need.before))
}
