package physicsloop

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// Simulation is stepped by the loop: a Box2D world (world.Simulation), or any other
// simulation with a state per body. S is the state of one body, E an event, C a command. The
// loop calls all methods on the physics goroutine.
//
// For a frame that demands two steps, the calls are
//
//	BeginFrame Apply … Apply  Step Capture  Step EndFrame Capture
//
// For a frame that has commands but demands no step, they are
//
//	BeginFrame Apply … Apply Capture
//
// so Capture may be called more than once for the same tick. If a replay has jumped to
// another tick, its state is captured before the steps of the frame.
type Simulation[S, E, C any] interface {
	// Start is called once, before all other methods. The simulation appends
	// structure records and events to out from then on. It announces the bodies
	// that exist at tick 0.
	Start(out *buffer.Outbox[E])
	// BeginFrame is called before a frame's commands. The forces of a frame
	// replace forces of an earlier frame that no step has used.
	BeginFrame()
	// Apply carries out one command. tick is the number of steps done. scheduled is true if the
	// command waited for this tick. A scheduled force acts in the next step alone, so that its
	// effect does not depend on the frame rate.
	Apply(tick uint64, c *C, scheduled bool)
	// Step advances the simulation by dt seconds to the given tick. The first
	// step leads to tick 1. Controllers run before the step and contact hooks
	// after it.
	Step(tick uint64, dt float64)
	// EndFrame is called after the last step of a frame that has steps. The
	// forces of that frame end here.
	EndFrame()
	// Capture appends the state of every slot to dst, which is empty, and returns the result. It
	// includes slots without a body, so that indices do not change. A Simulation with many
	// states, of which few change, should also be a ChangeCapturer.
	Capture(dst []S) []S
	// Counts returns the size of the simulation. It is called for every state
	// and must be cheap.
	Counts() body2d.Counts
}

// ChangeCapturer is implemented by a Simulation that knows which states have
// changed. The loop then never calls Capture.
type ChangeCapturer[S any] interface {
	// CaptureChanged updates the states of a slot with Slot.Update, or sets all of them.
	CaptureChanged(to *buffer.Slot[S])
}

// Announcer is implemented by a Simulation that can list the existing objects at any time,
// so that readers can join later (buffer.Link.NewReader).
type Announcer interface {
	// Announce appends a record for each body, shape and joint that exists, as Start
	// does. It changes nothing. The loop calls it on the physics goroutine, outside
	// the other methods.
	Announce(to *buffer.Log[body2d.Structure])
}

// DebugCapturer is implemented by a Simulation that has debug data.
type DebugCapturer interface {
	// CaptureDebug fills the parts of d that layers selects. It reuses the
	// slices of d.
	CaptureDebug(layers body2d.Layers, d *body2d.Debug)
}

// Shifter is implemented by a Simulation that can move a body to another place without a
// jump in the picture. The swap that publishes the next state then publishes the earlier
// states again, too, with the body moved by the same distance.
type Shifter[S any] interface {
	// Shifts returns a function that moves bodies in earlier states: all bodies that were
	// shifted since the last call. It returns nil if there are none. The loop calls Shifts
	// before it captures a state.
	Shifts() func(earlier []S)
}

// Predictor is implemented by a Simulation that can go back to its state at an earlier tick.
// Then the loop can run ahead: it publishes states of ticks that are not due yet, computed
// with the commands that are known so far. These states are predictions, and only the
// picture shows them. Commands are carried out once, at the last due tick, and the states
// that they change are predicted again. The methods of Simulation work on due ticks,
// whatever has been predicted. Capture alone may see another tick: that of Predict or MoveTo,
// if one of these was called last.
type Predictor interface {
	// Predict does the step to a tick, which is the one after Predicted.
	Predict(tick uint64, dt float64)
	// Predicted is the newest tick that was predicted from the world at the due tick. Without
	// predictions it is the due tick.
	Predicted() uint64
	// Confirm does the same as Step if the tick was predicted from the present world with the
	// same forces. Otherwise it does nothing and returns false.
	Confirm(tick uint64, dt float64) bool
	// Repeat applies the forces of the last frame in this frame, too. It is called when
	// predicted ticks become due, because they were predicted with these forces.
	Repeat()
	// MoveTo makes Capture see the world at a tick, from two ticks before the due one up to
	// Predicted. It returns false if the simulation no longer has that tick.
	MoveTo(tick uint64) bool
	// Settle drops all predictions.
	Settle()
}
