//go:build !windows

package monotime

import "time"

// Now is time.Now, with a monotonic part that also tells short times apart.
func Now() time.Time { return time.Now() }

// Since is the time since t, which Now returned.
func Since(t time.Time) time.Duration { return time.Since(t) }
