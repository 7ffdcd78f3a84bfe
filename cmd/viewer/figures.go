package main

import (
	"math"
	"slices"
	"time"

	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/goruntime"
)

// figures are the measurements of the open scene. The HUD, the timeline, the panel, the
// labels and -stats show them. They belong to the render thread.
type figures struct {
	engine.Metrics // this frame's

	work work // what drawing the frames has taken

	frames, steps *times           // from present to present, and of the newest step
	graph         [graphed]float32 // the result of last

	// As of the last refresh.
	refreshed            int           // the number of frames at it
	since                time.Duration // the time since it
	frameMS, worstMS     float64       // mean and maximum frame time between the last two refreshes
	stepMS               float64
	sorted               []float32         // frames, ascending, ms
	bars                 [barCount]float32 // log2(1 + number of frames)
	mean, p50, p99, p999 float64           // of the frame times in sorted, ms
	runtime              runtimeMetrics
	phases               phaseTable
	scratch              [512]byte // the bytes of line
}

const (
	timesKept = 2048 // frames of the percentiles in the picture, enough for a 99.9th

	// collected is how many frames and steps have their times kept: eighteen minutes of them, at 60
	// in a second. -stats has the percentiles of all.
	collected = 1 << 16

	barCount = 50
	barWidth = 1.0 // ms; the last bar counts all longer frames too

	// refresh is how often displayed times change. Nobody can read them faster.
	refresh = 250 * time.Millisecond
)

func (f *figures) reset() {
	*f = figures{
		phases: phaseTable{spans: f.phases.spans}, sorted: make([]float32, 0, timesKept),
		frames: newTimes(collected), steps: newTimes(graphed),
	}
	f.runtime.reset()
}

// line returns an empty text to append to. The next call reuses its bytes.
func (f *figures) line() text { return f.scratch[:0] }

// frame adds the time of the last frame, from present to present.
func (f *figures) frame(d time.Duration, p spanner) {
	f.frames.add(d)
	f.steps.add(f.LastStep)
	if f.since += d; f.since >= refresh || f.frames.n == 1 {
		f.refresh(p)
	}
}

// refresh computes the figures that change only now and then.
func (f *figures) refresh(p spanner) {
	f.sorted = f.frames.sorted(f.sorted[:0], timesKept)
	list := f.sorted
	f.bars, f.mean = [barCount]float32{}, 0
	for _, ms := range list {
		f.bars[min(max(int(ms/barWidth), 0), barCount-1)]++
		f.mean += float64(ms) / float64(len(list))
	}
	for i := range f.bars {
		f.bars[i] = float32(math.Log2(1 + float64(f.bars[i])))
	}
	f.p50, f.p99, f.p999 = percentile(list, .5), percentile(list, .99), percentile(list, .999)

	n := f.frames.n
	sum, count := 0.0, max(min(n-f.refreshed, timesKept), 1)
	f.worstMS = 0
	for i := n - count; i < n; i++ {
		ms := float64(f.frames.at(i))
		sum += ms
		f.worstMS = max(f.worstMS, ms)
	}
	f.frameMS, f.stepMS = sum/float64(count), f.LastStep.Seconds()*1e3
	f.refreshed, f.since = n, 0
	f.runtime.read(f.Tick)
	f.phases.read(p)
}

// work sums up what drawing the frames has taken. Unless it says all, it leaves out text, controls, and
// changes of structure.
type work struct {
	drawn     uint64 // frames
	calls     int    // GL calls of this frame
	most      int    // GL calls of a frame, the maximum
	sum       uint64 // GL calls of all frames
	mostOfAll int    // GL calls of a frame with text and controls, the maximum
	bytes     uint64 // sent to the GPU
	newTicks  uint64 // frames that brought states to the GPU
	tick      uint64 // of the last frame
}

// frame adds the frame of a tick.
func (w *work) frame(tick uint64, calls, bytes int) {
	if w.drawn == 0 || tick != w.tick {
		w.newTicks++
	}
	w.tick, w.calls, w.most = tick, calls, max(w.most, calls)
	w.drawn++
	w.sum += uint64(calls)
	w.bytes += uint64(bytes)
}

// all adds the calls of a frame with text and controls.
func (w *work) all(calls int) { w.mostOfAll = max(w.mostOfAll, calls) }

// last returns the newest of times, oldest first. They are valid until the next call.
func (f *figures) last(of *times) []float32 {
	for i := range f.graph {
		f.graph[i] = 0
		if k := of.n - graphed + i; k >= 0 {
			f.graph[i] = of.at(k)
		}
	}
	return f.graph[:]
}

// times keeps the newest of some durations, in ms.
type times struct {
	ring []float32
	n    int     // so far
	most float32 // of all
}

// newTimes returns times that keep the newest so many.
func newTimes(kept int) *times { return &times{ring: make([]float32, kept)} }

func (t *times) add(d time.Duration) {
	ms := float32(d.Seconds() * 1e3)
	t.ring[t.n%len(t.ring)] = ms
	t.most = max(t.most, ms)
	t.n++
}

// at is the i-th since the beginning, which must be one that is kept.
func (t *times) at(i int) float32 { return t.ring[i%len(t.ring)] }

// sorted appends the newest, or all that are kept if most is more, to dst, which is empty, ascending.
func (t *times) sorted(dst []float32, most int) []float32 {
	for i := max(t.n-min(most, len(t.ring)), 0); i < t.n; i++ {
		dst = append(dst, t.at(i))
	}
	slices.Sort(dst)
	return dst
}

// percentile is the nearest-rank percentile of a sorted list; part is 0.99 for
// the 99th.
func percentile(sorted []float32, part float64) float64 {
	i := int(math.Ceil(part*float64(len(sorted)))) - 1
	return float64(sorted[min(max(i, 0), len(sorted)-1)])
}

// spanner keeps the spans of the last frames and steps: an engine.
type spanner interface {
	Spans(thread phase.Thread, dst []phase.Span) []phase.Span
}

// phaseTable has the times of the phases of the last frames and steps.
type phaseTable struct {
	spans   []phase.Span                     // scratch: the frames or steps of a thread
	rows    [2][phase.PerThread + 1]phaseRow // by thread and phase; the last is their sum
	worst   phase.Span                       // the longest frame
	counted [2]int                           // how many frames and steps the rows are about, by thread
}

// phaseRow is the time of one phase, ns.
type phaseRow struct{ now, mean, most int64 }

// read works the table out anew from the spans that an engine keeps.
func (t *phaseTable) read(p spanner) {
	if t.spans == nil {
		t.spans = make([]phase.Span, 0, phase.MaxSpans)
	}
	t.rows, t.worst = [2][phase.PerThread + 1]phaseRow{}, phase.Span{}
	for _, thread := range [...]phase.Thread{phase.Render, phase.Physics} {
		t.spans = p.Spans(thread, t.spans[:0])
		rows := &t.rows[thread]
		t.counted[thread] = len(t.spans)
		for i := range t.spans {
			s := &t.spans[i]
			for k := range s.Spent {
				rows[k].add(s.SpentIn(k), len(t.spans))
			}
			rows[phase.PerThread].add(int64(s.Took()), len(t.spans))
			if thread == phase.Render && s.Took() > t.worst.Took() {
				t.worst = *s
			}
		}
	}
}

// add adds the time of one span; of is the number of all. The newest span comes last.
func (r *phaseRow) add(ns int64, of int) {
	r.now = ns
	r.mean += ns / int64(of)
	r.most = max(r.most, ns)
}

// runtimeMetrics are the Go runtime's metrics of garbage collection. They count
// from when the scene was opened. Nearly all allocations are made by physics: a
// frame allocates nothing.
type runtimeMetrics struct {
	start, now goruntime.Sample

	cycles                float64
	pauses                uint64
	longest, paused       float64 // ms, as exact as the runtime's histogram
	perStep, bytesPerStep float64 // allocations and their bytes per step since the last read

	last struct{ tick, objects, bytes float64 } // at the last read
}

// reset begins to count anew.
func (r *runtimeMetrics) reset() {
	read := func() goruntime.Sample {
		return goruntime.Read(goruntime.Cycles, goruntime.AllocObjects, goruntime.AllocBytes, goruntime.GCPauses)
	}
	*r = runtimeMetrics{start: read(), now: read()}
	r.last.objects, r.last.bytes = r.now.Value(goruntime.AllocObjects), r.now.Value(goruntime.AllocBytes)
}

// read brings the metrics up to date. tick is the tick of the last step.
func (r *runtimeMetrics) read(tick uint64) {
	r.now.Update()
	r.cycles = r.now.Since(r.start, goruntime.Cycles)
	r.pauses, r.paused, r.longest = r.now.Spread(r.start, goruntime.GCPauses)
	if steps := float64(tick) - r.last.tick; steps > 0 {
		objects, bytes := r.now.Value(goruntime.AllocObjects), r.now.Value(goruntime.AllocBytes)
		r.perStep, r.bytesPerStep = (objects-r.last.objects)/steps, (bytes-r.last.bytes)/steps
		r.last.tick, r.last.objects, r.last.bytes = float64(tick), objects, bytes
	}
}
