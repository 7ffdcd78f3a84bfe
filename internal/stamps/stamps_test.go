package stamps

import (
	"math/rand/v2"
	"testing"
)

func TestStampsSayWhatHasChangedSinceAnySerial(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s Stamps
	s.now = 1<<32 - 60         // the stamps overflow during the test
	changed := map[int32]int{} // by number of the thing: the round of its last change
	var serials []uint64
	for round := range 120 {
		for range r.IntN(40) {
			n := int32(r.IntN(10000))
			s.Mark(n)
			changed[n] = round
		}
		serials = append(serials, s.Now())
		since := r.IntN(len(serials))
		got := map[int32]bool{}
		for n := range s.Since(serials[since]) {
			got[int32(n)] = true
		}
		for n, last := range changed {
			if last > since && !got[n] {
				t.Fatalf("round %d: thing %d has changed in round %d, and since %d nobody says so", round, n, last, since)
			}
			if last <= since && got[n] && !s.allChanged(serials[since]) {
				t.Fatalf("round %d: thing %d has changed in round %d, not since %d", round, n, last, since)
			}
		}
	}
}

func TestACopyThatFollowsSaysWhatTheStampsSay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		var of Stamps
		var copies [3]Stamps
		of.Resize(100)
		of.Advance(1<<32 - 30) // the stamps overflow during the test
		for serial := of.Serial() + 1; serial < 1<<32+30; serial++ {
			switch r.IntN(8) {
			case 0:
				of.Resize(1 + r.IntN(9000))
			case 1:
				of.MarkAll(of.Len())
			default:
				for range r.IntN(20) {
					of.Mark(int32(r.IntN(of.Len())))
				}
			}
			of.Advance(serial)
			c := &copies[r.IntN(len(copies))]
			c.Update(&of)
			since := serial - uint64(r.IntN(20))
			if of.Len() != c.Len() || c.Serial() != serial {
				t.Fatalf("%d things at serial %d, want %d at %d", c.Len(), c.Serial(), of.Len(), serial)
			}
			for n := range of.Len() {
				if got, want := c.Changed(int32(n), since), of.Changed(int32(n), since); got != want {
					t.Fatalf("serial %d: thing %d has changed since %d: %v, want %v", serial, n, since, got, want)
				}
			}
		}
	}
}
