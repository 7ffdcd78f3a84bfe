package renderloop

// The lag changes by at most these fractions of the instant's own advance, so
// that a change of lag never makes the instant stand still or go back.
const (
	lagGrow   = 1.0 / 8
	lagShrink = 1.0 / 64

	// maxLag is the greatest lag in ticks. The exchange keeps only the newest two
	// pairs.
	maxLag = 1.0

	// lagWindow is the time for which a need is remembered, in nanoseconds.
	lagWindow = 1_000_000_000
)

// lag is the distance, in ticks, of the shown instant behind the clock, beyond
// the one frame of Pipelined. A step that costs more than a frame is not done when
// the next frame draws. Without more lag, bodies would stand still in that frame
// and jump in the next.
type lag struct {
	ticks float64

	// need and before are the greatest needs in this window and the last one.
	need, before float64
	left         int64 // ns until the window ends
}

// update adapts the lag in one frame. need is how far the instant without lag
// would be beyond the newest state, in ticks. advance is how far the instant
// moves in this frame apart from the lag, in ticks. ns is the frame time.
func (l *lag) update(need, advance float64, ns int64) {
	need = min(max(need, 0), maxLag)
	l.left -= ns
	if l.left <= 0 {
		l.before, l.need, l.left = l.need, 0, lagWindow
	}
	l.need = max(l.need, need)
	target := max(l.need, l.before)
	switch {
	case target > l.ticks:
		l.ticks = min(target, l.ticks+lagGrow*advance)
	default:
		l.ticks = max(target, l.ticks-lagShrink*advance)
	}
}

// end reduces the lag by the ticks that pass in this frame, after the clock has
// reached its last tick. Otherwise that tick might never be shown.
func (l *lag) end(ticks float64) { l.ticks = max(l.ticks-ticks, 0) }

// held accounts for a frame that was held at the newest state while the instant
// was excess ticks beyond it. The lag may grow by that much without a visible
// effect.
func (l *lag) held(excess float64) {
	l.ticks = min(l.ticks+excess, max(l.ticks, l.need, l.before))
}
