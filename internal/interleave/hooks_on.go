//go:build interleave

package interleave

import (
	"fmt"
	"time"
	"unsafe"
)

// Load stops the goroutine before it loads the word at p.
//
//go:norace
func Load(p unsafe.Pointer) { point(op{uintptr(p), load}, nil) }

// Store stops the goroutine before it stores or swaps the word at p.
//
//go:norace
func Store(p unsafe.Pointer) { point(op{uintptr(p), store}, nil) }

// Go runs f on a new goroutine.
//
//go:norace
func Go(f func()) {
	if r := current; r != nil {
		r.Go(fmt.Sprint("goroutine ", r.n), f)
		return
	}
	go f()
}

// TrySend sends on a channel that has a buffer, unless the buffer is full.
func TrySend(c chan<- struct{}) {
	point(op{chanAddr(c), store}, nil)
	select {
	case c <- struct{}{}:
	default:
	}
}

// Close closes a channel.
func Close(c chan<- struct{}) {
	point(op{chanAddr(c), store}, nil)
	close(c)
}

// Patience limits how long a loop polls. Under the scheduler it ends after two polls,
// because any time may pass between two operations.
type Patience struct{ looks int }

// For returns a Patience that ends after two polls.
func For(time.Duration) Patience { return Patience{2} }

// Lasts reports whether the loop may poll again.
func (p *Patience) Lasts() bool { p.looks--; return p.looks > 0 }

// Receive waits until the channel has an element or is closed. It reports whether there was
// an element.
func Receive(c <-chan struct{}) bool {
	point(op{*(*uintptr)(unsafe.Pointer(&c)), store}, c)
	_, ok := <-c
	return ok
}

//go:norace
func chanAddr(c chan<- struct{}) uintptr { return *(*uintptr)(unsafe.Pointer(&c)) }
