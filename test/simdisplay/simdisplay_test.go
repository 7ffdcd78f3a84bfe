package simdisplay_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"halfstep/test/simdisplay"
)

const ms = 1e6

func equal(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b float64) bool {
		return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1
	}) {
		t.Errorf("%s: seen at %v, want %v", what, got, want)
	}
}

func TestTheNewestFrameBeforeTheDeadlineIsSeen(t *testing.T) {
	never := math.NaN()
	presents := []float64{1 * ms, 5 * ms, 8.5 * ms, 12 * ms, 31 * ms, 45 * ms}
	d := &simdisplay.Display{Hz: 100, Deadline: time.Millisecond}
	equal(t, "newest", d.Show(presents), []float64{never, never, 10 * ms, 20 * ms, 40 * ms, never})
	d.Queue = true
	equal(t, "queue", d.Show(presents), []float64{10 * ms, 20 * ms, 30 * ms, 40 * ms, 50 * ms, 60 * ms})
	d = &simdisplay.Display{Hz: 100, Adaptive: true}
	equal(t, "adaptive", d.Show(presents), []float64{1 * ms, never, 11 * ms, 21 * ms, 31 * ms, 45 * ms})
	d = &simdisplay.Display{}
	equal(t, "tearing", d.Show(presents), presents)
}

func TestTrueFeedbackTellsEachFrameOnceAndInOrder(t *testing.T) {
	var presents []float64
	for i := range 500 {
		presents = append(presents, float64(i)*3.3*ms)
	}
	d := &simdisplay.Display{Hz: 60, Feedback: simdisplay.True, Late: 30 * time.Millisecond}
	seen := d.Show(presents)
	told := d.Tell(presents, seen, 1)
	if len(told) != len(presents) {
		t.Fatalf("%d reports on %d frames", len(told), len(presents))
	}
	for i, r := range told {
		switch {
		case r.Frame != uint64(i+1) || i > 0 && r.At < told[i-1].At:
			t.Fatalf("report %d is on frame %d at %v", i, r.Frame, r.At)
		case r.WasSeen() == math.IsNaN(seen[i]):
			t.Fatalf("frame %d: %+v, seen at %v", i, r, seen[i])
		case r.WasSeen() && (math.Abs(float64(r.Seen)-seen[i]) > 1 || r.At < seen[i]+30*ms):
			t.Fatalf("frame %d: told %d at %v, seen at %v", i, r.Seen, r.At, seen[i])
		}
	}
}

func TestEveryLieDiffersFromTheTruth(t *testing.T) {
	var presents []float64
	for i := range 500 {
		presents = append(presents, float64(i)*3.3*ms)
	}
	truth := &simdisplay.Display{Hz: 60, Feedback: simdisplay.True}
	want := truth.Tell(presents, truth.Show(presents), 1)
	for _, f := range simdisplay.Feedbacks {
		d := &simdisplay.Display{Hz: 60, Feedback: f}
		got := d.Tell(presents, d.Show(presents), 1)
		same := slices.EqualFunc(got, want, func(a, b simdisplay.Told) bool { return a.Report == b.Report })
		if same != (f == simdisplay.True) || f.Lies() != (f != simdisplay.None && f != simdisplay.True && f != simdisplay.Half) {
			t.Errorf("%s: the same as the truth: %v", f, same)
		}
	}
}

func TestDisplaysAreReadFromFlags(t *testing.T) {
	for s, want := range map[string]simdisplay.Display{
		"60":     {Hz: 60, Feedback: simdisplay.True},
		"48-144": {Hz: 144, Adaptive: true, Feedback: simdisplay.True},
		"59.94,queue,deadline=4ms,late=50ms,feedback=mistaken": {
			Hz: 59.94, Queue: true, Deadline: 4 * time.Millisecond, Late: 50 * time.Millisecond, Feedback: simdisplay.Mistaken,
		},
	} {
		if got, err := simdisplay.Parse(s); err != nil || got != want {
			t.Errorf("%s: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "9", "1001", "NaN", "x-144", "144-x", "144-48", "60,feedback=", "60,late=-1s", "60,late=1h", "60,quick"} {
		if d, err := simdisplay.Parse(s); err == nil {
			t.Errorf("%q is %+v", s, d)
		}
	}
}
