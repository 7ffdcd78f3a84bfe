package pacing_test

import (
	"halfstep/test/frametimes"
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/renderloop/clock"
	"halfstep/renderloop/internal/pacing"
)

// vsyncClock paces frames that start at every refresh, or `skip` refreshes
// later. Each frame is measured up to noise ns early or late. For every frame
// it calls a function with the paced time, the offset of the start from the
// refresh before, and the number of whole steps of 1/60 s in the frame.
func vsyncClock(t *testing.T, p *pacing.Pacer, seed uint64, hz, noise, seconds float64, skip func(i int) int, each func(i int, paced int64, refreshes, steps int)) {
	t.Helper()
	clock, err := clock.New(clock.Rate{Num: 60, Den: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 3))
	refresh, last := 0, 0.
	for i := range int(hz * seconds) {
		n := 1
		if skip != nil {
			n += skip(i)
		}
		if i == 0 {
			n = 0
		}
		refresh += n
		start := math.Round(float64(refresh)*1e9/hz + noise*(2*r.Float64()-1))
		if i == 0 {
			last = start
		}
		paced := p.Pace(int64(start - last))
		last = start
		each(i, paced, n, clock.Advance(paced, 0))
	}
}

// displays are refresh rates of displays, including unusual ones.
var displays = []float64{30, 50, 60 / 1.001, 59.951, 60, 75, 119.88, 120, 143.98, 144}

// The interval is a whole number of nanoseconds, a third of a nanosecond off
// 1/60 s. A clock that is within some hundred nanoseconds of the end of a step
// therefore passes the end once, in one run of thousands. It must not pass it
// again.
func TestVsyncAt60HzIsOneStepAFrameAfterASecond(t *testing.T) {
	passed, worst := 0, 0.
	for _, refresh := range []int64{0, frametimes.Tick60} {
		for seed := range uint64(500) {
			p := &pacing.Pacer{Refresh: refresh}
			squares, n, odd := 0., 0., 0
			vsyncClock(t, p, seed, 60, 1e6, 10, nil, func(i int, paced int64, _, steps int) {
				if i <= 60 {
					return
				}
				if steps != 1 {
					odd++
				}
				off := (float64(paced) - 1e9/60) / 1e6
				squares, n = squares+off*off, n+1
			})
			rms := math.Sqrt(squares / n)
			if worst = max(worst, rms); rms > .05 {
				t.Errorf("refresh %d, seed %d: animation error %.3f ms rms", refresh, seed, rms)
			}
			if odd > 1 {
				t.Errorf("refresh %d, seed %d: %d frames of 0 or 2 steps", refresh, seed, odd)
			}
			passed += odd
		}
	}
	t.Logf("1000 runs: animation error at most %.4f ms rms, %d frames of 0 or 2 steps", worst, passed)
	if passed > 1 {
		t.Errorf("%d of 1000 runs have a frame of 0 or 2 steps", passed)
	}
}

func TestVsyncIsEvenOnAllDisplays(t *testing.T) {
	for _, hz := range displays {
		for _, known := range []bool{false, true} {
			p := &pacing.Pacer{}
			after := 2.
			if known {
				// in whole Hz, as window systems report the rate
				p.Refresh = int64(math.Round(1e9 / math.Round(hz)))
				after = 1
			}
			squares, n := 0., 0.
			vsyncClock(t, p, 1, hz, min(1e6, 1e9/hz/10), 20, nil, func(i int, paced int64, _, _ int) {
				if float64(i) > after*hz {
					off := (float64(paced) - 1e9/hz) / 1e6
					squares, n = squares+off*off, n+1
				}
			})
			if rms := math.Sqrt(squares / n); rms > .05 {
				t.Errorf("%.2f Hz, known %v: animation error %.3f ms rms after %v s", hz, known, rms, after)
			}
			if r := p.Residue(); float64(r) > 5e8/hz || float64(r) < -5e8/hz {
				t.Errorf("%.2f Hz: residue %d ns", hz, r)
			}
		}
	}
}

func TestTheIntervalOfADisplayIsLearnt(t *testing.T) {
	for _, hz := range []float64{60 / 1.001, 59.951, 60, 60.07, 143.98} {
		for _, refresh := range []int64{0, int64(math.Round(1e9 / math.Round(hz)))} {
			p := &pacing.Pacer{Refresh: refresh}
			last, changed, off, residue := int64(0), 0, 0., 0.
			vsyncClock(t, p, 4, hz, 1e6, 120, nil, func(i int, paced int64, _, _ int) {
				if paced != last {
					changed, last = i, paced
				}
				off = float64(paced) - 1e9/hz
				residue += (float64(p.Residue()) - residue) / 100
			})
			if changed > int(100*hz) || math.Abs(off) > 500 {
				t.Errorf("%.3f Hz, refresh %d: in the last of 120 s the increment is %.0f ns off, and changed after %.0f s", hz, refresh, off, float64(changed)/hz)
			}
			if math.Abs(residue) > 1.2e9/hz/8 {
				t.Errorf("%.3f Hz, refresh %d: %.2f ms from real time in the mean", hz, refresh, residue/1e6)
			}
		}
	}
}

// A display of almost 60 Hz makes a frame of two steps or of none from time to
// time. Frames must not alternate between the two.
func TestStepsDriftWithoutOscillationWhereRatesNearlyAgree(t *testing.T) {
	for _, hz := range []float64{60 / 1.001, 59.9, 60.1, 59.95} {
		for seed := range uint64(20) {
			last, odd, first := -1000, 0, 0
			vsyncClock(t, &pacing.Pacer{}, seed, hz, 1e6, 60, nil, func(i int, _ int64, _, steps int) {
				if i <= 150 || steps == 1 {
					return
				}
				if odd++; odd == 1 {
					first = steps
				}
				if steps > 2 || (steps != first && i-last < 30) {
					t.Errorf("%.2f Hz, seed %d: frame %d makes %d steps, %d frames after one of %d", hz, seed, i, steps, i-last, first)
				}
				last = i
			})
			most := int(math.Ceil(math.Abs(hz-60)*60)) + 2
			if odd > most {
				t.Errorf("%.2f Hz, seed %d: %d frames of 0 or 2 steps in a minute, want at most %d", hz, seed, odd, most)
			}
		}
	}
}

func TestAMissedRefreshAdvancesByWholeRefreshes(t *testing.T) {
	for _, known := range []bool{false, true} {
		p := &pacing.Pacer{}
		if known {
			p.Refresh = frametimes.Tick60
		}
		skip := func(i int) int { return map[int]int{200: 1, 260: 2, 330: 6, 400: 1}[i] }
		vsyncClock(t, p, 5, 60, 1e6, 8, skip, func(i int, paced int64, refreshes, _ int) {
			if off := paced - int64(refreshes)*(frametimes.Tick60+1); i > 60 && magnitude(off) > 5000 {
				t.Errorf("known %v: frame %d advances by %d ns after %d refreshes", known, i, paced, refreshes)
			}
		})
	}
}

func TestHalfTheRefreshRateAdvancesByTwoRefreshes(t *testing.T) {
	p := &pacing.Pacer{Refresh: frametimes.Second / 144}
	miss := func(i int) int { return 1 + map[int]int{300: 1}[i] } // a frame at every second refresh, and once at the third
	vsyncClock(t, p, 2, 144, 5e5, 6, miss, func(i int, paced int64, refreshes, _ int) {
		if off := paced - int64(refreshes)*frametimes.Second/144; i > 144 && magnitude(off) > 7000 {
			t.Errorf("frame %d advances by %d ns after %d refreshes", i, paced, refreshes)
		}
	})
}

// From time to time a thread may wake up several ms late, and is on time again
// in the next frame.
func TestALateWakeUpIsNotSeen(t *testing.T) {
	p := &pacing.Pacer{}
	for i := range int64(600) {
		late := func(i int64) int64 {
			if i > 100 && i%37 == 0 {
				return 8_000_000
			}
			return i * i * 7919 % 500_000
		}
		paced := p.Pace(frametimes.Second/60 + late(i+1) - late(i))
		if i > 70 && magnitude(paced-frametimes.Second/60) > 1000 {
			t.Fatalf("frame %d advances by %d ns", i, paced)
		}
	}
}

func TestAnUncappedRateNearTheRefreshRateIsNotTakenForIt(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	p := &pacing.Pacer{Refresh: frametimes.Tick60}
	in, out := 0., 0.
	for range 20000 {
		ns := int64(1e9 / 61.5 * math.Exp(.05*r.NormFloat64()))
		in += float64(ns)
		out += float64(p.Pace(ns))
		if math.Abs(in-out) > 1e9/61.5 {
			t.Fatalf("%v ms behind", (in-out)/1e6)
		}
	}
}

func magnitude(v int64) int64 { return max(v, -v) }
