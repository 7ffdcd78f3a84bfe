package main

import (
	"math"
	"slices"
	"strconv"
	"time"

	"halfstep/renderloop/glrender"
)

const (
	timesKept = 2048 // frames, enough for a 99.9th percentile
	barCount  = 50
	barWidth  = 1.0 // ms; the last bar counts all longer frames too
)

// frameTimes are the times of the last frames and their statistics.
type frameTimes struct {
	ring   [timesKept]float32 // ms
	n      int                // frames in all
	sorted [timesKept]float32
	bars   [barCount]float32 // log2(1 + number of frames)

	mean, p50, p99, p999 float64 // ms
}

func (f *frameTimes) add(d time.Duration) {
	f.ring[f.n%timesKept] = float32(d.Seconds() * 1e3)
	f.n++
}

// sort computes the statistics that are shown.
func (f *frameTimes) sort() {
	n := min(f.n, timesKept)
	if n == 0 {
		return
	}
	list := f.sorted[:n]
	copy(list, f.ring[:n])
	slices.Sort(list)
	f.bars = [barCount]float32{}
	sum := 0.0
	for _, ms := range list {
		f.bars[min(max(int(ms/barWidth), 0), barCount-1)]++
		sum += float64(ms)
	}
	for i := range f.bars {
		f.bars[i] = float32(math.Log2(1 + float64(f.bars[i])))
	}
	f.mean = sum / float64(n)
	f.p50, f.p99, f.p999 = percentile(list, .5), percentile(list, .99), percentile(list, .999)
}

// percentile is the nearest-rank percentile of a sorted list; part is 0.99 for
// the 99th.
func percentile(sorted []float32, part float64) float64 {
	i := int(math.Ceil(part*float64(len(sorted)))) - 1
	return float64(sorted[min(max(i, 0), len(sorted)-1)])
}

// bars draws the histogram of frame times. Heights are logarithmic, so that a
// single late frame can be seen.
func (t *timeline) bars(c *glrender.HUD, x, y, wide, tall float32) {
	f := &t.times
	c.Rect(x, y, wide, tall, laneColour)
	top := float32(math.Log2(1 + float64(min(max(f.n, 1), timesKept))))
	c.Bars(x, y, wide, tall, f.bars[:], top, frameColour)
	for _, p := range [...]struct {
		ms  float64
		col colour
	}{{f.p50, dimColour}, {f.p99, stepColour}, {f.p999, badColour}} {
		at := x + wide*float32(min(p.ms/(barCount*barWidth), 1))
		c.Rect(at, y, 1, tall, p.col)
	}
	b := append(t.text[:0], "p50 "...)
	b = appendShort(b, f.p50)
	b = append(b, "  p99 "...)
	b = appendShort(b, f.p99)
	b = append(b, "  p99.9 "...)
	b = appendShort(b, f.p999)
	c.TextBytes(x, y+tall+padding, frameColour, b)
	b = append(b[:0], "ms, 0 to 50, "...)
	b = strconv.AppendInt(b, int64(min(f.n, timesKept)), 10)
	b = append(b, " frames"...)
	c.TextBytes(x, y+tall+padding+glrender.LineHeight, dimColour, b)
	t.text = b
}

// appendShort writes milliseconds without their unit.
func appendShort(b []byte, ms float64) []byte {
	if ms < 100 {
		return strconv.AppendFloat(b, ms, 'f', 1, 64)
	}
	return strconv.AppendFloat(b, ms, 'f', 0, 64)
}
