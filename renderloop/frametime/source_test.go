package frametime

import (
	"testing"
	"time"

	"halfstep/renderloop/clock"
)

func TestTheFirstFrameOfEverySourceTakesNoTime(t *testing.T) {
	fixed, _ := NewFixedSource(clock.Hz(144))
	for name, s := range map[string]Source{
		"wall": NewWallSource(), "fixed": fixed,
	} {
		if ns, ok := s.Next(); ns != 0 || !ok {
			t.Errorf("%s: first frame %d ns, %v", name, ns, ok)
		}
	}
}

func TestWallFramesLastFromCallToCall(t *testing.T) {
	now := time.Now()
	s := &wallSource{now: func() time.Time { return now }}
	s.Next()
	for _, d := range []time.Duration{time.Millisecond, 0, 3 * time.Hour} {
		now = now.Add(d)
		if ns, ok := s.Next(); ns != int64(d) || !ok {
			t.Errorf("%v became %d ns, %v", d, ns, ok)
		}
	}
}

// Rounding each frame separately would be 64 ns short after a second at 144 Hz.
func TestFixedFramesAddUpExactly(t *testing.T) {
	for _, parts := range [][2]int64{{144, 1}, {60, 1}, {1000, 1}, {2997, 50}, {1, 10}, {999983, 1000000}} {
		rate := clock.Rate{Num: parts[0], Den: parts[1]}
		s, err := NewFixedSource(rate)
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		s.Next()
		for range rate.Num {
			ns, _ := s.Next()
			sum += ns
		}
		if want := rate.Den * int64(time.Second); sum != want {
			t.Errorf("%v: %d frames took %d ns, not %d", rate, rate.Num, sum, want)
		}
	}
}

func TestAtTheRateOfTheStepsEachFrameHasOne(t *testing.T) {
	for _, parts := range [][2]int64{{60, 1}, {144, 1}, {7, 1}, {60000, 1001}} {
		rate := clock.Rate{Num: parts[0], Den: parts[1]}
		s, err := NewFixedSource(rate)
		if err != nil {
			t.Fatal(err)
		}
		c, err := clock.New(rate)
		if err != nil {
			t.Fatal(err)
		}
		s.Next()
		for i := range 1000 {
			ns, _ := s.Next()
			if n := c.Advance(ns, 0); n != 1 {
				t.Fatalf("%v: %d steps in frame %d", rate, n, i)
			}
		}
	}
}

func TestFixedRateMustBeARate(t *testing.T) {
	for _, parts := range [][2]int64{{0, 0}, {0, 1}, {1, 0}, {-1, 1}, {1 << 40, 1}, {1, 1_000_000}} {
		r := clock.Rate{Num: parts[0], Den: parts[1]}
		if _, err := NewFixedSource(r); err == nil {
			t.Errorf("%v was accepted", r)
		}
	}
}

func TestOnlyTheWallClockThrottles(t *testing.T) {
	fixed, _ := NewFixedSource(clock.Hz(60))
	if NewWallSource().Simulated() || !fixed.Simulated() {
		t.Error("Simulated is wrong")
	}
}
