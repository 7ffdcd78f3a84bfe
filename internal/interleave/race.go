//go:build interleave && race

package interleave

import "runtime"

// hide makes the race detector ignore the scheduler. Otherwise the detector would think
// that the explored code enforces the order in which the scheduler runs the goroutines.
func hide() { runtime.RaceDisable() }
func show() { runtime.RaceEnable() }

// enough is the number of schedules that Explore runs in order before it samples at
// random. Two accesses without an order are a race in most schedules, even if they are
// far apart. With -race a schedule takes ten times as long.
const enough = 2000
