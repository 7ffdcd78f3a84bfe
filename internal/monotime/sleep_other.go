//go:build !linux

package monotime

import "time"

// oversleep is how late the function sleep usually returns.
const oversleep = time.Millisecond

// sleep sleeps for about the time d.
func sleep(d time.Duration) { time.Sleep(d) }
