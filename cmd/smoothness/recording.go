package main

import (
	"fmt"
	"math"

	"halfstep/internal/harness/simdisplay"
	"halfstep/renderloop/frametime"
)

const (
	// minFrames is the minimum length of a trace.
	minFrames = 100
	// maxSpan is the longest recording, in seconds.
	maxSpan = 24 * 3600
)

// recording is a trace in the form that measure needs.
type recording struct {
	Path      string
	Displayed bool      // the display times are known
	Display   string    // the simulated display that they are those of, or ""
	Start     []float64 // s, when each frame starts; 0 for the first
	Seen      []float64 // s, when each frame is seen; NaN if it never is
	Frame     []int64   // ns, the time before each frame; 0 for the first

	told []simdisplay.Told // what a loop is told about the display
}

// readRecording reads a trace. It returns an error if it cannot be measured.
func readRecording(path string) (*recording, error) {
	t, err := frametime.ReadTraceFile(path)
	if err != nil {
		return nil, err
	}
	r, err := newRecording(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.Path = path
	return r, nil
}

func newRecording(t *frametime.Trace) (*recording, error) {
	n := len(t.Frames)
	if n < minFrames {
		return nil, fmt.Errorf("only %d frames: at least %d are needed", n, minFrames)
	}
	r := &recording{Displayed: t.Presented, Start: t.Starts(), Seen: t.Visible(), Frame: make([]int64, n)}
	if !t.Presented {
		r.Seen = make([]float64, n)
		for i, f := range t.Frames {
			r.Seen[i] = r.Start[i] + f.Between
		}
	}
	before, seen := int64(0), 0
	for i, s := range r.Start {
		if !(math.Abs(s) <= maxSpan) {
			return nil, fmt.Errorf("frame %d starts after %g s: a recording may last %g s", i, s, float64(maxSpan))
		}
		now := int64(math.Round(s * 1e9))
		r.Frame[i] = now - before
		before = now
		if !(math.Abs(r.Seen[i]) <= 2*maxSpan) {
			r.Seen[i] = math.NaN()
		} else {
			seen++
		}
	}
	if seen < minFrames {
		return nil, fmt.Errorf("only %d of %d frames were ever displayed: at least %d are needed", seen, n, minFrames)
	}
	r.tell()
	return r, nil
}
