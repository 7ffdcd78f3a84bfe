//go:build !unix

package main

import "halfstep/internal/monotime"

var start = monotime.Now()

// cpuSeconds is the wall time of this process so far. On Unix it is the CPU time.
func cpuSeconds() float64 { return monotime.Since(start).Seconds() }
