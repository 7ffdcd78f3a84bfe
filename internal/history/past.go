package history

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"halfstep/world"
)

// While a run rewinds, its ticks and the picture's time advance as usual, but each step restores the state before
// the shown state. The order of states for this is the line of ticks: the history without the ticks that earlier
// rewinds have undone.

// rewinds says whether a step computes a new state or restores an earlier state.
type rewinds uint8

const (
	steps      rewinds = iota
	restores           // the step restores the previous state
	keepsShown         // no earlier state is kept, so the step shows the same state again
)

// rewinding says whether the run rewinds, and has data for rewinds.
type rewinding struct {
	on    bool
	last  uint64 // the last tick to which a rewind has led, due or predicted, or 0
	marks uint64 // how often keepPast has marked ticks
}

// now returns the kind of the next step.
func (r *rewinding) now() rewinds {
	if r.on {
		return restores
	}
	return steps
}

// past is the position of a tick in the line of ticks.
type past struct {
	shows  uint64 // the tick whose state is shown; another tick only after a step back
	before uint64 // the previous tick in the line; for the first tick, the tick itself
	mark   uint64 // see keepPast
}

// pastOf returns the past of a tick that follows the newest kept tick.
func (k *ticks) pastOf(tick uint64, by rewinds) past {
	if by == steps || tick == 0 {
		return past{shows: tick, before: tick - min(tick, 1)}
	}
	k.rewinding.last = tick
	from, _ := k.earlier(tick)
	return past{shows: from.past.shows, before: from.past.before}
}

// earlier returns the tick whose state is restored by a step back to a tick, and the kind of that step. If there is
// no earlier state, it returns the shown tick and the kind keepsShown.
func (k *ticks) earlier(tick uint64) (from *keptTick, by rewinds) {
	now := k.keptAt(tick - 1)
	if m := k.keptAt(now.past.before); m != nil && m != now && m.Start.saved.Snapshot != nil {
		return m, restores
	}
	if m := k.keptAt(now.past.shows); m != nil && m.Start.saved.Snapshot != nil {
		return m, keepsShown
	}
	return now, keepsShown
}

// keepPast returns the oldest tick that is needed. Rollbacks need the ticks from the parameter needed on. Rewinds
// need the last Ticks ticks of the line, and the states that rewound ticks show. Of the other ticks before needed,
// keepPast drops the state.
func (k *ticks) keepPast(due, needed uint64) uint64 {
	if len(k.list) == 0 || k.rewinding.last < k.list[0].tick {
		return needed // the line consists of all ticks, one after the other
	}
	mark := func(m *keptTick) { m.past.mark = k.rewinding.marks }
	k.rewinding.marks++
	oldest := needed
	limit := due - min(due, uint64(mostPasts*k.Ticks))
	m := cmp.Or(k.keptAt(due), k.keptAt(due-1)) // the due tick may not be kept yet, because its step was done just now
	for n := 0; n <= k.Ticks && m != nil && m.tick >= limit; n++ {
		mark(m)
		oldest = min(oldest, m.tick)
		if m.past.before == m.tick {
			break
		}
		m = k.keptAt(m.past.before)
	}
	for tick := needed + 1; tick <= due; tick++ { // a rollback restores the same states again
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
			k.recycle(&m.Start.saved)
		}
	}
	return max(oldest, limit)
}

// mostPasts limits how far back the ticks of rewinds may be, in multiples of RollbackOptions.Ticks.
const mostPasts = 4

// stepBack restores an earlier state. A live run restores a state that it has kept, and a replay
// restores the state of the entry.
func (l *Log) stepBack(e *Entry) {
	if !l.ticks.canRollBack() {
		data, err := e.state.bytes()
		must(err)
		state, err := unpackedState(data)
		must(err)
		must(private.StepBack(l.Simulation, state, e.Tick, e.Dt, e.Rewinds == keepsShown))
		return
	}
	from, by := l.ticks.earlier(e.Tick)
	state := from.Start.saved.Snapshot
	if state == nil {
		state = from.now.Snapshot
	}
	must(private.StepBack(l.Simulation, state, e.Tick, e.Dt, by == keepsShown))
	e.Rewinds = by
}

// showState stores the state that a step back has restored in the entry of the step, for recordings.
func (l *Log) showState(e *Entry) {
	e.state = &shownState{snapshot: new(world.Snapshot)}
	must(private.Snapshot(l.World(), e.state.snapshot))
	e.state.size = int64(e.state.snapshot.Size() / 8)
}

// shownState is a state that a step back has shown. Its snapshot is neither restored nor overwritten,
// so any goroutine may make the bytes.
type shownState struct {
	begun    atomic.Bool // a goroutine makes the bytes
	once     sync.Once
	snapshot *world.Snapshot // nil once there are bytes
	packed   []byte
	err      error
	size     int64 // approximate size in memory, in bytes
}

// readShown returns a state whose compressed bytes were read from a file.
func readShown(packed []byte) *shownState {
	s := &shownState{packed: packed, size: int64(len(packed))}
	s.begun.Store(true)
	return s
}

// bytes returns the state as compressed bytes.
func (s *shownState) bytes() ([]byte, error) {
	s.once.Do(func() {
		if s.snapshot == nil { // the state was read from a file
			return
		}
		s.packed, s.err = packedState(s.snapshot)
		s.snapshot = nil
	})
	return s.packed, s.err
}

// packing is locked by the goroutine that compresses a state. One state at a time is quick enough, and leaves
// processors free.
var packing sync.Mutex

// begin starts to compress the state on another goroutine, because uncompressed it takes ten times the memory.
func (s *shownState) begin() {
	if s.begun.Swap(true) {
		return
	}
	go func() {
		packing.Lock()
		defer packing.Unlock()
		_, _ = s.bytes() // an error is ignored here, because the writer of the state gets it again
	}()
}

// withStates returns entries to which the bytes of the states of steps back are added.
func withStates(entries []Entry) ([]Entry, error) {
	if !slices.ContainsFunc(entries, func(e Entry) bool { return e.state != nil }) {
		return entries, nil
	}
	entries = slices.Clone(entries) // other goroutines read the entries
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
