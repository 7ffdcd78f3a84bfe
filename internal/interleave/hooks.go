//go:build !interleave

package interleave

import "time"

// Go runs f on a goroutine of its own.
func Go(f func()) { go f() }

// TrySend sends on a channel with a buffer, unless the buffer is full.
func TrySend(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Patience bounds a wait that looks again and again.
type Patience struct{ end time.Time }

// For returns a patience of d from now on.
func For(d time.Duration) Patience { return Patience{time.Now().Add(d)} }

// Pause waits a moment, and returns false when the time is over.
func (p *Patience) Pause() bool {
	left := time.Until(p.end)
	if left > 0 {
		pause(left)
	}
	return left > 0
}

// Receive waits until there is something in the channel or it is closed.
func Receive(c <-chan struct{}) { <-c }
