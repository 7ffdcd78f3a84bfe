//go:build !windows

package monotime

import "time"

// Now is time.Now, whose monotonic part resolves short times.
func Now() time.Time { return time.Now() }

// Since is the time since t, which Now returned.
func Since(t time.Time) time.Duration { return time.Since(t) }
