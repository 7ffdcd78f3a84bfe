package history

import (
	"slices"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/world"
)

// RollbackLog is a Log that can go back. It keeps the last ticks, each with a snapshot, the entries after the snapshot,
// and their events. To go back, it restores the snapshot of a tick and carries the entries out again, with other
// commands among them.
type RollbackLog struct {
	*Log
	tested uint64 // tested is the tick of the last sync test.
	second Saved  // scratch memory of syncTest

	was, now []world.Event // scratch of rollBack: the old and the new events of the ticks that run again
}

// WithRollback returns a RollbackLog around a Log. It takes a snapshot to check whether the world can be
// saved. If the world cannot be saved, it returns the error.
func WithRollback(l *Log, o RollbackOptions) (*RollbackLog, error) {
	o.Every = max(o.Every, 1)
	l.ticks.RollbackOptions, l.ticks.first = o, l.tick
	l.events.comparesDue = true
	return &RollbackLog{Log: l, second: Saved{Snapshot: new(world.Snapshot)}}, private.Snapshot(l.World(), new(world.Snapshot))
}

// Capture writes the states that are to be shown, and keeps the tick.
func (r *RollbackLog) Capture(dst []body2d.State) []body2d.State {
	return r.show(r.captured(r.Simulation.Capture(dst)))
}

// CaptureChanged writes the states of the bodies that have changed, and keeps the tick.
func (r *RollbackLog) CaptureChanged(to *buffer.Slot[body2d.State]) {
	if r.blend.moves(r.at) || r.ticks.SyncTest > 0 {
		to.States = r.Capture(to.States[:0])
		return
	}
	r.Simulation.CaptureChanged(to)
	r.captured(nil)
	r.show(to.States)
}

// keepState stores the state of the world in a kept tick, as the state after the tick's step.
func (r *RollbackLog) keepState(m *keptTick) {
	m.made = private.HandlesMade(r.Simulation)
	r.ticks.makeRoom(&m.Start.saved)
	must(r.take(&m.Start.saved))
}

// captured begins to keep the tick at which the world is, if the tick is due and not kept yet. A sync test then
// replaces the states in dst by the states of its second run.
func (r *RollbackLog) captured(dst []body2d.State) []body2d.State {
	if r.at != r.tick {
		return dst
	}
	if r.ticks.last == nil || r.ticks.last.tick != r.tick {
		m := r.ticks.keptAt(r.tick) // the tick was predicted
		if m == nil {
			m = r.ticks.begin(r.tick, r.rewound)
		}
		r.ticks.last, m.Start = m, r.start(nil)
		if r.ticks.trim(r.tick); r.ticks.aligned(r.tick) {
			r.keepState(m)
		}
	}
	if r.ticks.SyncTest > 0 && r.tested != r.tick {
		dst = r.syncTest(dst)
	}
	return dst
}

// keepDue keeps the due tick if the tick was not captured.
func (r *RollbackLog) keepDue() {
	if r.ticks.last.tick != r.tick {
		private.Skip(r.Simulation)
		r.captured(nil)
	}
}

func (r *RollbackLog) needsEachTick() bool { return true }

// carry carries out an entry, and keeps the entry and its events.
func (r *RollbackLog) carry(e *Entry) {
	m := r.ticks.last
	r.do(m.add(e))
	m.happened(r.events.settle(e.stepsTo()))
}

func (r *RollbackLog) confirm(e *Entry, events []world.Event) {
	r.ticks.last.add(e)
	r.ticks.last.happened(events)
	r.Log.confirm(e, events)
}

func (r *RollbackLog) order(c *world.Command) {
	r.Log.order(c)
	r.ticks.last.happened(r.events.batch)
}

// rollBack goes back to a tick, and then forward to the present tick with other commands. It
// delivers the differences between the events, and blends the picture to the new states.
func (r *RollbackLog) rollBack(o *Rollback) {
	now := r.tick
	r.keepShifts()
	r.blend.begin(r.Log, o)
	from := r.putBack(o.To)
	for {
		m := r.ticks.keptAt(r.tick)
		if r.tick > from {
			private.Skip(r.Simulation) // skips a capture, because the tick is not shown
			// A netplay session often goes back to the tick after o.To the next time, so keep the state of that tick.
			if r.ticks.aligned(r.tick) || r.tick == o.To || r.tick == o.To+1 {
				r.keepState(m)
			}
		}
		r.was = append(r.was, m.events...)
		clear(m.events)
		m.events = m.events[:0]
		m.edit(o)
		for i := range m.Entries {
			r.do(&m.Entries[i])
		}
		r.events.batch = r.events.take(cleared(r.events.batch))
		m.happened(r.events.batch)
		r.now = append(r.now, m.events...)
		if m.tick == now {
			break
		}
	}
	r.events.report(r.was, r.now)
	r.was, r.now = cleared(r.was), cleared(r.now)
	r.blend.end(r.Log, o)
	r.dropShifts()
	r.o.Phases.Enter(phase.Commands)
}

// keepShifts keeps the shifts (World.Shift) of the first run for the picture. It is called before ticks run again.
func (r *RollbackLog) keepShifts() { r.shifts = append(r.shifts, private.Shifts(r.Simulation)...) }

// dropShifts drops the shifts of the second run, because the picture was already shifted in the first
// run.
func (r *RollbackLog) dropShifts() { private.Shifts(r.Simulation) }

// putBack restores the last snapshot that is not after a tick, and returns the tick of the snapshot. It drops the
// snapshots of later ticks, and the snapshots of earlier ticks that are not aligned.
func (r *RollbackLog) putBack(to uint64) (from uint64) {
	for from = to; r.ticks.keptAt(from).Start.saved.Snapshot == nil; from-- {
	}
	state := r.ticks.keptAt(from).Start.saved
	must(private.GoBack(r.Simulation, state.Snapshot))
	r.numbered = state.Kept
	for _, m := range r.ticks.list {
		if m.tick > from || m.tick < from && !r.ticks.aligned(m.tick) {
			r.ticks.recycle(&m.Start.saved)
		}
	}
	if r.ticks.SyncTest > 0 { // a sync test compares with this snapshot, so new handles continue after all handles that were given out
		r.keepState(r.ticks.keptAt(from))
	}
	r.reach(from, r.dt)
	r.keep(&Entry{Kind: Back, Tick: from, Handles: private.HandlesMade(r.Simulation)}) // for the sinks
	return from
}

// edit inserts the rollback's commands for a kept tick into the entries of that tick. The commands of a source replace
// all earlier commands of the source. Commands without a source are inserted last, before the step.
func (m *keptTick) edit(o *Rollback) {
	given := map[int][]Entry{} // by source
	var all []Entry
	for i := range o.Commands {
		if c := &o.Commands[i]; c.At == m.tick {
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
