package clock

import "math/bits"

const (
	// A grid is looked for in the newest gridFrames frame times, a display with
	// a known interval in the newest knownFrames.
	gridFrames, knownFrames = 56, 24
	// Grids are as fine as 1 kHz and as coarse as 10 Hz.
	minInterval, maxInterval = second / 1000, second / 10
	// tuneAfter is how many intervals it takes until the interval is corrected.
	tuneAfter = 64
	// memory is over how many frames the grid's averages reach.
	memory = 32
)

// frameGrid is the grid on which frames start: every interval, but measured
// early or late. The zero value is none.
//
// Where no frame has been missed the clock advances by the interval and nothing
// else. It stays as far from real time as it is while that is less than an
// eighth of an interval: a constant difference is not seen, a correction is,
// and one that comes and goes makes 0 and 2 steps of a frame where a step ends.
type frameGrid struct {
	interval int64 // ns
	phase    int64 // the mean of the residue, ns
	noise    int64 // the mean deviation from it, ns
	slewing  bool  // phase is being brought back to 0

	late   uint16 // bits, the newest lowest: frames out of place
	missed uint16 // and frames that came one or more intervals late

	// Since the interval was last corrected:
	start     int64 // phase then
	slewed    int64 // what slewing took off phase
	intervals int64
}

// settle starts anew at phase 0: all of the residue has been handed on.
func (g *frameGrid) settle() {
	g.phase, g.slewing = 0, false
	g.measure()
}

func (g *frameGrid) measure() { g.start, g.slewed, g.intervals = g.phase, 0, 0 }

// onGrid advances by whole intervals. It returns false where frames do not keep
// to the grid (any more).
func (p *Pacer) onGrid(ns int64) (int64, bool) {
	g := &p.grid
	due := p.residue - g.phase
	off := due - g.interval
	g.late <<= 1
	g.missed <<= 1
	// A frame may take several refreshes of a known display, and then come one
	// refresh late.
	refresh := g.interval / max(intervalsIn(g.interval, p.refresh()), 1)
	if magnitude(off) > refresh*3/8 {
		g.late |= 1
		if g.late&7 == 7 {
			if p.recent.farRun(g.interval) >= lasting {
				p.restart(lasting)
			}
			return 0, false
		}
		// Where only the start is far off, or only the frame time, it is a late
		// wake-up or the frame after it.
		if magnitude(off) > refresh*5/8 && magnitude(ns-g.interval) > refresh/2 {
			g.missed |= 1
			if bits.OnesCount16(g.missed) > oddAllowed {
				return 0, false
			}
			return p.refreshes(due, refresh), true
		}
		if off < 0 && farFrom(ns, g.interval) {
			g.settle()
			return p.whole(), true
		}
	}
	g.follow(off)
	if magnitude(g.phase) > g.interval/8 && !g.slewing {
		if g.intervals < tuneAfter && magnitude(g.phase-g.start) > g.interval/8 {
			return 0, false
		}
		g.slewing = true
	}
	p.tune()
	return g.interval + g.slew(), true
}

// refreshes returns the time of as many refreshes as are due, or all that is
// owed where that is no whole number of them.
func (p *Pacer) refreshes(due, refresh int64) int64 {
	g := &p.grid
	time := intervalsIn(due, refresh) * refresh
	if time <= 0 || magnitude(due-time) > min(g.interval/32+4*g.noise, refresh*3/8) {
		g.settle()
		return p.whole()
	}
	g.intervals += time / g.interval
	return time
}

// follow averages. One that is very late moves it no more
// than one that is somewhat late: threads wake up late, never early.
func (g *frameGrid) follow(off int64) {
	g.noise += (magnitude(off) - g.noise) / memory
	g.phase += min(max(off, -g.interval/8), g.interval/8) / memory
	g.intervals++
}

// slew brings phase back to 0 by no more than a thousandth of an interval per
// frame, and returns by how much.
func (g *frameGrid) slew() int64 {
	if !g.slewing {
		return 0
	}
	by := min(max(g.phase, -g.interval/1024), g.interval/1024)
	g.phase -= by
	g.slewed += by
	g.slewing = magnitude(g.phase) > g.interval/64
	return by
}

// tune corrects the interval once phase has drifted by more than noise can.
func (p *Pacer) tune() {
	g := &p.grid
	drift := g.phase + g.slewed - g.start
	if g.intervals < tuneAfter || magnitude(drift) < max(2*g.noise, g.interval/64) {
		return
	}
	n := g.intervals - memory // an average lags behind what it averages
	g.interval = p.nominal(g.interval+drift/n, g.noise/n+1)
	g.measure()
}

// nominal returns the interval that a display nominally has, if one is within
// the tolerance of the estimate, so that increments are exact and not just
// constant: that of the known display, or a whole number of Hz, or of half Hz (a
// frame that takes two refreshes).
func (p *Pacer) nominal(estimate, tolerance int64) int64 {
	hz, halfHz := intervalsIn(second, estimate), intervalsIn(2*second, estimate)
	candidates := [...]int64{intervalsIn(second, hz), intervalsIn(2*second, halfHz)}
	if k := intervalsIn(estimate, p.refresh()); k > 0 {
		candidates = [...]int64{k * p.refresh(), k * p.refresh()}
	}
	for _, v := range candidates {
		if magnitude(v-estimate) <= tolerance {
			return v
		}
	}
	return estimate
}

// refresh is Refresh, or 0 where that is none.
func (p *Pacer) refresh() int64 {
	if p.Refresh < minInterval || p.Refresh > maxInterval {
		return 0
	}
	return p.Refresh
}

// intervalsIn is how many intervals make up the time, to the nearest.
func intervalsIn(ns, interval int64) int64 {
	if interval <= 0 {
		return 0
	}
	return (ns + interval/2) / interval
}

// findGrid looks for a grid in the newest frame times, for the frame that ends
// with the given residue.
func (p *Pacer) findGrid(residue int64) {
	typical := p.recent.middle(wideWindow)
	if typical < minInterval || typical > maxInterval {
		return
	}
	fit, n := gridFit{}, gridFrames
	if k := intervalsIn(typical, p.refresh()); k > 0 && magnitude(typical-k*p.refresh()) < typical/32 {
		typical, n, fit.known = k*p.refresh(), knownFrames, true
	}
	if p.recent.n < n || !fit.over(&p.recent, n, typical) {
		return
	}
	interval := typical + fit.slope
	if !fit.known {
		// Three standard deviations of a slope through n points.
		interval = p.nominal(interval, 3*squareRoot(12*fit.variance/int64(n*n*n))+10)
	}
	phase := residue - fit.last
	if magnitude(phase) > interval/12 {
		return // let the pull bring it closer first
	}
	p.grid = frameGrid{interval: interval, noise: squareRoot(fit.variance), phase: phase}
	p.grid.measure()
}
