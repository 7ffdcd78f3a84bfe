package engine

import (
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// FrameLoop lets frames pass in an engine. The engine's own, which steps on a
// goroutine of its own, is what New uses unless Config.Testing.Loop is set. All
// methods but Close belong to the goroutine that draws.
type Loop interface {
	// Frame lets ns nanoseconds of real time pass and returns what to draw.
	Frame(ns int64) *scene.View[body2d.State]
	// View is what the last Frame returned.
	View() *scene.View[body2d.State]
	// Order gives a command to the next frame.
	Send(o buffer.Scheduled[world.Command])
	// NextEvent moves the oldest event that is due to ev and reports false if
	// there is none.
	NextEvent(ev *world.Event) bool
	// Stats are the counters so far.
	Stats() renderloop.Stats
	// Awake tells the number of the goroutine that steps, and whether it is awake:
	// only then can user code run on it. Any goroutine.
	Awake() (goroutine uint64, awake bool)
	// Close ends what the loop started and waits for it. Any goroutine.
	Close()
}

// NewLoop makes a loop from its parts.
type NewLoop func(p *LoopParts) (Loop, error)

// LoopParts are what a loop is made from.
type LoopParts struct {
	// Simulation is the world, not yet started.
	Simulation physicsloop.Simulation[body2d.State, world.Event, world.Command]
	// Link tells the engine how far physics is and what ended it.
	Link *buffer.Link[body2d.State, world.Event, world.Command]
	// Render is the engine's render side. Its clock and its settings count,
	// whether or not the loop runs its frames.
	Render *renderloop.Loop[body2d.State, world.Event, world.Command]
	// Steps is what to call around each step, and the lane of the steps; Frames
	// is the lane of the frames.
	Steps  physicsloop.Options
	Frames *phase.Lane
	// Simulated and StepCost are those of Config.
	Simulated bool
	StepCost  func(tick uint64) time.Duration
}

// threaded is the engine's own loop: the render side here, physics on a
// goroutine of its own.
type threaded struct {
	*render
	physics *physics
}

func newThreaded(p *LoopParts) (Loop, error) {
	return &threaded{p.Render, physicsloop.Start(p.Simulation, p.Link, p.Steps)}, nil
}

func (t *threaded) Stats() renderloop.Stats {
	s := t.render.Stats()
	s.Waited = t.physics.Waited()
	return s
}

func (t *threaded) Awake() (goroutine uint64, awake bool) { return t.physics.Awake() }

func (t *threaded) Close() { t.physics.Close() }
