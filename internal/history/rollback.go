package history

import (
	"fmt"
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/world"
)

// RollbackOptions are engine.RollbackOptions, which say what they mean. Ticks is above 0.
type RollbackOptions struct{ Ticks, Every, SyncTest int }

// rollbackBuffer has the last ticks, with a snapshot of each, the entries that
// followed and the events that came of them. So the run can go back to one of them and
// carry the entries out again, with other commands among them.
type rollbackBuffer struct {
	RollbackOptions
	out   *buffer.Outbox[world.Event]
	fresh *buffer.Log[world.Event] // what the world tells, on its way to out

	first uint64 // tick of the run
	list  []keptTick
	last  *keptTick // the newest

	free []*world.Snapshot // of no kept tick

	tested uint64 // by a sync test: the tick
	second world.Snapshot

	// Scratch of goBack.
	spare    []body2d.State
	was, now []world.Event // in the ticks that are done again
	differ   difference
}

// keptTick is a tick and what followed it, up to the capture of the next one: the
// end of a frame still belongs to the step.
type keptTick struct {
	Segment                  // its Start may have no snapshot
	made     uint64          // handles, when its snapshot was taken
	commands []world.Command // of Entries
	events   []world.Event
}

// newRollbackBuffer fails if no snapshot can be taken of the world.
func newRollbackBuffer(p *Past, o RollbackOptions) (*rollbackBuffer, error) {
	o.Every = max(o.Every, 1)
	r := &rollbackBuffer{
		RollbackOptions: o, first: p.tick, list: make([]keptTick, o.Ticks+o.Every), fresh: buffer.NewLog[world.Event](),
	}
	return r, inside.Snapshot(p.World(), new(world.Snapshot))
}

func (r *rollbackBuffer) start(out *buffer.Outbox[world.Event]) *buffer.Outbox[world.Event] {
	r.out = out
	return &buffer.Outbox[world.Event]{Structure: out.Structure, Events: r.fresh}
}

// aligned reports whether a tick has a snapshot whatever happens.
func (r *rollbackBuffer) aligned(tick uint64) bool {
	return tick%uint64(r.Every) == 0 || tick == r.first
}

func (r *rollbackBuffer) at(tick uint64) *keptTick { return &r.list[tick%uint64(len(r.list))] }

func (m *keptTick) add(e Entry) {
	if e.Command != nil {
		m.commands = append(m.commands, *e.Command)
		e.Command = &m.commands[len(m.commands)-1]
	}
	m.Entries = append(m.Entries, e)
}

// keepTick begins a kept tick, if there is none yet.
func (p *Past) keepTick() {
	r := p.rollback
	if r.last != nil && r.last.Start.Tick == p.tick {
		return
	}
	m := r.at(p.tick)
	r.drop(m)
	r.last, m.Start = m, p.start(nil)
	m.Entries, m.commands, m.events = emptied(m.Entries), emptied(m.commands), emptied(m.events)
	if r.aligned(p.tick) {
		p.snapshot(m)
	}
}

// emptied keeps the memory of a list, unless most of it was of no use.
func emptied[T any](list []T) []T {
	if cap(list) > max(1024, 8*len(list)) {
		return nil
	}
	clear(list)
	return list[:0]
}

func (p *Past) snapshot(m *keptTick) {
	s, free := &m.Start.snapshot, &p.rollback.free
	if n := len(*free); *s == nil && n > 0 {
		*s, *free = (*free)[n-1], (*free)[:n-1]
	} else if *s == nil {
		*s = new(world.Snapshot)
	}
	m.made = inside.HandlesMade(p.Simulation)
	must(inside.Snapshot(p.World(), *s))
}

// drop lets others have the snapshot of a kept tick.
func (r *rollbackBuffer) drop(m *keptTick) {
	if m.Start.snapshot != nil {
		r.free = append(r.free, m.Start.snapshot)
		m.Start.snapshot = nil
	}
}

// recordable returns the oldest kept tick from which on everything can be recorded, or
// nil. A recording that begins in a run with rollbacks begins there: none of them can go
// back to before it.
func (r *rollbackBuffer) recordable() (oldest *keptTick) {
	if r == nil {
		return nil
	}
	now := r.last.Start.Tick
	for back := range min(uint64(len(r.list)), now-r.first+1) {
		m := r.at(now - back)
		if slices.ContainsFunc(m.Entries, func(e Entry) bool { return e.Command != nil && inside.IsClosure(e.Command) }) {
			return oldest
		}
		if m.Start.snapshot != nil {
			oldest = m
		}
	}
	return oldest
}

// restore goes back to the last snapshot that is not after a tick, and drops those
// that are of no use any more.
func (p *Past) restore(to uint64) (from uint64) {
	r := p.rollback
	if kept := r.at(to).Start.Tick; kept != to {
		panic(fmt.Errorf("rollback: tick %d is no longer kept: the run has gone on since, as a run ahead does for Step, a pause and SetSync", to))
	}
	for from = to; r.at(from).Start.snapshot == nil; from-- {
	}
	must(inside.Rewind(p.Simulation, r.at(from).Start.snapshot))
	for i := range r.list {
		if m, tick := &r.list[i], r.list[i].Start.Tick; tick > from || tick < from && !r.aligned(tick) {
			r.drop(m)
		}
	}
	if r.SyncTest > 0 { // handles count on from all that were given out
		p.snapshot(r.at(from))
	}
	p.wentBack(from)
	return from
}

func (p *Past) goBack(o *GoBack) {
	r, now := p.rollback, p.tick
	p.blend.begin(p, o)
	from := p.restore(o.To)
	r.was = r.was[:0]
	for t := from; t <= now; t++ {
		m := r.at(t)
		r.was = append(r.was, m.events...)
		clear(m.events)
		m.events = m.events[:0]
		m.edit(o)
	}
	for {
		m := r.at(p.tick)
		if p.tick > from {
			// The capture settles what can be seen at this tick alone.
			r.spare = p.Simulation.Capture(r.spare)
			// Who waits for others' input often goes back to the next tick next.
			if r.aligned(p.tick) || p.tick == o.To || p.tick == o.To+1 {
				p.snapshot(m)
			}
		}
		for i := range m.Entries {
			p.do(&m.Entries[i])
			r.collect(m, false)
		}
		if m.Start.Tick == now {
			break
		}
	}
	r.report(from, now)
	p.blend.end(p, o)
	p.o.Lane.Enter(phase.Commands)
}

// edit puts the commands for a kept tick among those that it has: each source's in the
// place of its own, and what replaces nothing last, before the step.
func (m *keptTick) edit(o *GoBack) {
	given := map[int][]Entry{} // by source
	var all []Entry
	for i := range o.Commands {
		if c := &o.Commands[i]; c.At == m.Start.Tick {
			e := Entry{Kind: Apply, Tick: c.At, Scheduled: true, Command: &c.Command}
			all, given[c.Command.Source] = append(all, e), append(given[c.Command.Source], e)
		}
	}
	if len(all) == 0 {
		return
	}
	var edited []Entry
	placed := map[int]bool{}
	step := len(m.Entries)
	if i := slices.IndexFunc(m.Entries, func(e Entry) bool { return e.Kind == Step }); i >= 0 {
		step = i
	}
	for _, e := range m.Entries[:step] {
		if e.Command == nil || e.Command.Source == 0 || given[e.Command.Source] == nil {
			edited = append(edited, e)
		} else if source := e.Command.Source; !placed[source] {
			edited = append(edited, given[source]...)
			placed[source] = true
		}
	}
	for _, e := range all {
		if !placed[e.Command.Source] {
			edited = append(edited, e)
		}
	}
	m.Entries = append(edited, m.Entries[step:]...)
}

// collect keeps what happened. What happened for the first time is passed on; the
// rest is compared by report.
func (r *rollbackBuffer) collect(m *keptTick, first bool) {
	r.fresh.Trim()
	for e := r.fresh.Peek(r.fresh.Count()); e != nil; e = r.fresh.Peek(r.fresh.Count()) {
		if first {
			r.out.Events.Append(*e)
		}
		if !inside.IsReply(e) { // questions are not asked again
			m.events = append(m.events, *e)
		}
		r.fresh.Take()
	}
}

// report passes on how the events of the ticks that were done again differ from those
// that came of them before.
func (r *rollbackBuffer) report(from, now uint64) {
	for t := from; t <= now; t++ {
		r.now = append(r.now, r.at(t).events...)
	}
	r.differ.report(r.out.Events, r.was, r.now)
	clear(r.was)
	clear(r.now)
	r.now = r.now[:0]
}
