// Package latest has a register that one goroutine writes and any goroutine may read. A reader gets
// the newest value, and may miss older values.
package latest

import "sync/atomic"

// Value stores the newest value that its one writer has given to Store. Any goroutine may load the
// value. Neither side waits or allocates. Before the first Store the value is zero.
type Value[T any] struct {
	slots  [8]slot[T]
	newest atomic.Pointer[slot[T]]
}

// slot is written only if it is not the newest slot and has no readers. A reader adds 1 to the
// count of readers, and then checks that the slot is still the newest.
type slot[T any] struct {
	readers atomic.Int32
	value   T
}

// Store stores a copy of *x. If readers use all other slots at this moment, Store does nothing, and
// the old value stays the newest.
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
