package history

import (
	"slices"
	"sync/atomic"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/world"
)

// RollbackOptions are those of package engine, which explains them, with Testing.SyncTest. Ticks is
// above 0.
type RollbackOptions struct{ Ticks, Every, SyncTest int }

// Rewinder is a Log that can go back: it keeps the last ticks, with a snapshot of each, the
// entries that followed and the events that came of them. It goes to one of them and
// carries the entries out again, with other commands among them.
type Rewinder struct {
	*Log
	*ring
	tested uint64 // the tick of the last sync test
	second Saved  // scratch of syncTest

	was, now []world.Event // scratch of goBack: the events of the ticks that run again, before and now
}

// ring has the last ticks, each at the index that its number gives (keptAt).
type ring struct {
	RollbackOptions
	first uint64 // the first tick of the run
	list  []keptTick
	last  *keptTick         // the newest
	free  []*world.Snapshot // snapshots that no tick uses

	// Rollbacks that were accepted (Accept) and those that were carried out, and the oldest tick of
	// those that are to come.
	accepted, done, oldest atomic.Uint64
}

// keptTick is a tick and what followed it, up to the capture of the next one: the
// end of a frame still belongs to the step.
type keptTick struct {
	Segment                  // its Start may have no snapshot
	made     uint64          // how many handles had been given out when its snapshot was taken
	commands []world.Command // the Commands of Entries point into it
	events   []world.Event
}

// Rewind returns a Rewinder around a Log. It takes a snapshot to see whether the world can be saved,
// and returns the error if not.
func Rewind(l *Log, o RollbackOptions) (*Rewinder, error) {
	o.Every = max(o.Every, 1)
	l.ring = &ring{RollbackOptions: o, first: l.tick, list: make([]keptTick, o.Ticks+o.Every)}
	l.events.sorts = true
	return &Rewinder{Log: l, ring: l.ring, second: Saved{Snapshot: new(world.Snapshot)}}, inside.Snapshot(l.World(), new(world.Snapshot))
}

// aligned reports whether a tick always has a snapshot. The others have one only after
// rollbacks.
func (r *ring) aligned(tick uint64) bool {
	return tick%uint64(r.Every) == 0 || tick == r.first
}

// Accept says that a rollback to a kept tick will come. The tick stays until then: a run ahead may
// first make more ticks due, for Step, a pause or SetSync. It belongs to the goroutine that
// demands steps, before it demands more.
func (l *Log) Accept(tick uint64) {
	r := l.ring
	if r.accepted.Load() != r.done.Load() {
		tick = min(tick, r.oldest.Load())
	}
	r.oldest.Store(tick)
	r.accepted.Add(1)
}

// needed is the oldest tick that rollbacks to come need, if there are any: they go back to the
// snapshot of one that many before theirs at most. Any goroutine.
func (r *ring) needed() (tick uint64, some bool) {
	if r.accepted.Load() == r.done.Load() {
		return 0, false
	}
	tick = r.oldest.Load()
	return tick - min(tick, uint64(r.Every-1)), true
}

// room returns the place for the tick at which the world is. The ring grows if that would overwrite
// a tick that a rollback needs.
func (r *ring) room(tick uint64) *keptTick {
	m, n := r.keptAt(tick), uint64(len(r.list))
	if needed, some := r.needed(); !some || tick-r.first < n || m.Start.Tick < needed {
		return m
	}
	list := r.list
	r.list = make([]keptTick, n+n/2+8)
	for t := tick - n; t < tick; t++ {
		if m := &list[t%n]; m.Start.Tick == t {
			*r.keptAt(t) = *m
		}
	}
	r.last = r.keptAt(r.last.Start.Tick)
	return r.keptAt(tick)
}

// keptAt is the place of a tick in the ring.
func (r *ring) keptAt(tick uint64) *keptTick { return &r.list[tick%uint64(len(r.list))] }

// add adds a copy of an entry, and returns it.
func (m *keptTick) add(e *Entry) *Entry {
	m.Entries = append(m.Entries, *e)
	kept := &m.Entries[len(m.Entries)-1]
	if e.Command != nil {
		m.commands = append(m.commands, *e.Command)
		kept.Command = &m.commands[len(m.commands)-1]
	}
	return kept
}

// happened keeps events, but not replies: a rollback does not ask questions again.
func (m *keptTick) happened(events []world.Event) {
	for i := range events {
		if !inside.IsReply(&events[i]) {
			m.events = append(m.events, events[i])
		}
	}
}

// emptied returns the list empty, with its memory unless less than an eighth of that was used.
func emptied[T any](list []T) []T {
	if cap(list) > max(1024, 8*len(list)) {
		return nil
	}
	clear(list)
	return list[:0]
}

// reused takes a value from the list free, or makes one. It returns the rest of the list.
func reused[T any](free []*T) (*T, []*T) {
	n := len(free)
	if n == 0 {
		return new(T), free
	}
	return free[n-1], free[:n-1]
}

// take takes the snapshot of a kept tick, at which the world is.
func (r *Rewinder) take(m *keptTick) {
	s := &m.Start.saved
	if s.Snapshot == nil {
		s.Snapshot, r.free = reused(r.free)
	}
	m.made = inside.HandlesMade(r.Simulation)
	must(r.Log.take(s))
}

// drop frees the snapshot of a kept tick for other ticks.
func (r *ring) drop(m *keptTick) {
	if s := m.Start.saved.Snapshot; s != nil {
		r.free = append(r.free, s)
	}
	m.Start.saved = Saved{}
}

// recordable returns the oldest kept tick from which on everything can be recorded, or
// nil. A recording that begins in a run with rollbacks begins there: none of them can go
// back to before it. A nil ring has none.
func (r *ring) recordable() (oldest *keptTick) {
	if r == nil {
		return nil
	}
	now := r.last.Start.Tick
	for back := range min(uint64(len(r.list)), now-r.first+1) {
		m := r.keptAt(now - back)
		if m.Start.Tick != now-back {
			break // the ring has grown since
		}
		if slices.ContainsFunc(m.Entries, func(e Entry) bool { return e.Command != nil && inside.IsClosure(e.Command) }) {
			return oldest
		}
		if m.Start.saved.Snapshot != nil {
			oldest = m
		}
	}
	return oldest
}

// copySince gives a writer the entries after a kept tick, or none if since is nil.
func (r *ring) copySince(since *keptTick, w *Writer) {
	if since == nil {
		return
	}
	for tick := since.Start.Tick; tick <= r.last.Start.Tick; tick++ { // the present tick may not be kept yet
		for _, e := range r.keptAt(tick).Entries {
			w.add(new(e.kept()))
		}
	}
}

// Capture writes the states to be shown, and keeps the tick.
func (r *Rewinder) Capture(dst []body2d.State) []body2d.State {
	return r.show(r.captured(r.Simulation.Capture(dst)))
}

// CaptureChanged is Capture for what has changed.
func (r *Rewinder) CaptureChanged(to *buffer.Slot[body2d.State]) {
	if r.blend.moves(r.at) || r.SyncTest > 0 {
		to.States = r.Capture(to.States[:0])
		return
	}
	r.Simulation.CaptureChanged(to)
	r.captured(nil)
	r.show(to.States)
}

// captured begins to keep the tick at which the world is, if it is due and not kept yet. A
// sync test then puts the states that it comes to in place of those in dst.
func (r *Rewinder) captured(dst []body2d.State) []body2d.State {
	if r.at != r.tick {
		return dst
	}
	if r.last == nil || r.last.Start.Tick != r.tick {
		m := r.room(r.tick)
		r.drop(m)
		r.last, m.Start = m, r.start(nil)
		m.Entries, m.commands, m.events = emptied(m.Entries), emptied(m.commands), emptied(m.events)
		if r.aligned(r.tick) {
			r.take(m)
		}
	}
	if r.SyncTest > 0 && r.tested != r.tick {
		r.again(func() { dst = r.syncTest(dst) })
	}
	return dst
}

// keepDue keeps the due tick, if it was not captured.
func (r *Rewinder) keepDue() {
	if r.last.Start.Tick != r.tick {
		inside.Skip(r.Simulation)
		r.captured(nil)
	}
}

func (r *Rewinder) keeps() bool { return true }

// carry carries out an entry, and keeps it and what happened.
func (r *Rewinder) carry(e *Entry) {
	m := r.last
	r.do(m.add(e))
	m.happened(r.events.settle(e.stepsTo()))
}

func (r *Rewinder) confirm(e *Entry, events []world.Event) {
	r.last.add(e)
	r.last.happened(events)
	r.Log.confirm(e, events)
}

func (r *Rewinder) order(c *world.Command) {
	if o, ok := inside.Order(c).(*GoBack); ok {
		r.again(func() { r.goBack(o) })
		r.done.Add(1)
		return
	}
	r.Log.order(c)
	r.last.happened(r.events.batch)
}

// again calls run, which runs ticks again, and discards the shifts (World.Shift) in them: the picture
// was shifted in the first run.
func (r *Rewinder) again(run func()) {
	r.shifts = append(r.shifts, inside.Shifts(r.Simulation)...)
	run()
	inside.Shifts(r.Simulation)
}

// goBack goes back to a tick, and on to the present one with other commands. It tells the render
// side how the events differ, and lets the picture blend to the new states.
func (r *Rewinder) goBack(o *GoBack) {
	now := r.tick
	r.blend.begin(r.Log, o)
	from := r.restore(o.To)
	for t := from; t <= now; t++ {
		m := r.keptAt(t)
		r.was = append(r.was, m.events...)
		clear(m.events)
		m.events = m.events[:0]
		m.edit(o)
	}
	for {
		m := r.keptAt(r.tick)
		if r.tick > from {
			inside.Skip(r.Simulation) // in place of a capture: nobody sees this tick
			// A netplay session often goes back to the next tick next, so keep that ready.
			if r.aligned(r.tick) || r.tick == o.To || r.tick == o.To+1 {
				r.take(m)
			}
		}
		for i := range m.Entries {
			r.do(&m.Entries[i])
		}
		r.events.batch = r.events.take(emptied(r.events.batch))
		m.happened(r.events.batch)
		if m.Start.Tick == now {
			break
		}
	}
	for t := from; t <= now; t++ {
		r.now = append(r.now, r.keptAt(t).events...)
	}
	r.events.report(r.was, r.now)
	r.was, r.now = emptied(r.was), emptied(r.now)
	r.blend.end(r.Log, o)
	r.o.Lane.Enter(phase.Commands)
}

// restore goes back to the last snapshot that is not after a tick, and returns its tick. It drops the
// snapshots of later ticks, and earlier ones that are not aligned.
func (r *Rewinder) restore(to uint64) (from uint64) {
	for from = to; r.keptAt(from).Start.saved.Snapshot == nil; from-- {
	}
	must(r.rewind(r.keptAt(from).Start.saved))
	for i := range r.list {
		if m, tick := &r.list[i], r.list[i].Start.Tick; tick > from || tick < from && !r.aligned(tick) {
			r.drop(m)
		}
	}
	if r.SyncTest > 0 { // a sync test compares with this snapshot: handles now count on from all that were given out
		r.take(r.keptAt(from))
	}
	r.wentBack(from)
	return from
}

// edit puts the rollback's commands for a kept tick among its entries: those of a source replace the
// commands of that source, and those that replace nothing come last, before the step.
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
