package main

import (
	"math"
	"runtime/metrics"
	"slices"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
)

// figures are what is measured while a scene is open. The HUD, the timeline, the panel,
// the labels and -stats take them from here. They belong to the render thread.
type figures struct {
	engine.Metrics // of this frame

	calls int     // GL calls of this frame
	gpuMS float64 // of the newest frame that it is known of

	frames, steps [timesKept]float32 // ms, rings: from present to present, and the step shown
	n             int                // frames in all
	graph         [graphed]float32

	// As of the last refresh.
	refreshed            int           // frames by then
	since                time.Duration // then
	frameMS, worstMS     float64       // mean and maximum between the last two
	stepMS               float64
	sorted               [timesKept]float32
	bars                 [barCount]float32 // log2(1 + number of frames)
	mean, p50, p99, p999 float64           // ms
	runtime              runtimeMetrics
	phases               phaseTable
	scratch, name        [512]byte // of line, and of what stands beside it
}

const (
	timesKept = 2048 // frames, enough for a 99.9th percentile
	barCount  = 50
	barWidth  = 1.0 // ms; the last bar counts all longer frames too

	// refresh is how often displayed times change. Nobody can read them faster.
	refresh = 250 * time.Millisecond
)

// reset begins anew with another scene.
func (f *figures) reset() {
	*f = figures{phases: phaseTable{spans: f.phases.spans}}
	f.runtime.reset()
}

// line is an empty text. It is to be used before the next one.
func (f *figures) line() text { return f.scratch[:0] }

// frame adds the time of the last frame, from present to present.
func (f *figures) frame(d time.Duration, p *player) {
	i := f.n % timesKept
	f.frames[i] = float32(d.Seconds() * 1e3)
	f.steps[i] = float32(f.LastStep.Seconds() * 1e3)
	f.n++
	if f.since += d; f.since >= refresh || f.n == 1 {
		f.refresh(p)
	}
}

// refresh works out what is not shown anew in every frame.
func (f *figures) refresh(p *player) {
	n := min(f.n, timesKept)
	list := f.sorted[:n]
	copy(list, f.frames[:n])
	slices.Sort(list)
	f.bars, f.mean = [barCount]float32{}, 0
	for _, ms := range list {
		f.bars[min(max(int(ms/barWidth), 0), barCount-1)]++
		f.mean += float64(ms) / float64(n)
	}
	for i := range f.bars {
		f.bars[i] = float32(math.Log2(1 + float64(f.bars[i])))
	}
	f.p50, f.p99, f.p999 = percentile(list, .5), percentile(list, .99), percentile(list, .999)

	sum, count := 0.0, max(min(f.n-f.refreshed, timesKept), 1)
	f.worstMS = 0
	for i := f.n - count; i < f.n; i++ {
		ms := float64(f.frames[i%timesKept])
		sum += ms
		f.worstMS = max(f.worstMS, ms)
	}
	f.frameMS, f.stepMS = sum/float64(count), f.LastStep.Seconds()*1e3
	f.refreshed, f.since = f.n, 0
	f.runtime.read(f.Tick)
	f.phases.read(p)
}

// last are the newest values of a ring, oldest first, until the next call.
func (f *figures) last(ring *[timesKept]float32) []float32 {
	for i := range f.graph {
		f.graph[i] = 0
		if k := f.n - graphed + i; k >= 0 {
			f.graph[i] = ring[k%timesKept]
		}
	}
	return f.graph[:]
}

// percentile is the nearest-rank percentile of a sorted list; part is 0.99 for
// the 99th.
func percentile(sorted []float32, part float64) float64 {
	i := int(math.Ceil(part*float64(len(sorted)))) - 1
	return float64(sorted[min(max(i, 0), len(sorted)-1)])
}

// phaseTable has the times of the phases of both threads in the last frames.
type phaseTable struct {
	spans []phase.Span
	rows  [2][phase.PerThread + 1]phaseRow // by thread; the last is the whole
	worst phase.Span                       // the longest frame
}

// phaseRow is the time of one phase, ns.
type phaseRow struct{ now, mean, most int64 }

func (t *phaseTable) read(p *player) {
	if t.spans == nil {
		t.spans = make([]phase.Span, 0, phase.MaxSpans)
	}
	t.rows, t.worst = [2][phase.PerThread + 1]phaseRow{}, phase.Span{}
	for _, thread := range [...]phase.Thread{phase.Render, phase.Physics} {
		t.spans = p.Spans(thread, t.spans[:0])
		rows := &t.rows[thread]
		for i := range t.spans {
			s := &t.spans[i]
			for k := range s.Spent {
				rows[k].add(spentIn(s, k), len(t.spans))
			}
			rows[phase.PerThread].add(int64(s.Took()), len(t.spans))
			if thread == phase.Render && s.Took() > t.worst.Took() {
				t.worst = *s
			}
		}
	}
}

// spentIn is the time in a slot of a span, without planned sleep.
func spentIn(s *phase.Span, slot int) int64 {
	if slot == 0 {
		return s.Spent[0] - s.PlannedSleep
	}
	return s.Spent[slot]
}

func (r *phaseRow) add(ns int64, of int) {
	r.now = ns
	r.mean += ns / int64(of)
	r.most = max(r.most, ns)
}

// runtimeMetrics are the Go runtime's metrics of garbage collection. They count
// from when the scene was opened. Nearly all allocations are made by physics: a
// frame allocates nothing.
type runtimeMetrics struct {
	samples []metrics.Sample

	cycles, objects, bytes uint64 // since the scene was opened
	pauses                 uint64
	longest, paused        float64 // ms, as exact as the runtime's histogram
	perStep, bytesPerStep  float64 // since the last read

	before [3]uint64 // cycles, objects, bytes at the start
	counts []uint64  // of pauses, at the start
	last   [3]uint64 // tick, objects, bytes at the last read
}

func (r *runtimeMetrics) reset() {
	*r = runtimeMetrics{samples: []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"},
		{Name: "/sched/pauses/total/gc:seconds"},
	}}
	metrics.Read(r.samples)
	for i := range r.before {
		r.before[i] = r.samples[i].Value.Uint64()
	}
	r.last = [3]uint64{0, r.before[1], r.before[2]}
	r.counts = slices.Clone(r.samples[3].Value.Float64Histogram().Counts)
}

// read updates the metrics. tick is the newest tick.
func (r *runtimeMetrics) read(tick uint64) {
	metrics.Read(r.samples)
	objects, bytes := r.samples[1].Value.Uint64(), r.samples[2].Value.Uint64()
	r.cycles, r.objects, r.bytes = r.samples[0].Value.Uint64()-r.before[0], objects-r.before[1], bytes-r.before[2]
	if tick > r.last[0] {
		steps := float64(tick - r.last[0])
		r.perStep, r.bytesPerStep = float64(objects-r.last[1])/steps, float64(bytes-r.last[2])/steps
		r.last = [3]uint64{tick, objects, bytes}
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

// apart is how far apart the halves of a comparison show the tracked body, m. ok
// is false if there is none.
func (s *session) apart() (d float64, ok bool) {
	if s.right == nil || len(s.tracked) == 0 {
		return 0, false
	}
	b := s.tracked[0].body
	p, ok1 := s.player.pose(b)
	q, ok2 := s.right.player.pose(b)
	return math.Hypot(p.CentreX-q.CentreX, p.CentreY-q.CentreY), ok1 && ok2
}
