//go:build !linux

package monotime

import "time"

// oversleep is the usual delay of sleep.
const oversleep = time.Millisecond

// sleep sleeps for about d.
func sleep(d time.Duration) { time.Sleep(d) }
