// Package stamps says what has changed since when. Whoever changes a thing marks it, and it gets the
// serial of now. Whoever keeps up with the things remembers the serial at which it looked last, and
// asks what has changed since. Any number of others can ask, nobody has to clear anything, and nobody
// has to know who else asks.
package stamps

import (
	"math/bits"

	"halfstep/internal/slab"
)

// Stamps say when each of some numbered things has changed last, by a serial that grows. The zero
// Stamps have no things.
type Stamps struct {
	// A stamp is the lowest 32 bits of a serial. Where these run out, all things count as changed.
	now  uint64
	all  uint64   // when all things changed last; stamps up to it do not count
	each []uint32 // by number: the serial that came next after the last change; 0: no change

	// The highest stamp of 64 things, and of 64 times 64, so that a look at what has changed
	// need not look at every stamp.
	blocks, tops []uint32
}

// Mark says that a thing changes.
func (s *Stamps) Mark(n int32) {
	if int(n) >= len(s.each) {
		s.Reach(int(n) + 1)
	}
	if s.now == 0 {
		return // nobody has looked yet: all things have changed
	}
	stamp := uint32(s.now + 1)
	s.each[n], s.blocks[n>>6], s.tops[n>>12] = stamp, stamp, stamp
}

// MarkBits marks the things of which a bit is set: the lowest bit is that of first, and all lie
// in one block of 64. There is room for them.
func (s *Stamps) MarkBits(first int32, set uint64) {
	stamp := uint32(s.now + 1)
	for left := set; left != 0; left &= left - 1 {
		s.each[first+int32(bits.TrailingZeros64(left))] = stamp
	}
	s.blocks[first>>6], s.tops[first>>12] = stamp, stamp
}

// MarkAll says that all things below n change, and any others that there is room for.
func (s *Stamps) MarkAll(n int) {
	s.Reach(n)
	s.all = s.now + 1
}

// Reach makes room for things below n, which have not changed.
func (s *Stamps) Reach(n int) {
	if n > len(s.each) {
		s.size(n)
	}
}

// Resize has n things. Those that there were not before change.
func (s *Stamps) Resize(n int) {
	had := len(s.each)
	s.size(n)
	for i := had; i < n; i++ {
		s.Mark(int32(i))
	}
}

func (s *Stamps) size(n int) {
	s.each, s.blocks, s.tops = slab.Sized(s.each, n), slab.Sized(s.blocks, (n+63)/64), slab.Sized(s.tops, (n+4095)/4096)
}

// Len is one more than the highest number.
func (s *Stamps) Len() int { return len(s.each) }

// Now returns the serial of what things are at present: what changes from here on has
// changed since then.
func (s *Stamps) Now() uint64 {
	s.Advance(s.now + 1)
	return s.now
}

// Advance makes a serial, which is higher than those before, that of what things are at present.
func (s *Stamps) Advance(serial uint64) {
	if s.now = serial; uint32(serial+1) == 0 { // the next stamp would be 0, which says that nothing has changed
		s.all = serial + 1
		for _, list := range [...][]uint32{s.each, s.blocks, s.tops} {
			clear(list)
		}
	}
}

// Serial is that of what things were when Now or Advance was called last.
func (s *Stamps) Serial() uint64 { return s.now }

// Next is the serial that a change gets at present: since then it does not count as a change.
func (s *Stamps) Next() uint64 { return s.now + 1 }

// Changed reports whether a thing has changed since a serial.
func (s *Stamps) Changed(n int32, since uint64) bool {
	return s.isOld(since) || int(n) < len(s.each) && s.each[n] > uint32(since)
}

// isOld reports whether all things have changed since a serial: it is from before anything, before
// all changed, before the stamps began anew, or of other Stamps.
func (s *Stamps) isOld(serial uint64) bool {
	return serial == 0 || serial < s.all || serial>>32 != s.now>>32 || serial > s.now
}

// Blocks calls f with the first number of every 64 things of which some have changed since a
// serial, and with these as bits, in ascending order. For 0, the zero serial, all have.
func (s *Stamps) Blocks(since uint64, f func(first int, changed uint64)) {
	all, last := s.isOld(since), uint32(since)
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

// after returns which of at most 64 stamps are higher than last, as bits: the difference has its
// sign bit set where one is. There is no branch, as most stamps of a block with a change are higher.
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

// Each calls f with these numbers until it returns false.
func (s *Stamps) Each(serial uint64, f func(int) bool) {
	going := true
	s.Blocks(serial, func(first int, changed uint64) {
		for ; going && changed != 0; changed &= changed - 1 {
			going = f(first + bits.TrailingZeros64(changed))
		}
	})
}

// Follow brings a copy of some Stamps up to date with these, which are newer.
func (s *Stamps) Follow(of *Stamps) {
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
