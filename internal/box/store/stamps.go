package store

import (
	"math/bits"

	"halfstep/internal/slab"
)

// Stamps say when each of some numbered things has changed last, by a serial that grows with
// each call of Now. So any number of readers can keep up with what changes: each remembers the
// serial that Now returned when it looked last, and asks what has changed since. The zero
// Stamps have no things.
type Stamps struct {
	// A stamp is the lowest 32 bits of a serial. The highest 32 bits of now say how often
	// these have run out, so that all stamps were cleared.
	now  uint64
	each []uint32 // by number: what the first Now after the last change returned or will return; 0: no change

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

// markBits marks the things of which a bit is set: the lowest bit is that of first, and all lie
// in one block of 64. There is room for them.
func (s *Stamps) markBits(first int32, set uint64) {
	stamp := uint32(s.now + 1)
	for left := set; left != 0; left &= left - 1 {
		s.each[first+int32(bits.TrailingZeros64(left))] = stamp
	}
	s.blocks[first>>6], s.tops[first>>12] = stamp, stamp
}

// MarkAll says that all things below n change, and any others that there is room for.
func (s *Stamps) MarkAll(n int) {
	s.Reach(n)
	for _, list := range [...][]uint32{s.each, s.blocks, s.tops} {
		for i := range list {
			list[i] = uint32(s.now + 1)
		}
	}
}

// Reach makes room for things below n, which have not changed.
func (s *Stamps) Reach(n int) {
	if n > len(s.each) {
		s.each, s.blocks, s.tops = slab.Sized(s.each, n), slab.Sized(s.blocks, (n+63)/64), slab.Sized(s.tops, (n+4095)/4096)
	}
}

// Len is one more than the highest number.
func (s *Stamps) Len() int { return len(s.each) }

// Now returns the serial of what things are at present: what changes from here on has
// changed since then.
func (s *Stamps) Now() uint64 {
	if s.now++; uint32(s.now+1) == 0 {
		// The next stamp would be 0, which says that nothing has changed. Older serials now
		// differ in their highest bits: for isOld, all has changed since.
		s.now++
		for _, list := range [...][]uint32{s.each, s.blocks, s.tops} {
			clear(list)
		}
	}
	return s.now
}

// Next is the serial that a change gets at present: since then it does not count as a change.
func (s *Stamps) Next() uint64 { return s.now + 1 }

// Changed reports whether a thing has changed since a serial.
func (s *Stamps) Changed(n int32, since uint64) bool {
	return s.isOld(since) || int(n) < len(s.each) && s.each[n] > uint32(since)
}

// isOld reports whether a serial is from before anything, or before the stamps began anew.
func (s *Stamps) isOld(serial uint64) bool { return serial == 0 || serial>>32 != s.now>>32 }

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
	return func(yield func(int) bool) {
		going := true
		s.Blocks(serial, func(first int, changed uint64) {
			for ; going && changed != 0; changed &= changed - 1 {
				going = yield(first + bits.TrailingZeros64(changed))
			}
		})
	}
}
