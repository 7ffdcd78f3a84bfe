package buffer

import "halfstep/internal/interleave"

// bell wakes the one goroutine that waits for it. It stores at most one ring.
// No wake-up is lost: while a ring is stored, the waiter has yet to wake, and
// it looks for work after that. Store the work before ringing.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

// ring never blocks. Any goroutine.
func (b bell) ring() { interleave.TrySend(b) }

func (b bell) wait() { interleave.Receive(b) }
