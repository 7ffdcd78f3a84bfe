//go:build interleave && race

package interleave

import "runtime"

// hide keeps the race detector from taking the scheduler's hand-over between goroutines
// for an order that the explored code enforces.
func hide() { runtime.RaceDisable() }
func show() { runtime.RaceEnable() }

// enough is the number of schedules that Explore runs in order before it samples.
// Unordered accesses are a race under most schedules, even if they are far apart, and a
// schedule takes ten times as long here.
const enough = 2000
