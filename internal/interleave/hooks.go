//go:build !interleave

package interleave

// Go runs f on a goroutine of its own.
func Go(f func()) { go f() }

// TrySend sends on a channel with a buffer, unless the buffer is full.
func TrySend(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Receive waits until there is something in the channel or it is closed.
func Receive(c <-chan struct{}) { <-c }
