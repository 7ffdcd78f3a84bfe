package engine_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"halfstep/engine"
	"halfstep/internal/harness/attack"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
)

// timeSession changes the rate, the scale and the sync, and pauses with and without
// frames. Where the body is shown is the time that is shown, in seconds. It advances with
// the clock, never goes back, and is no faster than the world's pace, but for what lag,
// trail and lead are slewed by.
func timeSession(t *testing.T, seed uint64) (frames uint64) {
	const leads = 100 // frames in which the lead of RunAhead comes to where it should be
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 51))
		e, b := mover(t, engine.Config{
			Sync: syncs[r.IntN(4)],
			Time: engine.Time{NoPacing: true, MaxSteps: 1000, Rate: clock.Hz([]int64{10, 30, 60, 240}[r.IntN(4)])},
		})
		defer e.Close()
		typical := time.Duration(2+r.IntN(30)) * time.Millisecond
		jitter := r.IntN(2) == 0
		var due, lastDue float64 // s, what passes in this frame and has in the one before
		passed, last, settled := 0.0, 0.0, 0
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
				if settled < leads {
					settled = 0 // a picture that trails by many short steps finds no states
				}
			case 2:
				if err := e.SetScale([]float64{0, .25, .5, 1, 1, 2}[r.IntN(6)]); err != nil {
					t.Fatal(err)
				}
				settled = 0 // the lead is of real time
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
				e.SetSync(syncs[r.IntN(4)])
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
			e.Frame()
			synctest.Wait()
			x := shownX(e, b)
			moved := x - last
			if settled++; moved < -1e-5 {
				t.Fatalf("seed %d, frame %d, %v: the picture goes back by %v s", seed, f, e.Sync(), -moved)
			}
			wait := 12
			if e.Sync() == renderloop.RunAhead {
				wait = leads
			}
			if most := 1.2*max(due, lastDue) + 1e-4; settled > wait && f > 30 && moved > most {
				t.Fatalf("seed %d, frame %d, %v: the picture advances by %v s where %v s pass", seed, f, e.Sync(), moved, max(due, lastDue))
			}
			passed += due
			ahead := x - passed - e.Ledger().Stepped()
			// It trails the clock by a step. Where that becomes shorter in RunAhead, it does so by less.
			if most := 1 / 7.; e.Sync() != renderloop.RunAhead && e.Scale() > 0 && ahead > most {
				t.Fatalf("seed %d, frame %d, %v: the picture is %v s ahead of the clock", seed, f, e.Sync(), ahead)
			}
			if ahead < -.6 {
				t.Fatalf("seed %d, frame %d, %v: the picture is %v s behind the clock", seed, f, e.Sync(), -ahead)
			}
			lastDue, due, last = due, 0, x
			frames++
		}
		if m := e.Metrics(); math.Abs(m.Dropped) > 1e-9 {
			t.Errorf("seed %d: %v s dropped", seed, m.Dropped)
		}
		if ns, frac := e.Ledger().Imbalance(); ns != 0 || frac != 0 {
			t.Errorf("seed %d: the ledger is out by %d ns", seed, ns)
		}
	})
	return frames
}

func TestTheShownTimeAdvancesWithTheClockWhateverChangesIt(t *testing.T) {
	for seed := range uint64(40) {
		timeSession(t, seed)
	}
}

func TestAttackTime(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		a.Count("frames", timeSession(t, r.Uint64()))
	}
}
