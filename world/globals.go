package world

import (
	"sync"

	"github.com/ByteArena/box2d"
)

// Box2D counts its distance and time-of-impact queries in variables of its
// package, so that two worlds on two goroutines race for them. Package stepper
// keeps clear of them; what else uses them is done one world at a time.
var globals sync.Mutex

// stockStep steps with B2World.Step.
func (w *World) referenceStep(dt float64, velocityIterations, positionIterations int) {
	globals.Lock()
	defer globals.Unlock()
	w.b2.Step(dt, velocityIterations, positionIterations)
}

// distance is box2d.B2Distance.
func (w *World) distance(out *box2d.B2DistanceOutput, cache *box2d.B2SimplexCache, in *box2d.B2DistanceInput) {
	if w.stepper != nil || w.phase != stepping {
		globals.Lock() // otherwise stockStep, which called us, holds it
		defer globals.Unlock()
	}
	box2d.B2Distance(out, cache, in)
}
