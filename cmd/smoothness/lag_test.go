package main

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"halfstep/renderloop"
	"halfstep/test/norace"
)

// hardlyHeld checks the lag for steps that cost about as much as a frame. The excess of
// a step over its frame then changes from frame to frame, and the lag must not follow
// the excess. The lag is at most a step more than that of the frame of Pipelined.
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
	for seed := range uint64(norace.Rounds(10, 2)) {
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

// timetable returns two times for each frame of a recording, in ticks: the instant of
// Pipelined without lag, and the newest available state. Every step takes the time cost.
// The result depends on the frame times alone, whatever the loop and the exchange do.
func timetable(r *recording, cost time.Duration) (want, newest []float64) {
	var now, free, demanded int64
	var finish []int64 // when each step is done
	for _, ns := range r.Frame {
		want = append(want, float64(now)*60/1e9-1)
		now += ns
		done := 0
		for done < len(finish) && finish[done] <= now {
			done++
		}
		newest = append(newest, float64(done))
		for ; demanded < now*60/1e9; demanded++ {
			free = max(free, now) + int64(cost)
			finish = append(finish, free)
		}
	}
	return want, newest
}

// constantLag measures a loop whose lag is always the same, in ticks.
func constantLag(r *recording, want, newest []float64, lag float64) (m measured, held int) {
	x, last := make([]float64, len(want)), 0.
	for i := range want {
		if want[i]-lag > newest[i]+1e-6 {
			held++
		}
		last = max(last, min(want[i]-lag, newest[i]))
		x[i] = last * dt
	}
	return measure(x, r.Start, r.Seen), held
}

// Every frame shows exactly its instant minus the lag, or is held because the step is
// not done. The exchange therefore always has the state. A shorter lag would hold frames
// with any exchange. The log has the number of these frames.
func TestAFrameIsHeldOnlyIfItsStepIsNotDone(t *testing.T) {
	traces := recordedIfAny(t)
	for seed := range uint64(5) {
		traces[fmt.Sprintf("jitter, seed %d", seed)] = generated(t, 500+seed, shapes[0], 90, 110, 1)
	}
	const cost = 10 * time.Millisecond
	for name, r := range traces {
		o := defaults()
		o.Cost = cost
		p, l, err := startLoop(o, newDrift(), renderloop.Pipelined, false)
		if err != nil {
			t.Fatal(err)
		}
		want, newest := timetable(r, cost)
		held := 0
		for i, ns := range r.Frame {
			v := p.frame(ns)
			instant := want[i] - l.Stats().Lag
			if v.Held {
				held++
			}
			if v.Held || newest[i] == 0 {
				instant = newest[i]
			}
			if got := shown(v) / dt; i > 0 && math.Abs(got-max(instant, 0)) > 1e-5 || v.Held && want[i] <= newest[i] {
				t.Fatalf("%s: frame %d shows %.6f, held %v; without lag it would show %.6f, with it %.6f, and %.0f is done", name, i, got, v.Held, want[i], instant, newest[i])
			}
		}
		p.close()
		t.Logf("%s: Pipelined holds %d frames", name, held)
		for _, lag := range []float64{0, .2, .38, .5, .6, .66, .7} {
			m, held := constantLag(r, want, newest, lag)
			t.Logf("with a constant lag of %.2f ticks: %d frames held, %.1f ms old, rms %.2f", lag, held, m.Latency, m.RMS)
		}
	}
}
