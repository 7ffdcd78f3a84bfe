// Package pacing decides by how much time a frame advances. A Pacer makes measured
// frame times even. An Aim predicts the refresh in which a frame will be seen. A
// Start decides how late a frame may begin.
//
// All three belong to the render thread and depend only on their inputs.
package pacing

import (
	"math"
	"math/bits"
)

const (
	second = 1_000_000_000 // ns

	// A frame that is longer than stall, ns, says nothing about the frames after it.
	stall = second / 4
	// A frame time is an outlier if it differs from the typical one by more than this
	// factor, 9/5. It is then a hitch or a missed refresh, and no jitter.
	farFromNum, farFromDen = 9, 5
	// maxOutliers is how many of the last 16 frame times may be outliers. If there are
	// more, such times are normal for this program.
	maxOutliers = 3
	// lasting is the number of outliers in a row after which the frame rate counts as a
	// new one.
	lasting = 3
	// maxResidue limits the residue, as a multiple of the typical frame time.
	maxResidue = 2
)

// Pacer turns measured frame times into even ones without losing time. It advances
// by the frame time that it expects of the next frames, and in each frame corrects a
// small part of the difference from real time. If frames start on a grid, such as
// the refreshes of a display under vsync, it advances by exactly the interval of the
// grid.
//
// After a very long frame or a missed refresh, the Pacer advances by the full time
// at once. It does not spread the time over the frames that follow.
//
// A Pacer uses only past frames. It counts whole nanoseconds and loses none: the sum
// of its results is the sum of the measured times minus Residue. The zero Pacer is
// ready to use. Pace takes about the same short time for every frame and allocates
// nothing.
type Pacer struct {
	// Refresh is the refresh interval of the display, ns, or 0 if it is unknown. It need
	// not be exact, because window systems round to whole Hz. If the interval is known,
	// the Pacer finds the grid sooner, and recognizes a single missed refresh even if
	// frames take several refreshes.
	Refresh int64

	residue int64 // see Residue
	recent  frameWindow
	rate    frameRate
	// a bit for each of the last 16 frames; the lowest bit is the newest
	outliers uint16
	grid     frameGrid
}

// Pace takes the measured time of a frame, and returns the time by which to advance
// the clock, both in ns. A negative frame time counts as 0. The result is never
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

// Residue is the sum of the measured times minus the sum of the paced times, ns. It
// is negative while the paced time is ahead.
func (p *Pacer) Residue() int64 { return p.residue }

// Reset drops all frame times and the residue.
func (p *Pacer) Reset() { *p = Pacer{Refresh: p.Refresh} }

// advance returns the time by which to advance. The time is a part of the residue,
// which includes the time of the present frame.
func (p *Pacer) advance(ns int64) int64 {
	if ns > stall {
		p.grid.settle()
		return p.wholeResidue()
	}
	if ns == 0 && p.recent.n == 0 {
		return p.wholeResidue() // the first frame takes no time
	}
	p.recent.push(ns)
	p.rate.learn(ns, &p.recent)
	if p.grid.interval > 0 {
		if out, ok := p.onGrid(ns); ok {
			return out
		}
		p.grid = frameGrid{}
		p.outliers = 0
	}
	out := p.even(ns)
	p.findGrid(p.residue - out)
	return out
}

// wholeResidue is all of the residue, for an advance without a rest.
func (p *Pacer) wholeResidue() int64 { return max(p.residue, 0) }

// even returns the expected frame time plus a part of the residue.
func (p *Pacer) even(ns int64) int64 {
	if p.recent.n < 4 {
		return p.wholeResidue()
	}
	typical := p.recent.wide
	p.outliers <<= 1
	if farFrom(ns, typical) {
		p.outliers |= 1
		if run := p.recent.farRun(typical); run >= lasting {
			p.restart(run)
			return p.wholeResidue()
		}
		if bits.OnesCount16(p.outliers) <= maxOutliers || ns > 4*typical {
			return p.wholeResidue()
		}
	}
	expected, pull := p.rate.expected()
	out := expected + (p.residue-expected)/pull
	// Limit the residue even if the expectation is wrong.
	most := maxResidue * typical
	return max(min(max(out, p.residue-most), p.residue+most), 0)
}

// restart drops all frame times except the newest n, because the frame rate has
// changed.
func (p *Pacer) restart(n int) {
	p.recent.n = n
	p.outliers = 0
	p.rate = frameRate{}
	p.rate.learn(p.recent.at(0), &p.recent)
}

// farFrom reports whether a frame time is an outlier.
func farFrom(ns, typical int64) bool {
	return ns*farFromDen > typical*farFromNum || ns*farFromNum < typical*farFromDen
}

func magnitude(v int64) int64 { return max(v, -v) }
