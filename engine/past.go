package engine

import (
	"cmp"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/physicsloop"
	"halfstep/world"
)

// past stands between the loop and the world's recorder. It keeps the last
// ticks: a snapshot of each, the calls that the loop made from there on, and the
// events that came of them. So it can go back to one of them and make the calls
// again, with other commands among them. It belongs to the physics goroutine.
type past struct {
	*world.Simulation
	to    *recorder // of the world
	lane  *phase.Lane
	out   *physicsloop.Outbox[world.Event]
	fresh *buffer.Log[world.Event] // what the world tells, on its way to out

	most    int           // ticks to go back
	every   uint64        // ticks from one snapshot to the next
	blend   time.Duration // 0 is at once
	moments []moment
	last    *moment // the newest
	tick    uint64
	frame   buffer.Frame
	dt      float64 // of the last step, s

	asked *rewind
	drift drift

	drifting bool // at the last capture, bodies were shown elsewhere than they are

	free []*world.Snapshot // of no moment

	back   uint64 // Config.Testing.SyncTest
	tested uint64 // tick
	second world.Snapshot

	// Scratch of rollback.
	calls []call
	given map[int]correction // by source
	next  []int              // by command
	spare []body2d.State
	was   []world.Event // in the ticks that are done again
	told  map[world.EventKey]int
	news  []bool
}

// moment is a tick and what followed it, up to the capture of the next one: the
// end of a frame still belongs to the step.
type moment struct {
	tick     uint64
	frame    buffer.Frame    // that reached the tick
	snapshot *world.Snapshot // nil if there is none
	made     uint64          // handles, when it was taken
	calls    []call
	events   []world.Event
}

// call is a call that the loop made.
type call struct {
	kind      opKind
	scheduled bool
	dt        float64      // of opStep, s
	frame     buffer.Frame // of opBegin
	command   world.Command
}

// newPast fails if no snapshot can be taken of the world.
func newPast(to *recorder, lane *phase.Lane, o RollbackOptions) (*past, error) {
	every := max(o.Every, 1)
	p := &past{
		Simulation: to.Simulation, to: to, lane: lane, most: o.Ticks, every: uint64(every),
		blend: max(cmp.Or(o.Blend, defaultBlend), 0), moments: make([]moment, o.Ticks+every),
		fresh: buffer.NewLog[world.Event](), told: map[world.EventKey]int{}, given: map[int]correction{}, drift: drift{cutAt: noCut},
	}
	return p, p.World().Snapshot(new(world.Snapshot))
}

// at is where a tick is kept.
func (p *past) at(tick uint64) *moment { return &p.moments[tick%uint64(len(p.moments))] }

func (p *past) Start(out *physicsloop.Outbox[world.Event]) {
	p.out = out
	p.to.Start(&physicsloop.Outbox[world.Event]{Structure: out.Structure, Events: p.fresh})
}

func (p *past) ObserveFrame(f *buffer.Frame) { p.frame = *f }

func (p *past) BeginFrame() { p.make(call{kind: opBegin, frame: p.frame}) }
func (p *past) EndFrame()   { p.make(call{kind: opEnd}) }

func (p *past) Apply(_ uint64, c *world.Command, scheduled bool) {
	if !c.OnlyReads() {
		p.make(call{kind: opApply, command: *c, scheduled: scheduled})
		return
	}
	p.to.Apply(p.tick, c, scheduled)
	p.collect(p.last, true)
	if r := p.asked; r != nil {
		p.asked = nil
		p.rollback(r)
	}
}

func (p *past) Step(_ uint64, dt float64) { p.make(call{kind: opStep, dt: dt}) }

// make makes a call for the first time.
func (p *past) make(c call) {
	m := p.last
	m.calls = append(m.calls, c)
	p.do(&m.calls[len(m.calls)-1])
	p.collect(m, true)
}

func (p *past) do(c *call) {
	switch c.kind {
	case opBegin:
		p.to.ObserveFrame(&c.frame)
		p.to.BeginFrame()
	case opApply:
		p.to.Apply(p.tick, &c.command, c.scheduled)
	case opStep:
		p.dt = c.dt
		p.to.Step(p.tick+1, c.dt)
		p.tick++
	case opEnd:
		p.to.EndFrame()
	}
}

// Capture also keeps the tick, when it is captured for the first time.
func (p *past) Capture(dst []body2d.State) []body2d.State {
	dst = p.to.Capture(dst)
	if p.keep(); p.back > 0 {
		dst = p.syncTest(dst)
	}
	p.drift.show(p.tick, dst)
	return dst
}

// CaptureChanged captures what has changed, or everything while bodies are shown
// elsewhere than they are and in the tick after it.
func (p *past) CaptureChanged(to *buffer.Slot[body2d.State]) {
	was := p.drifting
	if p.drifting = p.drift.shows(p.tick); was || p.drifting {
		to.States = p.Capture(to.States[:0])
		return
	}
	p.to.CaptureChanged(to)
	p.keep()
}

// keep begins a moment, if the tick has none yet.
func (p *past) keep() {
	if p.last != nil && p.last.tick == p.tick {
		return
	}
	m := p.at(p.tick)
	p.last, m.tick, m.frame = m, p.tick, p.frame
	clear(m.calls)
	clear(m.events)
	m.calls, m.events = m.calls[:0], m.events[:0]
	if p.drop(m); p.tick%p.every == 0 {
		p.snapshot(m)
	}
}

func (p *past) snapshot(m *moment) {
	if n := len(p.free); m.snapshot == nil && n > 0 {
		m.snapshot, p.free = p.free[n-1], p.free[:n-1]
	} else if m.snapshot == nil {
		m.snapshot = new(world.Snapshot)
	}
	m.made = p.HandlesMade()
	if err := p.World().Snapshot(m.snapshot); err != nil {
		panic(err)
	}
}

// drop lets others have the snapshot of a moment.
func (p *past) drop(m *moment) {
	if m.snapshot != nil {
		p.free = append(p.free, m.snapshot)
		m.snapshot = nil
	}
}

// goBack goes back to the last snapshot that is not after a tick, and drops those
// that are of no use any more.
func (p *past) goBack(to uint64) (from uint64) {
	for from = to; p.at(from).snapshot == nil; from-- {
	}
	if err := p.Rewind(p.at(from).snapshot); err != nil {
		panic(err)
	}
	for i := range p.moments {
		if m := &p.moments[i]; m.tick > from || m.tick < from && m.tick%p.every != 0 {
			p.drop(m)
		}
	}
	if p.back > 0 { // handles count on from all that were given out
		p.snapshot(p.at(from))
	}
	p.to.rewind(from)
	return from
}

// rollback goes back and forward again.
func (p *past) rollback(r *rewind) {
	now := p.tick
	p.drift.begin(p, r)
	from := p.goBack(r.to)
	p.was = p.was[:0]
	for t := from; t <= now; t++ {
		m := p.at(t)
		p.was = append(p.was, m.events...)
		clear(m.events)
		m.events = m.events[:0]
		p.edit(m, r)
	}
	for p.tick = from; ; {
		m := p.at(p.tick)
		if p.tick > from {
			// The capture settles what can be seen at this tick alone.
			p.spare = p.to.Capture(p.spare)
			// Who waits for others' input often goes back to the next tick next.
			if p.tick%p.every == 0 || p.tick == r.to || p.tick == r.to+1 {
				p.snapshot(m)
			}
		}
		p.again(m)
		if m.tick == now {
			break
		}
	}
	p.tell(from)
	p.drift.end(p, r)
	p.lane.Enter(phase.Commands)
}

// again makes the calls of a moment again.
func (p *past) again(m *moment) {
	for i := range m.calls {
		p.do(&m.calls[i])
		p.collect(m, false)
	}
}

// edit puts the commands for a moment among those that it has: each source's in the
// place of its own, and what replaces nothing last, before the step.
func (p *past) edit(m *moment, r *rewind) {
	p.sort(m.tick, r)
	edited := p.calls
	put := func(i int) {
		edited = append(edited, call{kind: opApply, command: r.commands[i].Command, scheduled: true})
	}
	rest := func() {
		for i := range r.commands {
			if o := &r.commands[i]; o.At == m.tick && !p.given[o.Command.Source].done {
				put(i)
			}
		}
	}
	stepped := false
	for i := range m.calls {
		c := &m.calls[i]
		if source := c.command.Source; source != 0 {
			if g, ok := p.given[source]; ok {
				for i := g.first; !g.done && i >= 0; i = p.next[i] {
					put(i)
				}
				g.done = true
				p.given[source] = g
				continue
			}
		}
		if c.kind == opStep {
			rest()
			stepped = true
		}
		edited = append(edited, *c)
	}
	if !stepped {
		rest()
	}
	clear(m.calls)
	m.calls, p.calls = edited, m.calls[:0]
}

// correction is what a source gives for a tick: the first and the last of its
// commands, between which p.next leads. -1 ends the way.
type correction struct {
	first, last int
	done        bool // they have their place
}

// sort finds out who gives what for a tick.
func (p *past) sort(tick uint64, r *rewind) {
	clear(p.given)
	p.next = append(p.next[:0], make([]int, len(r.commands))...)
	for i := range r.commands {
		o := &r.commands[i]
		if o.At != tick {
			continue
		}
		g, ok := p.given[o.Command.Source]
		if ok {
			p.next[g.last] = i
		} else {
			g.first = i
		}
		g.last, p.next[i] = i, -1
		p.given[o.Command.Source] = g
	}
}
