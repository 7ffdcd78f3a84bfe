package main

import (
	"testing"
	"time"
)

// If steps are slow from time to time, only few frames wait without result.
func TestARunAheadThatWaitsInVainWaitsLess(t *testing.T) {
	frames := make([]float64, 1200)
	for i := range frames {
		frames[i] = 1. / 144
	}
	o := defaults()
	o.costs = func(tick uint64) int64 { return []int64{300_000, 300_000, 4_000_000}[tick%3] }
	r := timed(t, frames, func(int) float64 { return 1. / 144 })
	for _, c := range candidates() {
		if c.Loop != "run-ahead" {
			continue
		}
		p, err := c.start(o, newDrift(), r)
		if err != nil {
			t.Fatal(err)
		}
		vain := 0
		for _, ns := range r.Frame {
			p.order()
			if v := p.frame(ns); p.wait(v) >= 2 {
				vain++
			}
		}
		p.close()
		if vain == 0 || vain > len(frames)/10 {
			t.Errorf("pacing %s: %d of %d frames wait in vain", c.Pacing, vain, len(frames))
		}
	}
}

// With a command in every frame and steps of half a millisecond, a frame shows the
// effect of its own command, at any frame rate. It waits only for the steps that it
// shows.
func TestAFrameOfARunAheadShowsItsOwnCommands(t *testing.T) {
	for _, hz := range []float64{60, 75, 144, 300} {
		frames := make([]float64, 1200)
		for i := range frames {
			frames[i] = 1 / hz
		}
		o := defaults()
		o.Cost = 500 * time.Microsecond
		r := timed(t, frames, func(int) float64 { return 1 / hz })
		for _, c := range candidates() {
			if c.Loop != "run-ahead" {
				continue
			}
			p, err := c.start(o, newDrift(), r)
			if err != nil {
				t.Fatal(err)
			}
			own, most := 0, 0.
			for i, ns := range r.Frame {
				p.order()
				v := p.frame(ns)
				if v.Cur[0].Commands == i+1 {
					own++
				}
				most = max(most, p.wait(v))
			}
			p.close()
			if n := len(r.Frame); own < n*99/100 {
				t.Errorf("%v frames a second, pacing %s: %d of %d frames show their own command", hz, c.Pacing, own, n)
			}
			if budget := min(1e3/hz/3, 2); most > budget {
				t.Errorf("%v frames a second, pacing %s: a frame waits for %v ms, the budget is %v", hz, c.Pacing, most, budget)
			}
		}
	}
}
