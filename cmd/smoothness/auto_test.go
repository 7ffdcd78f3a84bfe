package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"halfstep/renderloop"
	"halfstep/test/norace"
)

// played plays the trace through a loop, without commands.
func played(t *testing.T, o *options, r *recording, loop, pacing string) *result {
	t.Helper()
	for _, c := range candidates() {
		if c.Loop == loop && c.Pacing == pacing {
			one, err := o.motion(r, c)
			if err != nil {
				t.Fatal(err)
			}
			return one
		}
	}
	t.Fatalf("there is no loop %s, pacing %s", loop, pacing)
	return nil
}

func runs(t *testing.T, o *options, r *recording, pacing string) (pipelined, lockstep, auto *result) {
	t.Helper()
	return played(t, o, r, "pipelined", pacing), played(t, o, r, "lockstep", pacing), played(t, o, r, "auto", pacing)
}

func regular(t *testing.T, fps, n int) *recording {
	frames := make([]float64, n)
	for i := range frames {
		frames[i] = 1 / float64(fps)
	}
	return timed(t, frames, func(int) float64 { return .01 })
}

func TestAutoHasTheLatencyOfLockstepWhileStepsAreQuick(t *testing.T) {
	for _, fps := range norace.Some([]int{60, 144}, 1) {
		for _, pacing := range []string{"off", "auto"} {
			o := defaults()
			o.Cost = 500 * time.Microsecond
			r := regular(t, fps, 40*fps)
			pipelined, lockstep, auto := runs(t, o, r, pacing)
			input := map[string]float64{}
			waited := 0.
			for _, c := range candidates() {
				if c.Pacing == pacing && (c.Loop == "lockstep" || c.Loop == "auto") {
					ms, wait, err := o.inputLatency(r, c)
					if err != nil {
						t.Fatal(err)
					}
					input[c.Loop] = ms
					waited = quantile(wait, .99)
				}
			}
			if !(auto.Latency <= lockstep.Latency+1) || !(input["auto"] <= input["lockstep"]+1) {
				t.Errorf("%d fps, pacing %s: age %.1f ms, input %.1f; Lockstep has %.1f and %.1f, Pipelined an age of %.1f", fps, pacing,
					auto.Latency, input["auto"], lockstep.Latency, input["lockstep"], pipelined.Latency)
			}
			if auto.Held != 0 || waited == 0 {
				t.Errorf("%d fps, pacing %s: %d frames held, wait %v ms", fps, pacing, auto.Held, waited)
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
		often := [...]float64{.0003, .001, .003, .01, .5}[r.IntN(5)]
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

// slowSteps plays a recording, paced, with steps that are slow now and then. auto is the
// rms of Auto in ms, rest that without the frames that waited in vain, and better and
// worse are those of Pipelined and Lockstep.
func slowSteps(t *testing.T, trace *recording, seed uint64) (auto, rest, better, worse float64, inVain int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	often := [...]float64{.0003, .001, .003, .01}[seed%4]
	costs := make([]int64, 8000)
	for k := range costs {
		costs[k] = 500_000
		if r.Float64() < often {
			costs[k] = 1_000_000 + r.Int64N(5_000_000)
		}
	}
	o := defaults()
	o.costs = func(tick uint64) int64 { return costs[min(int(tick), len(costs)-1)] }
	pipelined, lockstep := played(t, o, trace, "pipelined", "auto").RMS, played(t, o, trace, "lockstep", "auto").RMS
	better, worse = min(pipelined, lockstep), max(pipelined, lockstep)

	p, l, err := startLoop(o, newDrift(), renderloop.Auto, true)
	if err != nil {
		t.Fatal(err)
	}
	missed := make([]bool, len(trace.Frame))
	x := make([]float64, len(trace.Frame))
	for i, ns := range trace.Frame {
		before := l.Stats().Missed
		x[i] = shown(p.frame(ns))
		if missed[i] = l.Stats().Missed > before; missed[i] {
			inVain++
		}
		if w := l.Stats().WaitNanos; w > 2_000_000 {
			t.Errorf("seed %d: a wait of %d ns", seed, w)
		}
	}
	p.close()
	auto = measure(x, trace.Start, trace.Seen).RMS
	sum, n := 0., 0
	frame, e := animationError(x, trace.Seen)
	for k := skipped; k < len(e); k++ {
		if !missed[frame[k]] {
			sum += e[k] * e[k] * 1e6
			n++
		}
	}
	return auto, math.Sqrt(sum / float64(n)), better, worse, inVain
}

// A slow step that comes while Auto waits costs the frame that waited in vain, which
// no loop of the same latency could have shown, and hardly anything else. If frames are
// very even, that one frame is more than their own error of half a minute.
func TestASlowStepCostsAutoTheFrameThatWaitedAndHardlyAnythingElse(t *testing.T) {
	norace.Only(t)
	traces := recordedIfAny(t)
	traces["jitter"] = generatedFrames(t, 2500, 60, shapes[0], 100, 100, 1)
	for name, once := range traces {
		above, missed, most, missedTwice, mostTwice := 0, 0, 0., 0, 0.
		for seed := range uint64(24) {
			auto, rest, better, worse, inVain := slowSteps(t, once, seed)
			if rest > 1.05*worse {
				t.Errorf("%s, seed %d: rms %.3f ms without the frames that waited in vain; the others have %.3f and %.3f", name, seed, rest, better, worse)
			}
			if auto > 1.2*better {
				above++
			}
			missed, most = missed+inVain, max(most, auto/better)
		}
		for seed := range uint64(8) {
			auto, _, better, _, inVain := slowSteps(t, twice(once), seed)
			if auto > 1.2*better {
				t.Errorf("%s twice, seed %d: rms %.3f ms, the better of the others has %.3f", name, seed, auto, better)
			}
			missedTwice, mostTwice = missedTwice+inVain, max(mostTwice, auto/better)
		}
		t.Logf("%s: 24 runs: %d frames waited in vain, rms up to %.2f times that of the better, %d runs above 1.2; 8 runs of twice the length: %d frames, up to %.2f", name, missed, most, above, missedTwice, mostTwice)
		if missedTwice == 0 || missedTwice > 16 || missed > 24 {
			t.Errorf("%s: %d and %d frames waited in vain", name, missed, missedTwice)
		}
	}
}

// twice is the recording, played twice.
func twice(r *recording) *recording {
	n := len(r.Frame)
	end := r.Start[n-1] + float64(r.Frame[n-1])/1e9 // s
	d := &recording{Path: r.Path, Displayed: r.Displayed, Start: slices.Clone(r.Start), Seen: slices.Clone(r.Seen), Frame: slices.Clone(r.Frame)}
	for i, ns := range r.Frame {
		if i == 0 {
			ns = r.Frame[n-1]
		}
		d.Start, d.Seen, d.Frame = append(d.Start, end+r.Start[i]), append(d.Seen, end+r.Seen[i]), append(d.Frame, ns)
	}
	return d
}
