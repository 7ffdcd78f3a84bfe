package buffer

import "halfstep/internal/interleave"

// bell wakes the one goroutine that waits for it. A goroutine that has stored work calls ring, and
// the woken goroutine then looks for work. One stored ring is enough for several calls of ring.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

// ring rings the bell. The call never blocks. Any goroutine may call ring.
func (b bell) ring() { interleave.TrySend(b) }

func (b bell) wait() { interleave.Receive(b) }
