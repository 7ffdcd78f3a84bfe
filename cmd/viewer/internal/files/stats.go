// Package files writes the files of a run: the log of frames, the statistics, body values, scenes, pictures
// and profiles.
package files

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"

	"halfstep/cmd/viewer/internal/figures"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/outfile"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/present"
)

// Stats is the file of -stats. A time is in seconds if its name ends in _s, and in milliseconds if
// its name ends in _ms.
type Stats struct {
	Scene     string `json:"scene"`
	Loop      string `json:"loop,omitempty"` // Loop is the value of -loop. If it is set, Sync has the same value.
	Sync      string `json:"sync"`
	Smoothing string `json:"smoothing"`
	Pacing    string `json:"pacing"`
	Hz        string `json:"hz"`
	Frames    uint64 `json:"frames"`
	Ticks     uint64 `json:"ticks"` // Ticks is the number of demanded steps. If physics failed or hung, it is the number of steps done.
	Bodies    int32  `json:"bodies"`
	Contacts  int32  `json:"contacts"`

	HeldFrames     uint64 `json:"held_frames"`
	BackwardFrames uint64 `json:"backward_frames"`
	MaxBacklog     uint64 `json:"max_backlog"`

	// These times are scaled: real = simulated - stepped + residual + dropped + paused. Stepped is the
	// time of single steps, together with the remainder that a seek sets.
	Simulated float64 `json:"simulated_s"`
	Stepped   float64 `json:"stepped_s"`
	Residual  float64 `json:"residual_s"`
	Dropped   float64 `json:"dropped_s"`
	Paused    float64 `json:"paused_s"`
	Real      float64 `json:"real_s"`

	// These numbers do not include the HUD, debug layers and structural changes. Calls is the maximum
	// of a frame. BytesPerTick is BytesTotal divided by the number of frames with a new tick.
	Calls        int     `json:"gl_calls_per_frame"`
	CallsMean    float64 `json:"gl_calls_mean"`
	AllCalls     int     `json:"gl_calls_all,omitempty"` // AllCalls includes the HUD, the panel and the layers, but not changes of structure.
	BytesPerTick float64 `json:"upload_bytes_per_tick"`
	BytesTotal   uint64  `json:"upload_bytes_total"`

	// These times are wall time, whatever the clock is: frame times from present to present, and durations
	// of steps.
	Frame figures.Percentiles `json:"frame_ms"`
	Step  figures.Percentiles `json:"step_ms"`

	// Motion is the animation error of the last four seconds. PresentTimes names the source and the
	// quality of the reports of when frames were on the display.
	Motion       present.Figures `json:"motion"`
	PresentTimes string          `json:"present_times,omitempty"`
	// Start describes the beginning of the last frame, and counts the refreshes of the display that
	// late starts have missed.
	Start present.Start `json:"start"`

	StateHash string `json:"state_hash"` // "" if physics failed
	Failure   string `json:"failure,omitempty"`

	// How the user used keys and the panel: how often each action and control was used, the chosen
	// body, and the changes.
	Used       map[string]int     `json:"used,omitempty"`
	Chosen     string             `json:"chosen,omitempty"`
	Stepper    string             `json:"stepper,omitempty"`
	PastTick   *uint64            `json:"past_tick,omitempty"` // PastTick is the shown tick of the past, if the past was shown at the end.
	Parameters map[string]float64 `json:"parameters,omitempty"`

	LooksBack []play.LookBackTimes `json:"looks_back,omitempty"` // the first ones
}

// Drawn copies the measurements of frames.
func (s *Stats) Drawn(f *figures.Figures) {
	w := &f.Work
	s.Frames = w.Drawn
	s.Calls = w.Most
	if w.Drawn > 0 {
		s.CallsMean = float64(w.Sum) / float64(w.Drawn)
	}
	if w.NewTicks > 0 {
		s.BytesPerTick = float64(w.Bytes) / float64(w.NewTicks)
	}
	s.BytesTotal = w.Bytes
	s.AllCalls = w.MostOfAll
	s.Frame = figures.PercentilesOf(f.FrameTimes)
}

// TakeLedger copies the parts of the run's time from the ledger of the clock.
func (s *Stats) TakeLedger(l *clock.Ledger) {
	s.Simulated, s.Stepped, s.Residual = l.Simulated(), l.Stepped(), l.Residual()
	s.Dropped, s.Paused, s.Real = l.Dropped(), l.Paused(), l.Scaled()
}

func (s *Stats) Write(path string) error {
	data, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return fmt.Errorf("-stats: %w", err)
	}
	return outfile.Replace(path, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}

// Controls fills in the user's actions and changes.
func (s *Stats) Controls(of *play.Session) {
	s.Used = maps.Clone(of.Uses)
	s.Chosen = of.ChosenLabel()
	if s.Loop == "" { // a loop of package loops is shown by its name, and has no stepper to show
		s.Stepper = of.Stage.Stepper().String()
	}
	sc := &of.Stage.Scenes[of.Stage.Current]
	for i := range sc.Params {
		if p := &sc.Params[i]; of.Stage.Shown.Replay() == nil && of.Params.Param(sc, i) != p.Default {
			if s.Parameters == nil {
				s.Parameters = map[string]float64{}
			}
			s.Parameters[p.Name] = of.Params.Param(sc, i)
		}
	}
}

// Summary returns the first lines that the viewer prints at the end.
func (s *Stats) Summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d ticks, %d frames, %s, %d bodies\n", s.Scene, s.Ticks, s.Frames, s.Sync, s.Bodies)
	fmt.Fprintf(&b, "frame %.2f ms (p99 %.2f), step %.2f ms (p99 %.2f)\n", s.Frame.P50, s.Frame.P99, s.Step.P50, s.Step.P99)
	fmt.Fprintf(&b, "held frames %d, dropped %.3f s\n", s.HeldFrames, s.Dropped)
	if m := s.Motion; m.Measured {
		fmt.Fprintf(&b, "animation error %.3f ms rms (p99 %.2f), measured\n", m.RMS, m.P99)
	}
	if at := s.Start; at.Delay > 0 {
		fmt.Fprintf(&b, "frame to light %.2f ms: work %.2f, cushion %.2f, display %.2f; %d refreshes missed by a late start\n",
			float64(at.Work+at.Cushion+at.Reserve)/1e6, float64(at.Work)/1e6, float64(at.Cushion)/1e6, float64(at.Reserve)/1e6, at.Missed)
	}
	if s.StateHash != "" {
		fmt.Fprintf(&b, "state hash %s\n", s.StateHash)
	}
	return b.String()
}
