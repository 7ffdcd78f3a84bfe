//go:build !windows

package monotime

import "time"

// Now returns time.Now(). Its monotonic part resolves short times.
func Now() time.Time { return time.Now() }

// Since returns the time since t, which must be a result of Now.
func Since(t time.Time) time.Duration { return time.Since(t) }
