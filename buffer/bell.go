package buffer

import "halfstep/internal/interleave"

// bell wakes the one goroutine that waits for it. It stores at most one ring.
// No wake-up is lost, because the goroutine that wakes for a stored ring
// looks for work after that. Store the work before the call of ring.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

// ring rings the bell. It never blocks. Any goroutine may call it.
func (b bell) ring() { interleave.TrySend(b) }

func (b bell) wait() { interleave.Receive(b) }
