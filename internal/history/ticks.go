package history

import (
	"slices"
	"sync/atomic"

	"halfstep/internal/exports"
	"halfstep/world"
)

// RollbackOptions are the options of package engine for rollback and sync tests. They are explained there. Ticks is 0 in
// a run without rollback.
type RollbackOptions struct{ Ticks, Every, SyncTest int }

// ticks are the last ticks of a run: first the due ticks, and then the predicted ticks. A RollbackLog and a Predictor
// share them. All states to which a run goes back are taken, kept, freed and restored in this file.
//
// A command is carried out when its tick is due. Only a rollback carries it out again. Predictions repeat no command, and
// assume the forces of the last frame. A tick that runs again exactly as predicted gives the same handles again (rerun).
// Ticks after a rollback give new handles (rewind).
type ticks struct {
	RollbackOptions
	first uint64            // the first tick of the run
	list  []*keptTick       // consecutive
	last  *keptTick         // last is the newest due tick that a RollbackLog keeps, or nil.
	spare []*keptTick       // memory for more
	free  []*world.Snapshot // like the field above

	rewinding rewinding

	// The number of accepted rollbacks (NeedTick), the number of rollbacks that were carried out, and the oldest target of the
	// accepted rollbacks that were not carried out yet.
	accepted, done, oldest atomic.Uint64
}

// keptTick is a tick that a RollbackLog or a Predictor keeps.
type keptTick struct {
	tick uint64
	past past // the state that the tick shows

	// A RollbackLog uses these fields for a due tick. The Segment has the state after the step of the tick, if it was taken,
	// and the entries up to the capture of the next tick. The end of a frame belongs to the step.
	Segment
	made     uint64          // the number of handles that had been given out when the snapshot was taken
	commands []world.Command // the commands of the Entries, which point into this list
	events   []world.Event

	// A Predictor uses these fields. The field now is the state at this tick after the commands that were applied so far, if it
	// was saved. The other fields describe the step to the tick, if that step is or was predicted.
	now   Saved
	dt    float64        // s
	back  rewinds        // back says whether the step shows an earlier state.
	came  []world.Event  // came are the events of the step.
	loads []exports.Load // loads are the forces that acted in the step.
}

// where tells at which tick the world of a run is.
type where struct {
	tick uint64  // the due tick: the number of steps done, without predicted steps
	dt   float64 // length of the step to tick, in s
	at   uint64  // the tick at which the world is; differs from tick during a prediction
	atDt float64 // length of the step to the tick at, in s

	rewound rewinds // how the last due step led to tick

	ahead        bool // the loop runs ahead, so the fields at and tick may differ
	pendingBegin bool // a frame has begun, but not in the world, because the world is at a predicted tick
	guessed      bool // the last step of the frame was predicted
}

// reach records that the world is at a due tick, after a step of length dt.
func (w *where) reach(tick uint64, dt float64) {
	w.tick, w.at, w.dt, w.atDt = tick, tick, dt, dt
}

// look records that the world is at a kept tick, which may not be due.
func (w *where) look(m *keptTick) {
	if w.at, w.atDt = m.tick, w.dt; m.tick > w.tick {
		w.atDt = m.dt
	}
}

// becomeDue records that a predicted tick is due. The world stays at its tick.
func (w *where) becomeDue(m *keptTick) {
	w.tick, w.dt, w.rewound, w.guessed = m.tick, m.dt, m.back, true
}

// lookback is the number of due ticks before the last due tick at which a Predictor may look.
const lookback = 2

// canRollBack reports whether rollbacks are possible.
func (k *ticks) canRollBack() bool { return k.Ticks > 0 }

// keptAt returns a kept tick, or nil if that tick is not kept.
func (k *ticks) keptAt(tick uint64) *keptTick {
	if len(k.list) == 0 || tick < k.list[0].tick || tick-k.list[0].tick >= uint64(len(k.list)) {
		return nil
	}
	return k.list[tick-k.list[0].tick]
}

// saved reports whether the state at a tick was saved and has not changed since then.
func (k *ticks) saved(tick uint64) bool {
	m := k.keptAt(tick)
	return m != nil && m.now.Snapshot != nil
}

// begin begins to keep a tick. It drops earlier data of that tick and of later ticks. The parameter back is the kind of the
// step to the tick.
func (k *ticks) begin(tick uint64, back rewinds) *keptTick {
	if k.drop(tick); len(k.list) > 0 && k.list[len(k.list)-1].tick != tick-1 {
		k.drop(0)
	}
	var m *keptTick
	m, k.spare = reused(k.spare)
	m.tick, m.dt, m.back, m.past = tick, 0, back, k.pastOf(tick, back)
	k.list = append(k.list, m)
	return m
}

// drop drops the ticks from the given tick on.
func (k *ticks) drop(from uint64) {
	for n := len(k.list); n > 0 && k.list[n-1].tick >= from; n-- {
		k.release(k.list[n-1])
		k.list[n-1] = nil
		k.list = k.list[:n-1]
	}
}

// trim drops the ticks to which no rollback or prediction can go back. The parameter due is the last due
// tick.
func (k *ticks) trim(due uint64) {
	needed := due - min(due, lookback)
	if k.canRollBack() {
		needed = k.keepPast(due, k.reach(due))
		if m := k.keptAt(due - lookback - 1); due > lookback && m != nil {
			k.recycle(&m.now)
		}
	}
	n := 0
	for n < len(k.list) && k.list[n].tick < needed {
		k.release(k.list[n])
		n++
	}
	if n > 0 {
		k.list = slices.Delete(k.list, 0, n)
	}
}

// reach returns the oldest tick that a rollback needs. The parameter due is the last due tick.
func (k *ticks) reach(due uint64) uint64 {
	oldest := due - min(due, uint64(k.Ticks+k.Every-1))
	if needed, some := k.needed(); some {
		oldest = min(oldest, needed)
	}
	return oldest
}

// release keeps the memory of a tick for another tick.
func (k *ticks) release(m *keptTick) {
	k.recycle(&m.Start.saved)
	k.recycle(&m.now)
	m.Entries, m.commands, m.events = cleared(m.Entries), cleared(m.commands), cleared(m.events)
	clear(m.came)
	m.came, m.loads = m.came[:0], m.loads[:0]
	if k.last == m {
		k.last = nil
	}
	k.spare = append(k.spare, m)
}

// recycle keeps the memory of a state for another state.
func (k *ticks) recycle(s *Saved) {
	if s.Snapshot != nil {
		k.free = append(k.free, s.Snapshot)
	}
	*s = Saved{}
}

// makeRoom gives a state memory for a snapshot.
func (k *ticks) makeRoom(s *Saved) {
	if s.Snapshot == nil {
		s.Snapshot, k.free = reused(k.free)
	}
}

// forget drops predicted ticks, and the states that a Predictor looks at. It is called before the
// world changes.
func (k *ticks) forget(due uint64) {
	if k.drop(due + 1); !k.canRollBack() {
		k.drop(0)
	}
	for back := range min(due+1, lookback+1) {
		if m := k.keptAt(due - back); m != nil {
			k.recycle(&m.now)
		}
	}
}

// aligned reports whether a tick has a snapshot in any case. Other ticks have one only after rollbacks.
func (k *ticks) aligned(tick uint64) bool {
	return tick%uint64(k.Every) == 0 || tick == k.first
}

// NeedTick announces a rollback to a kept tick. The tick is kept until that rollback, even if a run ahead first makes more
// ticks due for Step, for a pause or for SetSync. Only the goroutine that demands steps may call NeedTick, before it demands
// more steps.
func (l *Log) NeedTick(tick uint64) {
	k := &l.ticks
	if k.accepted.Load() != k.done.Load() {
		tick = min(tick, k.oldest.Load())
	}
	k.oldest.Store(tick)
	k.accepted.Add(1)
}

// needed returns the oldest tick that accepted rollbacks need. The snapshot for a rollback may be some ticks earlier. The
// result some is false if there is no such rollback. Any goroutine may call needed.
func (k *ticks) needed() (tick uint64, some bool) {
	if k.accepted.Load() == k.done.Load() {
		return 0, false
	}
	tick = k.oldest.Load()
	return tick - min(tick, uint64(k.Every-1)), true
}

// add adds a copy of an entry, and returns the copy.
func (m *keptTick) add(e *Entry) *Entry {
	m.Entries = append(m.Entries, *e)
	kept := &m.Entries[len(m.Entries)-1]
	if e.Command != nil {
		m.commands = append(m.commands, *e.Command)
		kept.Command = &m.commands[len(m.commands)-1]
	}
	return kept
}

// happened keeps events. It omits replies to questions, because a rollback does not ask questions again.
func (m *keptTick) happened(events []world.Event) {
	for i := range events {
		if !private.IsReply(&events[i]) {
			m.events = append(m.events, events[i])
		}
	}
}

// cleared returns the list without its elements. The list keeps its memory if at least an eighth of it
// was used.
func cleared[T any](list []T) []T {
	if cap(list) > max(1024, 8*len(list)) {
		return nil
	}
	clear(list)
	return list[:0]
}

// reused takes a value from the list free, or allocates one. It also returns the rest of the list.
func reused[T any](free []*T) (*T, []*T) {
	n := len(free)
	if n == 0 {
		return new(T), free
	}
	return free[n-1], free[:n-1]
}

// recordable returns the oldest kept tick from which on all entries can be recorded, or nil without rollback. A recording
// begins at that tick, because no rollback can go back further.
func (k *ticks) recordable() (oldest *keptTick) {
	if !k.canRollBack() || k.last == nil {
		return nil
	}
	reach := k.reach(k.last.tick)
	for tick := k.last.tick; ; tick-- {
		m := k.keptAt(tick)
		if m == nil || tick < reach || slices.ContainsFunc(m.Entries, func(e Entry) bool { return e.Command != nil && private.IsClosure(e.Command) }) {
			return oldest
		}
		if m.Start.saved.Snapshot != nil {
			oldest = m
		}
	}
}

// copySince gives a writer the entries after a kept tick. If since is nil, it gives none.
func (k *ticks) copySince(since *keptTick, w *Writer) {
	if since == nil {
		return
	}
	for tick := since.tick; tick <= k.last.tick; tick++ { // the present tick may not be kept yet
		for _, e := range k.keptAt(tick).Entries {
			w.add(new(e.kept()))
		}
	}
}
