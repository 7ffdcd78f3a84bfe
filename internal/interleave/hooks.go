//go:build !interleave

package interleave

import (
	"time"

	"halfstep/internal/monotime"
)

// Go runs f on a new goroutine.
func Go(f func()) { go f() }

// TrySend sends on a channel that has a buffer, unless the buffer is full.
func TrySend(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Close closes a channel.
func Close(c chan<- struct{}) { close(c) }

// Patience limits how long a loop polls.
type Patience struct{ end time.Time }

// For returns a Patience that ends after the time d.
func For(d time.Duration) Patience { return Patience{monotime.Now().Add(d)} }

// Lasts reports whether there is time for another poll.
func (p *Patience) Lasts() bool { return monotime.Now().Before(p.end) }

// Receive waits until the channel has an element or is closed. It reports whether
// there was an element.
func Receive(c <-chan struct{}) bool {
	_, ok := <-c
	return ok
}
