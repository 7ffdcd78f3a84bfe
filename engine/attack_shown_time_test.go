package engine_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/test/attack"
	"halfstep/test/norace"
)

// timeSession changes the rate, the scale and the sync mode, and pauses with and without
// frames. The shown position of the body is the shown time in seconds. It must advance
// with the clock, never move back, and be no faster than the world's pace plus the
// changes of lag, trail and lead. A step back of less than 2e-5 s is rounding, of float32
// and of a thousandth of a step, and is invisible.
func timeSession(t *testing.T, seed uint64) (frames uint64) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 51))
		rate := clock.Hz([]int64{10, 30, 60, 240}[r.IntN(4)])
		e, b := mover(t, engine.Config{Time: engine.Time{Sync: syncs[r.IntN(len(syncs))], Pacing: engine.PacingOff, MaxSteps: 1000, Rate: rate}})
		defer e.Close()
		e.Frame() // time counts from here
		typical := time.Duration(2+r.IntN(30)) * time.Millisecond
		jitter := r.IntN(2) == 0
		var due, lastDue float64 // the time of this frame and of the frame before, in s
		passed, last, settled := 0.0, 0.0, 0
		// how far Lockstep's picture is behind the clock, in s: as long as the first interval,
		// except after rates that RunAhead has put into effect at once
		behind, known, most := 1/rate.Float(), true, 0.0
		trailed, changed := false, ^uint64(0) // the tick at which the rate was last changed
		sleep := func(d time.Duration) {
			time.Sleep(d)
			if !e.Paused() {
				due += d.Seconds() * e.Scale()
			}
		}
		for f := range 600 {
			switch r.IntN(40) {
			case 0, 1:
				rate := clock.Hz([]int64{7, 10, 24, 30, 60, 100, 144, 1000}[r.IntN(8)])
				if err := e.SetRate(rate); err != nil {
					t.Fatal(err)
				}
				changed = e.Demanded()
				if known = known && e.Sync() != renderloop.RunAhead; passed == 0 && e.Ledger().Stepped() == 0 {
					behind = 1 / rate.Float() // no interval is in progress
				}
			case 2:
				if err := e.SetScale([]float64{0, .25, .5, 1, 1, 2}[r.IntN(6)]); err != nil {
					t.Fatal(err)
				}
				settled = 0 // the lead is in real time
			case 3:
				e.SetPaused(!e.Paused())
				settled = 0
			case 4: // a pause without frames
				sleep(time.Duration(r.IntN(3)) * time.Millisecond)
				was := e.Paused()
				e.SetPaused(true)
				sleep(time.Duration(r.IntN(3000)) * time.Millisecond)
				e.SetPaused(was)
				settled = 0
			case 5:
				e.SetSync(syncs[r.IntN(len(syncs))])
				known = known && (e.Sync() != renderloop.RunAhead || changed != e.Demanded())
				settled = 0
			case 6:
				typical = time.Duration(2+r.IntN(30)) * time.Millisecond
				settled = 0
			}
			d := typical
			if jitter {
				d = d*3/4 + time.Duration(r.Int64N(int64(d)/2))
			}
			sleep(d)
			v := e.Frame()
			synctest.Wait()
			x := shownX(e, b)
			moved := x - last
			if settled++; moved < -2e-5 {
				t.Fatalf("seed %d, frame %d, %v: the picture goes back by %v s", seed, f, e.Sync(), -moved)
			}
			if fast := 1.2*max(due, lastDue) + 1e-4; settled > 12 && f > 30 && moved > fast && !(trailed && v.Tick <= e.Demanded()) {
				t.Fatalf("seed %d, frame %d, %v: the picture advances by %v s where %v s pass", seed, f, e.Sync(), moved, max(due, lastDue))
			}
			passed += due
			most = max(most, due)
			ahead := x - passed - e.Ledger().Stepped()
			if e.Sync() == renderloop.Lockstep && !known && settled > 1 && moved > 0 {
				behind, known = -ahead, true
			}
			// After RunAhead the picture stands still, up to a step ahead, until the clock has
			// reached it.
			if off := ahead + behind; e.Sync() != renderloop.RunAhead && known && settled > 1 && moved > 0 &&
				(off > 1e-5 || off < -1e-5 && e.Sync() == renderloop.Lockstep || off < -2*most) {
				t.Fatalf("seed %d, frame %d, %v: the picture is %v s ahead of the clock's", seed, f, e.Sync(), off)
			}
			if ahead < -.6 {
				t.Fatalf("seed %d, frame %d, %v: the picture is %v s behind the clock", seed, f, e.Sync(), -ahead)
			}
			// If steps become shorter, the picture of RunAhead may be behind the last due step. It
			// then misses states, and may jump to that step.
			trailed = e.Sync() == renderloop.RunAhead && v.Instant < float64(e.Demanded())
			lastDue, due, last = due, 0, x
			frames++
		}
		if m := e.Metrics(); math.Abs(m.Dropped) > 1e-9 {
			t.Errorf("seed %d: %v s dropped", seed, m.Dropped)
		} else if m.BackwardFrames != 0 {
			t.Errorf("seed %d: %d frames backward", seed, m.BackwardFrames)
		}
		if ns, frac := e.Ledger().Imbalance(); ns != 0 || frac != 0 {
			t.Errorf("seed %d: the ledger is out by %d ns", seed, ns)
		}
	})
	return frames
}

func TestTheShownTimeAdvancesWithTheClockWhateverChangesIt(t *testing.T) {
	for seed := range uint64(norace.Rounds(40, 4)) {
		timeSession(t, seed)
	}
}

// Found by TestAttackShownTime.
func TestTheShownTimeAdvancesWhere(t *testing.T) {
	for what, seed := range map[string]uint64{
		"the rate changes before the first step, while physics is ahead":       5897479913024729327,
		"steps become longer while the picture is a little beyond a state":     9120490648959242901,
		"the picture of RunAhead is more steps behind than the exchange keeps": 15023428614842499752,
	} {
		t.Run(what, func(t *testing.T) { timeSession(t, seed) })
	}
}

func TestAttackShownTime(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		a.Count("frames", timeSession(t, r.Uint64()))
	}
}
