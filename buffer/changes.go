package buffer

import (
	"iter"

	"halfstep/internal/stamps"
)

// Changes say for each state of a Slot in which serial (Meta.Serial) the state last changed. Code
// with a copy of the states of an older serial, for example in the memory of the GPU, can then copy
// only the states that have changed since that serial.
type Changes struct{ of stamps.Stamps }

// Since yields the index of each state that has changed since the given serial was published, in
// ascending order. For serial 0, and for a serial that is newer than the Slot's, it yields all
// indices.
func (s *Changes) Since(serial uint64) iter.Seq[int] {
	return func(yield func(int) bool) { s.of.Each(serial, yield) }
}
