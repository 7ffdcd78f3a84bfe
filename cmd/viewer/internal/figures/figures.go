// Package figures measures the frames of a run. The figures in the picture, the timeline, the panel and
// -stats are these.
package figures

import (
	"math"
	"slices"
	"time"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
	"halfstep/internal/goruntime"
)

// Figures are the measurements of the open scene. The HUD, the timeline, the panel, the
// labels and -stats show them. They belong to the render thread.
type Figures struct {
	engine.Metrics // this frame's

	Work work // what drawing the frames has taken

	FrameTimes, StepTimes *Times           // from present to present, and of the newest step
	graph                 [graphed]float32 // the result of last

	// As of the last refresh.
	Refreshed            int           // the number of frames at it
	since                time.Duration // the time since it
	FrameMS, WorstMS     float64       // mean and maximum frame time between the last two refreshes
	StepMS               float64
	sorted               []float32         // frames, ascending, ms
	Bars                 [BarCount]float32 // log2(1 + number of frames)
	Mean, P50, P99, P999 float64           // of the frame times in sorted, ms
	Runtime              runtimeMetrics
	Phases               phaseTable
	scratch              [512]byte // the bytes of line
}

const (
	TimesKept = 2048 // frames of the percentiles in the picture, enough for a 99.9th

	// Collected is how many frames and steps have their times kept: eighteen minutes of them, at 60
	// in a second. -stats has the percentiles of all.
	Collected = 1 << 16

	BarCount = 50
	BarWidth = 1.0 // ms; the last bar counts all longer frames too

	// refresh is how often displayed times change. Nobody can read them faster.
	refresh = 250 * time.Millisecond
)

func (f *Figures) Reset() {
	*f = Figures{
		Phases: phaseTable{spans: f.Phases.spans}, sorted: make([]float32, 0, TimesKept),
		FrameTimes: NewTimes(Collected), StepTimes: NewTimes(graphed),
	}
	f.Runtime.reset()
}

// Line returns an empty text to append to. The next call reuses its bytes.
func (f *Figures) Line() words.Line { return f.scratch[:0] }

// Frame adds the time of the last frame, from present to present.
func (f *Figures) Frame(d time.Duration, p spanner) {
	f.FrameTimes.Add(d)
	f.StepTimes.Add(f.LastStep)
	if f.since += d; f.since >= refresh || f.FrameTimes.N == 1 {
		f.refresh(p)
	}
}

// refresh computes the figures that change only now and then.
func (f *Figures) refresh(p spanner) {
	f.sorted = f.FrameTimes.sorted(f.sorted[:0], TimesKept)
	list := f.sorted
	f.Bars, f.Mean = [BarCount]float32{}, 0
	for _, ms := range list {
		f.Bars[min(max(int(ms/BarWidth), 0), BarCount-1)]++
		f.Mean += float64(ms) / float64(len(list))
	}
	for i := range f.Bars {
		f.Bars[i] = float32(math.Log2(1 + float64(f.Bars[i])))
	}
	f.P50, f.P99, f.P999 = percentile(list, .5), percentile(list, .99), percentile(list, .999)

	n := f.FrameTimes.N
	sum, count := 0.0, max(min(n-f.Refreshed, TimesKept), 1)
	f.WorstMS = 0
	for i := n - count; i < n; i++ {
		ms := float64(f.FrameTimes.at(i))
		sum += ms
		f.WorstMS = max(f.WorstMS, ms)
	}
	f.FrameMS, f.StepMS = sum/float64(count), f.LastStep.Seconds()*1e3
	f.Refreshed, f.since = n, 0
	f.Runtime.read(f.Tick)
	f.Phases.read(p)
}

// work sums up what drawing the frames has taken. Unless it says all, it leaves out text, controls, and
// changes of structure.
type work struct {
	Drawn     uint64 // frames
	Calls     int    // GL calls of this frame
	Most      int    // GL calls of a frame, the maximum
	Sum       uint64 // GL calls of all frames
	MostOfAll int    // GL calls of a frame with text and controls, the maximum
	Bytes     uint64 // sent to the GPU
	NewTicks  uint64 // frames that brought states to the GPU
	tick      uint64 // of the last frame
}

// Frame adds the frame of a tick.
func (w *work) Frame(tick uint64, calls, bytes int) {
	if w.Drawn == 0 || tick != w.tick {
		w.NewTicks++
	}
	w.tick, w.Calls, w.Most = tick, calls, max(w.Most, calls)
	w.Drawn++
	w.Sum += uint64(calls)
	w.Bytes += uint64(bytes)
}

// All adds the calls of a frame with text and controls.
func (w *work) All(calls int) { w.MostOfAll = max(w.MostOfAll, calls) }

// Last returns the newest of times, oldest first. They are valid until the next call.
func (f *Figures) Last(of *Times) []float32 {
	for i := range f.graph {
		f.graph[i] = 0
		if k := of.N - graphed + i; k >= 0 {
			f.graph[i] = of.at(k)
		}
	}
	return f.graph[:]
}

// Times keeps the newest of some durations, in ms.
type Times struct {
	ring []float32
	N    int     // so far
	most float32 // of all
}

// NewTimes returns times that keep the newest so many.
func NewTimes(kept int) *Times { return &Times{ring: make([]float32, kept)} }

func (t *Times) Add(d time.Duration) {
	ms := float32(d.Seconds() * 1e3)
	t.ring[t.N%len(t.ring)] = ms
	t.most = max(t.most, ms)
	t.N++
}

// at is the i-th since the beginning, which must be one that is kept.
func (t *Times) at(i int) float32 { return t.ring[i%len(t.ring)] }

// sorted appends the newest, or all that are kept if most is more, to dst, which is empty, ascending.
func (t *Times) sorted(dst []float32, most int) []float32 {
	for i := max(t.N-min(most, len(t.ring)), 0); i < t.N; i++ {
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
	Rows    [2][phase.PerThread + 1]PhaseRow // by thread and phase; the last is their sum
	Worst   phase.Span                       // the longest frame
	Counted [2]int                           // how many frames and steps the rows are about, by thread
}

// PhaseRow is the time of one phase, ns.
type PhaseRow struct{ Now, Mean, Most int64 }

// read works the table out anew from the spans that an engine keeps.
func (t *phaseTable) read(p spanner) {
	if t.spans == nil {
		t.spans = make([]phase.Span, 0, phase.MaxSpans)
	}
	t.Rows, t.Worst = [2][phase.PerThread + 1]PhaseRow{}, phase.Span{}
	for _, thread := range [...]phase.Thread{phase.Render, phase.Physics} {
		t.spans = p.Spans(thread, t.spans[:0])
		rows := &t.Rows[thread]
		t.Counted[thread] = len(t.spans)
		for i := range t.spans {
			s := &t.spans[i]
			for k := range s.Spent {
				rows[k].add(s.SpentIn(k), len(t.spans))
			}
			rows[phase.PerThread].add(int64(s.Took()), len(t.spans))
			if thread == phase.Render && s.Took() > t.Worst.Took() {
				t.Worst = *s
			}
		}
	}
}

// add adds the time of one span; of is the number of all. The newest span comes last.
func (r *PhaseRow) add(ns int64, of int) {
	r.Now = ns
	r.Mean += ns / int64(of)
	r.Most = max(r.Most, ns)
}

// runtimeMetrics are the Go runtime's metrics of garbage collection. They count
// from when the scene was opened. Nearly all allocations are made by physics: a
// frame allocates nothing.
type runtimeMetrics struct {
	start, now goruntime.Sample

	Cycles                float64
	Pauses                uint64
	Longest, Paused       float64 // ms, as exact as the runtime's histogram
	PerStep, BytesPerStep float64 // allocations and their bytes per step since the last read

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
	r.Cycles = r.now.Since(r.start, goruntime.Cycles)
	r.Pauses, r.Paused, r.Longest = r.now.Spread(r.start, goruntime.GCPauses)
	if steps := float64(tick) - r.last.tick; steps > 0 {
		objects, bytes := r.now.Value(goruntime.AllocObjects), r.now.Value(goruntime.AllocBytes)
		r.PerStep, r.BytesPerStep = (objects-r.last.objects)/steps, (bytes-r.last.bytes)/steps
		r.last.tick, r.last.objects, r.last.bytes = float64(tick), objects, bytes
	}
}

// graphed is the number of frames in the graph.
const graphed = 160

// Percentiles of the newest times, and the longest of all, in milliseconds.
type Percentiles struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

func PercentilesOf(t *Times) Percentiles {
	list := t.sorted(nil, Collected)
	if len(list) == 0 {
		return Percentiles{}
	}
	return Percentiles{percentile(list, .5), percentile(list, .99), percentile(list, .999), float64(t.most)}
}
