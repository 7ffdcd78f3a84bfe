package buffer

import (
	"iter"

	"halfstep/internal/stamps"
)

// Changes say, for each state of a Slot, when it changed last: the serial of the
// published state in which it did. A holder of the states of an older serial, such
// as the GPU, brings its copy up to date without touching states that are the
// same, however many serials it has skipped.
type Changes struct{ of stamps.Stamps }

// Since yields, in ascending order, the index of each state that has changed since the
// states of a serial were published. For serial 0, and for one that is newer than the
// states, it yields all of them.
func (s *Changes) Since(serial uint64) iter.Seq[int] {
	return func(yield func(int) bool) { s.of.Each(serial, yield) }
}
