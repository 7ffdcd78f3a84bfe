package baseline

import (
	"sync"
	"time"

	"halfstep/buffer"
	"halfstep/internal/privateapi"
	"halfstep/physicsloop"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
)

// naive is the obvious port to threads: physics steps on a timer of its own and
// publishes each step when it is done; the renderer blends the newest pair of
// states by the alpha of its own accumulator. The two clocks are independent. So
// whenever a step is published late, the alpha belongs to another pair, and bodies
// jump back and forth.
//
// On a simulated clock the timer is simulated: step k is due at k·dt and published
// StepCost later.
type naive[S, E, C any] struct {
	link *buffer.Link[S, E, C]
	loop *physicsloop.Loop[S, E, C]
	view scene.View[S]

	now  int64 // ns since the start
	more int   // the steps that calls of Step have asked for

	// the tick base was due at the time since, ns; after that a step is due every dt,
	// see Tune
	base  uint64
	since int64

	stop chan struct{}
	done chan struct{} // closed when the timer has ended

	mu     sync.Mutex // guards the fields below, which the timer and Frame share
	config Config
	tick   uint64       // the last tick that was asked for
	sent   uint64       // commands posted
	idle   bool         // no time has passed in the last frame
	ticker *time.Ticker // nil until the timer runs
	closed bool
}

func newNaive[S, E, C any](sim physicsloop.Simulation[S, E, C], link *buffer.Link[S, E, C], c Config) *naive[S, E, C] {
	n := &naive[S, E, C]{
		link: link, config: c.withDefaults(),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	n.view.Scene = scene.New()
	options := physicsloop.Options{OnStep: c.OnStep, BeforeStep: c.BeforeStep}
	privateapi.SetPhysicsRecorder(&options, c.Phases)
	n.loop = physicsloop.Start(sim, n.link, options)
	return n
}

func (n *naive[S, E, C]) Send(c C) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.link.Commands.Append(buffer.Scheduled[C]{Command: c})
}

func (n *naive[S, E, C]) Step(steps int) { n.more += steps }

// Tune implements Loop. When the rate changes, the same fraction of the step in
// progress has passed as before.
func (n *naive[S, E, C]) Tune(c Config) {
	n.mu.Lock()
	defer n.mu.Unlock()
	was := n.config
	n.config = was.tuned(c)
	if n.config.Rate != was.Rate {
		whole, alpha := n.phase(was.dt())
		n.base += whole
		n.since = n.now - int64(alpha*n.config.dt()*1e9)
	}
	if n.ticker != nil && (n.config.Rate != was.Rate || n.config.Scale != was.Scale) {
		n.ticker.Reset(n.period())
	}
	n.link.DebugLayers.Store(uint32(n.config.Layers))
}

// period is the timer's period in real time.
func (n *naive[S, E, C]) period() time.Duration {
	return time.Duration(max(n.config.dt()*1e9/n.config.Scale, 1))
}

// phase returns the number of whole steps since base, and the fraction of the next
// one that has passed.
func (n *naive[S, E, C]) phase(dt float64) (whole uint64, alpha float64) {
	x := float64(n.now-n.since) / 1e9 / dt
	whole = uint64(x)
	return whole, x - float64(whole)
}

// published is the time at which step k is published, ns.
func (n *naive[S, E, C]) published(k uint64) int64 {
	at := n.since + int64(float64(int64(k-n.base))*n.config.dt()*1e9)
	if n.config.StepCost != nil {
		at += n.config.StepCost(k)
	}
	return at
}

// post asks physics for the steps up to a tick, and sends the waiting commands with
// them.
func (n *naive[S, E, C]) post(tick uint64) {
	after := n.tick
	n.tick = min(tick, n.config.Last)
	commands := n.link.Commands.Count()
	if n.tick == after && n.sent == commands || n.link.Stopped() {
		return
	}
	n.sent = commands
	n.link.Demand.Post(buffer.Frame{After: after, Demand: n.tick, Dt: n.config.dt(), Commands: commands})
}

// timer is the physics thread's own clock. Like every timer it skips ticks that a
// late thread has missed.
func (n *naive[S, E, C]) timer(t *time.Ticker) {
	defer close(n.done)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			n.mu.Lock()
			if !n.idle && n.tick-n.link.Tick() < 2 {
				n.post(n.tick + 1)
			}
			n.mu.Unlock()
		case <-n.stop:
			return
		}
	}
}

func (n *naive[S, E, C]) Frame(ns int64) *scene.View[S] {
	stepped := n.more > 0
	n.ask(max(ns, 0))
	if n.config.Simulated || stepped {
		n.link.Await(n.tick, n.link.Demand.Posted())
	}
	v := &n.view
	before := v.Tick
	v.Fresh = renderloop.Acquire(n.link, v)
	v.Steps = int(v.Tick - before)
	_, alpha := n.phase(n.config.dt())
	v.Alpha = float32(alpha)
	v.Instant = 0
	if v.Tick > 0 {
		v.Instant = float64(v.Tick-1) + alpha
	}
	v.Smoothing, v.Dt = n.config.Smoothing, n.config.dt()
	return v
}

// ask lets ns nanoseconds pass. It posts the steps that are then due, and the
// waiting commands.
func (n *naive[S, E, C]) ask(ns int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.now += ns
	n.idle = ns == 0
	tick := n.tick
	if n.config.Simulated {
		for tick < n.config.Last && n.published(tick+1) <= n.now {
			tick++
		}
	} else if n.ticker == nil && !n.closed {
		n.ticker = time.NewTicker(n.period())
		go n.timer(n.ticker)
	}
	if n.more > 0 {
		// count the time of these steps as passed, on both clocks
		n.now += int64(float64(n.more) * n.config.dt() * 1e9)
		tick += uint64(n.more)
		n.more = 0
	}
	n.post(tick)
}

func (n *naive[S, E, C]) NextEvent(e *E) bool {
	p := n.link.Events.Peek(n.link.Exchange.Current().Events)
	if p == nil {
		return false
	}
	*e = *p
	n.link.Events.Take()
	return true
}

func (n *naive[S, E, C]) LastView() *scene.View[S] { return &n.view }

func (n *naive[S, E, C]) Shown() float64 { return n.view.Instant * n.view.Dt }

// Dropped implements Loop. It is 0, because the timer does not stop.
func (n *naive[S, E, C]) Dropped() float64 { return 0 }

func (n *naive[S, E, C]) Close() {
	n.mu.Lock()
	started := n.ticker != nil
	n.closed = true
	n.mu.Unlock()
	if started {
		close(n.stop)
		<-n.done
	}
	n.loop.Close()
}
