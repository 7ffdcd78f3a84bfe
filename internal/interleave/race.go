//go:build interleave && race

package interleave

import "runtime"

// With these around a hand-over from one goroutine to another, the race
// detector does not take it for an order that the explored code enforces.
func hide() { runtime.RaceDisable() }
func show() { runtime.RaceEnable() }

// enough is how many schedules Explore runs in order before it samples. An access that
// nothing orders is a race under most schedules, also where the two are far apart, and a
// schedule takes ten times as long here.
const enough = 2000
