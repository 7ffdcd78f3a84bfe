package renderloop_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/baseline"
	"halfstep/test/frametimes"
	"halfstep/test/norace"
)

// Auto begins as Pipelined and ends as Lockstep, to the bit, and on the way it
// never goes back and never moves much faster.
func TestAutoBecomesLockstepWhileStepsAreQuick(t *testing.T) {
	norace.Only(t)
	for name, times := range frametimes.All(t) {
		t.Run(name, func(t *testing.T) {
			config := renderloop.Config{Rate: clock.Hz(60), WaitBudget: 100_000_000}
			single := baseline.NewSingle[body2d.State, tickEvent, push](newWalkers(5), baseline.Config{Rate: clock.Hz(60), MaxSteps: clampSteps})
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
		changes, at, last, mean := 0, 1., 0., 60/float64(fps)
		for n := range 60 * fps {
			v := l.Frame(frametimes.Second / fps)
			if moved := v.Instant - last; n > fps && (moved < .9*mean || moved > 1.05*mean) {
				t.Errorf("%d fps, frame %d moves %v of a mean frame", fps, n, moved/mean)
			}
			last = v.Instant
			if trail := l.Stats().Trail; trail == 1-at {
				changes, at = changes+1, trail
			}
		}
		if s := l.Stats(); s.Held != 0 || s.Missed != 0 || changes != 4 {
			t.Errorf("%d fps: %d frames held, %d waited in vain, the trail changed %d times", fps, s.Held, s.Missed, changes)
		}
	}
}

// A miss holds the picture for no more than a frame in all, and steps that are slow
// now and then are soon missed no more.
func TestMissesCostAFrameEachAndBecomeRare(t *testing.T) {
	norace.Only(t)
	const fps, seconds = 60, 600
	for _, every := range []uint64{12, 50} { // s
		l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Auto, StepCost: func(tick uint64) int64 {
			if tick%(60*every) == 60*every-1 {
				return 4_000_000
			}
			return 300_000
		}})
		half := uint64(0)
		for n := range fps * seconds {
			if n == fps*seconds/2 {
				half = l.Stats().Missed
			}
			l.Frame(frametimes.Second / fps)
		}
		s := l.Stats()
		if s.Missed == 0 || s.Missed > 6 || s.Missed != half {
			t.Errorf("a slow step every %d s: %d frames waited in vain, %d of them in the first half", every, s.Missed, half)
		}
		if s.Backward != 0 || s.Held > 3*s.Missed {
			t.Errorf("a slow step every %d s: %d frames backward, %d held after %d waits in vain", every, s.Backward, s.Held, s.Missed)
		}
	}
}

// While the trail grows after a miss, frames go on to wait, so one slow step holds one
// frame. If it was the first of many, one more wait is in vain.
func TestOneSlowStepHoldsOneFrameAndManyAreWaitedForTwice(t *testing.T) {
	for _, fps := range []int64{60, 85, 100, 144, 240} {
		for slow := range uint64(10) { // ticks at which the frame is at different points of a step
			for _, many := range []bool{false, true} {
				l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Auto, StepCost: func(tick uint64) int64 {
					if tick == 20+slow || many && tick > 20+slow {
						return 3_000_000
					}
					return 300_000
				}})
				l.Frame(frametimes.Tick60 / 3)
				for n := range 2 * fps {
					if n == 10 {
						renderloop.WaitNow(l)
					}
					l.Frame(frametimes.Second / fps)
				}
				s := l.Stats()
				if !many && (s.Missed != 1 || s.Held != 1) || many && (s.Missed < 1 || s.Missed > 2) || s.Trail != 1 {
					t.Errorf("%d fps, tick %d, many %v: %d frames waited in vain, %d were held, a trail of %v", fps, 20+slow, many, s.Missed, s.Held, s.Trail)
				}
			}
		}
	}
}

// At 30 frames per second a frame waits for two steps: one fits the budget, two do not.
func TestAutoDoesNotBeginToWaitIfAFramesStepsDoNotFitTogether(t *testing.T) {
	l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Auto, StepCost: func(uint64) int64 { return 1_200_000 }})
	for range 30 * 30 {
		l.Frame(frametimes.Second / 30)
	}
	if s := l.Stats(); s.Missed != 0 || s.Trail != 1 {
		t.Errorf("%d frames waited in vain, a trail of %v", s.Missed, s.Trail)
	}
}

// The worst steps are slow whenever Auto shows what Lockstep shows. Each miss doubles
// the time until it does so again, up to a limit, and a good time makes up for that.
func TestAMissDoublesTheTimeUntilAutoWaitsAgain(t *testing.T) {
	norace.Only(t)
	const fps = 60
	worst := false
	var l *walkLoop
	l, _ = threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Auto, StepCost: func(tick uint64) int64 {
		if worst && l.Stats().Trail == 0 {
			return 4_000_000
		}
		return 300_000
	}})
	// next is the time until Auto has no trail, in s, with a slow step at its end.
	next := func() float64 {
		for n := 0; ; n++ {
			worst = l.Stats().Trail == 0
			if l.Frame(frametimes.Second / fps); worst {
				return float64(n) / fps
			} else if n > 1000*fps {
				t.Fatal("Auto waits no more")
			}
		}
	}
	for i, want := range []float64{10, 20, 40, 80, 160, 160} {
		if got := next(); math.Abs(got-want) > 3 {
			t.Errorf("it takes %.1f s after %d misses, want %v", got, i, want)
		}
	}
	for worst = false; l.Stats().Trail > 0; {
		l.Frame(frametimes.Second / fps)
	}
	for range 600 * fps {
		l.Frame(frametimes.Second / fps)
	}
	next()
	if got := next(); math.Abs(got-20) > 3 {
		t.Errorf("it takes %.1f s after a miss that follows ten good minutes", got)
	}
	if s := l.Stats(); s.Missed != 8 || s.Backward != 0 {
		t.Errorf("%d frames waited in vain, %d went back", s.Missed, s.Backward)
	}
}

func TestAFrameWaitsAtMostASixthOfItselfAndTwoMilliseconds(t *testing.T) {
	for fps, most := range map[int64]int64{30: 2_000_000, 60: 2_000_000, 144: frametimes.Second / 144 / 6, 240: frametimes.Second / 240 / 6} {
		l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Auto, StepCost: func(uint64) int64 { return 3_000_000 }})
		longest := int64(0)
		for n := range 10 * fps {
			if n%fps < 10 {
				renderloop.WaitNow(l)
			}
			l.Frame(frametimes.Second / fps)
			longest = max(longest, l.Stats().WaitNanos)
		}
		if longest < most*99/100 || longest > most*101/100 || l.Stats().Missed == 0 {
			t.Errorf("%d fps: the longest wait is %d ns, want %d; %d in vain", fps, longest, most, l.Stats().Missed)
		}
	}
}

// Lockstep has no trail, and Auto begins without one after it.
func TestAutoGoesOnFromLockstepWithoutAJump(t *testing.T) {
	for _, fps := range []int64{60, 144} {
		l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: renderloop.Lockstep, StepCost: func(uint64) int64 { return 500_000 }})
		last, mean := 0., 60/float64(fps)
		for n := range 4 * fps {
			if n == 2*fps {
				l.SetSync(renderloop.Auto)
			}
			v := l.Frame(frametimes.Second / fps)
			if moved := v.Instant - last; n > 10 && (moved < .9*mean || moved > 1.05*mean) {
				t.Errorf("%d fps, frame %d moves %v of a mean frame", fps, n, moved/mean)
			}
			last = v.Instant
		}
		if s := l.Stats(); s.Held != 0 || s.Trail != 1 {
			t.Errorf("%d fps: %d frames held, a trail of %v", fps, s.Held, s.Trail)
		}
	}
}

// An edit of a paused world is seen in the frame that sends it, as in Lockstep.
func TestAFrameThatWaitsShowsItsOwnEdit(t *testing.T) {
	for _, simulated := range []bool{false, true} {
		link := buffer.NewLink[body2d.State, tickEvent, push]()
		l, err := renderloop.New(link, renderloop.Config{Sync: renderloop.Auto, Simulated: simulated, WaitBudget: 10_000_000_000})
		if err != nil {
			t.Fatal(err)
		}
		p := physicsloop.Start[body2d.State, tickEvent, push](newWalkers(1), link, physicsloop.Options{})
		defer p.Close()
		for range 10 {
			renderloop.WaitNow(l)
			l.Frame(frametimes.Second / 60)
		}
		l.Clock().SetPaused(true)
		for n := range 100 {
			before := l.View().Cur[0].X
			l.Send(buffer.Scheduled[push]{Command: push{x: 3, jump: true}})
			if x := l.Frame(frametimes.Second / 60).Cur[0].X; x != before+3 {
				t.Fatalf("simulated %v: edit %d moves a body from %v to %v, want %v", simulated, n, before, x, before+3)
			}
		}
	}
}

// A step that hangs: one frame waits for it and no other, and the frames go on, also
// those that demand more steps.
func TestAHangingStepCostsAutoOneWait(t *testing.T) {
	for _, fps := range []int64{30, 60, 100, 144} {
		for frames := range 5 { // before the one that waits, so that it is at another point of a step
			for _, fixedLag := range []bool{false, true} { // a lag leaves hardly a frame that needs its own step
				hangingStep(t, fps, 10+frames, fixedLag)
			}
		}
	}
}

func hangingStep(t *testing.T, fps int64, frames int, fixedLag bool) {
	link := buffer.NewLink[body2d.State, tickEvent, push]()
	l, err := renderloop.New(link, renderloop.Config{Sync: renderloop.Auto, WaitBudget: 10_000_000, FixedLag: fixedLag})
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
	defer close(release)
	l.Frame(frametimes.Tick60 / 3) // no frame begins where a step does
	for range frames {
		l.Frame(frametimes.Second / fps)
		link.Await(l.Clock().Demand(), 0) // physics keeps up, on any machine
	}
	close(hang)
	renderloop.WaitNow(l)
	waits, demand := 0, l.Clock().Demand()
	for range 100 {
		l.Frame(frametimes.Second / fps)
		if l.Stats().WaitNanos > 0 {
			waits++
		}
	}
	if waits != 1 || l.Stats().Missed != 1 {
		t.Errorf("%d fps, %d frames, fixed lag %v: %d frames of 100 waited, %d in vain; want one", fps, frames, fixedLag, waits, l.Stats().Missed)
	}
	if n := l.Clock().Demand() - demand; n != clock.DefaultMaxSteps {
		t.Errorf("%d fps, %d frames, fixed lag %v: the frames demanded %d steps, want %d", fps, frames, fixedLag, n, clock.DefaultMaxSteps)
	}
}

// hanging is a simulation whose commands wait until they are released.
type hanging struct {
	*walkers
	release chan struct{}
}

func (h hanging) Apply(tick uint64, p *push, scheduled bool) {
	<-h.release
	h.walkers.Apply(tick, p, scheduled)
}

// Edits of a paused world, of which the first hangs.
func TestAHangingEditCostsAutoOneWait(t *testing.T) {
	link := buffer.NewLink[body2d.State, tickEvent, push]()
	l, err := renderloop.New(link, renderloop.Config{Sync: renderloop.Auto, WaitBudget: 10_000_000})
	if err != nil {
		t.Fatal(err)
	}
	sim := hanging{newWalkers(1), make(chan struct{})}
	p := physicsloop.Start[body2d.State, tickEvent, push](sim, link, physicsloop.Options{})
	defer p.Close()
	frame := func(edit bool) (waited bool) {
		if edit {
			l.Send(buffer.Scheduled[push]{Command: push{x: 3, jump: true}})
		}
		l.Frame(frametimes.Tick60)
		return l.Stats().WaitNanos > 0
	}
	for range 10 {
		frame(false)
		link.Await(l.Clock().Demand(), 0)
	}
	l.Clock().SetPaused(true)
	for hang := range 3 {
		renderloop.WaitNow(l)
		waits := 0
		for range 20 {
			if frame(true) {
				waits++
			}
		}
		if waits != 1 || l.Stats().Missed != uint64(hang+1) {
			t.Errorf("hang %d: %d frames of 20 waited, %d in vain so far", hang, waits, l.Stats().Missed)
		}
		for range 20 {
			sim.release <- struct{}{}
		}
		link.Await(0, link.Demand.Posted())
	}
	close(sim.release)
}

func TestANegativeWaitBudgetIsRefused(t *testing.T) {
	if _, err := renderloop.New(buffer.NewLink[body2d.State, tickEvent, push](), renderloop.Config{WaitBudget: -1}); err == nil {
		t.Error("no error")
	}
}
