package engine

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/engine/internal/history"
	"halfstep/internal/faults"
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

	world   *world.Simulation // physics', but for Close
	link    *link
	render  *render // the clock and the settings
	physics *physics

	handles    *world.Handles // nil in a replay
	remote     remote
	past       *history.Past
	recordings recordings
	replay     *Recording // or nil
	rollback   RollbackOptions
	box        *blackBox // or nil

	name          string
	steps, frames *phase.Lane // nil without phases
	faults        *faults.Injector
	published     published
	event         world.Event // that Events delivers

	last         time.Time                    // of the last Frame
	waits        bool                         // frames may, also in Pipelined
	header       atomic.Pointer[owner.Header] // for mustBeOutside, or nil while it is in use
	closed       atomic.Bool
	dropped      atomic.Uint64 // commands
	once         sync.Once
	ended        chan struct{} // closed when everything has ended
	physicsEnded chan struct{} // closed when physics has ended
}

// New builds the world, calls Config.Setup and starts the physics goroutine, which
// runs until Close. The error says what is wrong with the Config, or is that of
// Setup or of the recording.
func New(c Config) (_ *Engine, err error) {
	if err := c.Rollback.validate(); err != nil {
		return nil, err
	}
	if n := c.Testing.SyncTest; n < 0 || n > mostRollback {
		return nil, fmt.Errorf("sync test: %d ticks: must be between 0 and %d", n, mostRollback)
	} else if n > 0 { // it needs a snapshot of every tick
		c.Rollback.Ticks, c.Rollback.Every = max(c.Rollback.Ticks, n), 1
	}
	injector, err := faults.New(c.Testing.Faults, c.Time.Simulated)
	if err != nil {
		return nil, err
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
		world: w, link: buffer.NewLink[body2d.State, world.Event, world.Command](), faults: injector,
		name: cmp.Or(c.Name, "halfstep"), waits: c.Time.Simulated || owner.Checked,
		ended: make(chan struct{}), physicsEnded: make(chan struct{}),
	}
	e.remote.init()
	first := uint64(0)
	if c.Replay != nil {
		first = c.Replay.First
	} else { // a replay ignores commands, and they make nothing
		e.handles = new(world.Handles)
		w.Share(e.handles)
	}
	e.Commands = world.NewCommands((*frameQueue)(e), e.handles)
	if !c.Testing.NoPhases {
		e.steps, e.frames = phase.NewLane(phase.Physics, e.name), phase.NewLane(phase.Render, e.name)
		w.Follow(e.steps)
	}
	if e.render, err = newRender(c, e.link, e.frames, injector.Cost(c.Testing.StepCost)); err != nil {
		return nil, err
	}
	sim, err := e.wrap(w, c)
	if err != nil {
		return nil, err
	}
	options := physicsloop.Options{OnStep: c.OnStep, Lane: e.steps, Tick: first}
	if len(c.Testing.Faults) > 0 {
		options.BeforeStep = injector.Step
	}
	if e.box != nil {
		options.OnFailure = e.box.dumpFailure
	}
	e.physics = physicsloop.Start(sim, e.link, options)
	if c.Record != nil && c.Record.From > 0 {
		e.await(e.recordings.newest())
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

// newRender makes the render side, with its clock and the settings of c.
func newRender(c Config, l *link, lane *phase.Lane, stepCost func(tick uint64) time.Duration) (*render, error) {
	config := renderloop.Config{
		Rate: c.Time.Rate, MaxSteps: c.Time.MaxSteps, Sync: c.Sync, WaitBudget: int64(c.WaitBudget), Smoothing: c.Time.Smoothing, Pacing: c.Time.Pacing,
		Simulated: c.Time.Simulated, FixedLag: c.Testing.FixedLag, NoGovernor: c.Testing.NoGovernor,
		Lane: lane,
	}
	if stepCost != nil {
		config.StepCost = func(tick uint64) int64 { return int64(stepCost(tick)) }
	}
	r, err := renderloop.New(l, config)
	if err != nil {
		return nil, err
	}
	if c.Replay != nil {
		carry, whole := c.Replay.file.Remainder(c.Replay.First)
		r.StartAt(c.Replay.First, carry, whole)
	}
	r.DeliverAtOnce(c.Time.EventsAtOnce)
	return r, nil
}

// wrap puts the past between the loop and the world.
func (e *Engine) wrap(w *world.Simulation, c Config) (simulation, error) {
	if c.Record != nil && c.Replay != nil {
		return nil, errors.New("an engine cannot record and replay at once")
	}
	if c.Replay != nil && c.Rollback.Ticks != 0 {
		return nil, errors.New("an engine cannot replay and roll back at once")
	}
	o := history.Options{
		Rate: e.Rate(), Lane: e.steps, Rollback: history.RollbackOptions{Ticks: c.Rollback.Ticks, Every: c.Rollback.Every, SyncTest: c.Testing.SyncTest},
	}
	var err error
	if c.BlackBox != nil {
		if e.box, err = newBlackBox(*c.BlackBox); err != nil {
			return nil, err
		}
		o.Box = e.box.Box
	}
	if c.Replay != nil {
		e.replay = c.Replay
		e.SetLastTick(c.Replay.lastTick())
		o.Replay = c.Replay.options(c.SeekMemory)
	}
	e.rollback = c.Rollback
	if e.past, err = history.New(w, o); err != nil || c.Record == nil {
		return e.past, err
	}
	out, err := history.NewWriter(history.WriterOptions(*c.Record))
	if err == nil && c.Record.From == 0 {
		err = e.past.Record(out)
	}
	if err != nil {
		return nil, err
	}
	e.recordings.add(out)
	return e.past, nil
}
