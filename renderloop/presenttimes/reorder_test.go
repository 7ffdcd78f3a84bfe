package presenttimes

import (
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/renderloop/present"
)

func TestAnswersComeInTheOrderOfTheirFrames(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		var q reorderQueue
		var got []uint64
		drain := func() {
			var at Time
			for q.Next(&at) {
				if at.Seen.Unix() != int64(at.Frame) {
					t.Fatalf("seed %d: frame %d has the time %v", seed, at.Frame, at.Seen)
				}
				got = append(got, at.Frame)
			}
		}
		lost := map[uint64]bool{}
		var late []uint64
		for swap := range uint64(1000) {
			q.swapping(10 * (swap + 1))
			late = append(late, swap)
			for len(late) > r.IntN(12) {
				i := r.IntN(len(late))
				if late[0]+reorderSpan/2 < swap {
					i = 0
				}
				if next := late[i]; r.IntN(50) == 0 {
					lost[10*(next+1)] = true
				} else if !q.take(next, Time{Seen: time.Unix(int64(10*(next+1)), 0)}) {
					t.Fatalf("seed %d: swap %d is not known", seed, next)
				}
				late = append(late[:i], late[i+1:]...)
			}
			drain()
		}
		for i := 1; i < len(got); i++ {
			if got[i] <= got[i-1] {
				t.Fatalf("seed %d: %d after %d", seed, got[i], got[i-1])
			}
		}
		if want := 1000 - len(lost); len(got) < want-2*reorderSpan || len(got) > want {
			t.Errorf("seed %d: %d answers of %d came through", seed, len(got), want)
		}
		if q.take(5000, Time{}) || q.take(1, Time{}) {
			t.Errorf("seed %d: an answer about a swap that is not there or long gone is taken", seed)
		}
	}
}

func TestWhatIsHeldComesInOrderBeforeAnAnswerThatIsFarAhead(t *testing.T) {
	var q reorderQueue
	for frame := range uint64(200) {
		q.swapping(frame)
	}
	for _, swap := range []uint64{5, 20, 106, 107} { // all numbers below 5 are missing
		q.take(swap, Time{})
	}
	want := []uint64{5, 20}
	var at Time
	for q.Next(&at) {
		if len(want) == 0 || at.Frame != want[0] {
			t.Fatalf("frame %d comes, and %v should", at.Frame, want)
		}
		want = want[1:]
	}
	if len(want) > 0 {
		t.Errorf("frames %v did not come", want)
	}
}

func TestTheRingGivesWhatWasPutIntoItAndLosesTheNewestWhenFull(t *testing.T) {
	var r ring
	done := make(chan struct{})
	const n = 20_000
	go func() {
		defer close(done)
		for i := range uint64(n) {
			r.add(Time{Frame: i, Refresh: time.Duration(2 * i), Quality: present.Grid})
		}
	}()
	last, taken := int64(-1), 0
	for ended := false; ; {
		var at Time
		if !r.Next(&at) {
			if ended {
				break
			}
			select {
			case <-done:
				ended = true
			default:
			}
			continue
		}
		taken++
		if int64(at.Frame) <= last || at.Refresh != time.Duration(2*at.Frame) {
			t.Fatalf("%+v after %d", at, last)
		}
		last = int64(at.Frame)
	}
	if taken == 0 || taken > n {
		t.Errorf("%d of %d", taken, n)
	}
}
