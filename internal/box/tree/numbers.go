package tree

import "math/bits"

// Numbers gives out the lowest free number. So the next number depends only on the
// numbers in use, and not on the past. The zero Numbers has given out no number.
type Numbers struct {
	used  []uint64 // a bit each
	first int      // all numbers below 64 × first are in use
}

// Take gives out a number.
func (s *Numbers) Take() int32 {
	for s.first < len(s.used) && s.used[s.first] == ^uint64(0) {
		s.first++
	}
	n := int32(64 * s.first)
	if s.first < len(s.used) {
		n += int32(bits.TrailingZeros64(^s.used[s.first]))
	}
	s.Set(n, true)
	return n
}

// Set marks a number as in use or as free.
func (s *Numbers) Set(n int32, used bool) {
	at, bit := int(n/64), uint64(1)<<(n%64)
	for at >= len(s.used) {
		s.used = append(s.used, 0)
	}
	if used {
		s.used[at] |= bit
	} else {
		s.used[at] &^= bit
		s.first = min(s.first, at)
	}
}
