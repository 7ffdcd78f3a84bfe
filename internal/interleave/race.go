//go:build interleave && race

package interleave

import "runtime"

// With these around a hand-over from one goroutine to another, the race
// detector does not take it for an order that the explored code enforces.
func hide() { runtime.RaceDisable() }
func show() { runtime.RaceEnable() }
