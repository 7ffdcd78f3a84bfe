package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// The layout of smoothness.json.
type (
	report struct {
		Traces []traceReport `json:"traces"`
	}
	traceReport struct {
		File      string   `json:"file"`
		Frames    int      `json:"frames"`
		Displayed bool     `json:"displayed"`         // the display times are known
		Display   string   `json:"display,omitempty"` // the simulated display
		CostMS    float64  `json:"cost_ms"`
		Hz        float64  `json:"hz"`
		MaxSteps  int      `json:"max_steps"`
		Runs      []result `json:"runs"`
		Others    []result `json:"others"` // loops for comparison only
		Starts    []begun  `json:"starts,omitempty"`
	}
)

func writeReport(o *options, played []section) error {
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return err
	}
	var rep report
	for _, s := range played {
		rep.Traces = append(rep.Traces, traceReport{
			File: s.Path, Frames: len(s.Start), Displayed: s.Displayed, Display: s.Display,
			CostMS: o.Cost.Seconds() * 1e3, Hz: o.Rate.Float(), MaxSteps: o.MaxSteps,
			Runs: s.Runs, Others: s.Others, Starts: s.Starts,
		})
	}
	data, err := json.MarshalIndent(rep, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.Dir, "smoothness.json"), append(data, '\n'), 0o666)
}

// inputText is the input latency, for tables.
func (r result) inputText() string {
	if r.Input == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f", *r.Input)
}

// lagText is the lag, for tables.
func (r result) lagText() string { return r.unlessOwnSpeed(r.Lag) }

// latencyText is the latency, for tables.
func (r result) latencyText() string { return r.unlessOwnSpeed(r.Latency) }

func (r result) unlessOwnSpeed(ms float64) string {
	if r.ownSpeed {
		return "–"
	}
	return fmt.Sprintf("%.1f", ms)
}

func printTable(w io.Writer, s *section) {
	seen := ""
	if s.Display != "" {
		seen = ", on a simulated display: " + s.Display
	}
	if !s.Displayed {
		seen = ", no display times: a frame counts as seen when it ends"
	}
	fmt.Fprintf(w, "%s: %d frames%s\n", filepath.Base(s.Path), len(s.Start), seen)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "loop\tpacing\trms\tp99\tbackward\tstill\tlag\tlatency\tinput\twait\tdropped\theld\t")
	fmt.Fprintln(t, "\t\tms\tms\t\t\tms\tms\tms\tms\ts\t\t")
	for _, runs := range [][]result{s.Runs, s.Others} {
		for _, r := range runs {
			fmt.Fprintf(t, "%s\t%s\t%.2f\t%.2f\t%d\t%d\t%s\t%s\t%s\t%.1f\t%.3f\t%d\t\n", r.Loop, r.Pacing,
				r.RMS, r.P99, r.Backward, r.Still, r.lagText(), r.latencyText(), r.inputText(), r.Wait, r.Dropped, r.Held)
		}
	}
	t.Flush()
}
