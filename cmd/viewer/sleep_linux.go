package main

import (
	"syscall"
	"time"
)

// oversleep is how late sleep usually is.
const oversleep = 100 * time.Microsecond

// sleep blocks the thread, which is the render thread's own. The runtime's
// timers wake about half a millisecond late, nanosleep a tenth.
func sleep(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // woken early, the caller sleeps again
}
