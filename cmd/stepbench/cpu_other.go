//go:build !unix

package main

import "time"

var start = time.Now()

// cpuSeconds is the wall time of this process so far. On Unix it is the CPU time.
func cpuSeconds() float64 { return time.Since(start).Seconds() }
