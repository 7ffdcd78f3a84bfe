package monotime

import (
	"syscall"
	"time"
)

// oversleep is the usual delay of sleep.
const oversleep = 100 * time.Microsecond

// sleep blocks the calling thread. The runtime's timers wake about 0.5 ms late,
// nanosleep about 0.1 ms.
func sleep(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // woken early, the caller sleeps again
}
