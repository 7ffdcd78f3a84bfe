package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"halfstep/buffer"
	"halfstep/internal/baseline"
	"halfstep/internal/mark"
	"halfstep/internal/owner"
	"halfstep/physicsloop/box"
	"halfstep/renderloop"
)

// Loops are the names that Config.Loop takes.
func Loops() []string { return baseline.Names() }

// plain runs one of the loops of package baseline in place of the threaded one.
// The engine's clock is fed beside it: it pauses and scales time, and its ledger
// accounts for it.
type plain struct {
	name  string
	loop  baseline.Loop[buffer.BodyState, box.Event, box.Command]
	clock *renderloop.Clock
	last  uint64
	ends  bool // at last
	// free of the accumulator: what is due is not counted in steps.
	free bool

	smoothing Smoothing
	view      *View
	shown     float64 // ticks
	stats     renderloop.Stats

	mu        sync.Mutex    // held in a frame: Close may come from elsewhere
	goroutine atomic.Uint64 // the one that is in a frame, or 0
	header    owner.Header
	closed    bool
}

// checkLoop reports what is wrong with c.Loop.
func checkLoop(c Config) error {
	switch {
	case c.Loop == "":
		return nil
	case !slices.Contains(Loops(), c.Loop):
		return fmt.Errorf("no loop %q: there are %s", c.Loop, strings.Join(Loops(), ", "))
	case c.Record != nil:
		return fmt.Errorf("the %s loop can not be recorded", c.Loop)
	case c.Replay != nil:
		return fmt.Errorf("the %s loop can not replay", c.Loop)
	}
	return nil
}

// startPlain starts the loop c.Loop with the world.
func (e *Engine) startPlain(w *World, c Config) (err error) {
	p := &plain{
		name: c.Loop, clock: e.render.Clock(), free: c.Loop != "single" && c.Loop != "free",
		smoothing: c.Smoothing, view: &View{Scene: renderloop.NewScene(), Smoothing: c.Smoothing},
	}
	config := p.config(e)
	config.Injected, config.OnStep, config.Lane = c.Injected, c.OnStep, e.steps
	if len(c.Inject) > 0 {
		config.BeforeStep = e.faults.step
	}
	if cost := e.faults.cost(c.StepCost); cost != nil {
		config.StepCost = func(tick uint64) int64 { return int64(cost(tick)) }
	}
	if p.loop, err = baseline.New(c.Loop, simulation(w), config); err != nil {
		return err
	}
	if n, ok := p.loop.(interface{ Thread() (*link, *physics) }); ok {
		e.link, e.physics = n.Thread()
	}
	e.plain = p
	return nil
}

// config is what the loop is to be tuned to.
func (p *plain) config(e *Engine) baseline.Config {
	return baseline.Config{
		Rate: p.clock.Rate(), MaxSteps: p.clock.MaxSteps(), Smoothing: p.smoothing, Last: p.last, Ends: p.ends,
		Layers: DebugLayers(e.link.Layers.Load()), Scale: p.clock.Scale().Float(),
	}
}

// advance lets ns nanoseconds of real time pass.
func (p *plain) advance(e *Engine, ns int64) *View {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return p.view
	}
	p.goroutine.Store(owner.ID(&p.header))
	defer p.goroutine.Store(0)
	p.stats.DroppedEvents += p.loop.Shed(renderloop.MaxUntaken)
	lane := e.frames
	lane.End()
	lane.Begin(p.stats.Frames, mark.Acquire)
	defer lane.Enter(mark.Other)
	p.stats.Frames++
	p.stats.RealNanos += max(ns, 0)
	config := p.config(e)
	scaled, single := p.pass(ns)
	if e.link.Failure() != nil {
		return p.view
	}
	p.loop.Tune(config)
	for range single {
		p.loop.Step()
	}
	p.frame(e, scaled)
	lane.Shows(p.view.Tick, p.view.Fresh)
	return p.view
}

// pass lets real time pass on the clock and returns what of it counts, scaled,
// and how many single steps were asked for.
func (p *plain) pass(ns int64) (scaled int64, single int) {
	c, l := p.clock, p.clock.Ledger()
	if p.free {
		// Only the accumulator drops what is beyond a number of steps.
		defer c.SetMaxSteps(c.MaxSteps())
		c.SetMaxSteps(renderloop.MostMaxSteps)
	}
	before, clamped := l.ScaledNanos(), l.DroppedFor(renderloop.Clamped)
	n := c.Advance(ns, 0)
	if c.Paused() {
		return 0, n
	}
	dropped := math.Round((l.DroppedFor(renderloop.Clamped) - clamped) * 1e9)
	return l.ScaledNanos() - before - int64(dropped), 0
}

// awake tells the number of the goroutine that is in a frame, and whether one is.
func (p *plain) awake() (goroutine uint64, awake bool) {
	goroutine = p.goroutine.Load()
	return goroutine, goroutine != 0
}

// frame runs a frame of the loop. A panic of the single-threaded ones happens
// here, and one in StepCost; it ends physics as one on the physics goroutine
// does.
func (p *plain) frame(e *Engine, ns int64) {
	finished := false
	defer func() {
		f := buffer.Ended(p.view.Tick, recover(), finished)
		if e.physics == nil {
			if f != nil {
				e.steps.Cancel()
				if l, ok := p.loop.(interface{ Rest() *View }); ok {
					p.view = l.Rest()
					f.Tick = p.view.Tick
				}
			}
			e.link.Advance(p.view.Tick, 0)
		}
		if f != nil {
			e.link.Stop(f)
		}
	}()
	p.view = p.loop.Frame(ns)
	finished = true
	if p.view.Instant < p.shown {
		p.stats.Backward++
	}
	p.shown = p.view.Instant
}

// send gives a command to the next frame.
func (p *plain) send(o order) {
	if o.At == 0 {
		p.loop.Order(o.Command)
	} else {
		p.loop.OrderAt(o.At, o.Command)
	}
}

func (p *plain) setLast(tick uint64) {
	p.last, p.ends = tick, true
	if !p.free {
		p.clock.SetLast(tick)
	}
}

func (p *plain) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.loop.Close()
}

// LoopName is Config.Loop.
func (e *Engine) LoopName() string {
	if e.plain == nil {
		return ""
	}
	return e.plain.name
}

// frame lets time pass in the loop in use.
func (e *Engine) frame(d time.Duration) *View {
	if e.plain != nil {
		return e.plain.advance(e, int64(d))
	}
	return e.render.Frame(int64(d))
}

// order gives a command to the loop in use, or drops it where physics has ended.
func (e *Engine) order(o order) {
	switch {
	case e.stopped():
		e.dropped.Add(1)
	case e.plain != nil:
		e.plain.send(o)
	default:
		e.render.Order(o)
	}
}

// scene is what the loop in use knows to exist.
func (e *Engine) scene() *renderloop.Scene { return e.View().Scene }

// event takes the oldest event of the loop in use.
func (e *Engine) event(ev *Event) bool {
	if e.plain != nil {
		return e.plain.loop.NextEvent(ev)
	}
	return e.render.NextEvent(ev)
}
