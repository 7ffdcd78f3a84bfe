package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"halfstep/internal/frametrace"
	"halfstep/renderloop/clock"
	"halfstep/test/norace"
)

const dt = 1. / 60

// defaults returns the default values of the flags.
func defaults() *options {
	return &options{Cost: 4 * time.Millisecond, Rate: clock.Hz(60), MaxSteps: 5}
}

// timed makes a recording from frame times in s. The function delay returns the time
// between the end of a frame and its display.
func timed(t testing.TB, frames []float64, delay func(i int) float64) *recording {
	t.Helper()
	tr := &frametrace.Trace{Presented: true}
	now := 0.
	for i, f := range frames {
		now += f
		tr.Frames = append(tr.Frames, frametrace.TraceFrame{Between: f, Time: now, UntilDisplayed: delay(i)})
	}
	r, err := newRecording(tr)
	if err != nil {
		t.Fatal(err)
	}
	r.Path = "made up"
	return r
}

// shape is a way in which frame times can be irregular.
type shape struct {
	name  string
	stall bool
	frame func(r *rand.Rand, i int, mean float64) float64
}

var shapes = []shape{
	{"jitter", false, func(r *rand.Rand, i int, mean float64) float64 {
		return mean * max(.5, 1+.15*r.NormFloat64())
	}},
	{"drifting rate", false, func(r *rand.Rand, i int, mean float64) float64 {
		return mean * (1 + .3*math.Sin(float64(i)/200) + .05*r.NormFloat64())
	}},
	{"vsync with missed frames", false, func(r *rand.Rand, i int, mean float64) float64 {
		n := 1.
		if r.IntN(20) == 0 {
			n = 2
		}
		return n*mean + r.NormFloat64()*.0002
	}},
	// There is one stall in 8 s, which is about as rare as in recordings from games. After
	// a stall physics needs several frames for its steps (five steps of 4 ms are six
	// frames at 300 per second). With more stalls the 99th percentile would measure only
	// these frames.
	{"stalls", true, func(r *rand.Rand, i int, mean float64) float64 {
		if every := int(8 / mean); i%every == every/2 {
			return .05 + .15*r.Float64()
		}
		return mean * max(.5, 1+.1*r.NormFloat64())
	}},
}

// generated returns a trace of the shape, at some rate between the limits slow and
// fast in frames per second. Stalls are limited to longest seconds.
func generated(t testing.TB, seed uint64, s shape, slow, fast, longest float64) *recording {
	return generatedFrames(t, 1500, seed, s, slow, fast, longest)
}

func generatedFrames(t testing.TB, n int, seed uint64, s shape, slow, fast, longest float64) *recording {
	r := rand.New(rand.NewPCG(seed, 77))
	mean := 1 / (slow * math.Pow(fast/slow, r.Float64()))
	frames := make([]float64, n)
	for i := range frames {
		frames[i] = min(max(s.frame(r, i, mean), .001), longest)
	}
	delay := .005 + .02*r.Float64()
	return timed(t, frames, func(int) float64 { return delay + .0003*r.NormFloat64() })
}

// recorded reads recordings from games. With -race it uses generated traces instead,
// because the loops are the same.
func recorded(t *testing.T) map[string]*recording {
	norace.Only(t)
	all := recordedIfAny(t)
	if len(all) == 0 {
		t.Skip("there are no recorded frame times below HALFSTEP_DATA")
	}
	return all
}

func recordedIfAny(t *testing.T) map[string]*recording {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("HALFSTEP_DATA"), "frametimes", "*", "[OP]*.csv"))
	all := map[string]*recording{}
	for _, f := range files {
		r, err := readRecording(f, "")
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = r
	}
	return all
}
