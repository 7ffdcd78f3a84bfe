// Package otherloop runs the loops of package baseline in an engine, in place of
// its own: for comparisons.
package otherloop

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/engine"
	"halfstep/internal/baseline"
	"halfstep/internal/owner"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Names are the names that New takes.
func Names() []string { return baseline.Names() }

// New returns the value of engine.Config.Testing.Loop that makes an engine run the
// loop with a name. Single, fixed, variable, semi-fixed and free step on the
// goroutine that calls Engine.Advance. Only single uses the engine's smoothing
// mode. None of them uses Sync, Pacing and EventsAtOnce.
func New(name string) (engine.NewLoop, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("no loop %q: there are %s", name, strings.Join(Names(), ", "))
	}
	return func(p *engine.LoopParts) (engine.Loop, error) { return start(name, p) }, nil
}

// loop lets the engine's clock drive one of the loops: the clock pauses and
// scales time, and its ledger accounts for it.
type loop struct {
	name  string
	inner baseline.Loop[body2d.State, world.Event, world.Command]
	link  *buffer.Link[body2d.State, world.Event, world.Command]
	// settings are the engine's: its clock and its smoothing.
	settings      *renderloop.Loop[body2d.State, world.Event, world.Command]
	steps, frames *phase.Lane
	// free of the accumulator: what is due is not counted in steps.
	free bool

	view  *scene.View[body2d.State]
	shown float64 // ticks
	stats renderloop.Stats

	mu        sync.Mutex    // held in a frame: Close may come from elsewhere
	goroutine atomic.Uint64 // the one that is in a frame, or 0
	header    owner.Header
	closed    bool
}

func start(name string, p *engine.LoopParts) (_ engine.Loop, err error) {
	l := &loop{
		name: name,
		link: p.Link, settings: p.Render, steps: p.Steps.Lane, frames: p.Frames,
		free: name != "single" && name != "free",
		view: &scene.View[body2d.State]{Scene: scene.New(), Smoothing: p.Render.View().Smoothing},
	}
	config := l.config()
	config.Simulated, config.OnStep, config.BeforeStep, config.Lane = p.Simulated, p.Steps.OnStep, p.Steps.BeforeStep, p.Steps.Lane
	if p.StepCost != nil {
		config.StepCost = func(tick uint64) int64 { return int64(p.StepCost(tick)) }
	}
	l.inner, err = baseline.New(name, p.Simulation, p.Link, config)
	return l, err
}

// config is what the loop is to be tuned to.
func (l *loop) config() baseline.Config {
	c := l.settings.Clock()
	return baseline.Config{
		Rate: c.Rate(), MaxSteps: c.MaxSteps(), Smoothing: l.settings.View().Smoothing, Last: c.Last(), Ends: true,
		Layers: body2d.DebugLayers(l.link.DebugLayers.Load()), Scale: c.Scale(),
	}
}

// Frame implements engine.Loop.
func (l *loop) Frame(ns int64) *scene.View[body2d.State] {
	ns = min(max(ns, 0), clock.MaxFrameTime)
	return l.run(ns, func() (scaled int64) { return l.pass(ns) })
}

// Step implements engine.Loop. Naive, whose two clocks disagree, shows the newest
// pair by its own; the others show the last step.
func (l *loop) Step(n int) *scene.View[body2d.State] {
	return l.run(0, func() (scaled int64) {
		defer l.unbound()()
		l.settings.Clock().Step(n)
		l.inner.Step(max(n, 0))
		return 0
	})
}

// run runs a frame of ns nanoseconds of real time. move moves the clock and returns
// the time that the loop is given.
func (l *loop) run(ns int64, move func() (scaled int64)) *scene.View[body2d.State] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return l.view
	}
	l.goroutine.Store(owner.ID(&l.header))
	defer l.goroutine.Store(0)
	l.stats.DroppedEvents += l.inner.DropOldest(renderloop.MaxPendingEvents)
	lane := l.frames
	lane.End()
	lane.Begin(l.stats.Frames, phase.Acquire)
	defer lane.Enter(phase.Other)
	l.stats.Frames++
	l.stats.RealNanos += ns
	l.inner.Tune(l.config())
	scaled := move()
	if l.link.Failure() != nil {
		return l.view
	}
	l.frame(scaled)
	lane.SetTick(l.view.Tick, l.view.Fresh)
	return l.view
}

// pass lets real time pass on the clock and returns what of it counts, scaled.
func (l *loop) pass(ns int64) (scaled int64) {
	defer l.unbound()()
	c := l.settings.Clock()
	ledger := c.Ledger()
	before, clamped := ledger.ScaledNanos(), ledger.DroppedFor(clock.Clamped)
	c.Advance(ns, 0)
	if c.Paused() {
		return 0
	}
	dropped := math.Round((ledger.DroppedFor(clock.Clamped) - clamped) * 1e9)
	return ledger.ScaledNanos() - before - int64(dropped)
}

// unbound takes the limits on steps from the clock until the function that it
// returns is called: only loops with the accumulator count their steps as it does.
func (l *loop) unbound() (restore func()) {
	c := l.settings.Clock()
	steps, last := c.MaxSteps(), c.Last()
	if l.free {
		_ = c.SetMaxSteps(clock.MaxStepsLimit)
		c.SetLast(math.MaxUint64)
	}
	return func() {
		_ = c.SetMaxSteps(steps)
		c.SetLast(last)
	}
}

// physics is the loop's physics goroutine, or nil.
func (l *loop) physics() interface {
	Awake() (goroutine uint64, awake bool)
} {
	p, _ := l.inner.(interface {
		Awake() (goroutine uint64, awake bool)
	})
	return p
}

// Awake implements engine.Loop.
func (l *loop) Awake() (goroutine uint64, awake bool) {
	if physics := l.physics(); physics != nil {
		return physics.Awake()
	}
	goroutine = l.goroutine.Load()
	return goroutine, goroutine != 0
}

// frame runs a frame of the loop. A panic of the single-threaded ones happens
// here, and one in StepCost; it ends physics as one on the physics goroutine
// does.
func (l *loop) frame(ns int64) {
	finished := false
	defer func() {
		f := buffer.NewFailure(l.view.Tick, recover(), finished)
		if l.physics() == nil {
			if f != nil {
				l.steps.Cancel()
				if last, ok := l.inner.(interface {
					LastView() *scene.View[body2d.State]
				}); ok {
					l.view = last.LastView()
					f.Tick = l.view.Tick
				}
			}
			l.link.Advance(l.view.Tick, 0)
		}
		if f != nil {
			l.link.Stop(f)
		}
	}()
	l.view = l.inner.Frame(ns)
	finished = true
	if l.view.Instant < l.shown {
		l.stats.Backward++
	}
	l.shown = l.view.Instant
}

// View implements engine.Loop.
func (l *loop) View() *scene.View[body2d.State] { return l.view }

// Send implements engine.Loop.
func (l *loop) Send(o buffer.Scheduled[world.Command]) {
	if o.At == 0 {
		l.inner.Send(o.Command)
	} else {
		l.inner.SendAt(o.At, o.Command)
	}
}

// NextEvent implements engine.Loop.
func (l *loop) NextEvent(ev *world.Event) bool { return l.inner.NextEvent(ev) }

// Stats implements engine.Loop.
func (l *loop) Stats() renderloop.Stats {
	s := l.stats
	s.Loop = l.name
	s.Demanded = l.link.Tick() // the loops do not count demanded ticks
	return s
}

// Close implements engine.Loop.
func (l *loop) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.inner.Close()
}
