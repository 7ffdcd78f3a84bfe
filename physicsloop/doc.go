// Package physicsloop runs a simulation on a goroutine of its own: it takes
// what the render side demands, applies commands, steps, and publishes each
// state with what happened on the way.
//
// The loop steps anything that implements Simulation; package world below it is
// the Box2D world. It knows nothing of the clock: the renderer produces time,
// physics consumes it in whole steps.
//
// Physics never runs ahead of what was demanded, so every queue is bounded by
// what the clock allows, and with nothing demanded the goroutine sleeps. A
// panic or a runtime.Goexit in a simulation, or in user code that it calls, ends
// the loop and surfaces on the render side as buffer.Failure; what was published
// stays.
package physicsloop
