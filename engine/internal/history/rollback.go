package history

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/physicsloop"
	"halfstep/world"
)

// RollbackOptions are engine.RollbackOptions, which say what they mean. Ticks is above 0.
type RollbackOptions struct{ Ticks, Every int }

// ring is the rollback buffer: the last ticks, with a snapshot of each, the entries that
// followed and the events that came of them. So the run can go back to one of them and
// carry the entries out again, with other commands among them.
type ring struct {
	out   *physicsloop.Outbox[world.Event]
	fresh *buffer.Log[world.Event] // what the world tells, on its way to out

	every uint64 // ticks from one snapshot to the next
	list  []moment
	last  *moment // the newest
	blend blend

	free []*world.Snapshot // of no moment

	// Scratch of goBack.
	entries []Entry
	given   map[int]correction // by source
	next    []int              // by command
	spare   []body2d.State
	was     []world.Event // in the ticks that are done again
	told    map[world.EventKey]int
	news    []bool
}

// moment is a tick and what followed it, up to the capture of the next one: the
// end of a frame still belongs to the step.
type moment struct {
	start    Start // its snapshot is nil if there is none
	entries  []Entry
	commands []world.Command // of entries
	events   []world.Event
}

// newRing fails if no snapshot can be taken of the world.
func newRing(p *Past, o RollbackOptions) (*ring, error) {
	every := max(o.Every, 1)
	r := &ring{
		every: uint64(every), list: make([]moment, o.Ticks+every), fresh: buffer.NewLog[world.Event](),
		told: map[world.EventKey]int{}, given: map[int]correction{}, blend: blend{cutAt: noCut},
	}
	return r, p.World().Snapshot(new(world.Snapshot))
}

// start returns where the world's structure and events go.
func (r *ring) start(out *physicsloop.Outbox[world.Event]) *physicsloop.Outbox[world.Event] {
	r.out = out
	return &physicsloop.Outbox[world.Event]{Structure: out.Structure, Events: r.fresh}
}

// at is where a tick is kept.
func (r *ring) at(tick uint64) *moment { return &r.list[tick%uint64(len(r.list))] }

// add keeps an entry.
func (m *moment) add(e Entry) {
	if e.Command != nil {
		m.commands = append(m.commands, *e.Command)
		e.Command = &m.commands[len(m.commands)-1]
	}
	m.entries = append(m.entries, e)
}

// keepTick begins a moment, if the tick has none yet.
func (p *Past) keepTick() {
	r := p.ring
	if r.last != nil && r.last.start.Tick == p.tick {
		return
	}
	m := r.at(p.tick)
	r.drop(m)
	r.last, m.start = m, p.start(nil)
	clear(m.entries)
	clear(m.commands)
	clear(m.events)
	m.entries, m.commands, m.events = m.entries[:0], m.commands[:0], m.events[:0]
	if p.tick%r.every == 0 {
		p.snapshot(m)
	}
}

func (p *Past) snapshot(m *moment) {
	s, free := &m.start.snapshot, &p.ring.free
	if n := len(*free); *s == nil && n > 0 {
		*s, *free = (*free)[n-1], (*free)[:n-1]
	} else if *s == nil {
		*s = new(world.Snapshot)
	}
	if err := p.World().Snapshot(*s); err != nil {
		panic(err)
	}
}

// drop lets others have the snapshot of a moment.
func (r *ring) drop(m *moment) {
	if m.start.snapshot != nil {
		r.free = append(r.free, m.start.snapshot)
		m.start.snapshot = nil
	}
}

// recordable returns the oldest moment from which on everything can be recorded, or
// nil. A recording that begins in a run with rollbacks begins there: none of them can go
// back to before it.
func (r *ring) recordable() (oldest *moment) {
	if r == nil {
		return nil
	}
	now := r.last.start.Tick
	for back := range uint64(len(r.list)) {
		if back > now {
			break
		}
		m := r.at(now - back)
		for i := range m.entries {
			if c := m.entries[i].Command; c != nil && c.IsClosure() {
				return oldest
			}
		}
		if m.start.snapshot != nil {
			oldest = m
		}
	}
	return oldest
}

// restore goes back to the last snapshot that is not after a tick, and drops those
// that are of no use any more.
func (p *Past) restore(to uint64) (from uint64) {
	r := p.ring
	for from = to; r.at(from).start.snapshot == nil; from-- {
	}
	if err := p.Rewind(r.at(from).start.snapshot); err != nil {
		panic(err)
	}
	for i := range r.list {
		if m, tick := &r.list[i], r.list[i].start.Tick; tick > from || tick < from && tick%r.every != 0 {
			r.drop(m)
		}
	}
	p.wentBack(from)
	return from
}

// goBack goes back and forward again.
func (p *Past) goBack(o *GoBack) {
	r, now := p.ring, p.tick
	r.blend.begin(p, o)
	from := p.restore(o.To)
	r.was = r.was[:0]
	for t := from; t <= now; t++ {
		m := r.at(t)
		r.was = append(r.was, m.events...)
		clear(m.events)
		m.events = m.events[:0]
		r.edit(m, o)
	}
	for {
		m := r.at(p.tick)
		if p.tick > from {
			// The capture settles what can be seen at this tick alone.
			r.spare = p.Simulation.Capture(r.spare)
			// Who waits for others' input often goes back to the next tick next.
			if p.tick%r.every == 0 || p.tick == o.To || p.tick == o.To+1 {
				p.snapshot(m)
			}
		}
		for i := range m.entries {
			p.do(&m.entries[i])
			r.collect(m, false)
		}
		if m.start.Tick == now {
			break
		}
	}
	r.tell(from, now)
	r.blend.end(p, o)
	p.o.Lane.Enter(phase.Commands)
}

// edit puts the commands for a moment among those that it has: each source's in the
// place of its own, and what replaces nothing last, before the step.
func (r *ring) edit(m *moment, o *GoBack) {
	tick := m.start.Tick
	r.sort(tick, o)
	edited := r.entries
	put := func(i int) {
		edited = append(edited, Entry{Kind: Apply, Tick: tick, Scheduled: true, Command: &o.Commands[i].Command})
	}
	rest := func() {
		for i := range o.Commands {
			if c := &o.Commands[i]; c.At == tick && !r.given[c.Command.Source].done {
				put(i)
			}
		}
	}
	stepped := false
	for i := range m.entries {
		e := &m.entries[i]
		if e.Command != nil && e.Command.Source != 0 {
			if g, ok := r.given[e.Command.Source]; ok {
				for i := g.first; !g.done && i >= 0; i = r.next[i] {
					put(i)
				}
				g.done = true
				r.given[e.Command.Source] = g
				continue
			}
		}
		if e.Kind == Step {
			rest()
			stepped = true
		}
		edited = append(edited, *e)
	}
	if !stepped {
		rest()
	}
	clear(m.entries)
	m.entries, r.entries = edited, m.entries[:0]
}

// correction is what a source gives for a tick: the first and the last of its
// commands, between which ring.next leads. -1 ends the way.
type correction struct {
	first, last int
	done        bool // they have their place
}

// sort finds out who gives what for a tick.
func (r *ring) sort(tick uint64, o *GoBack) {
	clear(r.given)
	r.next = append(r.next[:0], make([]int, len(o.Commands))...)
	for i := range o.Commands {
		c := &o.Commands[i]
		if c.At != tick {
			continue
		}
		g, ok := r.given[c.Command.Source]
		if ok {
			r.next[g.last] = i
		} else {
			g.first = i
		}
		g.last, r.next[i] = i, -1
		r.given[c.Command.Source] = g
	}
}

// collect keeps what the world told. What it told for the first time is passed on; the
// rest is compared by tell.
func (r *ring) collect(m *moment, first bool) {
	for e := r.fresh.Peek(r.fresh.Count()); e != nil; e = r.fresh.Peek(r.fresh.Count()) {
		if first {
			r.out.Events.Append(*e)
		}
		if !e.IsReply() { // questions are not asked again
			m.events = append(m.events, *e)
		}
		r.fresh.Take()
	}
}

// tell passes on how the events of the ticks that were done again differ from those
// that came of them before: first what did not happen, then what is new.
func (r *ring) tell(from, now uint64) {
	for i := range r.was {
		r.told[r.was[i].Key()]++
	}
	r.news = r.news[:0]
	for t := from; t <= now; t++ {
		events := r.at(t).events
		for i := range events {
			key := events[i].Key()
			r.news = append(r.news, r.told[key] == 0)
			if r.told[key] > 0 {
				r.told[key]--
			}
		}
	}
	for i := range r.was {
		if key := r.was[i].Key(); r.told[key] > 0 {
			r.told[key]--
			gone := r.out.Events.Next()
			*gone = r.was[i]
			gone.Kind, gone.Was = world.EventRetracted, gone.Kind
		}
	}
	k := 0
	for t := from; t <= now; t++ {
		for _, e := range r.at(t).events {
			if r.news[k] {
				r.out.Events.Append(e)
			}
			k++
		}
	}
	clear(r.told)
	clear(r.was)
}
