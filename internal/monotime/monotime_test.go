package monotime

import (
	"sync"
	"testing"
	"time"
)

// The clock of Go's runtime fails this test on Windows, because it stands still for
// longer.
func TestShortTimesAreToldApart(t *testing.T) {
	const moves = 300
	start := Now()
	last := start
	for range moves {
		before := last
		for last.Equal(before) {
			last = Now()
		}
	}
	if mean := last.Sub(start) / moves; mean > 300*time.Microsecond {
		t.Errorf("the clock moves every %v", mean)
	}
}

func TestTimeDoesNotGoBackwardsOnAnyGoroutine(t *testing.T) {
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			last := Now()
			for range 2000 {
				now := Now()
				if now.Before(last) {
					t.Errorf("%v after %v", now, last)
					return
				}
				last = now
			}
		})
	}
	all.Wait()
}

func TestItGoesAsFastAsTheOrdinaryClock(t *testing.T) {
	ordinary, exact := time.Now(), Now()
	for time.Since(ordinary) < 300*time.Millisecond {
		time.Sleep(20 * time.Millisecond)
	}
	if ratio := float64(Since(exact)) / float64(time.Since(ordinary)); ratio < 0.5 || ratio > 2 {
		t.Errorf("%v times as fast", ratio)
	}
	if d := time.Until(Now()).Abs(); d > time.Minute {
		t.Errorf("%v away from the ordinary clock", d)
	}
}

func TestNowAllocatesNothing(t *testing.T) {
	var now time.Time
	if n := testing.AllocsPerRun(1000, func() { now = Now() }); n != 0 || now.IsZero() {
		t.Errorf("%v allocations", n)
	}
}

func TestSleepUntilDoesNotEndEarly(t *testing.T) {
	for _, d := range []time.Duration{0, 50 * time.Microsecond, 3 * time.Millisecond, -time.Second} {
		end := Now().Add(d)
		SleepUntil(end)
		if now := Now(); now.Before(end) {
			t.Errorf("%v: woke %v early", d, end.Sub(now))
		}
	}
}
