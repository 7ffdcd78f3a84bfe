package renderloop_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/baseline"
	"halfstep/internal/frametimes"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

// Auto begins as Pipelined and ends as Lockstep, to the bit, and on the way it
// never goes back and never moves much faster.
func TestAutoBecomesLockstepWhileStepsAreQuick(t *testing.T) {
	for name, times := range frametimes.All(t) {
		t.Run(name, func(t *testing.T) {
			config := renderloop.Config{Rate: clock.Hz(60), WaitBudget: 100_000_000}
			single := baseline.NewSingle[body2d.State, tickEvent, push](newWalkers(5), baseline.Config{Rate: clock.Hz(60), MaxSteps: 5})
			config.Sync = renderloop.Auto
			auto, _ := threaded(t, newWalkers(5), config)

			var before shown
			r := rand.New(rand.NewPCG(3, uint64(len(times))))
			equal, last := 0, 0.
			for n := range 4 * len(times) {
				ns := times[n%len(times)]
				for _, p := range pushes(r) {
					single.Send(p)
					auto.Send(buffer.Scheduled[push]{Command: p})
				}
				now := look(single.Frame(ns))
				got := look(auto.Frame(ns))
				switch trail := auto.Stats().Trail; {
				case trail == 1 && n > 0:
					same(t, "Auto with a trail of a frame", n, got, before)
				case trail == 0 && auto.Stats().Lag == 0:
					same(t, "Auto without a trail", n, got, now)
					equal++
				}
				if v := auto.View(); v.Instant < last {
					t.Fatalf("frame %d shows %v after %v", n, v.Instant, last)
				}
				last = auto.View().Instant
				before = now
			}
			if auto.Stats().Trail != 0 && len(times) > 500 {
				t.Errorf("a trail of %v frames after %d frames", auto.Stats().Trail, 4*len(times))
			}
			t.Logf("%d of %d frames as in Lockstep", equal, 4*len(times))
		})
	}
}

// While the trail changes, the picture moves a little slower or faster, and while
// steps fit the budget it is never held.
func TestAChangeOfTheTrailIsNotSeen(t *testing.T) {
	for _, fps := range []int64{60, 90, 144, 240} {
		l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Auto, WaitBudget: 2_000_000, StepCost: func(tick uint64) int64 {
			if tick/900%2 == 1 {
				return 1_900_000 // hardly fits
			}
			return 500_000
		}})
		trails, last, mean := map[bool]bool{}, 0., 60/float64(fps)
		for n := range 60 * fps {
			v := l.Frame(frametimes.Second / fps)
			if moved := v.Instant - last; n > fps && (moved < .9*mean || moved > 1.05*mean) {
				t.Errorf("%d fps, frame %d moves %v of a mean frame", fps, n, moved/mean)
			}
			last = v.Instant
			if trail := l.Stats().Trail; trail == 0 || trail == 1 {
				trails[trail == 1] = true
			}
		}
		if s := l.Stats(); s.Held != 0 || s.Missed != 0 || len(trails) != 2 {
			t.Errorf("%d fps: %d frames held, %d waited in vain, trails %v", fps, s.Held, s.Missed, trails)
		}
	}
}

// A miss holds the picture for no more than a frame in all. Steps that are slow now
// and then are soon missed no more: Auto waits only after a time without one, and that
// time doubles.
func TestMissesCostAFrameEachAndBecomeRare(t *testing.T) {
	const fps, seconds = 60, 600
	for _, every := range []uint64{12, 25, 50} { // s
		l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Auto, StepCost: func(tick uint64) int64 {
			if tick%(60*every) == 60*every-1 {
				return 4_000_000
			}
			return 300_000
		}})
		late := uint64(0) // misses of the second half
		for n := range fps * seconds {
			l.Frame(frametimes.Second / fps)
			if n == fps*seconds/2 {
				late = l.Stats().Missed
			}
		}
		s := l.Stats()
		late = s.Missed - late
		if s.Missed == 0 || s.Missed > 6 || late != 0 {
			t.Errorf("a slow step every %d s: %d frames waited in vain, %d of them in the second half", every, s.Missed, late)
		}
		if s.Backward != 0 || s.Held > 3*s.Missed {
			t.Errorf("a slow step every %d s: %d frames backward, %d held after %d waits in vain", every, s.Backward, s.Held, s.Missed)
		}
	}
}

// A step that hangs: one frame waits for it and no other, and the frames go on.
func TestAHangingStepCostsAutoOneWait(t *testing.T) {
	link := buffer.NewLink[body2d.State, tickEvent, push]()
	l, err := renderloop.New(link, renderloop.Config{Sync: renderloop.Auto, WaitBudget: 50_000_000})
	if err != nil {
		t.Fatal(err)
	}
	hang, release := make(chan struct{}), make(chan struct{})
	p := physicsloop.Start[body2d.State, tickEvent, push](newWalkers(1), link, physicsloop.Options{BeforeStep: func(uint64) {
		select {
		case <-hang:
			<-release
		default:
		}
	}})
	defer p.Close()
	for end := time.Now().Add(30 * time.Second); l.Stats().Trail > 0; {
		l.Frame(frametimes.Second / 144)
		link.Await(l.Clock().Demand(), 0) // physics keeps up, on any machine
		if time.Now().After(end) {
			t.Fatal("Auto does not begin to wait")
		}
	}
	missed := l.Stats().Missed
	close(hang)
	waits := 0
	for range 100 {
		l.Frame(frametimes.Second / 144)
		if l.Stats().WaitNanos > 0 {
			waits++
		}
	}
	if waits != 1 || l.Stats().Missed != missed+1 {
		t.Errorf("%d frames of 100 waited, %d in vain; want one", waits, l.Stats().Missed-missed)
	}
	close(release)
}

func TestANegativeWaitBudgetIsRefused(t *testing.T) {
	if _, err := renderloop.New(buffer.NewLink[body2d.State, tickEvent, push](), renderloop.Config{WaitBudget: -1}); err == nil {
		t.Error("no error")
	}
}
