package main

import (
	"math"
	"testing"
	"time"
)

func TestWithoutDisplayTimesAFrameIsSeenWhenItEnds(t *testing.T) {
	r, err := readRecording(write(t, "plain.txt", "10\n20\n"+plain(100)), "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Displayed || r.Start[0] != 0 || r.Frame[0] != 0 {
		t.Errorf("displayed %v, the first frame starts at %v", r.Displayed, r.Start[0])
	}
	if r.Frame[1] != 10_000_000 || r.Frame[2] != 20_000_000 {
		t.Errorf("frames 1 and 2 start %d and %d ns after the ones before", r.Frame[1], r.Frame[2])
	}
	if math.Abs(r.Seen[0]-.01) > 1e-12 || math.Abs(r.Seen[1]-.03) > 1e-12 {
		t.Errorf("frames 0 and 1 are seen at %v and %v s", r.Seen[0], r.Seen[1])
	}
}

// Frame i starts at the present of frame i-1. It is seen MsUntilDisplayed after
// its own present.
func TestDisplayTimesAreThoseOfTheRecording(t *testing.T) {
	r, err := readRecording(write(t, "table.csv", table(120, func(i int, f []string) {
		if i == 7 {
			f[0] = "1"
		}
		if i == 8 {
			f[3] = "0"
		}
	})), "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Start {
		start, seen := .01*float64(i), .01*float64(i+1)+.015
		if math.Abs(r.Start[i]-start) > 1e-9 || r.Frame[i] != 10_000_000 && i > 0 {
			t.Fatalf("frame %d starts at %v", i, r.Start[i])
		}
		if hidden := i == 7 || i == 8; math.IsNaN(r.Seen[i]) != hidden || !hidden && math.Abs(r.Seen[i]-seen) > 1e-9 {
			t.Fatalf("frame %d is seen at %v", i, r.Seen[i])
		}
	}
}

// There is one frame of 0.4 s. The clamp removes 0.15 s, and the limit on steps
// removes 10 of the 15 steps.
func TestDroppedTimeIsReported(t *testing.T) {
	frames := even(200, .01, 0)
	frames[100] = .4
	o := defaults()
	s, err := o.play(timed(t, frames, func(int) float64 { return .01 }))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Runs {
		want := .15 + 10*dt
		if r.Loop == "naive" {
			want = 0 // the timer of Naive does not stop
		}
		if math.Abs(r.Dropped-want) > 1e-6 {
			t.Errorf("%s, pacing %s drops %v s, want %v", r.Loop, r.Pacing, r.Dropped, want)
		}
	}
	for _, r := range s.Others {
		want := map[string]float64{"ahead": .15 + 10*dt, "variable": .15, "semi-fixed": .15}[r.Loop]
		if math.Abs(r.Dropped-want) > 1e-6 {
			t.Errorf("%s drops %v s, want %v", r.Loop, r.Dropped, want)
		}
	}
}

// A step that is demanded early does not count as late.
func TestOneStepAheadFitsIntoABoundOfOne(t *testing.T) {
	o := defaults()
	o.MaxSteps, o.Cost = 1, 12*time.Millisecond // the step is not done when the next frame begins
	s, err := o.play(timed(t, even(300, .01, 0), func(int) float64 { return .01 }))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Others {
		if r.Loop == "ahead" && r.Dropped != 0 {
			t.Errorf("%v s dropped", r.Dropped)
		}
	}
}
