package renderloop_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/frametimes"
)

// advances runs a loop with regular frames. It returns the advance of the shown instant
// in each frame, in ticks.
func advances(t *testing.T, fps int64, seconds int, cost func(tick uint64) int64) (moved []float64, l *walkLoop) {
	t.Helper()
	l, _ = threaded(t, newWalkers(1), renderloop.Config{StepCost: cost})
	last, carry := 0., int64(0)
	for range int(fps) * seconds {
		ns := frametimes.Second / fps
		if carry += frametimes.Second % fps; carry >= fps {
			carry, ns = carry-fps, ns+1
		}
		v := l.Frame(ns)
		moved = append(moved, v.Instant-last)
		last = v.Instant
	}
	return moved, l
}

// even checks that no frame stands still, and that the 99th percentile of the deviation
// from the mean is at most the tolerance. It returns the mean.
func even(t *testing.T, moved []float64, tolerance float64) float64 {
	t.Helper()
	mean := 0.
	for _, m := range moved {
		mean += m / float64(len(moved))
	}
	var off []float64
	for i, m := range moved {
		if m <= 0 {
			t.Errorf("frame %d of %d stands still", i, len(moved))
			return mean
		}
		off = append(off, math.Abs(m-mean)/mean)
	}
	slices.Sort(off)
	p99 := off[len(off)*99/100]
	t.Logf("%.4f ticks a frame, deviation p99 %.1f %%, most %.1f %%", mean, p99*100, off[len(off)-1]*100)
	if p99 > tolerance {
		t.Errorf("the advance is off its mean by %.0f %% at p99", p99*100)
	}
	return mean
}

func TestMotionIsEvenWhenAStepCostsMoreThanAFrame(t *testing.T) {
	for _, c := range []struct{ fps, cost int64 }{{144, 10}, {1000, 4}, {240, 12}, {90, 15}, {60, 15}} {
		t.Run(fmt.Sprintf("%d ms at %d fps", c.cost, c.fps), func(t *testing.T) {
			moved, l := advances(t, c.fps, 5, func(uint64) int64 { return c.cost * 1_000_000 })
			mean := even(t, moved[c.fps:], .10)
			if want := 60 / float64(c.fps); math.Abs(mean-want) > want/50 {
				t.Errorf("%v ticks a frame, want %v: not full speed", mean, want)
			}
			if lag := l.Stats().Lag; lag > 1 {
				t.Errorf("lag of %v ticks", lag)
			}
		})
	}
}

func TestOverloadIsSmoothSlowMotion(t *testing.T) {
	for _, c := range []struct{ fps, cost int64 }{{60, 50}, {60, 20}, {144, 50}, {60, 100}, {30, 40}} {
		t.Run(fmt.Sprintf("%d ms at %d fps", c.cost, c.fps), func(t *testing.T) {
			moved, l := advances(t, c.fps, 6, func(uint64) int64 { return c.cost * 1_000_000 })
			mean := even(t, moved[c.fps:], .25)
			can := 1e3 / float64(c.cost) / float64(c.fps)
			if mean < .8*can || mean > can {
				t.Errorf("%v ticks a frame of %v that physics can deliver", mean, can)
			}
			if n := l.Stats().MaxBacklog; n > clock.DefaultMaxSteps {
				t.Errorf("backlog of %d", n)
			}
		})
	}
}

// With the default limit, a slow picture gets all its due steps while the steps are
// quick. Otherwise a frame gets at most the article's five steps, or as many as take no
// longer than the frame. A world that is too slow neither makes frames longer nor
// catches up later.
func TestTheStepBoundFollowsWhatStepsCostAndFramesTake(t *testing.T) {
	for _, c := range []struct {
		fps, cost int64 // cost in ms
		speed     float64
	}{
		{10, 1, 1}, {10, 10, 1}, {10, 15, 1}, {10, 20, .78}, {4, 20, .76}, {60, 20, .78}, {144, 50, .3}, {5, 1, 1},
	} {
		for _, sync := range []renderloop.Sync{renderloop.Pipelined, renderloop.RunAhead} {
			l, _ := threaded(t, newWalkers(1), renderloop.Config{Sync: sync, StepCost: func(uint64) int64 { return c.cost * 1_000_000 }})
			for range 20 * c.fps {
				l.Frame(frametimes.Second / c.fps)
			}
			if got := float64(l.Clock().Demand()) / 20 / 60; got < .95*c.speed {
				t.Errorf("%v, %d fps, %d ms a step: speed %.2f, want %.2f", sync, c.fps, c.cost, got, c.speed)
			}
			if most := max(clock.DefaultMaxSteps, uint64(1000/c.fps/c.cost)); l.Stats().MaxBacklog > most {
				t.Errorf("%v, %d fps, %d ms a step: a backlog of %d, %d can be done in a frame", sync, c.fps, c.cost, l.Stats().MaxBacklog, most)
			}
		}
	}
}

// After a stall of a second, at most five slow steps are caught up. If steps are quick,
// a quarter of a second is caught up.
func TestAfterAStallNoDebtIsWorkedOff(t *testing.T) {
	for _, c := range []struct{ cost, most int64 }{{0, 15}, {1, 15}, {8, 5}, {14, 5}, {30, 5}} {
		l, _ := threaded(t, newWalkers(1), renderloop.Config{StepCost: func(uint64) int64 { return c.cost * 1_000_000 }})
		for range 300 {
			l.Frame(frametimes.Tick60)
		}
		before := l.Clock().Demand()
		l.Frame(frametimes.Second)
		if n := int64(l.Clock().Demand() - before); n > c.most || c.cost < 2 && n != c.most {
			t.Errorf("%d ms a step: %d steps in the frame after a stall", c.cost, n)
		}
	}
}

func TestFullSpeedReturnsWithinASecondAndWithoutABurst(t *testing.T) {
	const fps, loaded = 60, 60 // the load ends after that many ticks
	moved, l := advances(t, fps, 12, func(tick uint64) int64 {
		if tick <= loaded {
			return 50_000_000
		}
		return 1_000_000
	})
	// the frame that first shows a cheap tick, and its instant
	end, instant := 0, 0.
	for i, m := range moved {
		if instant += m; instant >= loaded {
			end = i
			break
		}
	}
	if end == 0 || end+3*fps > len(moved) {
		t.Fatalf("the load ended at frame %d of %d", end, len(moved))
	}
	for i, m := range moved[end:] {
		if m > 1.15 {
			t.Errorf("%d frames after the load: %v ticks in a frame", i, m)
		}
		if i >= fps && math.Abs(m-1) > .05 {
			t.Errorf("%d frames after the load: %v ticks in a frame, not full speed", i, m)
			break
		}
	}
	if l.Clock().Speed() != 1 {
		t.Errorf("speed %v", l.Clock().Speed())
	}
}

// A single late step is a hitch, and not a load, so the clock stays at full speed.
func TestOneLateStepDoesNotSlowTheClock(t *testing.T) {
	_, l := advances(t, 60, 5, func(tick uint64) int64 {
		if tick == 100 {
			return 60_000_000
		}
		return 1_000_000
	})
	if d := l.Clock().Ledger().Dropped(); d != 0 {
		t.Errorf("%v s dropped", d)
	}
}

// When a frame is late, a paced loop advances in the same frame as far as the pair of
// states that it has allows, and not only in the next frame.
func TestALateFrameIsMadeUpForAtOnce(t *testing.T) {
	for _, pacing := range []bool{false, true} {
		l, _ := threaded(t, newWalkers(1), renderloop.Config{Pacing: pacing})
		var before, late, next float64
		for i := range 300 {
			ns := frametimes.Second / 144
			if i == 250 {
				ns = 5 * frametimes.Second / 144
			}
			was := l.View().Instant
			moved := l.Frame(ns).Instant - was
			switch i {
			case 249:
				before = moved
			case 250:
				late = moved
			case 251:
				next = moved
			}
		}
		if sum := late + next; math.Abs(sum-6*before) > .1*before {
			t.Errorf("pacing %v: two frames make up for %v of six", pacing, sum/before)
		}
		if atOnce := late > 1.1*before; atOnce != pacing {
			t.Errorf("pacing %v: the late frame moves %v times as far as the one before", pacing, late/before)
		}
	}
}

// The clock stands still at its last tick. The lag must not hide that tick.
func TestTheLastTickIsShownWhateverTheLag(t *testing.T) {
	for _, cost := range []int64{0, 10, 16, 50, 200} {
		l, _ := threaded(t, newWalkers(1), renderloop.Config{StepCost: func(tick uint64) int64 {
			if tick < 87 {
				return 1_000_000
			}
			return cost * 1_000_000
		}})
		l.Clock().SetLast(90)
		frames := 0
		for ; l.View().Tick < 90 && frames < 144*60; frames++ {
			l.Frame(frametimes.Second / 144)
		}
		if l.View().Tick != 90 {
			t.Errorf("steps of %d ms: tick %d is shown for ever", cost, l.View().Tick)
		}
	}
}
