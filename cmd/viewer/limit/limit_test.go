package limit

import (
	"testing"
	"time"
)

func TestDeadlinesDoNotDrift(t *testing.T) {
	const period = time.Second / 60
	start := time.Now()
	next := deadline(time.Time{}, start, period)
	if !next.Equal(start) {
		t.Fatalf("the first frame waits %v", next.Sub(start))
	}
	late := []time.Duration{0, time.Millisecond, 9 * time.Millisecond, 100 * time.Microsecond}
	for i := range 600 {
		next = deadline(next, next.Add(late[i%len(late)]), period)
	}
	if want := start.Add(600 * period); !next.Equal(want) {
		t.Errorf("off by %v after 600 frames", next.Sub(want))
	}
}

func TestAStallIsNotFollowedByABurst(t *testing.T) {
	const period = time.Second / 60
	start := time.Now()
	stalled := start.Add(time.Second)
	next := deadline(start, stalled, period)
	if !next.Equal(stalled) {
		t.Errorf("the frame after a stall is due %v late", stalled.Sub(next))
	}
	if after := deadline(next, stalled.Add(time.Millisecond), period); after.Sub(next) != period {
		t.Errorf("and the one after that %v later", after.Sub(next))
	}
}
