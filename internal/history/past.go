package history

import (
	"fmt"

	"halfstep/world"
)

// While a run rewinds, its ticks and the picture's time go on, and each step puts an earlier state
// back: that of the tick before the one that is shown, in the course of things as they came about.
// What an earlier rewind has undone is not in that course any more.

// rewinds says whether a step is none, but puts an earlier state back.
type rewinds uint8

const (
	steps  rewinds = iota
	back           // it puts the state before back
	stands         // no earlier state is kept, and the one that is shown stays
)

// rewinding is whether the run rewinds.
type rewinding struct {
	on    bool
	last  uint64 // the newest tick that a rewind has led to, or 0
	marks uint64 // how often keepPast has marked ticks
}

// now is how the next step leads to its tick.
func (r *rewinding) now() rewinds {
	if r.on {
		return back
	}
	return steps
}

// past is the place of a tick in the course of things.
type past struct {
	shows  uint64 // the tick whose state this is: itself, unless it was a step back
	before uint64 // the tick that is before it in the course, or itself if none is
	mark   uint64 // see keepPast
}

// pastOf is the place of a tick that follows the newest kept one.
func (k *ticks) pastOf(tick uint64, by rewinds) past {
	if by == steps || tick == 0 {
		return past{shows: tick, before: tick - min(tick, 1)}
	}
	k.rewinding.last = tick
	from, _ := k.earlier(tick)
	return past{shows: from.past.shows, before: from.past.before}
}

// earlier returns the tick whose state a step back to a tick puts back. Without an earlier one it is
// the one that is shown now, and by is stands.
func (k *ticks) earlier(tick uint64) (from *keptTick, by rewinds) {
	now := k.keptAt(tick - 1)
	if m := k.keptAt(now.past.before); m != nil && m != now && m.Start.saved.Snapshot != nil {
		return m, back
	}
	if m := k.keptAt(now.past.shows); m != nil && m.Start.saved.Snapshot != nil {
		return m, stands
	}
	return now, stands
}

// keepPast returns the oldest tick that is needed: by rollbacks, which is given, and by rewinds, which
// go back as many ticks of the course. Of the ticks between that neither needs it drops the states.
func (k *ticks) keepPast(due, needed uint64) uint64 {
	if k.keptAt(k.rewinding.last) == nil {
		return needed // the course is all ticks, one after the other
	}
	mark := func(m *keptTick) { m.past.mark = k.rewinding.marks }
	k.rewinding.marks++
	oldest := needed
	limit := due - min(due, uint64(mostPasts*k.Ticks))
	m := k.keptAt(due)
	for n := 0; n <= k.Ticks && m != nil && m.tick >= limit; n++ {
		mark(m)
		oldest = min(oldest, m.tick)
		if m.past.before == m.tick {
			break
		}
		m = k.keptAt(m.past.before)
	}
	for tick := needed; tick <= due; tick++ { // a rollback puts the same states back again
		if m := k.keptAt(tick); m != nil && m.back != steps {
			from, _ := k.earlier(tick)
			mark(from)
			oldest = min(oldest, from.tick)
		}
	}
	for _, m := range k.list {
		if m.tick >= needed {
			break
		}
		if m.past.mark != k.rewinding.marks {
			k.letGo(&m.Start.saved)
		}
	}
	return max(oldest, limit)
}

// mostPasts is how many times RollbackOptions.Ticks the ticks may go back that rewinds need.
const mostPasts = 4

// stepBack puts an earlier state back: that of the entry, or the one that the run has kept.
func (l *Log) stepBack(e *Entry) {
	state, by := (*world.Snapshot)(nil), e.Rewinds
	if e.State != nil {
		data, err := unpacked(e.State)
		if err == nil {
			state, err = world.LoadSnapshot(data)
		}
		must(err)
	} else {
		var from *keptTick
		from, by = l.ticks.earlier(e.Tick)
		if state = from.Start.saved.Snapshot; state == nil {
			state = from.now.Snapshot
		}
	}
	must(inside.StepBack(l.Simulation, state, e.Tick, e.Dt, by == stands))
}

// written is a copy of an entry as recordings keep it. That of a step back has the state.
func (l *Log) written(e *Entry) Entry {
	kept := e.kept()
	if e.Rewinds == 0 || e.State != nil {
		return kept
	}
	from, by := l.ticks.earlier(e.Tick)
	data, err := from.Start.saved.Snapshot.AppendBinary(nil)
	if err != nil {
		must(fmt.Errorf("rewind: %w", err))
	}
	kept.Rewinds, kept.State = by, packed(data)
	return kept
}
