// Package loops plays a world with the loops that the articles on fixed time steps describe
// (package baseline). The viewer compares them with the engine.
package loops

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/engine/fault"
	"halfstep/internal/faultinject"
	"halfstep/internal/latest"
	"halfstep/internal/meter"
	"halfstep/internal/phasetrace"
	"halfstep/internal/privateapi"
	"halfstep/internal/timing"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
	"halfstep/test/baseline"
	"halfstep/world"
)

// Names returns the names of the loops. New takes such a name.
func Names() []string { return baseline.Names() }

// private gives access to unexported methods of package world.
var private = privateapi.World

type view = scene.View[body2d.State]

// Loop plays a world with one of the loops. Its clock pauses and scales time, and its ledger
// accounts for the time. A method that engine.Engine also has does the same here, and must be
// called on the same goroutine.
type Loop struct {
	world.Commands // only the goroutine that draws may use the commands; At and Remote are missing
	*clock.Clock

	name          string // Config.Name
	inner         baseline.Loop[body2d.State, world.Event, world.Command]
	world         *world.Simulation
	link          *buffer.Link[body2d.State, world.Event, world.Command]
	smoothing     body2d.Smoothing
	faults        *faultinject.Injector
	steps, frames *phasetrace.Recorder // steps and frames record the phases of steps and frames
	free          bool                 // free says that the loop does not step with the clock's accumulator.
	threaded      bool                 // threaded says that physics has a goroutine of its own.

	view    *view
	event   world.Event // scratch memory of Events
	stats   renderloop.Stats
	meter   meter.Meter
	last    shown
	late    bool // scene.View.LateVelocity
	metrics latest.Value[engine.Metrics]
	first   atomic.Int64  // first is the value of timing.Now at the first frame.
	dropped atomic.Uint64 // commands

	mu     sync.Mutex // mu is locked during a frame, because any goroutine may call Close.
	closed atomic.Bool
	ended  chan struct{}
}

// shown is the simulated time that a frame shows, and the pace of time.
type shown struct{ seconds, ticks, dt, scale float64 }

// New plays the world of c with the loop of that name. Single, fixed, variable, semi-fixed
// and free step on the goroutine that calls Advance. Only single and naive use the smoothing
// mode. Sync modes, pacing, recordings, rollback and scheduled commands exist only in the
// engine's own loop.
func New(name string, c engine.Config) (_ *Loop, err error) {
	injector, err := faultinject.New(c.Testing.Faults, c.Time.Simulated)
	if err != nil {
		return nil, err
	}
	clock, err := clock.New(cmp.Or(c.Time.Rate, clock.Hz(60)))
	if err == nil && c.Time.MaxSteps != 0 {
		err = clock.SetMaxSteps(c.Time.MaxSteps)
	}
	if err == nil {
		err = c.World.Validate()
	}
	if err != nil {
		return nil, err
	}
	w := world.NewSimulation(c.World)
	defer func() {
		if err != nil {
			w.Close()
		}
	}()
	if c.Setup != nil {
		if err := c.Setup(w.World()); err != nil {
			return nil, fmt.Errorf("setup: %w", err)
		}
	}
	l := &Loop{
		Clock: clock, name: cmp.Or(c.Name, "halfstep"), world: w, link: buffer.NewLink[body2d.State, world.Event, world.Command](),
		smoothing: c.Time.Smoothing, late: c.World.Stepper == world.SoftStep, faults: injector, ended: make(chan struct{}),
		free: name != "single" && name != "free", threaded: name == "naive",
		view: &view{Scene: scene.New(), Smoothing: c.Time.Smoothing},
	}
	l.steps, l.frames = phasetrace.New(phase.Physics, l.name), phasetrace.New(phase.Render, l.name)
	private.Follow(w, l.steps)
	l.Commands = private.NewCommands((*queue)(l), w)
	config := l.config()
	config.Simulated, config.OnStep, config.BeforeStep, config.Phases = c.Time.Simulated, c.OnStep, injector.Step, l.steps
	if cost := injector.Cost(c.Testing.StepCost); cost != nil {
		config.StepCost = func(tick uint64) int64 { return int64(cost(tick)) }
	}
	l.inner, err = baseline.New[body2d.State](name, w, l.link, config)
	return l, err
}

// config returns the present settings for baseline.Loop.Tune.
func (l *Loop) config() baseline.Config {
	return baseline.Config{
		Rate: l.Rate(), MaxSteps: l.MaxSteps(), Smoothing: l.smoothing, Last: l.Last(), Ends: true,
		Layers: body2d.Layers(l.link.DebugLayers.Load()), Scale: l.Scale(),
	}
}

func (l *Loop) Advance(d time.Duration) *view {
	return l.run(d, l.pass)
}

// Step does the same as Engine.Step. Most loops show the last step. Naive has two clocks that
// disagree, and shows the newest pair of states by its own clock.
func (l *Loop) Step(n int) *view {
	return l.run(0, func(int64) (scaled int64) {
		defer l.unbound()()
		l.Clock.Step(n)
		l.inner.Step(max(n, 0))
		return 0
	})
}

// run runs a frame. The function move advances the clock by real time in nanoseconds, and
// returns the time for the loop.
func (l *Loop) run(d time.Duration, move func(ns int64) (scaled int64)) *view {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed.Load() {
		return l.view
	}
	ns := min(max(int64(d+l.faults.Begin()), 0), clock.MaxFrameTime)
	phases := l.frames
	phases.End()
	phases.Begin(l.stats.Frames, phase.Acquire)
	defer phases.Enter(phase.Other)
	if l.stats.Frames++; l.stats.Frames == 1 {
		l.first.Store(timing.Now())
	}
	l.stats.RealNanos += ns
	l.inner.Tune(l.config())
	scaled := move(ns)
	if l.link.Failure() == nil {
		l.frame(scaled)
		l.measure(scaled > 0)
		phases.SetTick(l.view.Tick, l.view.Fresh)
	}
	l.publish()
	return l.view
}

// pass advances the clock by real time. It returns the scaled time, up to the frame clamp.
func (l *Loop) pass(ns int64) (scaled int64) {
	defer l.unbound()()
	counted := func() float64 { return l.Ledger().Scaled() - l.Ledger().DroppedFor(clock.Clamped) }
	before := counted()
	l.Clock.Advance(ns, 0) // there is no backlog, because the loop does its steps itself
	if l.Paused() {
		return 0
	}
	return int64(math.Round((counted() - before) * 1e9))
}

// unbound removes the clock's limits on steps for a free loop, because such a loop makes
// other steps than the clock counts. The function restore sets the limits again.
func (l *Loop) unbound() (restore func()) {
	steps, last := l.MaxSteps(), l.Last()
	if l.free {
		_ = l.SetMaxSteps(clock.MaxStepsLimit)
		l.SetLast(math.MaxUint64)
	}
	return func() {
		_ = l.SetMaxSteps(steps)
		l.SetLast(last)
	}
}

// frame runs a frame of the loop. A panic in StepCost, or in a step of a single-threaded
// loop, ends physics in the same way as a panic on the physics goroutine.
func (l *Loop) frame(ns int64) {
	finished := false // finished stays false after a panic or runtime.Goexit
	defer func() {
		f := buffer.NewFailure(l.view.Tick, recover(), finished)
		if !l.threaded {
			if f != nil {
				l.steps.Cancel()
				l.view = l.inner.LastView()
				f.Tick = l.view.Tick
			}
			l.link.Advance(l.view.Tick, 0)
		}
		if f != nil {
			l.link.Stop(f)
		}
	}()
	l.view = l.inner.Frame(ns)
	l.view.LateVelocity = l.late
	finished = true
}

// measure adds the frame to the meter. The parameter passed says that time has passed.
func (l *Loop) measure(passed bool) {
	now := shown{l.inner.Shown(), l.view.Instant, l.view.Dt, l.Scale()}
	if now.ticks < l.last.ticks {
		l.stats.Backward++
	}
	whole := passed && now.dt == l.last.dt && now.scale == l.last.scale && l.last.ticks > 0
	advance := 0.0
	if whole {
		advance = (now.seconds - l.last.seconds) * 1e9 / now.scale
	}
	l.meter.Frame(l.stats.Frames, l.stats.RealNanos, now.ticks, advance, whole)
	l.last = now
}

func (l *Loop) publish() {
	v, ledger := l.view, l.Ledger()
	l.metrics.Store(&engine.Metrics{
		Name: l.name, Frames: l.stats.Frames, BackwardFrames: l.stats.Backward, RealTime: time.Duration(l.stats.RealNanos),
		Dropped: ledger.Dropped(), Paused: ledger.Paused(), Alpha: float64(v.Alpha), LastStep: time.Duration(v.StepNanos),
		Counts: v.Counts, Motion: l.meter.Figures(),
	})
}

// Metrics does the same as Engine.Metrics. The loops do not count demanded steps and held
// frames.
func (l *Loop) Metrics() engine.Metrics {
	m := l.metrics.Load()
	m.Tick, m.Demanded = l.link.Tick(), l.link.Tick()
	m.DroppedCommands = l.dropped.Load()
	m.Failed = l.link.Failure() != nil
	return m
}

func (l *Loop) View() *view { return l.view }

// Events does the same as Engine.Events. An event is due as soon as it is known.
func (l *Loop) Events() iter.Seq[world.Event] {
	return func(yield func(world.Event) bool) {
		for l.inner.NextEvent(&l.event) {
			if !private.Reply(&l.event) && !yield(l.event) {
				return
			}
		}
	}
}

// queue takes the commands of Loop.Commands. It drops a scheduled command (at is not 0).
type queue Loop

func (q *queue) Send(at uint64, c world.Command) {
	if q.Room() == 0 || at != 0 {
		q.dropped.Add(1)
		return
	}
	q.inner.Send(c)
}

func (q *queue) Room() int {
	if q.closed.Load() || q.link.Stopped() {
		return 0
	}
	return math.MaxInt
}

func (l *Loop) SetSmoothing(m body2d.Smoothing) { l.smoothing = m }

func (l *Loop) SetLastTick(tick uint64) { l.SetLast(tick) }

func (l *Loop) SetDebugLayers(d body2d.Layers) {
	d &= body2d.PhysicsLayers
	if l.link.DebugLayers.Swap(uint32(d)) != uint32(d) && l.Paused() {
		l.Inspect(func(*world.World) {}) // after this command the world is captured again
	}
}

// Demanded returns the number of steps done, because the loops demand no steps.
func (l *Loop) Demanded() uint64 { return l.link.Tick() }

func (l *Loop) Failure() error {
	if f := l.link.Failure(); f != nil {
		return f
	}
	return nil
}

func (l *Loop) Close() error {
	l.close()
	<-l.ended
	return nil
}

func (l *Loop) CloseWithin(d time.Duration) error {
	l.close()
	for _, wait := range [...]time.Duration{d, time.Second} {
		select {
		case <-l.ended:
			return nil
		case <-time.After(wait):
			private.Interrupt(l.world)
		}
	}
	return fmt.Errorf("%w: %v", engine.ErrStuck, l.Busy(phase.Physics))
}

func (l *Loop) close() {
	if l.closed.Swap(true) {
		return
	}
	go func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.inner.Close()
		l.world.Close()
		close(l.ended)
	}()
}

func (l *Loop) EnterPhase(p phase.Phase) {
	l.frames.Enter(p)
	if p == phase.Swap {
		l.faults.Late()
	}
}

func (l *Loop) PlanSleep(d time.Duration) {
	l.frames.Enter(phase.Other)
	l.frames.PlanSleep(d)
}

func (l *Loop) GPUTime(frame uint64, d time.Duration) { l.frames.SetGPU(frame, d) }

func (l *Loop) Spans(t phase.Thread, dst []timing.Span) []timing.Span {
	return l.recorder(t).Spans(dst)
}

func (l *Loop) recorder(t phase.Thread) *phasetrace.Recorder {
	if t == phase.Render {
		return l.frames
	}
	return l.steps
}

func (l *Loop) Name() string { return l.name }

func (l *Loop) OnLate(frame, step time.Duration, f func(engine.Late)) {
	late := func(s timing.Span) {
		f(engine.Late{Span: s, Frames: l.metrics.Load().Frames, Age: time.Duration(s.Start - l.first.Load())})
	}
	if f == nil {
		late = nil
	}
	l.steps.OnLate(step, late)
	l.frames.OnLate(frame, late)
}

func (l *Loop) InjectedFaults() []fault.Injected { return l.faults.Done() }

func (l *Loop) Busy(t phase.Thread) (b engine.Busy) {
	if n, p, lasted, ok := l.recorder(t).Busy(); ok {
		b = engine.Busy{Thread: t, Number: n, Phase: p, For: lasted}
	}
	return b
}
