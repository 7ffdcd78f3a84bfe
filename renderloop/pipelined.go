package renderloop

import "halfstep/renderloop/clock"

const (
	// A frame counts as late if it advances the clock by at least lateFrame times as much as the
	// frame before.
	lateFrame = 1.8

	// The lag changes by at most these fractions of the advance of the instant, so that a change of
	// the lag never stops the instant or turns it back.
	lagGrow   = 1.0 / 8
	lagShrink = 1.0 / 64

	// maxLag is the greatest lag, ticks. It is limited because the exchange has only the newest two
	// pairs.
	maxLag = 1.0

	// peakWindow is the time for which a peak is remembered, ns.
	peakWindow = 1_000_000_000
)

// pipelined is a frame of Pipelined. Its instant is behind the clock by a frame and by the lag:
// it is the clock's instant of the frame before, D[N-1] - 1 + a[N-1], minus the lag. D is the
// demanded tick, and a the clock's remainder. RunAhead uses this kind of frame in a pause, and
// with a simulation that cannot predict.
func (l *Loop[S, E, C]) pipelined(ns int64) {
	newest, _ := l.link.Exchange.Peek()
	backlog := l.last.demand - newest
	after, paced := l.clock.Demand(), l.paced()-ns
	advanced := l.advance(ns, backlog)

	l.shown.asked, l.shown.off = l.last.instant(), 0
	if !l.config.FixedLag {
		l.lag.update(l.beyond(newest), l.last.advance-l.last.overshoot, ns)
		if advanced == 0 && (backlog == 0 || l.clock.Ended()) {
			// otherwise the last tick might never be shown
			l.lag.ticks = max(l.lag.ticks-float64(ns)/1e9/l.clock.Dt(), 0)
		}
	}
	l.takeAim(paced, newest)

	// Take the pair before the demand, because after it physics might publish a newer pair first.
	l.view.Fresh = l.acquireUpTo(l.wanted())
	l.post(after)

	l.last.overshoot = l.overshoot(advanced)
	t := l.position(l.last.overshoot)
	if t > 1 && l.view.Tick > 0 && !l.aimedPast(t) {
		l.lag.held(l.units(t - 1))
	}
	l.show(t, advanced == 0)
	l.last.advance = advanced
}

// beyond is the distance of Pipelined's instant, without lag, from an earlier tick, ticks.
func (l *Loop[S, E, C]) beyond(tick uint64) float64 {
	if l.clock.Alike() {
		return float64(int64(l.last.demand)-int64(tick)) + l.last.alpha - 1
	}
	return l.clock.Between(clock.Instant{Tick: tick, Part: 1}, l.last.instant()) / l.unit
}

// overshoot is the number of ticks by which a paced frame shows a later instant than its own. An
// instant that is a frame behind the clock makes up for a late frame only in the next frame, so
// two frames would be wrong instead of one (TestALateFrameIsMadeUpForAtOnce). Therefore a late
// frame advances at once, as far as its pair of states allows. The instant of the next frame is
// later in any case, so the picture does not go back.
func (l *Loop[S, E, C]) overshoot(advanced float64) float64 {
	t := l.within(l.view.Tick)
	if !l.config.Pacing || l.last.advance <= 0 || advanced < lateFrame*l.last.advance || t >= 1 {
		return 0
	}
	ticks := min(advanced-l.last.advance, 1-t)
	if ticks == 0 {
		return 0
	}
	l.aim.AddOvershoot(ticks * l.nanosPerTick())
	return ticks * (1 - l.aim.Weight()) // the instant that Aim chooses needs no overshoot
}

// lag is the distance, in ticks, of the shown instant behind the clock, beyond the one frame of
// Pipelined. If a step takes longer than a frame, it is not done when the next frame draws.
// Without more lag, bodies would stand still in that frame and jump in the one after it
// (TestMotionIsEvenWhenAStepCostsMoreThanAFrame: 10 ms at 144 fps).
type lag struct {
	ticks float64
	need  peak // how much lag the recent frames have needed, ticks
}

// update adapts the lag in one frame. need is the distance by which the instant without lag is
// beyond the newest state. advance is the distance that this instant moves in this frame. Both
// are in ticks. ns is the frame time.
func (l *lag) update(need, advance float64, ns int64) {
	target := l.need.observe(min(max(need, 0), maxLag), ns)
	if target > l.ticks {
		l.ticks = min(target, l.ticks+lagGrow*advance)
	} else {
		l.ticks = max(target, l.ticks-lagShrink*advance)
	}
}

// held is called for a frame that was held at the newest state while its instant was excess
// ticks beyond that state. The lag may grow by excess without a visible effect.
func (l *lag) held(excess float64) {
	l.ticks = min(l.ticks+excess, max(l.ticks, l.need.now, l.need.before))
}

// peak is the greatest of the values in this window and in the last one.
type peak struct {
	now, before float64 // greatest value of this window and of the last window
	left        int64   // time until the window ends, ns
}

// observe records the value of a frame of ns nanoseconds, and returns the peak.
func (p *peak) observe(value float64, ns int64) float64 {
	if p.left -= ns; p.left <= 0 {
		p.before, p.now, p.left = p.now, 0, peakWindow
	}
	p.now = max(p.now, value)
	return p.greatest()
}

func (p *peak) greatest() float64 { return max(p.now, p.before) }

func (p *peak) scale(f float64) { p.now, p.before = p.now*f, p.before*f }
