package buffer

import (
	"iter"

	"halfstep/internal/stamps"
)

// Changes say when each state of a Slot last changed. The time is the serial of the
// published state in which it did. Code with a copy of the states of an older serial,
// such as the GPU's, updates the copy from them. It need not touch states that are the
// same, however many serials it has skipped.
type Changes struct{ of stamps.Stamps }

// Since yields, in ascending order, the index of each state that has changed since the
// states with the given serial were published. For serial 0, and for a serial that is
// newer than the states, it yields all indices.
func (s *Changes) Since(serial uint64) iter.Seq[int] {
	return func(yield func(int) bool) { s.of.Each(serial, yield) }
}
