package tree

import "math/bits"

// Numbers gives out the lowest free number. So the next number follows from those in use,
// whatever happened before. The zero Numbers has given out none.
type Numbers struct {
	used  []uint64 // a bit each
	first int      // no number below 64 × first is free
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

// Set sets whether a number is in use.
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
