// Package bridge lets packages of halfstep use what others keep from programs that
// embed the engine. Such a function takes a [Key], which nobody else can name.
package bridge

// Key opens what is for halfstep alone, as world.Inside.
type Key struct{}

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
