package renderloop

import "halfstep/renderloop/clock"

const (
	// A frame counts as late if its advance of the clock is at least lateFrame times the advance of
	// the frame before.
	lateFrame = 1.8

	// The lag changes in a frame by at most these fractions of the clock's advance, so that the
	// shown instant never stops or goes back because of the lag.
	lagGrow   = 1.0 / 8
	lagShrink = 1.0 / 64

	// maxLag is the greatest lag, in ticks. A greater lag would need an older pair than the two
	// pairs in the exchange.
	maxLag = 1.0

	// peakWindow is the length of a window of a peak, in ns.
	peakWindow = 1_000_000_000
)

// pipelined is a frame of Pipelined. Its instant is the clock's instant of the frame before, D[N-1]
// - 1 + a[N-1] (see the package comment), minus the lag. RunAhead uses such frames in a pause, and
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
			// this reduces the lag, so that the last tick is shown
			l.lag.ticks = max(l.lag.ticks-float64(ns)/1e9/l.clock.Dt(), 0)
		}
	}
	l.takeAim(paced, newest)

	// The pair is taken before the demand, because physics may publish a newer pair after the
	// demand.
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

// beyond returns by how much Pipelined's instant without lag is later than a tick, in ticks.
func (l *Loop[S, E, C]) beyond(tick uint64) float64 {
	if l.clock.Alike() {
		return float64(int64(l.last.demand)-int64(tick)) + l.last.alpha - 1
	}
	return l.clock.Between(clock.Instant{Tick: tick, Part: 1}, l.last.instant()) / l.unit
}

// overshoot returns the number of ticks by which a late frame shows a later instant than its own.
// The instant of Pipelined is one frame behind the clock, so without overshoot the picture would
// make up for the late frame only in the next frame, and two frames would be uneven
// (TestALateFrameIsMadeUpForAtOnce).
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
	return ticks * (1 - l.aim.Weight()) // an instant from pacing.Aim needs no overshoot
}

// lag is the number of ticks by which the shown instant of Pipelined is behind the clock's instant
// of the frame before. It is above 0 if a step takes longer than a frame: without lag, bodies would
// stand still in the frame in which the step is not done, and jump in the next frame
// (TestMotionIsEvenWhenAStepCostsMoreThanAFrame).
type lag struct {
	ticks float64
	need  peak // the lag that recent frames have needed, in ticks
}

// update adapts the lag in one frame. The parameter need is how much later the instant without lag
// is than the newest state, advance is how far this instant moves in the frame (both in ticks), and
// ns is the frame time in ns.
func (l *lag) update(need, advance float64, ns int64) {
	target := l.need.observe(min(max(need, 0), maxLag), ns)
	if target > l.ticks {
		l.ticks = min(target, l.ticks+lagGrow*advance)
	} else {
		l.ticks = max(target, l.ticks-lagShrink*advance)
	}
}

// held updates the lag after a frame that showed the newest state because its instant was excess
// ticks later. So held can increase the lag by excess without a visible effect.
func (l *lag) held(excess float64) {
	l.ticks = min(l.ticks+excess, max(l.ticks, l.need.now, l.need.before))
}

// peak is the greatest of the values that were observed in the present window and in the last
// window.
type peak struct {
	now, before float64 // the greatest values of the present window and of the last window
	left        int64   // the time until the present window ends, in ns
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
