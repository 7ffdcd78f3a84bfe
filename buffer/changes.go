package buffer

import (
	"iter"

	"halfstep/internal/slab"
)

// stampBlock is how many states share a stamp, so that a look at what has changed
// need not look at every state.
const stampBlock = 64

// Changes say when each of the states of a Slot has changed last, by the serial of
// the published state in which it did. With them whoever holds the states of some
// serial, such as the GPU, brings them up to date without looking at those that
// are the same, however many serials it has skipped.
type Changes struct {
	all     uint64   // the last serial in which all states changed
	updated uint64   // the serial of the states, if only some have changed since all
	n       int      // number of states
	each    []uint64 // the last serial in which each state changed; values up to all do not count, and may be missing
	blocks  []uint64 // the highest of each stampBlock values of each
}

// serial is the serial of the states.
func (s *Changes) serial() uint64 { return max(s.all, s.updated) }

// Since yields, in ascending order, the index of each state that has changed since the
// states of a serial were published. For serial 0, and for one that is newer than the
// states, it yields all of them.
func (s *Changes) Since(serial uint64) iter.Seq[int] {
	return func(yield func(int) bool) { s.since(serial, yield) }
}

// since is Since without the closure.
func (s *Changes) since(serial uint64, yield func(int) bool) {
	if serial < s.all || serial > s.serial() {
		for i := range s.n {
			if !yield(i) {
				return
			}
		}
		return
	}
	for b, newest := range s.blocks {
		if newest <= serial {
			continue
		}
		first := b * stampBlock
		for i, stamp := range s.each[first:min(first+stampBlock, len(s.each))] {
			if stamp > serial && !yield(first+i) {
				return
			}
		}
	}
}

// mark notes that state i changes in the published state with a serial.
func (s *Changes) mark(i int, serial uint64) {
	s.each[i] = serial
	s.blocks[i/stampBlock] = serial
}

// resize makes room for the stamps of n states. New states count as changed in the
// published state with the serial.
func (s *Changes) resize(n int, serial uint64) {
	old := min(s.n, len(s.each))
	s.n = n
	s.each = slab.Sized(s.each, n)
	s.blocks = slab.Sized(s.blocks, (n+stampBlock-1)/stampBlock)
	for i := old; i < n; i++ {
		s.mark(i, serial)
	}
}

// follow brings the stamps of a slot up to date with the writer's, which are newer.
func (s *Changes) follow(w *Changes) {
	known := max(s.serial(), w.all)
	s.all, s.n = w.all, w.n
	s.each = slab.Sized(s.each, len(w.each))
	s.blocks = slab.Sized(s.blocks, len(w.blocks))
	for b, newest := range w.blocks {
		if newest > known {
			s.blocks[b] = newest
			first := b * stampBlock
			copy(s.each[first:], w.each[first:min(first+stampBlock, len(w.each))])
		}
	}
}
