// Package exports has variables in which public packages store functions for halfstep's other
// packages. Package privateapi converts them to their types.
package exports

// Package world sets World, package scene sets Index, and the two loops set SetPhysicsRecorder and
// SetRenderRecorder.
var World, Index, SetPhysicsRecorder, SetRenderRecorder any

// Package engine sets Kept and BeginWith. Kept returns the snapshots that a run keeps for the
// command KeepSnapshot. BeginWith sets these snapshots for a run that begins with
// HistoryOptions.Snapshot.
var Kept, BeginWith any

// Steady reports whether a controller runs before every step. Package forces sets it.
var Steady = func(controller any) bool { return false }

// EventKey identifies an event: two events are the same if their keys are equal.
type EventKey [8]uint64

// EventRest has the unexported fields of a world.Event, such as op and struck.
type EventRest struct {
	Op             uint8
	Struck         bool
	ChildA, ChildB int32
}

// Load has the forces and impulses that act on a body in the next step. X, Y and Torque act in all
// steps of a frame. OnceX, OnceY and Twist act in one step.
type Load struct {
	Body                uint64
	X, Y, Torque        float64
	OnceX, OnceY, Twist float64
}
