package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/present"
	"halfstep/renderloop/scene"
)

// collector collects metrics of a run. It belongs to the render thread, except
// for steps, which belongs to the physics goroutine until the engine is closed.
type collector struct {
	frames, steps *hdrhistogram.Histogram // ns

	drawn     uint64
	calls     int    // GL calls, maximum of a frame
	callsSum  uint64 // over all frames
	allCalls  int    // GL calls for everything, maximum of a frame
	bytes     uint64
	newTicks  uint64 // frames that brought states to the GPU
	lastTick  uint64
	firstDone bool
}

// The histograms have three digits, from a microsecond to a minute.
const (
	shortest = int64(time.Microsecond)
	longest  = int64(time.Minute)
)

func newCollector() *collector {
	return &collector{
		frames: hdrhistogram.New(shortest, longest, 3),
		steps:  hdrhistogram.New(shortest, longest, 3),
	}
}

func addTime(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(max(int64(d), shortest), longest)) // in range: no error
}

// step is engine.Config.OnStep.
func (r *collector) step(_ uint64, cost time.Duration) { addTime(r.steps, cost) }

// frame adds what drawing a frame took.
func (r *collector) frame(v *scene.View[body2d.State], w glrender.FrameStats) {
	r.drawn++
	r.calls = max(r.calls, w.Core.Calls)
	r.callsSum += uint64(w.Core.Calls)
	r.bytes += uint64(w.Core.Bytes)
	if !r.firstDone || v.Tick != r.lastTick {
		r.firstDone, r.lastTick = true, v.Tick
		r.newTicks++
	}
}

// Stats is what -stats writes. Times are in seconds where the name ends in _s
// and in milliseconds where it ends in _ms.
type Stats struct {
	Scene     string `json:"scene"`
	Loop      string `json:"loop,omitempty"` // the value of -loop; Sync is then the same
	Sync      string `json:"sync"`
	Smoothing string `json:"smoothing"`
	Pacing    string `json:"pacing"`
	Hz        string `json:"hz"`
	Frames    uint64 `json:"frames"`
	Ticks     uint64 `json:"ticks"` // demanded, and done
	Bodies    int32  `json:"bodies"`
	Contacts  int32  `json:"contacts"`

	HeldFrames     uint64 `json:"held_frames"`
	BackwardFrames uint64 `json:"backward_frames"`
	MaxBacklog     uint64 `json:"max_backlog"`

	// Scaled time: real = simulated - stepped + residual + dropped + paused. Stepped
	// is the time of single steps, and the remainder that a seek sets.
	Simulated float64 `json:"simulated_s"`
	Stepped   float64 `json:"stepped_s"`
	Residual  float64 `json:"residual_s"`
	Dropped   float64 `json:"dropped_s"`
	Paused    float64 `json:"paused_s"`
	Real      float64 `json:"real_s"`

	afterEnd float64 // of Dropped: the time after the last tick

	// These leave out the HUD, debug layers and structural changes. Calls is the
	// maximum of a frame. BytesPerTick is BytesTotal divided by the number of
	// frames with a new tick.
	Calls        int     `json:"gl_calls_per_frame"`
	CallsMean    float64 `json:"gl_calls_mean"`
	AllCalls     int     `json:"gl_calls_all,omitempty"` // with HUD, panel and layers, without changes of structure
	BytesPerTick float64 `json:"upload_bytes_per_tick"`
	BytesTotal   uint64  `json:"upload_bytes_total"`

	// Wall time, whatever the clock: from present to present, and of steps.
	Frame Percentiles `json:"frame_ms"`
	Step  Percentiles `json:"step_ms"`

	// Motion is that of the last four seconds. PresentTimes says who was asked when
	// frames are seen, and how good the answers were.
	Motion       present.Figures `json:"motion"`
	PresentTimes string          `json:"present_times,omitempty"`

	StateHash string `json:"state_hash"` // "" if physics failed
	Failure   string `json:"failure,omitempty"`

	// What the user has done with keys and the panel: how often each action and
	// control was used, the body that is chosen, and what was changed.
	Used       map[string]int     `json:"used,omitempty"`
	Chosen     string             `json:"chosen,omitempty"`
	Stepper    string             `json:"stepper,omitempty"`
	PastTick   *uint64            `json:"past_tick,omitempty"` // that was shown at the end in place of the present
	Parameters map[string]float64 `json:"parameters,omitempty"`
}

// Percentiles of a time, in milliseconds.
type Percentiles struct {
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

func percentiles(h *hdrhistogram.Histogram) Percentiles {
	ms := func(ns int64) float64 { return float64(ns) / 1e6 }
	if h.TotalCount() == 0 {
		return Percentiles{}
	}
	return Percentiles{
		ms(h.ValueAtPercentile(50)), ms(h.ValueAtPercentile(99)), ms(h.ValueAtPercentile(99.9)), ms(h.Max()),
	}
}

// fill takes all metrics from the collector. The engine must be closed.
func (s *Stats) fill(r *collector) {
	s.frames(r)
	s.Step = percentiles(r.steps)
}

// frames takes the metrics of the render thread from the collector.
func (s *Stats) frames(r *collector) {
	s.Frames = r.drawn
	s.Calls = r.calls
	if r.drawn > 0 {
		s.CallsMean = float64(r.callsSum) / float64(r.drawn)
	}
	if r.newTicks > 0 {
		s.BytesPerTick = float64(r.bytes) / float64(r.newTicks)
	}
	s.BytesTotal = r.bytes
	s.AllCalls = r.allCalls
	s.Frame = percentiles(r.frames)
}

// takeLedger takes the times of the ledger.
func (s *Stats) takeLedger(l *clock.Ledger) {
	s.Simulated, s.Stepped, s.Residual = l.Simulated(), l.Stepped(), l.Residual()
	s.Dropped, s.Paused, s.Real = l.Dropped(), l.Paused(), l.Scaled()
	s.afterEnd = l.DroppedFor(clock.Ended)
}

func (s *Stats) write(path string, ending <-chan struct{}) error {
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return fmt.Errorf("-stats: %w", err)
	}
	return writeAtomic(path, ending, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// controlStats writes down what the user has done.
func (v *viewer) controlStats(s *Stats) {
	s.Used = maps.Clone(v.used)
	s.Chosen = v.chosenLabel()
	if s.Loop == "" {
		s.Stepper = v.stepper().String()
	}
	sc := &v.scenes[v.current]
	for i := range sc.params {
		if p := &sc.params[i]; v.replay == nil && v.param(sc, i) != p.Default {
			if s.Parameters == nil {
				s.Parameters = map[string]float64{}
			}
			s.Parameters[p.Name] = v.param(sc, i)
		}
	}
}
