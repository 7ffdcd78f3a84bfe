// Package bridge is where packages that programs import leave what only halfstep's own
// packages may use. Package within takes it from here, with its types.
package bridge

// World is left by package world, Index by package scene, and the lanes by the two loops.
var World, Index, PhysicsLane, RenderLane any

// Steady, left by package forces, reports whether a controller runs before every step.
var Steady = func(controller any) bool { return false }

// EventKey identifies an event: two events with the same key are the same one.
type EventKey [8]uint64

// EventRest is what an event has that programs do not see.
type EventRest struct {
	Op             uint8
	Struck         bool
	ChildA, ChildB int32
}

// Load is what pushes a body in the next step: the force and the torque of its frame,
// and those of the step alone.
type Load struct {
	Body                uint64
	X, Y, Torque        float64
	OnceX, OnceY, Twist float64
}
