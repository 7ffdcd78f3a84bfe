package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"halfstep/internal/norace"
)

// runs plays the trace through Pipelined, Lockstep and Auto, without commands.
func runs(t *testing.T, o *options, r *recording, pacing string) (pipelined, lockstep, auto *result) {
	t.Helper()
	find := func(loop string) *result {
		for _, c := range candidates() {
			if c.Loop == loop && c.Pacing == pacing {
				one, _, err := o.motion(r, c)
				if err != nil {
					t.Fatal(err)
				}
				return one
			}
		}
		t.Fatalf("there is no loop %s, pacing %s", loop, pacing)
		return nil
	}
	return find("pipelined"), find("lockstep"), find("auto")
}

func regular(t *testing.T, fps, n int) *recording {
	frames := make([]float64, n)
	for i := range frames {
		frames[i] = 1 / float64(fps)
	}
	return timed(t, frames, func(int) float64 { return .01 })
}

func TestAutoHasTheLatencyOfLockstepWhileStepsAreQuick(t *testing.T) {
	for _, fps := range []int{60, 144} {
		for _, pacing := range []string{"off", "auto"} {
			o := defaults()
			o.Cost = 500 * time.Microsecond
			r := regular(t, fps, 40*fps)
			pipelined, lockstep, auto := runs(t, o, r, pacing)
			input := map[string]float64{}
			for _, c := range candidates() {
				if c.Pacing == pacing && (c.Loop == "lockstep" || c.Loop == "auto") {
					ms, err := o.inputLatency(r, c)
					if err != nil {
						t.Fatal(err)
					}
					input[c.Loop] = ms
				}
			}
			if !(auto.Latency <= lockstep.Latency+1) || !(input["auto"] <= input["lockstep"]+1) {
				t.Errorf("%d fps, pacing %s: age %.1f ms, input %.1f; Lockstep has %.1f and %.1f, Pipelined an age of %.1f", fps, pacing,
					auto.Latency, input["auto"], lockstep.Latency, input["lockstep"], pipelined.Latency)
			}
			if auto.Held != 0 || auto.Wait == 0 {
				t.Errorf("%d fps, pacing %s: %d frames held, wait %v ms", fps, pacing, auto.Held, auto.Wait)
			}
		}
	}
}

func TestAutoIsPipelinedWhileStepsAreSlow(t *testing.T) {
	for name, r := range map[string]*recording{
		"144 fps": regular(t, 144, 1500),
		"jitter":  generated(t, 41, shapes[0], 90, 150, 1),
		"stalls":  generated(t, 42, shapes[3], 90, 150, 1),
	} {
		for _, pacing := range []string{"off", "auto"} {
			o := defaults()
			o.Cost = 10 * time.Millisecond
			pipelined, _, auto := runs(t, o, r, pacing)
			if !slices.Equal(pipelined.shown, auto.shown) || auto.Wait != 0 {
				t.Errorf("%s, pacing %s: other instants than Pipelined, or a wait (%v ms)", name, pacing, auto.Wait)
			}
		}
	}
}

// Whatever steps cost, Auto is as smooth as the better of the other two.
func TestAutoIsAsSmoothAsTheBetterOfTheTwo(t *testing.T) {
	norace.Only(t)
	waited := 0 // runs in which Auto waited for long
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 5))
		costs := make([]int64, 5000)
		often := [...]float64{.001, .003, .01, .1, .5}[r.IntN(5)]
		change := r.IntN(5) * 200 // at this tick all steps become slow; 0 means never
		for k := range costs {
			costs[k] = 500_000
			if r.Float64() < often || change > 0 && k > change && k < 2*change {
				costs[k] = 1_000_000 + r.Int64N(5_000_000)
			}
		}
		sh := shapes[r.IntN(len(shapes))]
		trace := generatedFrames(t, 3500, 3000+seed, sh, 50, 240, 1) // 15 to 70 s
		pacing := [...]string{"off", "auto"}[seed%2]
		name := fmt.Sprintf("seed %d, %s, pacing %s, slow with %v, change at %d", seed, sh.name, pacing, often, change)
		o := defaults()
		o.costs = func(tick uint64) int64 { return costs[min(int(tick), len(costs)-1)] }
		pipelined, lockstep, auto := runs(t, o, trace, pacing)
		t.Logf("%s: rms %.3f; Pipelined %.3f, Lockstep %.3f; %.1f, %.1f and %.1f ms old", name, auto.RMS, pipelined.RMS, lockstep.RMS, auto.Latency, pipelined.Latency, lockstep.Latency)
		if auto.RMS > 1.2*min(pipelined.RMS, lockstep.RMS) {
			t.Errorf("%s: rms %.3f ms; Pipelined has %.3f, Lockstep %.3f", name, auto.RMS, pipelined.RMS, lockstep.RMS)
		}
		if auto.Backward != 0 || auto.Wait > 2 {
			t.Errorf("%s: %d frames backward, wait %v ms", name, auto.Backward, auto.Wait)
		}
		if auto.Latency < pipelined.Latency-1 {
			waited++
		}
	}
	if waited < 5 {
		t.Errorf("Auto waited for long in %d runs of 50: the others say little", waited)
	}
}
