package pacing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"halfstep/internal/frametrace"
	"halfstep/renderloop/internal/pacing"
)

// shownFrames is the data for the animation error: when frames started and when
// they could be seen, in ns (NaN for never).
type shownFrames struct {
	name            string
	starts, visible []float64
}

// single returns the instants of baseline.Single with steps of 1/60 s. Frame
// i shows the instant one step before its start.
func (f *shownFrames) single() []float64 {
	x := slices.Clone(f.starts)
	for i := range x {
		x[i] -= 1e9 / 60
	}
	return x
}

// paced returns the instants of Pipelined behind a pacer. A frame shows the
// instant one step before the paced start of the frame before.
func (f *shownFrames) paced(p *pacing.Pacer) []float64 {
	x := make([]float64, len(f.starts))
	clock := int64(0)
	for i := range x {
		x[i] = float64(clock) - 1e9/60
		if i > 0 {
			clock += p.Pace(int64(math.Round(f.starts[i]) - math.Round(f.starts[i-1])))
		}
	}
	return x
}

// animationError returns the root mean square and the 99th percentile, in ms,
// of the difference between the advance of the shown instant and the time that
// has passed, for visible frames after the first ten. The result backward is
// the number of frames that moved backwards.
func (f *shownFrames) animationError(x []float64) (rms, p99 float64, backward int) {
	var off []float64
	last := -1
	for i, v := range f.visible {
		if math.IsNaN(v) {
			continue
		}
		if last >= 0 {
			off = append(off, math.Abs(x[i]-x[last]-(v-f.visible[last]))/1e6)
			if x[i] < x[last]-1 {
				backward++
			}
		}
		last = i
	}
	off = off[10:]
	slices.Sort(off)
	for _, e := range off {
		rms += e * e / float64(len(off))
	}
	return math.Sqrt(rms), off[int(.99*float64(len(off)))], backward
}

// recordedFrames reads those recordings in HALFSTEP_DATA that have display
// times.
func recordedFrames(t *testing.T) map[string]*shownFrames {
	t.Helper()
	dir := os.Getenv("HALFSTEP_DATA")
	if dir == "" {
		t.Skip("HALFSTEP_DATA is not set: no recorded frame times")
	}
	files, err := filepath.Glob(filepath.Join(dir, "frametimes", "*", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*shownFrames{}
	for _, file := range files {
		trace, err := frametrace.ReadTraceFile(file, "")
		if err != nil {
			t.Fatal(err)
		}
		if !trace.Presented || len(trace.Frames) < 100 {
			continue
		}
		f := &shownFrames{name: filepath.Base(file), starts: trace.Starts(), visible: trace.Visible()}
		for i := range f.starts {
			f.starts[i] *= 1e9
			f.visible[i] *= 1e9
		}
		found[f.name] = f
	}
	return found
}

// generatedFrames makes twenty seconds of frames. There are five kinds in turn:
// an uncapped rate with jitter, the same with stalls, the same with a rate that
// drifts, vsync, and vsync with missed refreshes.
//
// Uncapped frames are seen a constant time after their present, with 0.1 ms of
// noise. Under vsync a frame is seen at the refresh after the refresh at which
// it is presented, and starts are measured up to 1 ms early or late. Stalls and
// missed refreshes come one by one. If two were adjacent, a loop that shows
// every frame one frame later would have four errors instead of three, with any
// pacing.
func generatedFrames(seed uint64) *shownFrames {
	r := rand.New(rand.NewPCG(seed, 60))
	between := func(a, b float64) float64 { return a + (b-a)*r.Float64() }
	if kind := seed % 5; kind < 3 {
		return uncappedFrames(r, kind == 1, kind == 2, between)
	}
	return vsyncFrames(r, seed%5 == 4, between)
}

func uncappedFrames(r *rand.Rand, stalls, drifts bool, between func(a, b float64) float64) *shownFrames {
	hz := 30 * math.Pow(10, r.Float64()) // 30 to 300
	f := &shownFrames{name: fmt.Sprintf("%3.0f Hz", hz)}
	jitter, latency := between(.01, .15), between(1e6, 9e6)
	swing, period, stallEvery := 0., 1., math.Inf(1)
	if drifts {
		swing, period = between(.05, .35), between(4e9, 12e9)
		f.name += fmt.Sprintf(" drifting by %.0f %%", swing*100)
	}
	if stalls {
		stallEvery = between(1, 4) * hz
		f.name += fmt.Sprintf(", a stall every %.1f s", stallEvery/hz)
	}
	f.name += fmt.Sprintf(", jitter %.0f %%", jitter*100)
	now, quiet := 0., 0
	for range int(20 * hz) {
		f.starts = append(f.starts, now)
		ns := 1e9 / hz * math.Exp(swing*math.Sin(2*math.Pi*now/period)+jitter*r.NormFloat64())
		if quiet++; quiet > 16 && r.Float64() < 1/stallEvery {
			ns, quiet = ns+between(20e6, 400e6), 0
		}
		now += ns
		f.visible = append(f.visible, now+latency+1e5*r.NormFloat64())
	}
	return f
}

func vsyncFrames(r *rand.Rand, misses bool, between func(a, b float64) float64) *shownFrames {
	rates := []float64{30, 50, 60 / 1.001, 60, 75, 90, 120, 144, 165, 240}
	// quartz crystals are off by at most some 100 ppm
	hz := rates[r.IntN(len(rates))] * (1 + between(-1e-4, 1e-4))
	f := &shownFrames{name: fmt.Sprintf("%6.2f Hz vsync", hz)}
	noise := between(.1e6, 1e6)
	miss := 0.
	if misses {
		miss = between(.01, .06)
		f.name += fmt.Sprintf(", %.0f %% missed", miss*100)
	}
	f.name += fmt.Sprintf(", measured within %.1f ms", noise/1e6)
	refresh, first, quiet := 0, 0., 0
	for i := range int(20 * hz) {
		start := float64(refresh)*1e9/hz + between(-noise, noise)
		if i == 0 {
			first = start
		}
		f.starts = append(f.starts, start-first)
		refresh++
		if quiet++; quiet > 8 && r.Float64() < miss {
			refresh, quiet = refresh+1, 0
		}
		f.visible = append(f.visible, float64(refresh+1)*1e9/hz)
	}
	return f
}
