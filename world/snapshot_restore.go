package world

import (
	"maps"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2state"
	"halfstep/internal/slab"
)

// Restore puts the world back into the state of a snapshot. It can be called
// wherever [World.Snapshot] can.
//
// Handles of then are good again. Those of bodies, shapes and joints that were
// created since are stale; they will never be the handles of others, unless the
// commands that chose them are carried out again. What the world itself creates
// from here on, in callbacks, gets handles that it has not given out before.
//
// World.Tick goes back with the world, while the ticks of events, states and
// [Commands.At] go on, and what waits for one is left alone; in Setup, what waited when the snapshot
// was taken waits again, for as many ticks. The picture shows bodies that are elsewhere there at once,
// without blending. A BodyRemoved event comes for each body that is gone, and a
// WorldRestored event after them.
//
// The snapshot must be of this world, or one that [LoadSnapshot] has read and no
// other world has restored. Where an error is returned, nothing has changed,
// except where a [Stateful] did not take its state.
func (w *World) Restore(s *Snapshot) error { return w.restore(s, false) }

// restore is Restore. With rewind it is as if what followed had never happened: the ticks of the
// loop go back too, and there are neither events nor jumps. So recordings are searched, and
// netplay corrects what it had guessed.
func (w *World) restore(s *Snapshot, rewind bool) error {
	w.checkGoroutine()
	if w.phase == stepping {
		return ErrStepping
	}
	if err := s.check(w); err != nil {
		return err
	}
	w.release()
	w.later = refill(w.later, nil)
	if !rewind {
		w.carried = nil
	}
	w.restores++
	w.editedRaw()
	if !rewind { // jumps are found by comparing all with what was shown
		w.changed.MarkAll(len(w.slots))
		w.edits.MarkAll(len(w.slots))
	}
	back, past := &w.keeping.restoring, w.keeping.past
	back.rewind, back.old, back.count = rewind, len(w.slots), s.slotCount
	w.slots = slices.Grow(w.slots, max(back.count-back.old, 0))[:max(back.count, back.old)]
	w.noteRecords(s)
	w.dropJoints(rewind)
	w.dropOthers(s, rewind)
	if all := past.Restore(&s.b2); all {
		w.changed.MarkAll(len(w.slots))
	}
	if w.soft != nil {
		w.soft.Restore(&s.soft)
	}
	shift := s.shift
	if !rewind {
		shift = w.tick + w.shift - s.saved.tick
	}
	if !rewind && w.out == nil { // in Setup: the run begins with the snapshot
		w.resumeScheduled(s, shift-s.shift)
	}
	w.restoreSaved(s, shift)
	w.applySurfaces()
	w.first, w.last = s.first, s.last
	if len(w.differing) > 0 {
		w.listJoints()
		if w.soft != nil {
			w.soft.ForgetFilters()
		}
	}
	w.setLoads(s.loaded)
	w.restoreFree(s)
	w.announceRestored(s, past)
	w.announceJoints(s)
	if rewind { // as if what follows had never happened
		w.numbered = maps.Clone(s.numbered)
	} else {
		w.event(WorldRestored)
	}
	return s.giveStates()
}

// check reports why the snapshot can not be restored in w. What was read becomes
// the snapshot of w.
func (s *Snapshot) check(w *World) error {
	switch {
	case s == nil:
		return errEmpty
	case s.loading != nil:
		return s.claim(w)
	case s.of == nil:
		return errEmpty
	case s.of != w:
		return errForeign
	}
	return nil
}

// dropJoints lets go of joints that the snapshot does not hold: noteRecords has set seen of those
// that it holds. If quiet, no events tell of it.
func (w *World) dropJoints(quiet bool) {
	for _, n := range w.differing {
		r := w.bodyLooks[n].rec
		if r == nil {
			continue
		}
		for j := range w.jointsOf(r) {
			if j.seen == w.restores {
				continue
			}
			delete(w.joints, j.handle)
			w.announce(lateRecord{kind: body2d.JointRemoved, id: j.id})
			if !quiet {
				w.jointEvent(JointRemoved, j)
			}
		}
	}
}

// dropOthers does what dropJoints does for bodies and shapes.
func (w *World) dropOthers(s *Snapshot, quiet bool) {
	for _, n := range w.differing {
		r := w.bodyLooks[n].rec
		if r == nil {
			continue
		}
		gone := r != s.record(int(n)).at
		for _, sh := range r.shapes {
			if sh.seen == w.restores {
				continue
			}
			delete(w.shapes, sh.handle)
			sh.fix = nil
			if !gone {
				w.announce(lateRecord{kind: body2d.ShapeRemoved, slot: n, id: sh.id})
			}
		}
		if !gone {
			continue
		}
		delete(w.bodies, r.handle)
		delete(w.weighed, r)
		w.announce(lateRecord{kind: body2d.BodyRemoved, slot: n})
		if !quiet {
			e := w.event(BodyRemoved)
			e.A, e.NameA, e.User = r.handle, r.name, r.user
		}
		r.b.SetUserData(nil)
		r.b, r.user = nil, nil
	}
}

// restoreSaved puts back what a snapshot holds as it is. shift is the loop's tick less the
// world's from here on.
func (w *World) restoreSaved(s *Snapshot, shift uint64) {
	cfg, awake := w.cfg, w.awake // what is counted stays so until the slots that change are
	w.saved = s.saved
	w.awake = awake
	w.cfg.Stepper, w.cfg.Workers = cfg.Stepper, cfg.Workers // how, not what
	w.now, w.shift = w.tick, shift
	if w.phase == before { // the step goes on
		w.now++
	}
	w.made = max(w.made, s.made)
	w.contacts, w.drawings = refill(w.contacts, s.events), refill(w.drawings, s.drawings)
	for i := range w.contacts {
		w.contacts[i].Tick += shift - s.shift
	}
	c := &s.control
	w.preSolve, w.shouldCollide = c.preSolve, c.shouldCollide
	// A loop may stand on these: it must not find nil in them.
	w.controls, w.hooks = append(w.controls[:0], c.controls...), append(w.hooks[:0], c.hooks...)
	w.states = refill(w.states, c.states)
}

// loadRecord puts the records of a body back.
func (w *World) loadRecord(_ int, from *record) {
	r := from.at
	if r == nil {
		return
	}
	shapes := r.shapes[:0]
	for i := range from.shapes {
		sh := from.shapes[i].at
		*sh = from.shapes[i].value
		w.shapes[sh.handle] = sh
		shapes = append(shapes, sh)
	}
	for i := range from.joints {
		j := from.joints[i].at
		gears := j.gears
		*j = from.joints[i].value
		j.gears = gears
		w.joints[j.handle] = j
	}
	shapes = cleared(r.shapes, shapes)
	*r = from.value
	r.shapes = shapes
	w.bodies[r.handle] = r
	delete(w.weighed, r)
}

// listJoints finds the gears of all joints, and which joints can break.
func (w *World) listJoints() {
	w.breakable = w.breakable[:0]
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			if r.gears = r.gears[:0]; r.canBreak() {
				w.breakable = append(w.breakable, r)
			}
		}
	}
	slices.Reverse(w.breakable) // it and gears are listed oldest first
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			for _, p := range r.parts {
				if p != nil {
					p.gears = slices.Insert(p.gears, 0, r)
				}
			}
		}
	}
}

// restoreFree puts back which slots are free. Those that came later wait below those that were
// free: they are taken in the order in which they would have been made.
func (w *World) restoreFree(s *Snapshot) {
	w.free = w.free[:0]
	for i := len(w.slots) - 1; i >= s.slotCount; i-- {
		w.free = append(w.free, int32(i))
	}
	w.free = append(w.free, s.free...)
}

// bodyLook and shapeLook are what was shown before a restore.
type bodyLook struct {
	rec           *body
	centre, local box2d.B2Vec2
	mass          float64
	angle         float64
	kind          uint8
	name          string
	colour        body2d.Colour
}

type shapeLook struct {
	alive    bool
	colour   body2d.Colour
	filter   Filter
	material Material
	segments []Material
}

// noteRecords notes which records restoring will change, what is shown of them, and which
// shapes and joints there will be.
func (w *World) noteRecords(s *Snapshot) {
	w.differing = w.keeping.records.AppendDiffering(w.differing[:0], w.keeping.store, &s.b2.Values)
	k, _ := slices.BinarySearch(w.differing, int32(len(w.slots)))
	w.differing = w.differing[:k]
	w.shapeLooks, w.jointLooks = w.shapeLooks[:0], w.jointLooks[:0]
	w.bodyLooks = slab.Sized(w.bodyLooks, len(w.slots))
	for _, n := range w.differing {
		look := &w.bodyLooks[n]
		*look = bodyLook{rec: w.slots[n].rec}
		if b := w.slots[n].b; b != nil {
			look.centre, look.local, look.angle, look.kind = b.M_sweep.C, b.M_sweep.LocalCenter, b.M_sweep.A, b.M_type
			look.mass = b.M_mass
			look.name, look.colour = look.rec.name, look.rec.colour
		}
		to := s.record(int(n))
		for i := range to.shapes {
			r := to.shapes[i].at
			r.seen = w.restores
			w.shapeLooks = append(w.shapeLooks, shapeLook{alive: w.shapes[r.handle] == r, colour: r.colour, filter: r.filter, material: r.material, segments: r.segments})
		}
		for i := range to.joints {
			r := to.joints[i].at
			r.seen = w.restores
			var line body2d.JointGeometry
			if w.joints[r.handle] == r {
				line = w.jointGeometry(r)
			}
			w.jointLooks = append(w.jointLooks, line)
		}
	}
}

// announceRestored announces the bodies and shapes that came back or look
// different.
func (w *World) announceRestored(s *Snapshot, past *b2state.Past) {
	if w.out == nil {
		return
	}
	past.Changed(func(f *box2d.B2Fixture) {
		if sh := shapeOf(f); sh != nil {
			sh.looks = w.restores
		}
	})
	looks := w.shapeLooks
	for _, n := range w.differing {
		r, was := s.record(int(n)).at, &w.bodyLooks[n]
		switch {
		case r == nil:
			continue
		case was.rec != r:
			w.announceBody(r, body2d.BodyAdded)
		case was.kind != r.b.M_type || was.local != r.b.M_sweep.LocalCenter || was.mass != r.b.M_mass || was.name != r.name || was.colour != r.colour:
			w.announceBody(r, body2d.BodyChanged)
		}
		for i, sh := range r.shapes {
			switch look := &looks[i]; {
			case was.rec != r, !look.alive:
				w.announceShape(sh)
			case sh.looks == w.restores || look.colour != sh.colour || look.filter != sh.filter || look.material != sh.material || !slices.Equal(look.segments, sh.segments):
				w.announce(lateRecord{kind: body2d.ShapeRemoved, slot: n, id: sh.id})
				w.announceShape(sh)
			}
		}
		looks = looks[len(r.shapes):]
	}
}

// announceJoints is announceRestored for joints, oldest first.
func (w *World) announceJoints(s *Snapshot) {
	if w.out == nil {
		return
	}
	looks := w.jointLooks
	for _, n := range w.differing {
		joints := s.record(int(n)).joints
		for i := range slices.Backward(joints) {
			r := joints[i].at
			switch line := w.jointGeometry(r); {
			case looks[i] == body2d.JointGeometry{}:
				w.announceJoint(r)
			case looks[i] != line:
				w.announce(lateRecord{kind: body2d.JointRemoved, id: r.id})
				w.announceJoint(r)
			}
		}
		looks = looks[len(joints):]
	}
}
