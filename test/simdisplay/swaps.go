package simdisplay

import "math"

// Swaps shows frames of a program that waits for the display. Each frame is shown in
// turn, for one refresh or more. Unlike Show, Swaps gets one frame at a time, so that the
// start of the next frame can depend on the last one.
type Swaps struct {
	Display *Display
	// Queue is the number of finished frames that may wait after the frame that is seen next.
	// With 0 a swap returns when its own frame is seen.
	Queue int

	seen []float64
}

// Swap swaps the buffers for the next frame. The program calls it at the time at, and the
// work of the frame is done at the time done, ns. It returns the times at which the frame
// is seen and at which the swap returns.
func (s *Swaps) Swap(at, done float64) (seen, returns float64) {
	d, last := s.Display, math.Inf(-1)
	if n := len(s.seen); n > 0 {
		last = s.seen[n-1]
	}
	if period := 1e9 / d.Hz; d.Adaptive {
		seen = max(done, last+period)
	} else {
		seen = max(math.Ceil((done+float64(d.Deadline))/period), math.Round(last/period)+1) * period
	}
	s.seen = append(s.seen, seen)
	if n := len(s.seen) - 1 - s.Queue; n >= 0 {
		at = max(at, s.seen[n])
	}
	return seen, at
}
