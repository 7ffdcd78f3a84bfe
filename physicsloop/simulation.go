package physicsloop

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
)

// Simulation is what the loop steps: a Box2D world (package world), or anything
// else with a state per body. S is the state of one body, E an event, C a
// command. All methods run on the physics goroutine and never at once.
//
// The loop calls, for each frame that demanded something:
//
//	BeginFrame Apply … Apply  Step Capture  Step EndFrame Capture
//
// and, when a frame only edits a world at rest, BeginFrame Apply … Apply
// Capture. Capture may be called again for the same tick.
type Simulation[S, E, C any] interface {
	// Start is called once, before anything else, with where structure and
	// events go. Bodies that exist already are announced here, for tick 0.
	Start(out *Outbox[E])
	// BeginFrame comes before a frame's commands. Forces of a frame replace
	// those of an earlier frame that no step has used.
	BeginFrame()
	// Apply carries out one command. tick is the number of steps done. A
	// scheduled command was placed at this tick, not given with a frame: a
	// force given so acts on the next step alone, so that what a script does
	// never depends on the frame rate.
	Apply(tick uint64, c *C, scheduled bool)
	// Step advances by dt seconds to the given tick (the first step makes tick
	// 1), and runs controllers before and contact hooks after.
	Step(tick uint64, dt float64)
	// EndFrame follows the last step of a frame that had any: the forces given
	// for that frame end here.
	EndFrame()
	// Capture writes the state of every slot behind dst[:0] and returns it. An
	// unused slot is written too, so that indices are stable.
	Capture(dst []S) []S
	// Counts reports figures for the HUD and the stats; it must be cheap.
	Counts() body2d.Counts
}

// DebugCapturer is implemented by simulations that can fill debug layers.
type DebugCapturer interface {
	// CaptureDebug fills those parts of d that layers names, reusing its slices.
	CaptureDebug(layers body2d.DebugLayers, d *body2d.Debug)
}

// FrameObserver is implemented by simulations that want to know of each frame
// before its BeginFrame.
type FrameObserver interface {
	ObserveFrame(f *buffer.Frame)
}

// Outbox is where a simulation puts what is not state. Records become visible
// to the reader together with the next state that is published.
type Outbox[E any] struct {
	Structure *buffer.Log[body2d.Structure]
	Events    *buffer.Log[E]
}
