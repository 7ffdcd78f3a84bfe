package buffer

import "halfstep/internal/interleave"

// bell wakes the one goroutine that waits for it. It stores at most one ring.
// No wake-up is lost: if a ring is already stored, the waiter has yet to wake,
// and it checks for work after it wakes. Store the work before ringing.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

// ring never blocks. Any goroutine.
func (b bell) ring() { interleave.TrySend(b) }

func (b bell) wait() { interleave.Receive(b) }
