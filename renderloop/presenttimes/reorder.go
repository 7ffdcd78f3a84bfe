package presenttimes

import (
	"sync/atomic"
	"time"

	"halfstep/internal/monotime"
)

// epoch is the instant from which times of swaps are counted.
var epoch = monotime.Now()

// reorderSpan is the greatest number of swaps whose answers may come before a missing answer.
// After that the missing answer is given up.
const reorderSpan = 32

// reorderQueue passes answers about swaps to the render thread in the order of the swaps. It is
// needed because window systems may report that a frame was replaced before they report that an
// earlier one was seen.
type reorderQueue struct {
	ring                  // passes answers to the render thread (add)
	answers               // counts the swaps for which an answer was requested (asked), and the answers (count)
	swaps   [256]struct { // the last swaps, numbered from 1
		number, frame atomic.Uint64
		at            atomic.Int64 // ns since epoch
	}
	due  uint64 // the next swap whose answer is passed on
	held [2 * reorderSpan]struct {
		here bool
		Time
	}
}

// take records the answer about a swap, counted from 0. ok is false if there is no such swap.
// The method belongs to the goroutine that receives the answers.
func (q *reorderQueue) take(swap uint64, heard Time) (ok bool) {
	if heard.Frame, heard.Swapped, ok = q.find(swap); !ok || swap < q.due {
		return false
	}
	if swap-q.due >= uint64(len(q.held)) {
		q.pass(swap - q.due - reorderSpan)
	}
	h := &q.held[swap%uint64(len(q.held))]
	h.here, h.Time = true, heard
	for q.held[q.due%uint64(len(q.held))].here {
		q.pass(1)
	}
	if swap > q.due+reorderSpan {
		q.pass(swap - q.due - reorderSpan)
	}
	q.count(heard)
	return true
}

// pass passes on the answers for the next n swaps that have come, and gives up the others.
func (q *reorderQueue) pass(n uint64) {
	end := q.due + n
	for range min(n, uint64(len(q.held))) {
		if h := &q.held[q.due%uint64(len(q.held))]; h.here {
			h.here = false
			q.add(h.Time)
		}
		q.due++
	}
	q.due = end
}

// swapping records the next swap and returns its number, counted from 0. The method belongs to
// the render thread.
func (q *reorderQueue) swapping(frame uint64) (swap uint64) {
	swap = q.asked.Add(1) - 1
	s := &q.swaps[swap%uint64(len(q.swaps))]
	s.number.Store(0)
	s.frame.Store(frame)
	s.at.Store(int64(monotime.Since(epoch)))
	s.number.Store(swap + 1) // after the others
	return swap
}

// find returns the frame and the time of a swap, counted from 0. ok is false if the swap has not
// been made yet, or is too old.
func (q *reorderQueue) find(swap uint64) (frame uint64, at time.Time, ok bool) {
	s := &q.swaps[swap%uint64(len(q.swaps))]
	if s.number.Load() != swap+1 {
		return 0, at, false
	}
	frame, at = s.frame.Load(), epoch.Add(time.Duration(s.at.Load()))
	return frame, at, s.number.Load() == swap+1 // else overwritten meanwhile
}
