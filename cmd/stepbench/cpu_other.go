//go:build !unix

package main

import "time"

var start = time.Now()

// cpuSeconds is the wall time of this process so far, where the system does
// not tell its CPU time in the Unix way.
func cpuSeconds() float64 { return time.Since(start).Seconds() }
