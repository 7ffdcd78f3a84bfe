package main

import (
	"math"
	"runtime/metrics"
	"strconv"

	"halfstep/renderloop/glrender"
)

// runtimeMetrics are the Go runtime's metrics of garbage collection. They count
// from when the scene was opened. Nearly all allocations are made by physics: a
// frame allocates nothing.
type runtimeMetrics struct {
	samples []metrics.Sample

	cycles, objects, bytes uint64 // since the scene was opened
	pauses                 uint64
	longest, paused        float64 // ms, as exact as the runtime's histogram
	perStep, bytesPerStep  float64 // since the last read

	before      [3]uint64 // cycles, objects, bytes at the start
	counts      []uint64  // of pauses, at the start
	lastTick    uint64
	lastObjects uint64
	lastBytes   uint64
}

var runtimeNames = [...]string{
	"/gc/cycles/total:gc-cycles", "/gc/heap/allocs:objects", "/gc/heap/allocs:bytes",
	"/sched/pauses/total/gc:seconds",
}

func (r *runtimeMetrics) reset() {
	samples := make([]metrics.Sample, len(runtimeNames))
	for i, name := range runtimeNames {
		samples[i].Name = name
	}
	*r = runtimeMetrics{samples: samples}
	metrics.Read(samples)
	for i := range r.before {
		r.before[i] = samples[i].Value.Uint64()
	}
	r.lastObjects, r.lastBytes = r.before[1], r.before[2]
	r.counts = append(r.counts, samples[3].Value.Float64Histogram().Counts...)
}

// read updates the metrics. tick is the newest tick.
func (r *runtimeMetrics) read(tick uint64) {
	metrics.Read(r.samples)
	r.cycles = r.samples[0].Value.Uint64() - r.before[0]
	objects, bytes := r.samples[1].Value.Uint64(), r.samples[2].Value.Uint64()
	r.objects, r.bytes = objects-r.before[1], bytes-r.before[2]
	if steps := tick - r.lastTick; tick > r.lastTick {
		r.perStep = float64(objects-r.lastObjects) / float64(steps)
		r.bytesPerStep = float64(bytes-r.lastBytes) / float64(steps)
		r.lastTick, r.lastObjects, r.lastBytes = tick, objects, bytes
	}
	h := r.samples[3].Value.Float64Histogram()
	r.pauses, r.longest, r.paused = 0, 0, 0
	for i, n := range h.Counts {
		if i < len(r.counts) {
			n -= r.counts[i]
		}
		if n == 0 {
			continue
		}
		low, high := max(h.Buckets[i], 0), h.Buckets[i+1]
		if math.IsInf(high, 1) {
			high = low
		}
		r.pauses += n
		r.paused += float64(n) * (low + high) / 2 * 1e3
		r.longest = high * 1e3
	}
}

// counters writes the counters of the run.
func (t *timeline) counters(c *glrender.HUD, x, y float32, v *viewer) {
	e, m, r := v.player, v.player.Metrics(), &t.runtime
	line := func(b []byte) {
		c.TextBytes(x, y, textColour, b)
		t.text = b
		y += glrender.LineHeight
	}
	b := append(t.text[:0], "held frames "...)
	b = strconv.AppendUint(b, m.HeldFrames, 10)
	b = append(b, "  steps that waited "...)
	b = strconv.AppendUint(b, m.WaitedSteps, 10)
	b = append(b, " of "...)
	b = strconv.AppendUint(b, v.done.Load(), 10)
	line(b)

	b = append(t.text[:0], "backlog "...)
	b = strconv.AppendUint(b, e.Demanded()-min(v.done.Load(), e.Demanded()), 10)
	b = append(b, " (max "...)
	b = strconv.AppendUint(b, m.MaxBacklog, 10)
	b = append(b, ")  dropped "...)
	b = strconv.AppendFloat(b, e.Ledger().Dropped(), 'f', 3, 64)
	b = append(b, " s"...)
	line(b)

	b = append(t.text[:0], "collections "...)
	b = strconv.AppendUint(b, r.cycles, 10)
	b = append(b, "  pauses "...)
	b = strconv.AppendUint(b, r.pauses, 10)
	b = append(b, ", longest "...)
	b = appendMS(b, r.longest)
	b = append(b, ", total "...)
	b = appendMS(b, r.paused)
	line(b)

	b = append(t.text[:0], "allocations "...)
	b = strconv.AppendFloat(b, math.Round(r.perStep), 'f', -1, 64)
	b = append(b, " a step, "...)
	b = strconv.AppendFloat(b, r.bytesPerStep/1024, 'f', 1, 64)
	b = append(b, " KiB"...)
	line(b)
}
