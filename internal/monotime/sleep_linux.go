package monotime

import (
	"syscall"
	"time"
)

// oversleep is how late the function sleep usually returns.
const oversleep = 100 * time.Microsecond

// sleep blocks the calling thread. It uses nanosleep, which wakes about 0.1 ms
// late. The timers of the Go runtime wake about 0.5 ms late.
func sleep(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // if a signal wakes the thread early, the caller sleeps again
}
