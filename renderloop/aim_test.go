package renderloop_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/internal/pacing"
	"halfstep/renderloop/present"
	"halfstep/test/baseline"
	"halfstep/test/frametimes"
	"halfstep/test/norace"
	"halfstep/test/simdisplay"
)

// onDisplay plays frame times on a display. The display reports to the loop when
// frames were seen. It returns the shown instants in ticks, and the times at which
// frames were seen in ns.
func onDisplay(l *walkLoop, times []int64, d simdisplay.Display) (shown, seen []float64) {
	starts := make([]float64, len(times)+1)
	for i, ns := range times {
		starts[i+1] = starts[i] + float64(max(ns, 0))
	}
	presents := starts[2:]
	presents = append(presents[:len(presents):len(presents)], starts[len(times)])
	seen = d.Show(presents)
	told := d.Tell(presents, seen, 7)
	for i, ns := range times {
		for len(told) > 0 && told[0].At <= starts[i+1] {
			l.Presented(told[0].Report)
			told = told[1:]
		}
		shown = append(shown, l.Frame(ns).Instant)
	}
	return shown, seen
}

// jitter returns frame times in ns at a rate, for that many seconds.
func jitter(fps int64, part float64, seconds int64) []int64 {
	r := rand.New(rand.NewPCG(uint64(fps), 3))
	times := []int64{0}
	for range fps * seconds {
		times = append(times, int64(float64(frametimes.Second/fps)*max(.5, 1+part*r.NormFloat64())))
	}
	return times
}

func TestCandidatesForARefreshShowItsInstantWhateverStepsCost(t *testing.T) {
	norace.Only(t)
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		for _, hz := range []int64{30, 60, 240} {
			for _, cost := range []int64{0, 2_000_000, 10_000_000} {
				if cost*hz > frametimes.Second*3/4 {
					continue
				}
				l, _ := threaded(t, newWalkers(1), renderloop.Config{
					Rate: clock.Hz(hz), Sync: sync, Pacing: true, StepCost: func(uint64) int64 { return cost },
				})
				times := jitter(300, .05, 6)
				shown, seen := onDisplay(l, times, simdisplay.Display{Hz: 60, Deadline: time.Millisecond, Feedback: simdisplay.True})
				sum, n, last := 0., 0., -1
				for i, v := range seen {
					if math.IsNaN(v) || i < 600 {
						continue
					}
					if last >= 0 {
						e := (shown[i]-shown[last])/float64(hz)*1e3 - (v-seen[last])/1e6
						sum, n = sum+e*e, n+1
					}
					last = i
				}
				if rms := math.Sqrt(sum / n); rms > .1 || l.Stats().Backward > 0 {
					t.Errorf("%v, %d steps a second of %d ns: an animation error of %.3f ms, %d frames go back", sync, hz, cost, rms, l.Stats().Backward)
				}
			}
		}
	}
}

func TestNoReportMovesTheInstantBack(t *testing.T) {
	norace.Only(t)
	for name, times := range frametimes.All(t) {
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 18))
			cost := func(tick uint64) int64 { return int64(tick*tick*7919%7) * r.Int64N(3_000_000) }
			config := renderloop.Config{Pacing: true, Sync: renderloop.Sync(seed % 3)}
			if seed >= 3 {
				config.StepCost = cost
			}
			config.NoGovernor = true // the governor follows the costs, which are random
			told, _ := threaded(t, newWalkers(1), config)
			last, now := 0., int64(0)
			for n, ns := range times[:min(len(times), 600)] {
				for range r.IntN(3) {
					told.Presented(hostile(r, uint64(n), now))
				}
				if r.IntN(200) == 0 {
					told.Clock().SetPaused(!told.Clock().Paused())
				}
				if r.IntN(100) == 0 {
					_ = told.Clock().SetScale([]float64{0, .1, 1, 1, 1, 3}[r.IntN(6)])
				}
				if r.IntN(300) == 0 {
					told.SetSync(renderloop.Sync(r.IntN(3)))
				}
				v := told.Frame(ns)
				now += max(ns, 0)
				switch {
				case v.Instant < last:
					t.Fatalf("%s, seed %d, frame %d: from %v back to %v", name, seed, n, last, v.Instant)
				case v.Alpha < 0 || v.Alpha > 1 || v.Instant > float64(v.Tick):
					t.Fatalf("%s, seed %d, frame %d: tick %d, alpha %v, instant %v", name, seed, n, v.Tick, v.Alpha, v.Instant)
				}
				last = v.Instant
			}
			if b := told.Stats().Backward; b > 0 {
				t.Errorf("%s, seed %d: %d frames go back", name, seed, b)
			}
		}
	}
}

// hostile returns a report on a frame whose number is near n. Half of these reports
// are on a grid of 60 Hz.
func hostile(r *rand.Rand, n uint64, now int64) present.Report {
	report := present.Report{
		Frame: n - min(n, r.Uint64N(20)), Seen: now + r.Int64N(50_000_000) - 10_000_000,
		Refresh: frametimes.Tick60, Quality: present.Quality(r.IntN(6)),
	}
	switch r.IntN(12) {
	case 0:
		report.Seen = present.NeverSeen
	case 1:
		report.Frame = r.Uint64()
	case 2:
		report.Seen = int64(r.Uint64())
	case 3:
		report.Refresh = int64(r.Uint64())
	case 4, 5, 6, 7, 8, 9:
		report.Frame, report.Quality = n-min(n, 2), present.VerticalBlank
		report.Seen = (now/frametimes.Tick60 + 1) * frametimes.Tick60
	}
	return report
}

func TestReportsMoveNeitherTheClockNorTheSteps(t *testing.T) {
	for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.Lockstep, renderloop.RunAhead} {
		config := renderloop.Config{Pacing: true, Sync: sync, StepCost: func(uint64) int64 { return 3_000_000 }}
		plain, _ := threaded(t, newWalkers(1), config)
		told, _ := threaded(t, newWalkers(1), config)
		times := jitter(300, .05, 3)
		onDisplay(told, times, simdisplay.Display{Hz: 60, Feedback: simdisplay.True})
		for _, ns := range times {
			plain.Frame(ns)
		}
		if told.Aimed() < .9 {
			t.Fatalf("%v: the reports have an effect of %v", sync, told.Aimed())
		}
		units := plain.Clock().Remainder()
		other := told.Clock().Remainder()
		if plain.Stats().Demanded != told.Stats().Demanded || units != other {
			t.Errorf("%v: %d steps and %d units, without reports %d and %d", sync, told.Stats().Demanded, other, plain.Stats().Demanded, units)
		}
	}
}

// Without reports, or with reports of too low a quality, the instants are those of
// the pacer alone, to the bit.
func TestWithoutPresentTimesThePacerDecidesAlone(t *testing.T) {
	norace.Only(t)
	for name, times := range frametimes.All(t) {
		config := renderloop.Config{Rate: clock.Hz(60), Pacing: true, Sync: renderloop.Lockstep}
		lockstep, _ := threaded(t, newWalkers(5), config)
		config.Sync = renderloop.Pipelined
		pipelined, _ := threaded(t, newWalkers(5), config)
		lied, _ := threaded(t, newWalkers(5), config)
		single := baseline.NewSingle[body2d.State, tickEvent, push](newWalkers(5), baseline.Config{Rate: clock.Hz(60), MaxSteps: clampSteps})
		pacer := pacing.Pacer{}
		for n, ns := range times {
			ns = min(max(ns, 0), clock.MaxFrameTime)
			same(t, name+", Lockstep", n, look(lockstep.Frame(ns)), look(single.Frame(pacer.Pace(ns))))
			lied.Presented(present.Report{Frame: uint64(n), Seen: int64(n) * frametimes.Tick60, Refresh: frametimes.Tick60, Quality: present.MadeUp})
			if p, q := look(pipelined.Frame(ns)), look(lied.Frame(ns)); p.tick != q.tick || p.alpha != q.alpha {
				t.Fatalf("%s, frame %d: tick %d alpha %v, without reports tick %d alpha %v", name, n, q.tick, q.alpha, p.tick, p.alpha)
			}
		}
	}
}

func BenchmarkToldFrame(b *testing.B) {
	l, _ := threaded(b, newWalkers(1), renderloop.Config{Pacing: true})
	times := jitter(300, .05, 2)
	onDisplay(l, times, simdisplay.Display{Hz: 60, Feedback: simdisplay.True})
	if l.Aimed() < .9 {
		b.Fatal("not told enough")
	}
	b.ReportAllocs()
	n, now := uint64(len(times)), l.Stats().RealNanos
	for b.Loop() {
		r := present.Report{Frame: n, Seen: present.NeverSeen, Refresh: frametimes.Tick60, Quality: present.VerticalBlank}
		if n%5 == 0 {
			r.Seen = (now/frametimes.Tick60 + 1) * frametimes.Tick60
		}
		l.Presented(r)
		l.Frame(frametimes.Tick60 / 5)
		l.Motion()
		n, now = n+1, now+frametimes.Tick60/5
	}
}
