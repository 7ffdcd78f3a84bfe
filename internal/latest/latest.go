// Package latest has a register that one goroutine writes and any may read: a reader gets the newest
// value, and may miss others.
package latest

import "sync/atomic"

// Value holds the newest value that its one writer has stored. Any goroutine may load
// it. Neither side waits or allocates. Before the first Store it is zero.
type Value[T any] struct {
	slots  [8]slot[T]
	newest atomic.Pointer[slot[T]]
}

// slot is written only while it is not the newest and has no readers. A reader counts
// itself first, and then checks that the slot is still the newest.
type slot[T any] struct {
	readers atomic.Int32
	value   T
}

// Store stores a copy of *x. If readers hold all free slots at this moment, the old
// value stays the newest.
func (v *Value[T]) Store(x *T) {
	for i := range v.slots {
		if s := &v.slots[i]; s != v.newest.Load() && s.readers.Load() == 0 {
			s.value = *x
			v.newest.Store(s)
			return
		}
	}
}

// Load returns the newest value.
func (v *Value[T]) Load() (x T) {
	for {
		s := v.newest.Load()
		if s == nil {
			return x
		}
		s.readers.Add(1)
		newest := v.newest.Load() == s
		if newest {
			x = s.value
		}
		s.readers.Add(-1)
		if newest {
			return x
		}
	}
}
