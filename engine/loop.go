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

// Loop is what carries out an engine's frames. The engine's own Loop steps on a
// goroutine of its own; Config.Testing.Loop replaces it. The methods belong to
// the goroutine that draws, except Awake and Close.
type Loop interface {
	// Frame lets ns nanoseconds of real time pass and returns what to draw.
	Frame(ns int64) *scene.View[body2d.State]
	// Step runs exactly n steps, waits for them and returns a view of the last; see
	// Engine.Step.
	Step(n int) *scene.View[body2d.State]
	// View returns what the last Frame or Step returned.
	View() *scene.View[body2d.State]
	// Send gives a command to the next frame.
	Send(o buffer.Scheduled[world.Command])
	// NextEvent moves the oldest event that is due to ev, and reports false if
	// there is none.
	NextEvent(ev *world.Event) bool
	// Stats returns the counters so far.
	Stats() renderloop.Stats
	// Awake returns the number of the goroutine that steps, and whether it is
	// awake: user code runs on it only then. Any goroutine may call it.
	Awake() (goroutine uint64, awake bool)
	// Close ends what the loop started and waits for it. Any goroutine may call
	// it.
	Close()
}

// NewLoop makes a Loop from its parts.
type NewLoop func(p *LoopParts) (Loop, error)

// LoopParts are what a Loop is made from.
type LoopParts struct {
	// Simulation is the world, not yet started.
	Simulation physicsloop.Simulation[body2d.State, world.Event, world.Command]
	// Link is how the loop tells the engine how far physics is and what ended
	// it.
	Link *buffer.Link[body2d.State, world.Event, world.Command]
	// Render is the engine's render side. Its clock and its settings are the
	// engine's, even if the loop does not run its frames.
	Render *renderloop.Loop[body2d.State, world.Event, world.Command]
	// Steps is what to call before and after each step, and the lane that
	// follows the steps. Frames is the lane that follows the frames.
	Steps  physicsloop.Options
	Frames *phase.Lane
	// Simulated is that of Config.Time. StepCost is that of Config.Testing, with
	// its faults.
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
	s.Waited, s.DroppedCommands = t.physics.Waited(), t.physics.Dropped()
	return s
}

func (t *threaded) Awake() (goroutine uint64, awake bool) { return t.physics.Awake() }

func (t *threaded) Close() { t.physics.Close() }
