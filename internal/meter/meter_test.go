package meter_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/internal/meter"
	"halfstep/renderloop/present"
)

const ms = 1_000_000

// errorOf returns the RMS and the 99th percentile of the animation error in ms,
// computed by their definitions. The lists x and v are in ns. An element of v is
// NaN for a frame that was never seen.
func errorOf(x, v []float64) (rms, p99 float64) {
	var e []float64
	last := -1
	for i := range x {
		if math.IsNaN(v[i]) {
			continue
		}
		if last >= 0 {
			e = append(e, math.Abs(x[i]-x[last]-(v[i]-v[last]))/ms)
		}
		last = i
	}
	slices.Sort(e)
	for _, a := range e {
		rms += a * a / float64(len(e))
	}
	return math.Sqrt(rms), e[len(e)*99/100]
}

func TestTheMeterMeasuresTheAnimationErrorByItsDefinition(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := &meter.Meter{}
		var x, v []float64
		start, shown := int64(0), 0.
		for i := range 500 { // less than four seconds
			ns := 3*ms + r.Int64N(4*ms)
			advance := float64(ns) + 2*ms*r.NormFloat64()
			if seed%2 == 1 && r.IntN(30) == 0 {
				advance += float64(r.Int64N(300 * ms)) // a few long errors
			}
			if i > 0 {
				start += ns
				shown += advance
			}
			m.Frame(uint64(i+1), start, shown/1e9*60, advance, true)
			x, v = append(x, shown), append(v, float64(start+10*ms+r.Int64N(ms)))
			if r.IntN(3) == 0 {
				v[i] = math.NaN()
			}
			if i >= 5 { // reports are late
				k := i - 5
				report := present.Report{Frame: uint64(k + 1), Seen: present.NeverSeen, Quality: present.VerticalBlank}
				if !math.IsNaN(v[k]) {
					report.Seen = int64(v[k])
				}
				m.Report(report)
			}
		}
		rms, p99 := errorOf(x[:495], v[:495])
		if f := m.Figures(); !f.Measured || math.Abs(f.RMS-rms) > .001 || math.Abs(f.P99-p99) > .02 {
			t.Errorf("seed %d: %+v, want rms %.3f p99 %.3f", seed, f, rms, p99)
		}
	}
}

func TestFiguresWithoutReportsAreInferredFromFrameTimes(t *testing.T) {
	m := &meter.Meter{}
	var x, v []float64
	start := int64(0)
	for i := range 300 {
		x = append(x, float64(i)*10*ms)
		m.Frame(uint64(i+1), start, 0, 10*ms, true)
		start += 8*ms + int64(i%3)*2*ms
		v = append(v, float64(start)) // when the next frame starts
	}
	rms, p99 := errorOf(x[:299], v[:299])
	if f := m.Figures(); f.Measured || f.Frames != 298 || math.Abs(f.RMS-rms) > .001 || math.Abs(f.P99-p99) > .02 {
		t.Errorf("%+v, want rms %.3f p99 %.3f of 298 frames", f, rms, p99)
	}
	m.Report(present.Report{Frame: 250, Seen: 1, Quality: present.VerticalBlank})
	m.Report(present.Report{Frame: 250, Seen: start, Quality: present.MadeUp})
	m.Report(present.Report{Frame: 7777, Seen: start, Quality: present.VerticalBlank})
	if f := m.Figures(); f.Measured {
		t.Errorf("%+v after reports that can not be", f)
	}
}

func TestFiguresAreTheSameHoweverSeldomTheyAreAskedFor(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	often, seldom := &meter.Meter{}, &meter.Meter{}
	start, number, asked := int64(0), uint64(0), 0
	for range 20_000 {
		number++
		if r.IntN(4000) == 0 {
			number += r.Uint64N(3)
		}
		start += 4*ms + r.Int64N(3*ms)
		advance, whole := float64(r.Int64N(10*ms)), r.IntN(3000) > 0
		reported := start%(20_000*ms) < 5_000*ms
		for _, m := range []*meter.Meter{often, seldom} {
			m.Frame(number, start, float64(start)/(10*ms), advance, whole)
			if start%7 == 0 {
				m.Input(start, uint64(start)/(10*ms)+3)
			}
			if reported && number > 2 {
				m.Report(present.Report{Frame: number - 2, Seen: start, Quality: present.VerticalBlank})
			}
		}
		want := often.Figures()
		if asked--; asked > 0 {
			continue
		}
		asked = 1 + r.IntN(3000) // up to 15 s
		got := seldom.Figures()
		rounded := math.Abs(got.RMS-want.RMS) < 1e-9
		if got.RMS = want.RMS; !rounded || got != want {
			t.Fatalf("frame %d: %+v, want %+v", number, got, want)
		}
	}
}

func TestFramesTooManyToRememberAreNoError(t *testing.T) {
	m := &meter.Meter{}
	for i := range uint64(5000) {
		m.Frame(i+1, int64(i)*ms, 0, 1.5*ms, true)
		if i%3000 == 10 {
			m.Figures()
		}
	}
	if f := m.Figures(); math.Abs(f.RMS-.5) > 1e-9 || f.Frames < 1000 {
		t.Errorf("%+v, want an error of 0.5 ms", f)
	}
}

func TestWhatIsConcludedFromAGridIsNotCalledMeasured(t *testing.T) {
	for _, q := range []present.Quality{present.Grid, present.VerticalBlank, present.HardwareClock} {
		m := &meter.Meter{}
		for i := range uint64(50) {
			m.Frame(i+1, int64(i)*10*ms, 0, 10*ms, true)
			m.Report(present.Report{Frame: i, Seen: int64(i)*10*ms + int64(i%2)*5*ms, Quality: q})
		}
		if f := m.Figures(); f.Measured != (q != present.Grid) || f.RMS < 4 {
			t.Errorf("%v: %+v", q, f)
		}
	}
}

func TestFiguresForgetAfterFourSecondsAndAcrossBreaks(t *testing.T) {
	m, number := &meter.Meter{}, uint64(0)
	start := int64(0)
	frames := func(n int, advance float64, whole bool) {
		for range n {
			number++
			m.Frame(number, start, 0, advance, whole)
			start += 10 * ms
		}
	}
	frames(100, 60*ms, true)
	if f := m.Figures(); f.RMS < 40 || f.P99 < 40 {
		t.Errorf("%+v after frames with an error of 50 ms", f)
	}
	frames(1, 1e12, false) // a pause ends
	frames(401, 10*ms, true)
	if f := m.Figures(); f.RMS > .001 || f.P99 > .02 || f.Frames < 390 {
		t.Errorf("%+v after four even seconds", f)
	}
}

func TestInputLatencyEndsWhenTheEffectIsSeen(t *testing.T) {
	for _, reported := range []bool{false, true} {
		m := &meter.Meter{}
		seen := func(frame uint64) int64 {
			if reported {
				return int64(frame)*10*ms + 25*ms
			}
			return int64(frame) * 10 * ms // when the next frame starts
		}
		for i := uint64(1); i <= 60; i++ {
			// the instant is two ticks behind, and every frame has a tick
			m.Frame(i, int64(i-1)*10*ms, max(0, float64(i)-2.5), 10*ms, true)
			if i == 20 || i == 30 || i == 40 {
				m.Input(int64(i-1)*10*ms-3*ms, i)
			}
			if reported && i > 3 {
				m.Report(present.Report{Frame: i - 3, Seen: seen(i - 3), Quality: present.HardwareClock})
			}
		}
		// frame 23 passes tick 20
		want := float64(seen(23)-(19*10*ms-3*ms)) / ms
		if f := m.Figures(); f.Measured != reported || math.Abs(f.Input-want) > 1e-6 {
			t.Errorf("reported %v: %+v, want an input latency of %v ms", reported, f, want)
		}
	}
}

func TestTheMeterAllocatesNothing(t *testing.T) {
	m := &meter.Meter{}
	i := uint64(0)
	if n := testing.AllocsPerRun(3000, func() {
		i++
		m.Input(int64(i)*5*ms, i)
		m.Frame(i, int64(i)*5*ms, float64(i), 5*ms, i%100 != 0)
		m.Report(present.Report{Frame: i - 1, Seen: int64(i)*5*ms + ms, Quality: present.VerticalBlank})
		m.Figures()
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}
