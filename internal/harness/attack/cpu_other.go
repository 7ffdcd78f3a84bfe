//go:build !unix

package attack

import "time"

var began = time.Now()

// CPU is the time that the process has run.
func CPU() time.Duration { return time.Since(began) }
