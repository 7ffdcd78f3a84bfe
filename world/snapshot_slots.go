package world

import (
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/store"
)

// keeping is what the snapshots of a world share: the columns of all that they keep.
type keeping struct {
	past  *b2state.Past
	slots *store.Column[slot]
	store *store.Store

	restoring struct { // what loadSlot has to know
		rewind     bool
		old, count int // how many slots there were and will be
	}
}

// keep makes the columns of a world.
func (w *World) keep() {
	k := &w.keeping
	k.store = new(store.Store)
	k.past = b2state.NewPast(w.b2, w.box, k.store, &w.geometry)
	if w.soft != nil {
		w.soft.Keep(k.store)
	}
	k.slots = store.Add(k.store, &store.Column[slot]{Stamps: &w.changed.Stamps, Save: w.saveSlots, Load: w.loadSlot})
}

// recordSet is the bodies and shapes of a snapshot but for what steps change of them.
// All snapshots between two edits have the same.
type recordSet struct {
	users  int
	edits  uint64       // World.edits of then
	bodies []kept[body] // in order of creation; their forces are those in loaded
	shapes []kept[shape]
}

// shareRecords takes the records that the world has at present for a snapshot.
func (w *World) shareRecords() *recordSet {
	now := w.records
	if now == nil || now.edits != w.edits {
		now = w.spareRecords
		w.spareRecords = nil
		if now == nil {
			now = new(recordSet)
		}
		now.take(w)
		w.dropRecords(w.records)
		now.users = 1 // the world
		w.records = now
	} else {
		w.spareRecords = nil // it is wanted where there are edits all the time
	}
	now.users++
	return now
}

// dropRecords follows when one user less has them.
func (w *World) dropRecords(r *recordSet) {
	if r == nil {
		return
	}
	if r.users--; r.users == 0 {
		r.bodies, r.shapes = refill(r.bodies, nil), refill(r.shapes, nil)
		w.spareRecords = r
	}
}

func (to *recordSet) take(w *World) {
	bodies, shapes := slices.Grow(to.bodies[:0], len(w.bodies)), slices.Grow(to.shapes[:0], len(w.shapes))
	for r := w.first; r != nil; r = r.next {
		bodies = append(bodies, kept[body]{r, r.withoutForces()})
		for _, sh := range r.shapes {
			shapes = append(shapes, kept[shape]{sh, *sh})
		}
	}
	to.bodies, to.shapes, to.edits = cleared(to.bodies, bodies), cleared(to.shapes, shapes), w.edits
}

// saveSlots saves slots as they are once the bodies that died after the step are gone.
func (w *World) saveSlots(r store.Run, to []slot) {
	for i, n := range r.Things() {
		if n >= len(w.slots) {
			to[i] = slot{}
		} else if to[i] = w.slots[n]; to[i].dying {
			to[i] = to[i].freed()
		}
	}
}

// takeFree takes which slots are free then.
func (s *Snapshot) takeFree(w *World) {
	s.slotCount = len(w.slots)
	s.free = refill(s.free, w.free)
	for _, d := range w.dying {
		s.free = append(s.free, d.slot)
	}
}

// slot is slot i of the snapshot.
func (s *Snapshot) slot(i int) slot { return *s.slots.At(&s.b2.Values, i) }

// loadSlot puts a slot back. One whose body is another one than before goes on with a generation
// that it has not had.
func (w *World) loadSlot(n int, from *slot) {
	if n >= len(w.slots) {
		return
	}
	to, back := &w.slots[n], &w.keeping.restoring
	generation, rec := to.generation, to.rec
	if rec != nil && rec != from.rec {
		generation = (generation + 1) & body2d.GenerationMask
	}
	switch {
	case n >= back.count:
		*to = slot{generation: generation, jump: noJump}
	case n >= back.old:
		*to = *from // with the snapshot's generation
	default:
		*to = *from
		to.generation = generation
		if !back.rewind && to.b != nil {
			if look := &w.bodyLooks[n]; rec != to.rec || look.centre != to.b.M_sweep.C || look.angle != to.b.M_sweep.A {
				to.jump = jumpPending
			}
		}
	}
	if *to != *from {
		w.changed.Mark(int32(n)) // the next snapshot has another one
	}
}
