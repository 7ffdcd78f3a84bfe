package renderloop

// Limits of how fast the lag changes, as parts of the instant's own advance, so
// that it never stands still or goes backwards because of it.
const (
	lagGrow   = 1.0 / 8
	lagShrink = 1.0 / 64

	// maxLag is the most that the instant may trail beyond one frame, in
	// ticks: the exchange keeps the pair in hand and the newest pair, no more.
	maxLag = 1.0

	// lagWindow is how long a need is remembered, in nanoseconds.
	lagWindow = 1_000_000_000
)

// lag is how far the shown instant trails the clock beyond the one frame that
// Pipelined always does, in ticks. A step that costs more than a frame is not
// there when the next frame draws; without more lag bodies would stand still
// for that frame and jump in the next.
type lag struct {
	ticks float64

	// The greatest need in this window and in the one before it.
	need, before float64
	left         int64 // ns until the window ends
}

// update follows what a frame saw. need is how far, in ticks, the instant at
// no extra lag would be beyond the newest state; advance is how far the instant
// moves on in this frame but for the lag, in ticks, and ns the frame time.
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

// end lets the lag run out at the speed of time, ticks in this frame, once the
// clock has reached its last tick: without it that tick could stay out of sight
// for ever.
func (l *lag) end(ticks float64) { l.ticks = max(l.ticks-ticks, 0) }

// held takes into account that the picture stood at the newest state although
// the instant was excess ticks beyond it: lag up to there costs nothing that
// can be seen.
func (l *lag) held(excess float64) {
	l.ticks = min(l.ticks+excess, max(l.ticks, l.need, l.before))
}

// ahead takes into account that the picture was ticks further than the lag
// asked for, because the pair between was published and replaced between two
// frames. Asking for that lag again would make the motion uneven every other
// frame; frames so long need it less.
func (l *lag) ahead(ticks float64) {
	l.ticks = max(l.ticks-ticks, 0)
	l.need, l.before = min(l.need, l.ticks), min(l.before, l.ticks)
}
