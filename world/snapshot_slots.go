package world

import (
	"math/bits"
	"slices"

	"halfstep/box/paged"
)

// slotPast is what the snapshots of a world share of its slots: what they were when a
// snapshot was last taken or restored, in pages of which snapshots have those that have
// not changed since.
type slotPast struct {
	pool   paged.Pool[slot]
	now    paged.Table[slot]
	count  int         // of slots in now
	differ []int32     // scratch of slotsRestored
	dirty  paged.Marks // slots that may differ from now
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

// takeSlots takes the slots as they are once those of bodies that died after the
// step are free.
func (s *Snapshot) takeSlots(w *World) {
	p := &w.slotPast
	w.changed.merge()
	for i := p.count; i < len(w.slots); i++ {
		p.dirty.Add(int32(i))
	}
	p.count = len(w.slots)
	s.free = refill(s.free, w.free)
	s.slotPages.Reuse()
	p.dirty.EachRun(func(first, size int, dirty uint64) {
		to := p.now.Write(&p.pool, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			if i := bits.TrailingZeros64(dirty); first+i < len(w.slots) {
				to[i] = w.slots[first+i]
			} else {
				to[i] = slot{}
			}
		}
	})
	p.dirty.Clear()
	for _, d := range w.dying {
		n := int(d.slot)
		*p.now.Value(&p.pool, n) = w.slots[n].freed()
		p.dirty.Add(d.slot)
		s.free = append(s.free, d.slot)
	}
	s.slots = refill(s.slots, nil)
	s.slotPages.Share(&p.now)
	p.pool.Trim()
	s.slotCount = p.count
}

// slot is slot i of the snapshot.
func (s *Snapshot) slot(i int) slot {
	if len(s.slots) > 0 {
		return s.slots[i]
	}
	return *s.slotPages.At(i)
}

// allSlots are the slots as one list.
func (s *Snapshot) allSlots() []slot {
	if len(s.slots) == s.slotCount {
		return s.slots
	}
	list := make([]slot, s.slotCount)
	for i := range list {
		list[i] = s.slot(i)
	}
	return list
}

// eachSlotThatDiffers calls f with the slots that may differ between the world and a
// snapshot, or with all.
func (w *World) eachSlotThatDiffers(s *Snapshot, all bool, f func(i int)) {
	p := &w.slotPast
	w.changed.merge()
	if all || len(s.slots) > 0 { // read from bytes
		p.dirty.AddAll(len(w.slots))
	} else {
		p.now.Differences(&s.slotPages, p.dirty.AddPage)
		for i := p.count; i < len(w.slots); i++ {
			p.dirty.Add(int32(i))
		}
	}
	p.dirty.Each(func(i int) {
		if i < len(w.slots) {
			f(i)
		}
	})
}

// slotsRestored follows. What the world has otherwise than the snapshot stays dirty.
func (w *World) slotsRestored(s *Snapshot) {
	p := &w.slotPast
	w.changed.merge()
	if len(s.slots) > 0 {
		p.dirty.AddAll(len(w.slots))
		return
	}
	differ := p.differ[:0]
	p.dirty.Each(func(i int) {
		if i < len(w.slots) && (i >= s.slotCount || w.slots[i] != s.slot(i)) {
			differ = append(differ, int32(i))
		}
	})
	p.now.Share(&s.slotPages)
	p.count = s.slotCount
	p.dirty.Clear()
	for _, i := range differ {
		p.dirty.Add(i)
	}
	p.differ = differ
}
