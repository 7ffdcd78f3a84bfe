package buffer

import "halfstep/internal/interleave"

// bell wakes the one goroutine that waits for it. It holds at most one ring. A
// ring is never lost: if it finds the bell rung already, the sleeper will wake
// anyway and look after that. Whoever rings has stored what there is to see.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

// ring never blocks. Any goroutine.
func (b bell) ring() { interleave.TrySend(b) }

// wait sleeps until the bell rings.
func (b bell) wait() { interleave.Receive(b) }
