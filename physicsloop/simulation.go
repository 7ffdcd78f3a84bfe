package physicsloop

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// Simulation is stepped by the loop: a Box2D world (world.Simulation), or any other simulation with
// a state per body. S is the type of the state of one body, E the type of an event, and C the type
// of a command. The loop calls all methods on the physics goroutine.
//
// For a frame that demands two steps, the calls are
//
//	BeginFrame Apply … Apply  Step Capture  Step EndFrame Capture
//
// For a frame that has commands but demands no step, they are
//
//	BeginFrame Apply … Apply Capture
//
// so Capture may be called more than once for the same tick. If a command moves a replay to a new
// tick, Capture is also called before the steps of the frame.
type Simulation[S, E, C any] interface {
	// Start is called once, before all other methods. It appends a structure record for each body
	// that exists at tick 0 to out. Later methods append structure records and events to out.
	Start(out *buffer.Outbox[E])
	// BeginFrame is called before a frame's commands. It removes the forces of earlier frames that
	// no step has used.
	BeginFrame()
	// Apply carries out one command. The parameter tick is the number of steps done. The parameter
	// scheduled is true if the command has waited for this tick. A scheduled force must act only in
	// the next step, so that its effect does not depend on the frame rate.
	Apply(tick uint64, c *C, scheduled bool)
	// Step advances the simulation by dt seconds to the given tick. The first step leads to tick 1.
	Step(tick uint64, dt float64)
	// EndFrame is called after the last step of a frame that has steps. It ends the forces of the
	// frame.
	EndFrame()
	// Capture appends the state of each body to the empty slice dst, and returns the result. The
	// index of a body must not change, so after a body is destroyed, Capture must still append a
	// state at its index. A Simulation with many states of which few change should also be a
	// ChangeCapturer.
	Capture(dst []S) []S
	// Counts returns the size of the simulation. It is called for every published state, so it must
	// be fast.
	Counts() body2d.Counts
}

// ChangeCapturer is implemented by a Simulation that knows which states have changed. The loop then
// calls CaptureChanged in place of Capture.
type ChangeCapturer[S any] interface {
	// CaptureChanged updates the states of a slot with Slot.Update, or sets all States of the slot.
	CaptureChanged(to *buffer.Slot[S])
}

// Announcer is implemented by a Simulation that can list the existing objects at any time,
// so that readers can join later (buffer.Link.NewReader).
type Announcer interface {
	// Announce appends a record for each body, shape and joint that exists, as Start does. It must
	// not change the simulation. The loop calls Announce on the physics goroutine, between calls of
	// the other methods.
	Announce(to *buffer.Log[body2d.Structure])
}

// DebugCapturer is implemented by a Simulation that has debug data.
type DebugCapturer interface {
	// CaptureDebug fills the parts of d that layers selects. It reuses the memory of the slices in
	// d.
	CaptureDebug(layers body2d.Layers, d *body2d.Debug)
}

// Shifter is implemented by a Simulation that can move a body to another place without a jump in
// the picture. The loop then publishes the earlier states again together with the next state, and
// in the earlier states the body is moved by the same distance.
type Shifter[S any] interface {
	// Shifts returns a function that moves, in an earlier state, all bodies that were shifted since
	// the last call of Shifts. Shifts returns nil if no bodies were shifted. The loop calls Shifts
	// before it captures a state.
	Shifts() func(earlier []S)
}

// Predictor is implemented by a Simulation that can go back to its state at an earlier tick. Then
// the loop can run ahead: it publishes states of ticks that are not due yet, computed with the
// commands that are known so far. These states are predictions, and only the picture shows them.
// The loop carries out each command once, at the last due tick, and then predicts again. All
// methods of Simulation except Capture work on the world at the due tick. Capture works on the
// world at the tick of the last call of Predict or MoveTo, if one of the two was called last.
type Predictor interface {
	// Predict does the step to the tick after Predicted.
	Predict(tick uint64, dt float64)
	// Predicted returns the newest predicted tick, or the due tick if there are no predictions.
	Predicted() uint64
	// Confirm makes a predicted tick due without a new computation, with the same result as Step.
	// It does nothing and returns false if the tick was not predicted from the present world with
	// the same forces.
	Confirm(tick uint64, dt float64) bool
	// Repeat applies the forces of the last frame in this frame, too. The loop calls Repeat when
	// ticks become due that were predicted with these forces.
	Repeat()
	// MoveTo makes Capture work on the world at the given tick, which is from two ticks before the
	// due tick up to Predicted. It returns false if the simulation no longer has the state of that
	// tick.
	MoveTo(tick uint64) bool
	// Settle drops all predictions.
	Settle()
}
