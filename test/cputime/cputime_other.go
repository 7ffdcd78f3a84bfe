//go:build !unix

package cputime

import "time"

var began = time.Now()

// Used is the time that the process has run.
func Used() time.Duration { return time.Since(began) }
