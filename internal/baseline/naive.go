package baseline

import (
	"time"

	"halfstep/buffer"
	"halfstep/physicsloop"
	"halfstep/renderloop"
)

// naive is the obvious port to threads: physics steps on a timer of its own and
// publishes each step when it is done; the renderer blends the newest pair it
// finds by the alpha of its own accumulator. The two clocks do not know of each
// other, so the alpha belongs to another pair whenever a step is published
// late, and bodies jump back and forth.
//
// On an injected clock the timer is played: step k is due at k·dt and published
// StepCost later.
type naive[S, E, C any] struct {
	link    *buffer.Link[S, E, C]
	loop    *physicsloop.Loop[S, E, C]
	config  Config
	view    renderloop.View[S]
	now     int64 // ns since the start
	tick    uint64
	started bool
	stop    chan struct{}
	done    chan struct{}
}

func newNaive[S, E, C any](sim physicsloop.Simulation[S, E, C], c Config) *naive[S, E, C] {
	c = c.withDefaults()
	n := &naive[S, E, C]{
		link: buffer.NewLink[S, E, C](), config: c,
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	n.view = renderloop.View[S]{Scene: renderloop.NewScene(), Smoothing: c.Smoothing, Dt: n.dt()}
	n.loop = physicsloop.Start(sim, n.link, physicsloop.Options{})
	return n
}

func (n *naive[S, E, C]) dt() float64 { return float64(n.config.Rate.Den) / float64(n.config.Rate.Num) }

// due is when step k is due, ns.
func (n *naive[S, E, C]) due(k uint64) int64 {
	return int64(float64(k) * n.dt() * 1e9)
}

func (n *naive[S, E, C]) post(tick uint64) {
	n.link.Demand.Post(buffer.Frame{Demand: min(tick, n.config.Last), Dt: n.dt()})
}

// timer is the physics thread's own clock.
func (n *naive[S, E, C]) timer() {
	defer close(n.done)
	t := time.NewTicker(time.Duration(n.dt() * 1e9))
	defer t.Stop()
	for tick := uint64(1); ; tick++ {
		select {
		case <-t.C:
			n.post(tick)
		case <-n.stop:
			return
		}
	}
}

// Frame implements Loop.
func (n *naive[S, E, C]) Frame(ns int64) *renderloop.View[S] {
	n.now += max(ns, 0)
	if n.config.Injected {
		before := n.tick
		for n.published(n.tick+1) <= n.now && n.tick < n.config.Last {
			n.tick++
		}
		if n.tick > before {
			n.post(n.tick)
		}
		n.link.Await(n.tick, n.link.Demand.Posted())
	} else if !n.started {
		n.started = true
		go n.timer()
	}
	if n.link.Exchange.Acquire() {
		n.take()
	}
	alpha := float64(n.now) / 1e9 / n.dt()
	alpha -= float64(int64(alpha))
	n.view.Alpha = float32(alpha)
	n.view.Instant = max(float64(n.view.Tick)-1, 0) + alpha
	return &n.view
}

func (n *naive[S, E, C]) published(tick uint64) int64 {
	at := n.due(tick)
	if n.config.StepCost != nil {
		at += n.config.StepCost(tick)
	}
	return at
}

func (n *naive[S, E, C]) take() {
	cur, prev := n.link.Exchange.Current(), n.link.Exchange.Previous()
	for r := n.link.Structure.Peek(cur.Structure); r != nil; r = n.link.Structure.Peek(cur.Structure) {
		n.view.Scene.Apply(r)
		n.link.Structure.Take()
	}
	for n.link.Events.Peek(cur.Events) != nil {
		n.link.Events.Take()
	}
	v := &n.view
	v.Prev, v.Cur = prev.States, cur.States
	v.PrevSerial, v.CurSerial = prev.Serial, cur.Serial
	v.Demanded = int(cur.Tick - v.Tick)
	v.Tick, v.Counts, v.StepNanos = cur.Tick, cur.Counts, cur.StepNanos
}

// Close implements Loop.
func (n *naive[S, E, C]) Close() {
	if n.started {
		close(n.stop)
		<-n.done
	}
	n.loop.Close()
}
