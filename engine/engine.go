package engine

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/engine/internal/remote"
	"halfstep/internal/exports"
	"halfstep/internal/faultinject"
	"halfstep/internal/history"
	"halfstep/internal/owner"
	"halfstep/internal/phasetrace"
	"halfstep/internal/privateapi"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/world"
)

type (
	link      = buffer.Link[body2d.State, world.Event, world.Command]
	scheduled = buffer.Scheduled[world.Command]
	physics   = physicsloop.Loop[body2d.State, world.Event, world.Command]
	render    = renderloop.Loop[body2d.State, world.Event, world.Command]

	simulation interface {
		physicsloop.Simulation[body2d.State, world.Event, world.Command]
		Close() // is called after the loop has ended
	}
)

// Package netplay and the viewer can begin an engine with the numbered snapshots of another
// engine.
func init() {
	exports.Kept = func(e *Engine) *history.Kept { return e.past.Kept() }
	exports.BeginWith = func(o *HistoryOptions, k *history.Kept) { o.kept = k }
}

// private has methods of worlds and commands that only packages of this module can call.
var private = privateapi.World

// Engine is a world, the physics goroutine that steps it, and the clock that says when. Create
// one with New and end it with Close.
//
// Only the goroutine that draws may call a method of Engine, unless the comment of the method says
// that any goroutine may call it.
type Engine struct {
	// Commands has the commands as methods of the engine: CreateBody, Force, Teleport, RayCast and
	// so on. Only the goroutine that draws may call these methods. The next frame contains the
	// commands.
	world.Commands

	picture

	world   *world.Simulation // used by the physics goroutine, and by Close after the end of that goroutine
	link    *link
	render  *render // the clock and the settings
	physics *physics

	made       *world.Simulation            // the world in which commands create bodies; nil in a replay
	remote     *remote.Queue[world.Command] // commands of other goroutines
	past       *history.Log                 // the history of the run, around the world
	player     *history.Player              // plays a replay, or nil
	closePast  func()                       // closes the simulation that the loop steps
	recordings recordings
	replay     *Recording // may be nil
	lastTick   uint64     // the tick that SetLastTick has set
	rollback   RollbackOptions
	rewinds    bool          // true after Rewind(true)
	first      uint64        // the tick at which the run has begun
	box        *blackBox     // may be nil
	feed       *history.Feed // Stream uses this feed
	shown      *history.Feed // StreamStates uses this feed

	late          bool // the world has the soft stepper; see scene.View.LateVelocity
	name          string
	logger        *slog.Logger
	steps, frames *phasetrace.Recorder  // nil without phases
	faults        *faultinject.Injector // nil causes no faults
	published     published
	event         world.Event // the event that Events yields

	last          time.Time           // when Frame was called last
	presented     time.Time           // the time of the call of Display.Delay after the last Frame; zero if there was none
	stoppedAt     time.Time           // the time of the last pause or scale of 0
	waits         bool                // Frame and Advance check, even in Pipelined, that their caller is not physics
	callbackGuard owner.CallbackGuard // for mustNotBeInCallback
	closed        atomic.Bool
	dropped       atomic.Uint64 // commands that were dropped
	once          sync.Once     // Close uses once
	ended         chan struct{} // closed when the engine has ended
	physicsEnded  chan struct{} // closed when physics has ended
	boxFailed     chan struct{} // closed when the black box has stored a failure
}

// New builds the world, calls Config.Setup and starts the physics goroutine, which runs until
// Close. The error says what is wrong with the Config, or comes from Setup or the recording.
func New(c Config) (_ *Engine, err error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	injector, err := faultinject.New(c.Testing.Faults, c.Time.Simulated)
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
	name, link := cmp.Or(c.Name, "halfstep"), buffer.NewLink[body2d.State, world.Event, world.Command]()
	var steps, frames *phasetrace.Recorder // nil measures nothing
	if !c.Testing.NoPhases {
		steps, frames = phasetrace.New(phase.Physics, name), phasetrace.New(phase.Render, name)
		private.Follow(w, steps)
	}
	render, err := newRender(c, link, frames, injector.Cost(c.Testing.StepCost))
	if err != nil {
		return nil, err
	}
	var box *blackBox
	if c.History.BlackBox != nil {
		if box, err = newBlackBox(*c.History.BlackBox, c.logger()); err != nil {
			return nil, err
		}
	}
	about := c.History.Watch.header()
	feed, shown := history.NewFeed(about, false), history.NewFeed(about, true) // feed is for commands, shown for states
	options := history.Options{
		Rate: render.Clock().Rate(), Phases: steps, EventsAtOnce: c.Time.EventsAtOnce, Blend: c.Time.CorrectionBlend.Seconds(),
		Start: history.Saved{Snapshot: c.History.Snapshot, Kept: c.History.kept}, Feeds: []*history.Feed{feed, shown},
	}
	if box != nil {
		options.Box = box.Box
	}
	past, err := history.New(w, options)
	if err != nil {
		return nil, err
	}
	sim, err := c.simulation(past)
	if err != nil {
		return nil, err
	}
	player, _ := sim.(*history.Player)
	e := &Engine{
		late:    c.World.Stepper == world.SoftStep,
		picture: picture{view: render.View()}, remote: remote.New[world.Command](), world: w, link: link, render: render, past: past, player: player, closePast: sim.Close, box: box,
		feed: feed, shown: shown,
		faults: injector, steps: steps, frames: frames,
		replay: c.History.Replay, rollback: c.History.Rollback, first: past.Tick(), name: name, logger: c.logger(), waits: c.Time.Simulated || owner.Checked,
		ended: make(chan struct{}), physicsEnded: make(chan struct{}), boxFailed: make(chan struct{}),
	}
	loop := physicsloop.Options{OnStep: c.OnStep, Tick: past.Tick(), BeforeStep: injector.Step}
	privateapi.SetPhysicsRecorder(&loop, steps)
	if c.History.Snapshot != nil { // the clock begins exactly at the tick of the snapshot
		render.StartAt(past.Tick(), buffer.Remainder{})
	}
	if c.History.Replay != nil { // the clock continues as the recorded one did
		render.Clock().Follow(c.History.Replay.rateTo)
		render.StartAt(past.Tick(), c.History.Replay.file.Remainder(past.Tick()))
		e.SetLastTick(math.MaxUint64) // the replay sets its own last tick
	} else { // a replay ignores commands, so they create no bodies
		e.made = w
	}
	e.Commands = private.NewCommands((*frameQueue)(e), e.made)
	if owner.Checked {
		e.refuse = e.refuseInCallback
	}
	if c.History.Record != nil {
		if err := e.recordFromStart(*c.History.Record, c.History.Snapshot == nil); err != nil { // the second argument is true if Setup has built the world
			return nil, err
		}
	}
	loop.OnFailure = func(f *buffer.Failure) {
		if box != nil {
			box.Fail(e.past.Failing())
			close(e.boxFailed)
		}
		const clean = false // the run has failed, so recordings get no ending
		e.past.EndWatch(clean, e.feed, e.shown)
		e.endRecordings(clean)
		if box != nil {
			box.dumpFailure(f)
		}
	}
	e.physics = physicsloop.Start(sim, link, loop)
	if c.History.Record != nil && (c.History.Record.From > 0 || c.History.Snapshot != nil) {
		e.recordAtTick(e.recordings.newest())
	}
	render.AcquireFirst()
	e.published.frame(e, e.View()) // makes Metrics valid before the first frame
	return e, nil
}

// validate checks the settings, and sets Rollback if the sync test needs it.
func (c *Config) validate() error {
	if err := c.History.Rollback.validate(); err != nil {
		return err
	}
	n := c.Testing.SyncTest
	switch {
	case c.Time.Pacing > PacingOff:
		return fmt.Errorf("pacing %d: there is no such mode", c.Time.Pacing)
	case c.Time.CorrectionBlend < 0:
		return fmt.Errorf("correction blend %v: must not be negative", c.Time.CorrectionBlend)
	case n < 0 || n > mostRollback:
		return fmt.Errorf("sync test: %d ticks: must be between 0 and %d", n, mostRollback)
	case c.History.ReplayFrom != 0 && c.History.Replay == nil:
		return fmt.Errorf("replay from tick %d: there is no recording to replay", c.History.ReplayFrom)
	case c.History.Replay != nil && c.History.Replay.file == nil:
		return errNoRecording
	case c.History.Snapshot != nil && c.History.Replay != nil:
		return errors.New("an engine cannot begin with a snapshot and replay: a recording has its own")
	case c.History.Replay != nil && c.History.Replay.States && c.History.BlackBox != nil:
		return errors.New("a recording of states cannot be kept in a black box: it has no commands")
	case c.History.Record != nil && c.History.Replay != nil:
		return errors.New("an engine cannot record and replay at once")
	case c.History.Replay != nil && (c.History.Rollback.Ticks != 0 || n != 0):
		return errors.New("an engine cannot replay and roll back at once")
	case n > 0: // a rollback needs a snapshot of every tick
		c.History.Rollback.Ticks, c.History.Rollback.Every = max(c.History.Rollback.Ticks, n), 1
	}
	return nil
}

func (c *Config) logger() *slog.Logger { return cmp.Or(c.Logger, slog.Default()) }

func buildWorld(c Config) (*world.Simulation, error) {
	if err := c.World.Validate(); err != nil {
		return nil, err
	}
	w := world.NewSimulation(c.World)
	if c.Setup != nil {
		if err := c.Setup(w.World()); err != nil {
			w.Close()
			return nil, fmt.Errorf("setup: %w", err)
		}
	}
	return w, nil
}

func newRender(c Config, l *link, phases *phasetrace.Recorder, stepCost func(tick uint64) time.Duration) (*render, error) {
	config := renderloop.Config{
		Rate: c.Time.Rate, MaxSteps: c.Time.MaxSteps, Sync: c.Time.Sync, WaitBudget: int64(c.Time.WaitBudget), MissBudget: c.Time.MissBudget, Smoothing: c.Time.Smoothing, Late: c.World.Stepper == world.SoftStep,
		Pacing: c.Time.Pacing == PacingOn || c.Time.Pacing == PacingAuto && !c.Time.Simulated, Simulated: c.Time.Simulated, FixedLag: c.Testing.FixedLag, NoGovernor: c.Testing.NoGovernor,
	}
	privateapi.SetRenderRecorder(&config, phases)
	if stepCost != nil {
		config.StepCost = func(tick uint64) int64 { return int64(stepCost(tick)) }
	}
	r, err := renderloop.New(l, config)
	if err != nil {
		return nil, err
	}
	r.DeliverAtOnce(c.Time.EventsAtOnce)
	return r, nil
}

// simulation returns the simulation that the loop steps: in a replay a Player, and otherwise a
// Predictor around the past. With rollback, a RollbackLog is between the Predictor and the past.
func (c *Config) simulation(past *history.Log) (simulation, error) {
	if r := c.History.Replay; r != nil {
		o := r.options(c.History.SeekMemory)
		o.From = c.History.ReplayFrom
		return history.Play(past, o)
	}
	if o := c.History.Rollback; o.Ticks > 0 {
		back, err := history.WithRollback(past, history.RollbackOptions{Ticks: o.Ticks, Every: o.Every, SyncTest: c.Testing.SyncTest})
		return history.Predict(past, back), err
	}
	return history.Predict(past, past), nil
}

// recordFromStart creates the writer of the Config's recording. If the recording starts with the
// run and Setup has built the world, recordFromStart also begins the recording. In all other cases
// New begins it later.
func (e *Engine) recordFromStart(o RecordOptions, built bool) error {
	out, err := e.newWriter(o)
	if err == nil && o.From == 0 && built {
		err = e.past.Record(out)
	}
	if err == nil {
		e.recordings.add(out)
	}
	return err
}
