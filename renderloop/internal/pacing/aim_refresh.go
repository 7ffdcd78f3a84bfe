package pacing

import (
	"math"
	"math/bits"
)

const (
	// refreshSample is the number of present times from which the refreshes are first estimated.
	// toldSample is this number for a display that reports the period.
	refreshSample, toldSample = 32, 8
	// maxStray is the greatest number of the last 32 present times that may be far from a refresh.
	maxStray = 4
)

// refreshes are the times of a display's refreshes, estimated from present times. Times are
// nanoseconds in float64, which is exact enough for months.
type refreshes struct {
	locked bool
	period float64 // ns
	last   float64 // the time of a recent refresh, in ns
	noise  float64 // the mean square distance between present times and refreshes, in ns²
	stray  uint32  // a bit for each present time, set if it was far from a refresh; the lowest bit is the newest time

	sample [refreshSample]float64 // the present times from which the refreshes are estimated
	n      int                    // the number of elements of sample that are set
}

// observe updates the refreshes from the time at which a frame was seen. The parameter period is
// the time between two refreshes if the display or its driver reports this time, or 0.
func (r *refreshes) observe(seen, period float64) {
	if !r.locked {
		r.collect(seen, period)
		return
	}
	k := math.Round((seen - r.last) / r.period)
	off := seen - r.last - k*r.period
	r.stray <<= 1
	if k < 1 || math.Abs(off) > r.period/4 {
		if r.stray |= 1; bits.OnesCount32(r.stray) > maxStray {
			*r = refreshes{}
		}
		return
	}
	r.noise += (off*off - r.noise) / 32
	r.last += k*r.period + off/8
	r.period += off / (64 * max(k, 2))
}

// collect records present times until there are enough to find the refreshes in them.
func (r *refreshes) collect(seen, period float64) {
	if r.n > 0 && seen <= r.sample[r.n-1] {
		r.n = 0
	}
	r.sample[r.n] = seen
	if r.n++; r.n < refreshSample && (period == 0 || r.n < toldSample) {
		return
	}
	sample := r.sample[:r.n]
	shortest := math.Inf(1)
	for i := range sample[1:] {
		shortest = min(shortest, sample[i+1]-sample[i])
	}
	r.n = 0
	guesses := [...]float64{shortest, shortest / 2, shortest / 3}
	if period > 0 {
		guesses = [...]float64{period, period, period}
	}
	for _, guess := range guesses {
		if guess >= float64(minInterval)/2 && guess <= float64(maxInterval) && r.fit(sample, guess) {
			return
		}
	}
}

// fit finds refreshes with about the given period to which the present times are close. It returns
// false if there are no such refreshes.
func (r *refreshes) fit(sample []float64, period float64) bool {
	first := sample[0]
	for range 2 { // the second time with the corrected period
		var n, at, off, atAt, atOff float64
		for _, seen := range sample {
			k := math.Round((seen - first) / period)
			d := seen - first - k*period
			n, at, off, atAt, atOff = n+1, at+k, off+d, atAt+k*k, atOff+k*d
		}
		slope := (n*atOff - at*off) / (n*atAt - at*at)
		phase := (off - slope*at) / n
		square := 0.
		for _, seen := range sample {
			k := math.Round((seen - first) / period)
			d := seen - first - k*period - phase - slope*k
			if math.Abs(d) > period/8 {
				return false
			}
			square += d * d / n
		}
		period += slope
		k := math.Round((sample[len(sample)-1] - first - phase) / period)
		r.period, r.last, r.noise = period, first+phase+k*period, square
	}
	r.locked, r.stray = true, 0
	return true
}

// nearest returns the time of the refresh that is nearest to the time t.
func (r *refreshes) nearest(t float64) float64 {
	return r.last + math.Round((t-r.last)/r.period)*r.period
}

// after returns the time of the first refresh that is not before the time t.
func (r *refreshes) after(t float64) float64 {
	return r.last + math.Ceil((t-r.last)/r.period)*r.period
}

// plausible reports whether a display with the given refresh interval can have these
// refreshes. interval is in ns, and 0 if it is unknown. A compositor may show frames only
// at every second, third or fourth refresh.
func (r *refreshes) plausible(interval int64) bool {
	if interval < minInterval || interval > maxInterval {
		return true
	}
	k := math.Round(r.period / float64(interval))
	return k >= 1 && k <= 4 && math.Abs(r.period-k*float64(interval)) < .03*r.period
}
