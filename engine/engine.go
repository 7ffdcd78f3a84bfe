package engine

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/internal/mark"
	"halfstep/physicsloop"
	"halfstep/physicsloop/box"
	"halfstep/renderloop"
)

type (
	link    = buffer.Link[buffer.BodyState, box.Event, box.Command]
	order   = buffer.Order[box.Command]
	physics = physicsloop.Loop[buffer.BodyState, box.Event, box.Command]
	render  = renderloop.Loop[buffer.BodyState, box.Event, box.Command]

	simulation = physicsloop.Simulation[buffer.BodyState, box.Event, box.Command]
)

// Engine is a world with its physics goroutine and the render side's clock.
// Its methods belong to one goroutine, the one that draws, except Remote,
// Failure and Close.
type Engine struct {
	Commands // of this frame, from the render thread

	world  *World // physics', but for Close
	link   *link
	render *render // the clock and the settings
	loop   FrameLoop

	names    names
	remote   remote
	recorder *recorder // or nil

	name          string
	steps, frames *mark.Lane // nil without phases
	faults        *faults
	published     published

	last   time.Time // of the last Frame
	closed atomic.Bool
	once   sync.Once

	closeErr error
}

// names hands out handles for what commands create.
type names struct{ body, shape, joint atomic.Uint64 }

// New builds the world, runs Setup and starts the physics goroutine. Close must
// be called to end it.
func New(c Config) (_ *Engine, err error) {
	newLoop := c.Loop
	if newLoop == nil {
		newLoop = newThreaded
	} else if c.Record != nil || c.Replay != nil {
		return nil, errors.New("only the engine's own loop can record and replay")
	}
	world, err := buildWorld(c)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			world.Close()
		}
	}()
	e := &Engine{world: world, link: buffer.NewLink[buffer.BodyState, box.Event, box.Command](), name: c.Name}
	if e.name == "" {
		e.name = defaultName
	}
	e.Commands = Commands{engine: e}
	if e.faults, err = newFaults(c); err != nil {
		return nil, err
	}
	e.follow(c)
	world.Follow(e.steps)
	stepCost := e.faults.cost(c.StepCost)
	rc := renderloop.Config{
		Rate: c.Rate, MaxSteps: c.MaxSteps, Sync: c.Sync, Smoothing: c.Smoothing, Pacing: c.Pacing,
		Injected: c.Injected && c.Loop == nil, FixedLag: c.FixedLag, NoGovernor: c.NoGovernor,
		Lane: e.frames,
	}
	if stepCost != nil {
		rc.StepCost = func(tick uint64) int64 { return int64(stepCost(tick)) }
	}
	if e.render, err = renderloop.New(e.link, rc); err != nil {
		return nil, err
	}
	e.render.DeliverAtOnce(c.EventsAtOnce)
	sim, err := e.wrap(world, c)
	if err != nil {
		return nil, err
	}
	parts := LoopParts{
		Simulation: sim, Link: e.link, Render: e.render,
		Steps: physicsloop.Options{OnStep: c.OnStep, Lane: e.steps}, Frames: e.frames,
		Simulated: c.Injected, StepCost: stepCost,
	}
	if len(c.Inject) > 0 {
		parts.Steps.BeforeStep = e.faults.step
	}
	if e.loop, err = newLoop(&parts); err != nil {
		return nil, err
	}
	e.published.frame(e, e.View())
	return e, nil
}

// buildWorld makes the world and its scene.
func buildWorld(c Config) (*World, error) {
	gravity := c.Gravity
	if gravity == (Vec{}) && !c.NoGravity {
		gravity = Vec{Y: -10}
	}
	if c.NoGravity {
		gravity = Vec{}
	}
	config := box.Config{
		Gravity:            gravity,
		VelocityIterations: c.VelocityIterations, PositionIterations: c.PositionIterations,
		NoSleep: c.NoSleep, NoContinuous: c.NoContinuous,
		NoWarmStarting: c.NoWarmStarting, SubStepping: c.SubStepping,
		StockStep: c.StockStep, Workers: c.Workers,
	}
	if config.Workers == 0 {
		config.Workers = max(1, min(runtime.NumCPU(), runtime.GOMAXPROCS(0))-1)
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	world := box.New(config)
	if c.Setup != nil {
		if err := c.Setup(world); err != nil {
			world.Close()
			return nil, fmt.Errorf("setup: %w", err)
		}
	}
	return world, nil
}

// wrap puts the recorder or the replayer between the loop and the world.
func (e *Engine) wrap(w *World, c Config) (simulation, error) {
	switch {
	case c.Record != nil && c.Replay != nil:
		return nil, errors.New("an engine can not record and replay at once")
	case c.Record != nil:
		r, err := record(w, *c.Record, e.Rate())
		e.recorder = r
		return r, err
	case c.Replay != nil:
		p := &replayer{World: w, recording: c.Replay}
		e.SetLastTick(c.Replay.Ticks)
		return p, p.begin()
	}
	return w, nil
}

// Frame advances the clock by the time since the last Frame and returns what to
// draw. Call it once a frame, right after the present has returned.
func (e *Engine) Frame() *View {
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
func (e *Engine) Advance(d time.Duration) *View {
	if e.closed.Load() {
		return e.View()
	}
	d += e.faults.begin()
	e.remote.drain(e)
	v := e.loop.Frame(int64(d))
	e.published.frame(e, v)
	return v
}

// View is what the last frame returned.
func (e *Engine) View() *View { return e.loop.View() }

// NextEvent moves the oldest event due in this frame to ev and reports false if
// there is none. Each event is delivered once, in order. The replies to
// questions (RayCast, Ask) are called from here.
func (e *Engine) NextEvent(ev *Event) bool {
	for e.loop.NextEvent(ev) {
		reply, ok := ev.User.(answer)
		if ev.Kind != box.Answered || !ok {
			return true
		}
		reply(ev.Tick)
	}
	return false
}

// Failure is what ended physics, a panic in user code or in the solver, or nil.
// The picture stays what it was. Any goroutine may ask.
func (e *Engine) Failure() error {
	if f := e.link.Failure(); f != nil {
		return f
	}
	return nil
}

// Close finishes the steps already demanded, ends the physics goroutine and
// waits for it. It may be called more than once, from any goroutine but the
// physics one. The error is that of the recording, where there is one: what
// could not be recorded, or written.
func (e *Engine) Close() error {
	e.closed.Store(true)
	e.once.Do(func() {
		e.link.Demand.SetLimit(^uint64(0)) // an injected clock stands still now
		e.loop.Close()
		e.world.Close()
		if e.recorder != nil {
			e.closeErr = e.recorder.close(e.Failure() == nil)
		}
	})
	return e.closeErr
}
