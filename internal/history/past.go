package history

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

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
	last  uint64 // a rewind has led to no tick after it, due or predicted; or 0
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
	if len(k.list) == 0 || k.rewinding.last < k.list[0].tick {
		return needed // the course is all ticks, one after the other
	}
	mark := func(m *keptTick) { m.past.mark = k.rewinding.marks }
	k.rewinding.marks++
	oldest := needed
	limit := due - min(due, uint64(mostPasts*k.Ticks))
	m := cmp.Or(k.keptAt(due), k.keptAt(due-1)) // its step was done just now, and it is not kept yet
	for n := 0; n <= k.Ticks && m != nil && m.tick >= limit; n++ {
		mark(m)
		oldest = min(oldest, m.tick)
		if m.past.before == m.tick {
			break
		}
		m = k.keptAt(m.past.before)
	}
	for tick := needed + 1; tick <= due; tick++ { // a rollback puts the same states back again
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

// stepBack puts an earlier state back: the one that the run has kept, or in a replay that of the entry.
func (l *Log) stepBack(e *Entry) {
	if !l.ticks.rolls() {
		data, err := e.state.bytes()
		must(err)
		state, err := unpackedState(data)
		must(err)
		must(inside.StepBack(l.Simulation, state, e.Tick, e.Dt, e.Rewinds == stands))
		return
	}
	from, by := l.ticks.earlier(e.Tick)
	state := from.Start.saved.Snapshot
	if state == nil {
		state = from.now.Snapshot
	}
	must(inside.StepBack(l.Simulation, state, e.Tick, e.Dt, by == stands))
	e.Rewinds = by
}

// showState gives the entry of a step back, after it, the state that recordings keep.
func (l *Log) showState(e *Entry) {
	e.state = &shownState{snapshot: new(world.Snapshot)}
	must(inside.Snapshot(l.World(), e.state.snapshot))
	e.state.size = int64(e.state.snapshot.Size() / 8)
}

// shownState is a state that a step back has shown. Nobody restores its snapshot or takes it anew, so
// any goroutine may make the bytes.
type shownState struct {
	begun    atomic.Bool // a goroutine makes the bytes
	once     sync.Once
	snapshot *world.Snapshot // nil once there are bytes
	packed   []byte
	err      error
	size     int64 // about how many bytes of memory it takes
}

// readShown is one that was read.
func readShown(packed []byte) *shownState {
	s := &shownState{packed: packed, size: int64(len(packed))}
	s.begun.Store(true)
	return s
}

// bytes are those of the state, packed.
func (s *shownState) bytes() ([]byte, error) {
	s.once.Do(func() {
		if s.snapshot == nil { // it was read
			return
		}
		s.packed, s.err = packedState(s.snapshot)
		s.snapshot = nil
	})
	return s.packed, s.err
}

// packing is held by the goroutine that packs a state: one at a time is quick enough, and leaves
// processors to others.
var packing sync.Mutex

// begin has the state packed on another goroutine: until then it takes ten times the memory.
func (s *shownState) begin() {
	if s.begun.Swap(true) {
		return
	}
	go func() {
		packing.Lock()
		defer packing.Unlock()
		_, _ = s.bytes() // who writes it sees the error
	}()
}

// withStates are entries with the bytes of the states that steps back have shown.
func withStates(entries []Entry) ([]Entry, error) {
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.state != nil }) {
		return entries, nil
	}
	entries = slices.Clone(entries) // others read them
	for i := range entries {
		if e := &entries[i]; e.state != nil {
			var err error
			if e.State, err = e.state.bytes(); err != nil {
				return nil, fmt.Errorf("after a rewind: %w", err)
			}
		}
	}
	return entries, nil
}
