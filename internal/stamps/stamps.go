// Package stamps records when things have changed. A change marks its thing with the current serial.
// A reader that has a copy of the things stores the serial of its last update, and asks which things
// have changed since that serial. The number of readers is not limited. No marks are cleared, and
// readers need not know of each other.
package stamps

import (
	"math/bits"

	"halfstep/internal/reslice"
)

// Stamps tell for each of some numbered things when it changed last. The time is a growing serial.
// The zero Stamps have no things.
type Stamps struct {
	// A stamp is the lowest 32 bits of a serial. When they overflow, all things count as changed.
	now  uint64
	all  uint64   // all is the serial at which all things changed last. Stamps up to that serial are ignored.
	each []uint32 // by the number of a thing: the stamp after its last change, or 0 without a change

	// the highest stamp of each block of 64 things, and of 64 blocks, so that a search skips most
	// stamps
	blocks, tops []uint32
}

// Mark records that a thing has changed.
func (s *Stamps) Mark(n int32) {
	if int(n) >= len(s.each) {
		s.Reach(int(n) + 1)
	}
	if s.now == 0 {
		return // no reader has asked yet, so all things count as changed for every reader
	}
	stamp := uint32(s.now + 1)
	s.each[n], s.blocks[n>>6], s.tops[n>>12] = stamp, stamp, stamp
}

// MarkBits marks the things whose bits in set are 1. The lowest bit is the thing `first`. All
// marked things are in one block of 64, and there must be room for them.
func (s *Stamps) MarkBits(first int32, set uint64) {
	stamp := uint32(s.now + 1)
	for left := set; left != 0; left &= left - 1 {
		s.each[first+int32(bits.TrailingZeros64(left))] = stamp
	}
	s.blocks[first>>6], s.tops[first>>12] = stamp, stamp
}

// MarkAll marks all things with numbers below n, and all others for which there is room.
func (s *Stamps) MarkAll(n int) {
	s.Reach(n)
	s.all = s.now + 1
}

// Reach makes room for things with numbers below n. The new things count as unchanged.
func (s *Stamps) Reach(n int) {
	if n > len(s.each) {
		s.size(n)
	}
}

// Resize sets the number of things to n. New things count as changed.
func (s *Stamps) Resize(n int) {
	had := len(s.each)
	s.size(n)
	for i := had; i < n; i++ {
		s.Mark(int32(i))
	}
}

func (s *Stamps) size(n int) {
	s.each, s.blocks, s.tops = reslice.Resize(s.each, n), reslice.Resize(s.blocks, (n+63)/64), reslice.Resize(s.tops, (n+4095)/4096)
}

// Len returns one more than the highest number of a thing.
func (s *Stamps) Len() int { return len(s.each) }

// Now returns a serial for the present state. Changes after this call count as changes since that
// serial.
func (s *Stamps) Now() uint64 {
	s.Advance(s.now + 1)
	return s.now
}

// Advance sets the serial of the present state. The serial must be higher than all serials before.
func (s *Stamps) Advance(serial uint64) {
	if s.now = serial; uint32(serial+1) == 0 { // the next stamp would be 0, which means no change
		s.all = serial + 1
		for _, list := range [...][]uint32{s.each, s.blocks, s.tops} {
			clear(list)
		}
	}
}

// Serial returns the serial of the last call of Now or Advance.
func (s *Stamps) Serial() uint64 { return s.now }

// Next returns the serial that a change at this moment gets.
func (s *Stamps) Next() uint64 { return s.now + 1 }

// Changed reports whether a thing has changed since a serial.
func (s *Stamps) Changed(n int32, since uint64) bool {
	return s.allChanged(since) || int(n) < len(s.each) && s.each[n] > uint32(since)
}

// allChanged reports whether all things count as changed since a serial. This is so if the serial is
// from a time before the first thing, before a change of all things, or before an overflow of the
// stamps, or if it comes from other Stamps.
func (s *Stamps) allChanged(serial uint64) bool {
	return serial == 0 || serial < s.all || serial>>32 != s.now>>32 || serial > s.now
}

// Blocks calls f for each block of 64 things in which something has changed since a serial, in
// ascending order. The argument `first` is the number of the first thing of the block, and bit i of
// changed says that the thing first+i has changed. Since the serial 0 everything has changed.
func (s *Stamps) Blocks(since uint64, f func(first int, changed uint64)) {
	all, last := s.allChanged(since), uint32(since)
	for t, top := range s.tops {
		if !all && top <= last {
			continue
		}
		for b := 64 * t; b < min(64*t+64, len(s.blocks)); b++ {
			if !all && s.blocks[b] <= last {
				continue
			}
			first := 64 * b
			each := s.each[first:min(first+64, len(s.each))]
			changed := ^uint64(0) >> (64 - len(each))
			if !all {
				changed = after(each, last)
			}
			if changed != 0 {
				f(first, changed)
			}
		}
	}
}

// after returns the stamps that are higher than last, as bits. There are at most 64 stamps. A stamp
// is higher if the difference has its sign bit set. The loop has no branches, because most stamps
// of a block with a change are higher.
func after(stamps []uint32, last uint32) (set uint64) {
	for _, stamp := range stamps {
		set = set>>1 | (uint64(last)-uint64(stamp))&(1<<63)
	}
	return set >> (64 - len(stamps))
}

// Since yields the number of each thing that has changed since a serial, in ascending order.
func (s *Stamps) Since(serial uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) { s.Each(serial, yield) }
}

// Each calls f with the number of each thing that has changed since a serial, in ascending order,
// until f returns false.
func (s *Stamps) Each(serial uint64, f func(int) bool) {
	going := true
	s.Blocks(serial, func(first int, changed uint64) {
		for ; going && changed != 0; changed &= changed - 1 {
			going = f(first + bits.TrailingZeros64(changed))
		}
	})
}

// Update updates s, which is an older copy, to the Stamps in the parameter of.
func (s *Stamps) Update(of *Stamps) {
	known := max(s.now, of.all)
	anew, last := s.now>>32 != of.now>>32, uint32(known)
	s.now, s.all = of.now, of.all
	s.size(len(of.each))
	for b, newest := range of.blocks {
		if anew || newest > last {
			s.blocks[b] = newest
			first := 64 * b
			copy(s.each[first:], of.each[first:min(first+64, len(of.each))])
		}
	}
	copy(s.tops, of.tops)
}
