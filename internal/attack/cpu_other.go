//go:build !unix

package attack

import "time"

var began = time.Now()

// CPU is how long the process has run.
func CPU() time.Duration { return time.Since(began) }
