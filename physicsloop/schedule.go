package physicsloop

import (
	"sort"

	"halfstep/buffer"
)

// schedule holds commands that wait for their tick, in order of tick and then
// of arrival.
type schedule[C any] struct{ orders []buffer.Order[C] }

func (s *schedule[C]) add(o buffer.Order[C]) {
	i := sort.Search(len(s.orders), func(i int) bool { return s.orders[i].At > o.At })
	s.orders = append(s.orders, o)
	copy(s.orders[i+1:], s.orders[i:])
	s.orders[i] = o
}

// due returns the first order if its tick has come, or nil.
func (s *schedule[C]) due(tick uint64) *buffer.Order[C] {
	if len(s.orders) == 0 || s.orders[0].At > tick {
		return nil
	}
	return &s.orders[0]
}

// drop removes the first order.
func (s *schedule[C]) drop() {
	n := copy(s.orders, s.orders[1:])
	s.orders[n] = buffer.Order[C]{}
	s.orders = s.orders[:n]
}
