package main

import (
	"fmt"
	"math"
)

// result is the run of one loop through a trace.
type result struct {
	Loop   string `json:"loop"`
	Pacing string `json:"pacing"`
	measured
	Input   *float64 `json:"input_ms,omitempty"` // nil if no effect was ever shown
	Wait    float64  `json:"wait_ms"`
	Dropped float64  `json:"dropped_s"`
	Held    uint64   `json:"held"`

	ownSpeed bool      // its Lag and Latency mean nothing
	shown    []float64 // the instant at each frame, s
}

// section is a trace and the runs of all loops through it.
type section struct {
	*recording
	Runs, Others []result
}

// find returns the run of a loop, or nil if there is none.
func (s *section) find(loop, pacing string) *result {
	for i := range s.Runs {
		if r := &s.Runs[i]; r.Loop == loop && r.Pacing == pacing {
			return r
		}
	}
	return nil
}

// play plays the trace through all loops.
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

// playOne plays the trace through one loop twice: the second time with a command in
// every frame. The first time has none, because commands might affect the motion.
func (o *options) playOne(r *recording, c candidate) (*result, error) {
	one, err := o.motion(r, c)
	if err != nil {
		return nil, err
	}
	input, err := o.inputLatency(r, c)
	if err == nil && !math.IsNaN(input) {
		one.Input = &input
	}
	return one, err
}

// motion plays the trace without commands.
func (o *options) motion(r *recording, c candidate) (*result, error) {
	p, err := c.start(o, newDrift(len(r.Frame)), r)
	if err != nil {
		return nil, err
	}
	one := &result{Loop: c.Loop, Pacing: c.Pacing, ownSpeed: c.OwnSpeed}
	wait := make([]float64, 0, len(r.Frame))
	for _, ns := range r.Frame {
		v := p.frame(ns)
		one.shown = append(one.shown, shown(v))
		if p.wait != nil {
			wait = append(wait, p.wait(v))
		}
	}
	p.close()
	one.measured = measure(one.shown, r.Start, r.Seen)
	one.Wait = quantile(wait, .99)
	one.Dropped = p.dropped()
	if p.held != nil {
		one.Held = p.held()
	}
	return one, nil
}

// inputLatency is the median time, in ms, from the start of a frame that gives a
// command to the display of the first frame that shows its effect: an instant
// after the one that the command followed. It is NaN if no effect is ever shown.
func (o *options) inputLatency(r *recording, c candidate) (float64, error) {
	d := newDrift(len(r.Frame))
	p, err := c.start(o, d, r)
	if err != nil {
		return 0, err
	}
	x := make([]float64, len(r.Frame))
	for i, ns := range r.Frame {
		p.order(i)
		x[i] = shown(p.frame(ns))
	}
	p.close()

	var times []float64
	j := 0 // x never goes backwards, so neither does j
	for i, instant := range d.followed {
		if math.IsNaN(instant) {
			continue // not applied before the end
		}
		for j = max(j, i); j < len(x) && (math.IsNaN(r.Seen[j]) || x[j] < instant+same); j++ {
		}
		if j == len(x) {
			break
		}
		times = append(times, (r.Seen[j]-r.Start[i])*1e3)
	}
	if len(times) == 0 {
		return math.NaN(), nil
	}
	return median(times), nil
}
