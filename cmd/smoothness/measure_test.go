package main

import (
	"math"
	"strings"
	"testing"
	"time"
)

// even returns n instants with the distance step between them. The first instant
// is first.
func even(n int, first, step float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = first + float64(i)*step
	}
	return x
}

func TestEvenMotionHasNoErrorWhateverTheLatency(t *testing.T) {
	m := measure(even(50, 0, .01), even(50, .02, .01), even(50, .035, .01))
	if m.RMS > 1e-9 || m.P99 > 1e-9 || m.Backward != 0 || m.Still != 0 {
		t.Errorf("%+v", m)
	}
	if math.Abs(m.Latency-35) > 1e-9 || math.Abs(m.Lag-20) > 1e-9 {
		t.Errorf("latency %v ms and lag %v ms, want 35 and 20", m.Latency, m.Lag)
	}
}

// A frame that is 5 ms too far makes two errors of 5 ms among 100-1-10 errors.
func TestOneFrameTooFarMakesTwoErrors(t *testing.T) {
	x := even(100, 0, .01)
	x[50] += .005
	m := measure(x, x, even(100, .03, .01))
	if want := math.Sqrt(2 * 25. / 89); math.Abs(m.RMS-want) > 1e-9 {
		t.Errorf("rms %v ms, want %v", m.RMS, want)
	}
	// 88 of 89, which is the second largest
	if math.Abs(m.P99-5) > 1e-9 {
		t.Errorf("p99 %v ms, want 5", m.P99)
	}
}

func TestTheFirstTenErrorsAreLeftOut(t *testing.T) {
	x := even(100, 0, .01)
	x[9] += .005 // errors 9 and 10
	if m := measure(x, x, even(100, .03, .01)); m.RMS > 1e-9 {
		t.Errorf("rms %v ms from errors that do not count", m.RMS)
	}
	x[10] += .005 // error 11 counts
	if m := measure(x, x, even(100, .03, .01)); math.Abs(m.RMS-5/math.Sqrt(89)) > 1e-9 {
		t.Errorf("rms %v ms, want one error of 5 ms among 89", m.RMS)
	}
}

func TestBackwardAndStillAreToldApart(t *testing.T) {
	x := even(40, 0, .01)
	x[20] = x[19] - .001
	x[30] = x[29]
	x[35] = x[34] - 1e-12 // a rounding error is not a movement
	if m := measure(x, x, x); m.Backward != 1 || m.Still != 2 {
		t.Errorf("%d backward and %d still, want 1 and 2", m.Backward, m.Still)
	}
}

// A frame that is never seen does not count. The next frame is compared with the
// frame before the unseen frame.
func TestFramesThatAreNotSeenDoNotCount(t *testing.T) {
	x, v := even(60, 0, .01), even(60, .03, .01)
	x[30], v[30] = 99, math.NaN()
	if m := measure(x, even(60, 0, .01), v); m.RMS > 1e-9 || m.Backward != 0 {
		t.Errorf("%+v", m)
	}
	frames, e := animationError(x, v)
	if len(frames) != 58 || frames[29] != 31 || math.Abs(e[29]) > 1e-12 {
		t.Errorf("frame %d with error %v among %d, want frame 31 with none among 58", frames[29], e[29], len(frames))
	}
}

func TestMedianOfAnEvenNumberIsTheMeanOfTheMiddle(t *testing.T) {
	if m := median([]float64{4, 1, 3, 2}); m != 2.5 {
		t.Errorf("%v", m)
	}
	if m := median([]float64{3, 1, 2}); m != 2 {
		t.Errorf("%v", m)
	}
	if m := median(nil); m != 0 {
		t.Errorf("%v", m)
	}
}

// At 120 frames and 60 steps per second, with steps that cost nothing, Lockstep
// shows a command at once if its frame makes a step. Pipelined shows it one frame
// later.
func TestInputLatencyCountsFromTheFrameThatGivesTheCommand(t *testing.T) {
	frames := make([]float64, 600)
	for i := range frames {
		frames[i] = 1. / 120
	}
	o := defaults()
	o.Cost = time.Microsecond
	s, err := o.play(timed(t, frames, func(int) float64 { return .01 }))
	if err != nil {
		t.Fatal(err)
	}
	lockstep, pipelined := *s.find("lockstep", "off").Input, *s.find("pipelined", "off").Input
	var early float64
	for _, r := range s.Others {
		if r.Loop == "ahead" {
			early = *r.Input
		}
	}
	if math.Abs(pipelined-lockstep-1e3/120) > .01 {
		t.Errorf("pipelined shows a command %v ms after lockstep, want one frame", pipelined-lockstep)
	}
	// In Naive physics has a goroutine of its own. The frame before may then find the
	// command already in the state, although no step has moved the body yet.
	if late := early - lockstep; math.Abs(late-1e3/40) > .01 && math.Abs(late-1e3/60) > .01 {
		t.Errorf("one step ahead shows a command %v ms after lockstep, want a step, or a step and a frame", late)
	}
	single := *s.find("single", "off").Input
	if single != lockstep {
		t.Errorf("single shows a command after %v ms, lockstep after %v", single, lockstep)
	}
}

// A frame shows a command of its own step, however long the step is.
func TestInputLatencyDoesNotDependOnTheLengthOfSteps(t *testing.T) {
	frames := make([]float64, 600)
	for i := range frames {
		frames[i] = []float64{1. / 120, 1. / 80}[i%2]
	}
	s, err := defaults().play(timed(t, frames, func(int) float64 { return .01 }))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Others {
		if uneven := r.Loop == "variable" || r.Loop == "semi-fixed"; uneven && (*r.Input < 1e3/120 || *r.Input > 1e3/80+10) {
			t.Errorf("%s shows a command after %v ms", r.Loop, *r.Input)
		}
	}
}

func TestALoopAtItsOwnSpeedHasNoLag(t *testing.T) {
	o := defaults()
	s, err := o.play(generated(t, 3, shapes[0], 60, 144, 1))
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	printTable(&table, s)
	page, err := renderPage(o, []section{*s})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(s.Runs, s.Others...) {
		if none := r.LagText() == "–" && r.LatencyText() == "–"; none != (r.Loop == "fixed") {
			t.Errorf("%s: lag %s, latency %s", r.Loop, r.LagText(), r.LatencyText())
		}
	}
	if n := strings.Count(table.String(), "–"); n < 2 || strings.Count(string(page), "<td>–</td>") != n {
		t.Errorf("no dash in the table or in the page:\n%s", table.String())
	}
}

// Commands must not change the picture, because otherwise the two passes would
// measure different runs. While RunAhead computes steps again, other frames may
// be held.
func TestCommandsDoNotDisturbTheMotion(t *testing.T) {
	r := generated(t, 3, shapes[0], 60, 144, 1)
	for _, c := range candidates() {
		o := defaults()
		if c.Loop == "run-ahead" {
			o.Cost = 0
		}
		play := func(orders bool) (x []float64) {
			p, err := c.start(o, newDrift(), r)
			if err != nil {
				t.Fatal(err)
			}
			defer p.close()
			for _, ns := range r.Frame {
				if orders {
					p.order()
				}
				x = append(x, shown(p.frame(ns)))
			}
			return x
		}
		plain, ordered := play(false), play(true)
		for i := range plain {
			if plain[i] != ordered[i] {
				t.Errorf("%s, pacing %s: frame %d shows %v, with commands %v", c.Loop, c.Pacing, i, plain[i], ordered[i])
				break
			}
		}
	}
}
