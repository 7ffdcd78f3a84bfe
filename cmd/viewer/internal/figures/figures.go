// Package figures measures the frames of a run, for the picture, the timeline, the panel and -stats.
package figures

import (
	"math"
	"time"

	"halfstep/cmd/viewer/internal/words"
	"halfstep/engine"
)

// Figures are the measurements of the open scene. The HUD, the timeline, the panel, the labels and
// -stats show them. Only the render thread may use them.
type Figures struct {
	engine.Metrics // this frame's

	Work work // the cost of drawing the frames

	FrameTimes, StepTimes *Times           // FrameTimes are the times between presents, and StepTimes are the durations of steps.
	graph                 [graphed]float32 // the result of last

	// at the last refresh
	Refreshed            int           // Refreshed is the number of frames at the last refresh.
	since                time.Duration // the time since it
	FrameMS, WorstMS     float64       // mean and maximum frame time between the last two refreshes, in ms
	StepMS               float64
	sorted               []float32         // frames, ascending, ms
	Bars                 [BarCount]float32 // Bars has log2(1 + number of frames) for each bar.
	Mean, P50, P99, P999 float64           // mean and percentiles of the frame times in sorted, in ms
	Runtime              runtimeMetrics
	Phases               phaseTable
	scratch              [512]byte // the bytes of line
}

const (
	TimesKept = 2048 // TimesKept is the number of frames over which the percentiles in the picture are computed. It is enough for a 99.9th percentile.

	// Collected is the number of frame and step times that are kept: eighteen minutes at 60 a second.
	// The percentiles in -stats are computed from these.
	Collected = 1 << 16

	BarCount = 50
	BarWidth = 1.0 // BarWidth is the width of a bar of the histogram in ms. The last bar also counts all longer frames.

	// refresh is the time between changes of displayed figures. It is long enough that a person can read
	// them.
	refresh = 250 * time.Millisecond
)

func (f *Figures) Reset() {
	*f = Figures{
		Phases: phaseTable{spans: f.Phases.spans}, sorted: make([]float32, 0, TimesKept),
		FrameTimes: NewTimes(Collected), StepTimes: NewTimes(graphed),
	}
	f.Runtime.reset()
}

// Line returns an empty text to which the caller appends. The next call reuses the bytes of the text.
func (f *Figures) Line() words.Line { return f.scratch[:0] }

// Frame adds the time of the last frame, from present to present.
func (f *Figures) Frame(d time.Duration, p spanner) {
	f.FrameTimes.Add(d)
	f.StepTimes.Add(f.LastStep)
	if f.since += d; f.since >= refresh || f.FrameTimes.N == 1 {
		f.refresh(p)
	}
}

// refresh computes the figures that change only from time to time.
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

// work sums up the cost of drawing the frames. Text, controls and changes of structure count only in
// MostOfAll.
type work struct {
	Drawn     uint64 // frames
	Calls     int    // Calls is the number of GL calls in this frame.
	Most      int    // Most is the largest number of GL calls in a frame.
	Sum       uint64 // Sum is the number of GL calls in all frames.
	MostOfAll int    // MostOfAll is the largest number of GL calls in a frame with text and controls.
	Bytes     uint64 // sent to the GPU
	NewTicks  uint64 // NewTicks is the number of frames that uploaded states to the GPU.
	tick      uint64 // tick is the tick of the last frame.
}

// Frame adds the work of a frame that shows a tick.
func (w *work) Frame(tick uint64, calls, bytes int) {
	if w.Drawn == 0 || tick != w.tick {
		w.NewTicks++
	}
	w.tick, w.Calls, w.Most = tick, calls, max(w.Most, calls)
	w.Drawn++
	w.Sum += uint64(calls)
	w.Bytes += uint64(bytes)
}

// All adds the GL calls of a frame with text and controls.
func (w *work) All(calls int) { w.MostOfAll = max(w.MostOfAll, calls) }

// Last returns the newest times of a list, oldest first. The result is valid until the next call.
func (f *Figures) Last(of *Times) []float32 {
	for i := range f.graph {
		f.graph[i] = 0
		if k := of.N - graphed + i; k >= 0 {
			f.graph[i] = of.at(k)
		}
	}
	return f.graph[:]
}

// graphed is the number of frames in the graph.
const graphed = 160
