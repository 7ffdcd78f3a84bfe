//go:build !interleave

package interleave

import (
	"syscall"
	"time"
)

// pause sleeps for a moment, at most d. The thread sleeps and not the goroutine: a
// goroutine that yields may have to wait until another one has ended its step, and
// a timer of the runtime may be a millisecond late.
func pause(d time.Duration) {
	t := syscall.NsecToTimespec(int64(min(d, 20*time.Microsecond)))
	_ = syscall.Nanosleep(&t, nil)
}
