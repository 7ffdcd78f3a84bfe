package main

import (
	"fmt"
	"math"

	"halfstep/internal/frametrace"
	"halfstep/test/simdisplay"
)

// result has the measurements of one loop with one trace. The package comment explains
// them.
type result struct {
	Loop   string `json:"loop"`
	Pacing string `json:"pacing"`
	measured
	Input   *float64 `json:"input_ms,omitempty"` // Input is nil if no effect of a command was ever shown.
	Wait    float64  `json:"wait_ms"`
	Dropped float64  `json:"dropped_s"`
	Held    uint64   `json:"held"`

	ownSpeed bool      // ownSpeed says that the Lag and Latency of this loop mean nothing.
	shown    []float64 // shown is the instant that each frame showed, in s.
}

// section is the part of the page about one trace.
type section struct {
	*recording
	Runs, Others []result // Others are the results of loops that are played only for comparison.
	Starts       []begun  // the runs of -start
}

func (s *section) find(loop, pacing string) *result {
	for i := range s.Runs {
		if r := &s.Runs[i]; r.Loop == loop && r.Pacing == pacing {
			return r
		}
	}
	return nil
}

// play plays a trace through all loops.
func (o *options) play(r *recording) (*section, error) {
	s := &section{recording: r}
	for _, c := range candidates() {
		one, err := o.playOne(r, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", r.Path, c.Loop, err)
		}
		if c.Extra {
			s.Others = append(s.Others, *one)
		} else {
			s.Runs = append(s.Runs, *one)
		}
	}
	return s, nil
}

// playOne plays the trace through one loop twice. The first run has no commands,
// because they might affect the motion. The second run has a command in every frame.
func (o *options) playOne(r *recording, c candidate) (*result, error) {
	one, err := o.motion(r, c)
	if err != nil {
		return nil, err
	}
	input, wait, err := o.inputLatency(r, c)
	if err == nil && !math.IsNaN(input) {
		one.Input = &input
	}
	one.Wait = quantile(wait, .99)
	return one, err
}

// motion plays a trace through a loop without commands.
func (o *options) motion(r *recording, c candidate) (*result, error) {
	p, err := c.start(o, newDrift(), r)
	if err != nil {
		return nil, err
	}
	one := &result{Loop: c.Loop, Pacing: c.Pacing, ownSpeed: c.OwnSpeed}
	for _, ns := range r.Frame {
		one.shown = append(one.shown, shown(p.frame(ns)))
	}
	p.close()
	one.measured = measure(one.shown, r.Start, r.Seen)
	one.Dropped = p.dropped()
	if p.held != nil {
		one.Held = p.held()
	}
	return one, nil
}

// inputLatency plays the trace with a command in every frame. It returns the median
// time, in ms, between the start of a frame that gives a command and the display of the
// first frame whose states contain the command. Without such frames the median is NaN.
// It also returns how long each frame waited, in ms.
func (o *options) inputLatency(r *recording, c candidate) (ms float64, wait []float64, err error) {
	p, err := c.start(o, newDrift(), r)
	if err != nil {
		return 0, nil, err
	}
	has := make([]int, len(r.Frame)) // commands, by frame
	for i, ns := range r.Frame {
		p.order()
		v := p.frame(ns)
		has[i] = v.Cur[0].Commands
		if p.wait != nil {
			wait = append(wait, p.wait(v))
		}
	}
	p.close()

	var times []float64
	j := 0 // j never decreases, because a command that a frame contains is in all later frames
	for i := range has {
		for j = max(j, i); j < len(has) && (math.IsNaN(r.Seen[j]) || has[j] <= i); j++ {
		}
		if j == len(has) {
			break
		}
		times = append(times, (r.Seen[j]-r.Start[i])*1e3)
	}
	if len(times) == 0 {
		return math.NaN(), wait, nil
	}
	return median(times), wait, nil
}

const (
	// minFrames is the least number of frames in a trace.
	minFrames = 100
	// minSeen is the least number of frames that were displayed.
	minSeen = 50
	// maxSpan is the length of the longest recording, in seconds.
	maxSpan = 24 * 3600
)

// recording is a trace in the form that measure needs.
type recording struct {
	Path      string
	Note      string    // Note is a message about parts of the file that were left out or are doubtful.
	Displayed bool      // Displayed says that the display times are known.
	Display   string    // Display is the simulated display that the times come from, or "".
	Start     []float64 // Start is the start of each frame in s. The first frame starts at 0.
	Seen      []float64 // Seen is when each frame was seen, in s, or NaN if it was never seen.
	Frame     []int64   // Frame is the time before each frame in ns. It is 0 for the first frame.

	known []cost            // known are the recorded costs of the frames, or nil.
	told  []simdisplay.Told // told are the reports on the frames that the loop gets.
}

// readRecording reads a trace. It returns an error if the trace cannot be measured.
func readRecording(path, process string) (*recording, error) {
	t, err := frametrace.ReadTraceFile(path, process)
	if err != nil {
		return nil, err
	}
	r, err := newRecording(t)
	if err != nil && t.Note != "" {
		err = fmt.Errorf("%w (%s)", err, t.Note)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.Path = path; t.Note != "" {
		r.Note = path + ": " + t.Note
	}
	if len(t.Streams) > 1 {
		r.Note += "; -process chooses another"
	}
	return r, nil
}

// costs returns the costs of the frames: those of the recording, or generated costs
// with -work.
func (r *recording) costs(o *options) []cost {
	if o.Work > 0 {
		return jittered(float64(o.Work), len(r.Frame))
	}
	return r.known
}

// newRecording refuses a trace that is too short or too long, or that has too few
// frames that were seen.
func newRecording(t *frametrace.Trace) (*recording, error) {
	n := len(t.Frames)
	if n < minFrames {
		return nil, fmt.Errorf("only %d frames: at least %d are needed", n, minFrames)
	}
	r := &recording{Displayed: t.Presented, Start: t.Starts(), Seen: t.Visible(), Frame: make([]int64, n), known: costsOf(t)}
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
	if seen < minSeen {
		return nil, fmt.Errorf("only %d of %d frames were ever displayed: at least %d are needed", seen, n, minSeen)
	}
	r.tell()
	return r, nil
}
