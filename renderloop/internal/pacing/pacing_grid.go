package pacing

import "math/bits"

const (
	// A grid is searched for in the newest gridFrames frame times. If the display's interval is known,
	// knownFrames are enough.
	gridFrames, knownFrames = 56, 24
	// A grid has between 10 Hz and 1 kHz.
	minInterval, maxInterval = second / 1000, second / 10
	// tuneAfter is the number of intervals after which the interval is corrected.
	tuneAfter = 64
	// memory is the number of frames in the averages of the grid.
	memory = 32
)

// frameGrid is a grid of times at which frames start. There is one start in each interval, and it
// is measured a little early or late. The zero frameGrid means that there is no grid.
//
// Unless a refresh was missed, the clock advances by exactly the interval. It leaves a difference
// from real time of less than an eighth of an interval. A constant difference is invisible, but a
// correction is visible, and corrections in both directions near the end of a step would make
// frames of 0 and 2 steps.
type frameGrid struct {
	interval int64 // ns
	phase    int64 // the mean of the residue, ns
	noise    int64 // the mean deviation from phase, ns
	slewing  bool  // phase is moving back to 0

	// A bit for each frame; the lowest bit is the newest frame:
	late   uint16 // the frame was not on the grid
	missed uint16 // the frame was one or more intervals late

	// Since the last correction of the interval:
	start     int64 // phase at that time
	slewed    int64 // the sum of the corrections by slew
	intervals int64
}

// settle makes the phase 0 again, after an advance by all of the residue.
func (g *frameGrid) settle() {
	g.phase, g.slewing = 0, false
	g.measure()
}

// measure starts to measure how fast phase drifts.
func (g *frameGrid) measure() { g.start, g.slewed, g.intervals = g.phase, 0, 0 }

// onGrid advances by whole intervals. It returns false if frames are no longer on the grid.
func (p *Pacer) onGrid(ns int64) (int64, bool) {
	g := &p.grid
	due := p.residue - g.phase
	off := due - g.interval
	g.late <<= 1
	g.missed <<= 1
	// on a known display a frame may take several refreshes, and may miss a single one of them
	refresh := g.interval / max(intervalsIn(g.interval, p.refresh()), 1)
	if magnitude(off) > refresh*3/8 {
		g.late |= 1
		if g.late&7 == 7 {
			if p.recent.farRun(g.interval) >= lasting {
				p.restart(lasting)
			}
			return 0, false
		}
		// If either the start or the frame time is far from the expected one, but not both, the thread woke
		// up late in this frame or in the one before.
		if magnitude(off) > refresh*5/8 && magnitude(ns-g.interval) > refresh/2 {
			g.missed |= 1
			if bits.OnesCount16(g.missed) > maxOutliers {
				return 0, false
			}
			return p.refreshes(due, refresh), true
		}
		if off < 0 && farFrom(ns, g.interval) {
			g.settle()
			return p.wholeResidue(), true
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

// refreshes returns a whole number of refreshes near due, as a time. If due is not close to a whole
// number, it returns all of the residue.
func (p *Pacer) refreshes(due, refresh int64) int64 {
	g := &p.grid
	time := intervalsIn(due, refresh) * refresh
	if time <= 0 || magnitude(due-time) > min(g.interval/32+4*g.noise, refresh*3/8) {
		g.settle()
		return p.wholeResidue()
	}
	g.intervals += time / g.interval
	return time
}

// follow updates the averages with the offset of a start. A very late start counts less, because
// threads wake up late but never early.
func (g *frameGrid) follow(off int64) {
	g.noise += (magnitude(off) - g.noise) / memory
	g.phase += min(max(off, -g.interval/8), g.interval/8) / memory
	g.intervals++
}

// slew moves phase towards 0, by at most a thousandth of an interval in a frame. It returns the
// distance moved.
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

// tune corrects the interval when phase has drifted by more than the noise explains.
func (p *Pacer) tune() {
	g := &p.grid
	drift := g.phase + g.slewed - g.start
	if g.intervals < tuneAfter || magnitude(drift) < max(2*g.noise, g.interval/64) {
		return
	}
	n := g.intervals - memory // the average lags behind
	g.interval = p.nominal(g.interval+drift/n, g.noise/n+1)
	g.measure()
}

// nominal returns the nominal interval of a display, if one is within the tolerance of the estimate, so
// that advances are exact. A nominal interval is a multiple of the known display's interval, or that of
// a whole number of Hz, or that of half such a number (for frames that take two refreshes).
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

// refresh is the field Refresh, or 0 if that is out of range.
func (p *Pacer) refresh() int64 {
	if p.Refresh < minInterval || p.Refresh > maxInterval {
		return 0
	}
	return p.Refresh
}

// intervalsIn is the number of intervals in a time, rounded to the nearest whole number.
func intervalsIn(ns, interval int64) int64 {
	if interval <= 0 {
		return 0
	}
	return (ns + interval/2) / interval
}

// findGrid searches for a grid in the newest frame times. residue is the residue
// after this frame.
func (p *Pacer) findGrid(residue int64) {
	typical := p.recent.wide
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
		return // even first makes the residue smaller
	}
	p.grid = frameGrid{interval: interval, noise: squareRoot(fit.variance), phase: phase}
	p.grid.measure()
}
