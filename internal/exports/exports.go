// Package exports holds functions that public packages provide for halfstep's own packages. Package
// within gives them their types.
package exports

// World is set by package world, Index by package scene, and the recorders by the two loops.
var World, Index, SetPhysicsRecorder, SetRenderRecorder any

// Kept and BeginWith are set by package engine. Kept returns the snapshots that a run keeps for
// the command KeepSnapshot; BeginWith sets those of a run that begins with
// HistoryOptions.Snapshot.
var Kept, BeginWith any

// Steady, set by package forces, reports whether a controller runs before every step.
var Steady = func(controller any) bool { return false }

// EventKey identifies an event: equal keys mean the same event.
type EventKey [8]uint64

// EventRest has the unexported fields of a world.Event: op, struck and so on.
type EventRest struct {
	Op             uint8
	Struck         bool
	ChildA, ChildB int32
}

// Load is the forces and impulses on a body in the next step: X, Y and Torque act in the whole
// frame, OnceX, OnceY and Twist in that step alone.
type Load struct {
	Body                uint64
	X, Y, Torque        float64
	OnceX, OnceY, Twist float64
}
