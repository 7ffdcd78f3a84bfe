package clock

import (
	"math"
	"math/bits"
)

const (
	// stall is the frame time from which a frame says nothing about the next
	// ones, in nanoseconds.
	stall = second / 4
	// A frame time is odd that is farFrom times the typical one, or a
	// farFrom-th of it: a hitch or a missed refresh, not jitter.
	farFromNum, farFromDen = 9, 5
	// oddAllowed is how many of the last 16 frame times may be odd. Where there
	// are more, they are what frames are like here.
	oddAllowed = 3
	// lasting is how many odd frame times in a row are a new frame rate.
	lasting = 3
	// maxResidue is the most that stays behind or ahead, in typical frame times.
	maxResidue = 2
)

// Pacer turns measured frame times into even ones without losing time. What is
// shown advances by the frame time that is to be expected of the next frames,
// not by the one that was measured last, and is pulled towards real time by a
// small part of the difference. Where frame times say that frames start on a
// grid, such as the refreshes of a display under vsync, it advances by exactly
// the interval of the grid.
//
// A stall is handed on at once and whole, and so is a missed refresh: neither
// is spread over the frames that follow.
//
// It is causal, counts in whole nanoseconds and loses none: all that went in
// has come out but for Residue. The zero value is ready to use. Pace takes the
// same short time for every frame and does not allocate.
type Pacer struct {
	// Refresh is the time between two refreshes of the display in nanoseconds,
	// 0 if it is not known. It need not be exact (window systems round to whole
	// Hz): it makes the grid known sooner, and tells missed refreshes where a
	// frame takes several.
	Refresh int64

	residue int64
	recent  frameWindow
	rate    frameRate
	odd     uint16 // a bit for each of the last 16 frames, the newest lowest
	grid    frameGrid
}

// Pace takes the measured time of a frame in nanoseconds (a negative one counts
// as none) and returns by how much to advance the clock, which is never
// negative.
func (p *Pacer) Pace(ns int64) int64 {
	ns = max(ns, 0)
	if p.residue > 0 && ns > math.MaxInt64-p.residue {
		return ns
	}
	p.residue += ns
	out := p.advance(ns)
	p.residue -= out
	return out
}

// Residue is the real time that has gone in and not come out yet, in
// nanoseconds. It is negative while what came out is ahead.
func (p *Pacer) Residue() int64 { return p.residue }

// Reset forgets all frame times and the residue.
func (p *Pacer) Reset() { *p = Pacer{Refresh: p.Refresh} }

// advance returns how much of the residue, which has the frame's time in it, to
// hand on.
func (p *Pacer) advance(ns int64) int64 {
	if ns > stall {
		p.grid.settle()
		return p.whole()
	}
	if ns == 0 && p.recent.n == 0 {
		return p.whole() // a first frame takes no time
	}
	p.recent.push(ns)
	p.rate.learn(ns, &p.recent)
	if p.grid.interval > 0 {
		if out, ok := p.onGrid(ns); ok {
			return out
		}
		p.grid = frameGrid{}
		p.odd = 0
	}
	out := p.even(ns)
	p.findGrid(p.residue - out)
	return out
}

// whole is all that is owed.
func (p *Pacer) whole() int64 { return max(p.residue, 0) }

// even advances by the expected frame time and a part of the residue.
func (p *Pacer) even(ns int64) int64 {
	if p.recent.n < 4 {
		return p.whole()
	}
	typical := p.recent.middle(wideWindow)
	p.odd <<= 1
	if farFrom(ns, typical) {
		p.odd |= 1
		if run := p.recent.farRun(typical); run >= lasting {
			p.restart(run)
			return p.whole()
		}
		if bits.OnesCount16(p.odd) <= oddAllowed || ns > 4*typical {
			return p.whole()
		}
	}
	expected, pull := p.rate.expected()
	out := expected + (p.residue-expected)/pull
	// However wrong the expectation, the residue stays within bounds.
	most := maxResidue * typical
	return max(min(max(out, p.residue-most), p.residue+most), 0)
}

// restart forgets all but the newest n frame times: the frame rate has changed.
func (p *Pacer) restart(n int) {
	p.recent.n = n
	p.odd = 0
	p.rate = frameRate{}
	p.rate.learn(p.recent.at(0), &p.recent)
}

func farFrom(ns, typical int64) bool {
	return ns*farFromDen > typical*farFromNum || ns*farFromNum < typical*farFromDen
}

func magnitude(v int64) int64 { return max(v, -v) }
