package engine

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/internal/owner"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/world"
)

type (
	link    = buffer.Link[body2d.State, world.Event, world.Command]
	order   = buffer.Scheduled[world.Command]
	physics = physicsloop.Loop[body2d.State, world.Event, world.Command]
	render  = renderloop.Loop[body2d.State, world.Event, world.Command]

	simulation = physicsloop.Simulation[body2d.State, world.Event, world.Command]
)

// Engine is a world, the physics goroutine that steps it, and the clock that says
// when. Create one with New and end it with Close.
//
// Its methods belong to one goroutine, the one that draws, unless their
// documentation says that any goroutine may call them.
type Engine struct {
	// Commands has the commands as methods of the engine: CreateBody, Force,
	// Teleport, RayCast and so on. They belong to the goroutine that draws and
	// join the next frame.
	world.Commands

	world  *world.World // physics', but for Close
	link   *link
	render *render // the clock and the settings
	loop   Loop

	handles  world.Handles
	remote   remote
	recorder *recorder  // or nil
	replay   *Recording // or nil

	name          string
	steps, frames *phase.Lane // nil without phases
	faults        *faults
	published     published
	event         world.Event // that Events delivers

	last    time.Time    // of the last Frame
	waits   bool         // frames may, also in Pipelined
	header  owner.Header // for Advance
	closed  atomic.Bool
	dropped atomic.Uint64 // commands
	once    sync.Once
	ended   chan struct{} // closed when everything has ended
}

// New builds the world, calls Config.Setup and starts the physics goroutine, which
// runs until Close. The error says what is wrong with the Config, or is that of
// Setup or of the recording.
func New(c Config) (_ *Engine, err error) {
	newLoop := c.Testing.Loop
	if newLoop == nil {
		newLoop = newThreaded
	} else if c.Record != nil || c.Replay != nil {
		return nil, errors.New("only the engine's own loop can record and replay")
	}
	w, err := buildWorld(c)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			w.Close()
		}
	}()
	e := &Engine{
		world: w, link: buffer.NewLink[body2d.State, world.Event, world.Command](), name: c.Name, waits: c.Time.Simulated || c.Testing.Loop != nil || owner.Checked,
		ended: make(chan struct{}),
	}
	e.remote.init()
	if e.name == "" {
		e.name = defaultName
	}
	e.Commands = world.NewCommands((*frameQueue)(e), &e.handles)
	if e.faults, err = newFaults(c); err != nil {
		return nil, err
	}
	e.follow(c)
	w.Follow(e.steps)
	stepCost := e.faults.cost(c.Testing.StepCost)
	rc := renderloop.Config{
		Rate: c.Time.Rate, MaxSteps: c.Time.MaxSteps, Sync: c.Sync, Smoothing: c.Time.Smoothing, Pacing: c.Time.Pacing,
		Simulated: c.Time.Simulated && c.Testing.Loop == nil, FixedLag: c.Testing.FixedLag, NoGovernor: c.Testing.NoGovernor,
		Lane: e.frames,
	}
	if stepCost != nil {
		rc.StepCost = func(tick uint64) int64 { return int64(stepCost(tick)) }
	}
	if e.render, err = renderloop.New(e.link, rc); err != nil {
		return nil, err
	}
	e.render.DeliverAtOnce(c.Time.EventsAtOnce)
	sim, err := e.wrap(w, c)
	if err != nil {
		return nil, err
	}
	parts := LoopParts{
		Simulation: sim, Link: e.link, Render: e.render,
		Steps: physicsloop.Options{OnStep: c.OnStep, Lane: e.steps}, Frames: e.frames,
		Simulated: c.Time.Simulated, StepCost: stepCost,
	}
	if len(c.Testing.Faults) > 0 {
		parts.Steps.BeforeStep = e.faults.step
	}
	if e.loop, err = newLoop(&parts); err != nil {
		return nil, err
	}
	e.published.loop = e.loop.Stats().Loop
	e.published.frame(e, e.View())
	return e, nil
}

// buildWorld makes the world and its scene.
func buildWorld(c Config) (*world.World, error) {
	config := c.World
	if config.Workers == 0 {
		config.Workers = max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1)
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	w := world.New(config)
	if c.Setup != nil {
		if err := c.Setup(w); err != nil {
			w.Close()
			return nil, fmt.Errorf("setup: %w", err)
		}
	}
	return w, nil
}

// wrap puts the recorder or the replayer between the loop and the world.
func (e *Engine) wrap(w *world.World, c Config) (simulation, error) {
	switch {
	case c.Record != nil && c.Replay != nil:
		return nil, errors.New("an engine cannot record and replay at once")
	case c.Record != nil:
		r, err := record(w, *c.Record, e.Rate())
		e.recorder = r
		return r, err
	case c.Replay != nil:
		p := &replayer{World: w, recording: c.Replay}
		e.replay = c.Replay
		e.SetLastTick(c.Replay.Ticks)
		return p, p.begin()
	}
	return w, nil
}

// Failure returns what ended physics, or nil. It is a *buffer.Failure, with the
// tick and the stack, after a panic in user code or in the solver. It wraps
// buffer.ErrGoexit after a runtime.Goexit in user code (a test's Fatal), and
// world.ErrInterrupted after CloseWithin gave up a step. After a Failure the
// picture stays what it was. Any goroutine may call it.
func (e *Engine) Failure() error {
	if f := e.link.Failure(); f != nil {
		return f
	}
	return nil
}

// Close finishes the steps that are demanded, ends the physics goroutine and waits
// for it, however long a step takes. CloseWithin waits no longer than it is told.
// Commands that are given after Close are dropped and counted.
//
// The error is that of the recording, if there is one: something could not be
// recorded, or could not be written, or not within RecordOptions.CloseTimeout.
//
// Close may be called more than once. Any goroutine may call it but the physics
// goroutine: in a function that the engine calls there (Do, a controller, a hook,
// OnStep) it would wait for itself, so it panics, which is a Failure.
func (e *Engine) Close() error {
	cut := e.recordingCut()
	e.close()
	<-e.ended
	return e.recordingError(cut)
}

// recordingCut reports whether there is a recording that has ended early.
func (e *Engine) recordingCut() bool { return e.recorder != nil && e.recorder.out.stopped.Load() }

// recordingError is why the recording ended early, or nil; cut is what
// recordingCut was before Close.
func (e *Engine) recordingError(cut bool) error {
	if e.recorder == nil {
		return nil
	}
	return e.recorder.out.result(cut)
}

// close has the engine closed on a goroutine of its own, once.
func (e *Engine) close() {
	e.mustBeOutside("Close", new(owner.Header))
	e.closed.Store(true)
	e.once.Do(func() { go e.finish() })
}

func (e *Engine) finish() {
	defer close(e.ended)
	e.link.Demand.SetLimit(^uint64(0)) // a simulated clock stands still now
	e.loop.Close()
	e.world.Close()
	if e.recorder != nil {
		e.recorder.close(e.Failure() == nil)
	}
}
