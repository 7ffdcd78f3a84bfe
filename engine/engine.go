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
	"halfstep/renderloop/scene"
	"halfstep/world"
)

type (
	link    = buffer.Link[body2d.State, world.Event, world.Command]
	order   = buffer.Scheduled[world.Command]
	physics = physicsloop.Loop[body2d.State, world.Event, world.Command]
	render  = renderloop.Loop[body2d.State, world.Event, world.Command]

	simulation = physicsloop.Simulation[body2d.State, world.Event, world.Command]
)

// Engine is a world with its physics goroutine and the render side's clock.
// Its methods belong to one goroutine, the one that draws, except Remote,
// Failure, Busy, Close and CloseWithin.
type Engine struct {
	// Commands are given to this frame, on the goroutine that draws: CreateBody,
	// Force, Teleport, RayCast and so on.
	world.Commands

	world  *world.Simulation // physics', but for Close
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

	last    time.Time    // of the last Frame
	waits   bool         // frames may, also in Pipelined
	header  owner.Header // for Advance
	closed  atomic.Bool
	dropped atomic.Uint64 // commands
	once    sync.Once
	ended   chan struct{} // closed when everything has ended
}

// New builds the world, runs Setup and starts the physics goroutine. Close must
// be called to end it.
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
	e.published.frame(e, e.View())
	return e, nil
}

// buildWorld makes the world and its scene.
func buildWorld(c Config) (*world.Simulation, error) {
	config := c.World
	if config.Workers == 0 {
		config.Workers = max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1)
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	w := world.NewSimulation(config)
	if c.Setup != nil {
		if err := c.Setup(w.World()); err != nil {
			w.Close()
			return nil, fmt.Errorf("setup: %w", err)
		}
	}
	return w, nil
}

// wrap puts the recorder or the replayer between the loop and the world.
func (e *Engine) wrap(w *world.Simulation, c Config) (simulation, error) {
	switch {
	case c.Record != nil && c.Replay != nil:
		return nil, errors.New("an engine can not record and replay at once")
	case c.Record != nil:
		r, err := record(w, *c.Record, e.Rate())
		e.recorder = r
		return r, err
	case c.Replay != nil:
		p := &replayer{Simulation: w, recording: c.Replay}
		e.replay = c.Replay
		e.SetLastTick(c.Replay.Ticks)
		return p, p.begin()
	}
	return w, nil
}

// Frame advances the clock by the time since the last Frame and returns what to
// draw. Call it once a frame, right after the present has returned.
func (e *Engine) Frame() *scene.View[body2d.State] {
	e.faults.late()
	now := time.Now()
	var d time.Duration
	if !e.last.IsZero() {
		d = now.Sub(e.last)
	}
	e.last = now
	return e.Advance(d)
}

// Advance is Frame with a frame time of the caller's own.
func (e *Engine) Advance(d time.Duration) *scene.View[body2d.State] {
	if e.closed.Load() {
		return e.View()
	}
	if e.waits || e.Sync() == renderloop.Lockstep {
		e.mustBeOutside("Frame or Advance", &e.header)
	}
	d += e.faults.begin()
	e.remote.drain(e)
	v := e.loop.Frame(int64(d))
	e.published.frame(e, v)
	return v
}

// View is what the last frame returned.
func (e *Engine) View() *scene.View[body2d.State] { return e.loop.View() }

// NextEvent moves the oldest event due in this frame to ev and reports false if
// there is none. Each event is delivered once, in order, to who calls it in every
// frame until it reports false. The replies to questions (RayCast, Ask) are
// called from here.
//
// Who takes no events has no need to. An event that was due in an earlier frame
// waits, but of more than 32,768 such events a frame drops the oldest, and
// counts them (Stats, Figures): with them go user data of Removed events and
// replies.
func (e *Engine) NextEvent(ev *world.Event) bool {
	for e.loop.NextEvent(ev) {
		if !ev.Reply() {
			return true
		}
	}
	return false
}

// mustBeOutside panics in user code that physics calls, where the call would
// wait for that code to return.
func (e *Engine) mustBeOutside(call string, h *owner.Header) {
	if goroutine, awake := e.loop.Awake(); awake && goroutine == owner.ID(h) {
		panic(owner.WouldWait(call))
	}
}

// Failure is what ended physics, a panic in user code or in the solver, or nil.
// User code that ends its goroutine, as a test's Fatal does, is a Failure that
// wraps ErrGoexit. The picture stays what it was. Any goroutine may ask.
func (e *Engine) Failure() error {
	if f := e.link.Failure(); f != nil {
		return f
	}
	return nil
}

// Close finishes the steps already demanded, ends the physics goroutine and
// waits for it, however long a step takes; see CloseWithin. It may be called
// more than once, from any goroutine but the physics one: in a function that the
// engine calls there (Do, a controller, a hook, OnStep) it panics, which is a
// Failure, rather than wait for itself. Commands given after it are dropped and
// counted. The error is that of the recording, where there is one: what could
// not be recorded, or written, or not within RecordOptions.CloseTimeout.
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
	e.link.Demand.SetLimit(^uint64(0)) // an injected clock stands still now
	e.loop.Close()
	e.world.Close()
	if e.recorder != nil {
		e.recorder.close(e.Failure() == nil)
	}
}
