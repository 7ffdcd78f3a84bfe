package presenttimes

import "sync/atomic"

// tellingSpan is how many swaps an answer may be ahead of a missing one before that is
// given up.
const tellingSpan = 32

// telling puts what is heard of swaps in order and hands it to the render thread.
// Window systems may tell that a frame was replaced before they tell that an earlier
// one was seen.
type telling struct {
	ring
	swaps swapRing
	due   uint64 // the next swap to hand over
	held  [2 * tellingSpan]struct {
		here bool
		Time
	}
}

// tell takes what became of a swap, counted from 0. ok is false if there is no such
// swap. It belongs to the goroutine that hears of it.
func (t *telling) tell(swap uint64, heard Time) (ok bool) {
	if heard.Frame, ok = t.swaps.find(swap); !ok || swap < t.due {
		return false
	}
	if swap-t.due >= uint64(len(t.held)) {
		t.pass(swap - t.due - tellingSpan)
	}
	h := &t.held[swap%uint64(len(t.held))]
	h.here, h.Time = true, heard
	for t.held[t.due%uint64(len(t.held))].here {
		t.pass(1)
	}
	if swap > t.due+tellingSpan {
		t.pass(swap - t.due - tellingSpan)
	}
	return true
}

// pass hands over what is there of the next swaps, and gives up the rest.
func (t *telling) pass(n uint64) {
	for end := t.due + n; t.due < end; t.due++ {
		if end-t.due > uint64(len(t.held)) {
			t.due = end - uint64(len(t.held))
		}
		if h := &t.held[t.due%uint64(len(t.held))]; h.here {
			h.here = false
			t.add(h.Time)
		}
	}
}

// swapRing tells the goroutine that hears of swaps by their order which frames they
// were of.
type swapRing struct {
	swaps [256]struct{ number, frame atomic.Uint64 }
	n     uint64 // moved by the render thread
}

// add enters the next swap. Render thread.
func (r *swapRing) add(frame uint64) {
	s := &r.swaps[r.n%uint64(len(r.swaps))]
	s.number.Store(0)
	s.frame.Store(frame)
	r.n++
	s.number.Store(r.n) // after the frame
}

// find returns the frame of a swap, counted from 0. ok is false if the swap has not
// been made, or was long ago.
func (r *swapRing) find(swap uint64) (frame uint64, ok bool) {
	s := &r.swaps[swap%uint64(len(r.swaps))]
	if s.number.Load() != swap+1 {
		return 0, false
	}
	frame = s.frame.Load()
	return frame, s.number.Load() == swap+1 // else overwritten meanwhile
}
