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
	"halfstep/internal/owner"
	"halfstep/physicsloop"
	"halfstep/physicsloop/box"
	"halfstep/renderloop"
)

// Config is what an engine is made from. The zero value is a world with
// gravity (0, -10) m/s² stepped at 60 Hz, Pipelined, Interpolate.
type Config struct {
	Name string // in profiles and figures; empty means halfstep

	Gravity   Vec  // m/s²; zero means (0, -10), see NoGravity
	NoGravity bool // no gravity at all

	VelocityIterations int // per step, at most 1000; 0 means 8
	PositionIterations int // per step, at most 1000; 0 means 3
	NoSleep            bool
	NoContinuous       bool // no continuous collision: fast bodies tunnel
	NoWarmStarting     bool
	SubStepping        bool

	// StockStep steps with Box2D's own Step instead of the faster one with the
	// same bits. Workers is how many goroutines compute a step: 0 means one less
	// than the machine has processors, which is left to the thread that draws;
	// results do not depend on it.
	StockStep bool
	Workers   int // at most 256

	// MaxContacts is how many contacts the world may hold, of pairs of shapes
	// that touch or are about to; 0 means 500,000, which take 650 MB. What would
	// bring it more is refused with an error that wraps ErrCrowded; bodies that
	// come together in a step end physics with a Failure that does.
	MaxContacts int

	Rate      Rate // steps per second; zero means 60
	MaxSteps  int  // steps demanded and not yet done, at most, up to a million; 0 means 5
	Sync      Sync
	Smoothing Smoothing
	Pacing    bool // even out frame times

	// EventsAtOnce delivers events as soon as their tick is known. By default
	// they come when the shown instant reaches their tick, so that nothing
	// explodes before it is seen to touch.
	EventsAtOnce bool

	// Setup builds the scene. It runs before the first step.
	Setup func(*World) error

	// OnStep is called on the physics goroutine after every step with its
	// tick and cost.
	OnStep func(tick uint64, cost time.Duration)

	// Injected says that the times given to Advance do not come from the wall
	// clock. Frames then wait for the ticks they expect, and a run is the same
	// every time. StepCost is the simulated cost of a step, or nil.
	Injected bool
	StepCost func(tick uint64) time.Duration

	// Record takes down everything that decides how the world moves.
	Record *RecordOptions
	// Replay moves the world as a recording says, and checks that it does;
	// commands are ignored. Use Recording.Config. A world that differs ends
	// physics with a Failure that is a *Mismatch.
	Replay *Recording

	// Loop runs another loop than the engine's own, to compare with; see Loops.
	// It can not be recorded. Single, fixed, variable, semi-fixed and free step
	// in Advance, on the goroutine that calls it; single is the only one of them
	// that heeds Smoothing, and none heeds Sync, Pacing and EventsAtOnce.
	Loop string

	// FixedLag and NoGovernor switch off what Pipelined does about steps that
	// cost more than a frame, and more than their own time.
	FixedLag, NoGovernor bool

	// Inject makes trouble on purpose, for tests.
	Inject []Injection

	// NoPhases marks no phases: no profile labels, no regions in traces, no
	// Spans, no OnLate.
	NoPhases bool
}

type (
	link    = buffer.Link[buffer.BodyState, box.Event, box.Command]
	order   = buffer.Order[box.Command]
	physics = physicsloop.Loop[buffer.BodyState, box.Event, box.Command]
	render  = renderloop.Loop[buffer.BodyState, box.Event, box.Command]

	simulation = physicsloop.Simulation[buffer.BodyState, box.Event, box.Command]
)

// Engine is a world with its physics goroutine and the render side's clock.
// Its methods belong to one goroutine, the one that draws, except Remote,
// Failure, Busy, Close and CloseWithin.
type Engine struct {
	Commands // of this frame, from the render thread

	world   *World // physics', but for Close
	link    *link
	physics *physics
	render  *render
	plain   *plain // in place of the threaded loop, or nil

	names    names
	remote   remote
	recorder *recorder  // or nil
	replay   *Recording // or nil

	name          string
	steps, frames *mark.Lane // nil without phases
	faults        *faults
	published     published

	last     time.Time // of the last Frame
	injected bool
	header   owner.Header // for Advance
	closed   atomic.Bool
	dropped  atomic.Uint64 // commands
	once     sync.Once
	ended    chan struct{} // closed when everything has ended
}

// names hands out handles for what commands create.
type names struct{ body, shape, joint atomic.Uint64 }

// New builds the world, runs Setup and starts the physics goroutine. Close must
// be called to end it.
func New(c Config) (_ *Engine, err error) {
	if err := checkLoop(c); err != nil {
		return nil, err
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
	e := &Engine{
		world: world, link: buffer.NewLink[buffer.BodyState, box.Event, box.Command](), name: c.Name, injected: c.Injected,
		ended: make(chan struct{}),
	}
	e.remote.init()
	if e.name == "" {
		e.name = defaultName
	}
	e.Commands = Commands{engine: e}
	if e.faults, err = newFaults(c); err != nil {
		return nil, err
	}
	e.follow(c)
	world.Follow(e.steps)
	rc := renderloop.Config{
		Rate: c.Rate, MaxSteps: c.MaxSteps, Sync: c.Sync, Smoothing: c.Smoothing, Pacing: c.Pacing,
		Injected: c.Injected && c.Loop == "", FixedLag: c.FixedLag, NoGovernor: c.NoGovernor,
		Lane: e.frames,
	}
	if cost := e.faults.cost(c.StepCost); cost != nil {
		rc.StepCost = func(tick uint64) int64 { return int64(cost(tick)) }
	}
	if e.render, err = renderloop.New(e.link, rc); err != nil {
		return nil, err
	}
	e.render.DeliverAtOnce(c.EventsAtOnce)
	if c.Loop != "" {
		if err := e.startPlain(world, c); err != nil {
			return nil, err
		}
		e.published.frame(e, e.View())
		return e, nil
	}
	sim, err := e.wrap(world, c)
	if err != nil {
		return nil, err
	}
	options := physicsloop.Options{OnStep: c.OnStep, Lane: e.steps}
	if len(c.Inject) > 0 {
		options.BeforeStep = e.faults.step
	}
	e.physics = physicsloop.Start(sim, e.link, options)
	e.published.frame(e, e.render.View())
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
		StockStep: c.StockStep, Workers: c.Workers, MaxContacts: c.MaxContacts,
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
		e.replay = c.Replay
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
	if e.plain != nil || e.injected || owner.Checked || e.Sync() == Lockstep {
		e.mustBeOutside("Frame or Advance", &e.header)
	}
	d += e.faults.begin()
	e.remote.drain(e)
	v := e.frame(d)
	e.published.frame(e, v)
	return v
}

// View is what the last frame returned.
func (e *Engine) View() *View {
	if e.plain != nil {
		return e.plain.view
	}
	return e.render.View()
}

// NextEvent moves the oldest event due in this frame to ev and reports false if
// there is none. Each event is delivered once, in order, to who calls it in every
// frame until it reports false. The replies to questions (RayCast, Ask) are
// called from here.
//
// Who takes no events has no need to. An event that was due in an earlier frame
// waits, but of more than 32,768 such events a frame drops the oldest, and
// counts them (Stats, Figures): with them go user data of Removed events and
// replies.
func (e *Engine) NextEvent(ev *Event) bool {
	for e.event(ev) {
		reply, ok := ev.User.(answer)
		if ev.Kind != box.Answered || !ok {
			return true
		}
		reply(ev.Tick)
	}
	return false
}

// mustBeOutside panics in user code that physics calls, where the call would
// wait for that code to return.
func (e *Engine) mustBeOutside(call string, h *owner.Header) {
	var goroutine uint64
	var awake bool
	if e.physics != nil {
		goroutine, awake = e.physics.Awake()
	} else {
		goroutine, awake = e.plain.awake()
	}
	if awake && goroutine == owner.ID(h) {
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
	if e.plain != nil {
		e.plain.close()
	} else {
		e.physics.Close()
	}
	e.world.Close()
	if e.recorder != nil {
		e.recorder.close(e.Failure() == nil)
	}
}
