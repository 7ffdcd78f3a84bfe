//go:build !unix

package cputime

import "time"

var began = time.Now()

// Used is the time since the process began, in place of its processor time.
func Used() time.Duration { return time.Since(began) }
