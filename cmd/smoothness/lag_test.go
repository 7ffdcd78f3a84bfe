package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// hardlyHeld checks the promise for steps that cost about as much as a frame: the
// time that a step needs beyond its frame changes from frame to frame, and the lag
// must not follow it. The lag is at most a step beyond the frame of Pipelined.
func hardlyHeld(t *testing.T, r *recording, cost time.Duration) {
	t.Helper()
	o := defaults()
	o.Cost = cost
	s := motions(t, o, r)
	single := s.find("single", "off")
	frame := median(append([]float64(nil), seconds(r.Frame)...)) * 1e3
	for _, pacing := range []string{"off", "auto"} {
		got := s.find("pipelined", pacing)
		t.Logf("%s, pacing %s: rms %.2f of %.2f, %d frames held, latency %.1f and %.1f", r.Path, pacing, got.RMS, single.RMS, got.Held, got.Latency, single.Latency)
		if got.Held > 10 || got.RMS > 1.1*single.RMS || got.Backward != 0 {
			t.Errorf("%s, pacing %s: %d frames held, %d backward, rms %.2f; the loop of the articles has %.2f",
				r.Path, pacing, got.Held, got.Backward, got.RMS, single.RMS)
		}
		if got.Latency > single.Latency+frame+dt*1e3 {
			t.Errorf("%s, pacing %s: latency %.1f ms, that of the loop of the articles %.1f", r.Path, pacing, got.Latency, single.Latency)
		}
	}
}

func seconds(ns []int64) (s []float64) {
	for _, n := range ns {
		s = append(s, float64(n)/1e9)
	}
	return s
}

func TestAStepAsLongAsAJitteryFrameHoldsHardlyAnyFrame(t *testing.T) {
	for seed := range uint64(10) {
		r := generated(t, 500+seed, shape{"jitter", false, shapes[0].frame}, 75, 130, 1)
		r.Path = fmt.Sprintf("jitter, seed %d", 500+seed)
		mean := 0.
		for _, f := range seconds(r.Frame) {
			mean += f / float64(len(r.Frame))
		}
		hardlyHeld(t, r, time.Duration(math.Round(mean*1e9)))
	}
	for name, r := range recordedIfAny(t) {
		if strings.Contains(name, "Metro") {
			r.Path = name
			hardlyHeld(t, r, 10*time.Millisecond)
		}
	}
}
