package engine_test

import (
	"syscall"
	"time"
)

// rest sleeps in the kernel on the calling thread, as a present does that waits for the
// display.
func rest(d time.Duration) {
	if d > 0 {
		t := syscall.NsecToTimespec(int64(d))
		_ = syscall.Nanosleep(&t, nil)
	}
}
