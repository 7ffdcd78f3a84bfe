// Package bridge is where packages that programs import leave functions for halfstep's own
// packages alone. Package within takes them from here and gives them their types.
package bridge

// World is set by package world, Index by package scene, and the lanes by the two loops.
var World, Index, PhysicsLane, RenderLane any

// Kept and BeginWith are set by package engine: what a run keeps for the command KeepSnapshot, and
// what a run is to begin with beside HistoryOptions.Snapshot.
var Kept, BeginWith any

// Steady, set by package forces, reports whether a controller runs before every step.
var Steady = func(controller any) bool { return false }

// EventKey identifies an event: two events with the same key are the same one.
type EventKey [8]uint64

// EventRest are the fields of a world.Event that programs do not see: op, struck and so on.
type EventRest struct {
	Op             uint8
	Struck         bool
	ChildA, ChildB int32
}

// Load is what pushes a body in the next step: X, Y and Torque for its whole frame, and
// OnceX, OnceY and Twist in that step alone.
type Load struct {
	Body                uint64
	X, Y, Torque        float64
	OnceX, OnceY, Twist float64
}
