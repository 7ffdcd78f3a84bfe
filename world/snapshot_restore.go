package world

import (
	"maps"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/box/b2state"
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
	unedited := w.unedited(s) && rewind // otherwise slots are compared with what was shown
	otherJoints := !unedited || s.jointed != w.jointEdits
	if !unedited {
		w.noteBodies(s)
	}
	if otherJoints {
		w.noteJoints(s)
		w.dropJoints(rewind)
	}
	if !unedited {
		w.dropOthers(rewind)
	}

	if !unedited {
		w.changed.MarkAll(len(w.slots)) // jumps are found by comparing all
	}
	back, past := &w.keeping.restoring, w.keeping.past
	back.rewind, back.old, back.count = rewind, len(w.slots), s.slotCount
	w.slots = slices.Grow(w.slots, max(back.count-back.old, 0))[:max(back.count, back.old)]
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
	w.edits, w.jointEdits = s.edits, s.jointed
	if w.records != s.recordSet {
		w.dropRecords(w.records)
		w.records = s.recordSet
		w.records.users++
	}
	if !unedited {
		clear(w.weighed)
		w.restoreBodies(s)
		if w.soft != nil {
			w.soft.ForgetFilters()
		}
	}
	w.setLoads(s.loaded)
	if otherJoints {
		w.restoreJoints(s)
	}
	w.restoreFree(s)
	if !unedited {
		w.announceRestored(s, past)
	}
	if otherJoints {
		w.announceJoints(s)
	}
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

// dropJoints lets go of joints that the snapshot does not hold.
func (w *World) dropJoints(quiet bool) {
	for j := w.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil && r.seen != w.restores {
			delete(w.joints, r.handle)
			w.announce(lateRecord{kind: body2d.JointRemoved, id: r.id})
			if !quiet {
				w.jointEvent(JointRemoved, r)
			}
		}
	}
}

// dropOthers lets go of the bodies and shapes that the snapshot does not hold.
func (w *World) dropOthers(quiet bool) {
	for r := w.first; r != nil; r = r.next {
		gone := r.seen != w.restores
		for _, sh := range r.shapes {
			if sh.seen == w.restores {
				continue
			}
			delete(w.shapes, sh.handle)
			sh.fix = nil
			if !gone {
				w.announce(lateRecord{kind: body2d.ShapeRemoved, slot: r.slot, id: sh.id})
			}
		}
		if !gone {
			continue
		}
		delete(w.bodies, r.handle)
		w.announce(lateRecord{kind: body2d.BodyRemoved, slot: r.slot})
		if !quiet {
			e := w.event(BodyRemoved)
			e.A, e.NameA, e.User = r.handle, r.name, r.user
		}
		r.b.SetUserData(nil)
		r.b, r.user, r.loaded = nil, nil, false
	}
}

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

func (w *World) restoreBodies(s *Snapshot) {
	shape := int32(0)
	w.first, w.last = nil, nil
	for i := range s.bodies {
		from := &s.bodies[i]
		r := from.at
		*r = from.value
		r.seen = w.restores
		r.next = nil
		w.link(r)
		if w.bodies[r.handle] != r {
			w.bodies[r.handle] = r
		}
		for k := range r.shapes {
			sh := s.shapes[shape].at
			*sh = s.shapes[shape].value
			sh.seen, sh.index = w.restores, shape
			shape++
			r.shapes[k] = sh
			if w.shapes[sh.handle] != sh {
				w.shapes[sh.handle] = sh
			}
		}
	}
}

func (w *World) restoreJoints(s *Snapshot) {
	for i := range s.joints {
		from := &s.joints[i]
		r := from.at
		*r = from.value
		r.seen = w.restores
		r.gears = r.gears[:0]
		if w.joints[r.handle] != r {
			w.joints[r.handle] = r
		}
	}
	w.breakable = w.breakable[:0]
	for i := range s.joints {
		r := s.joints[len(s.joints)-1-i].at // gears and the breakable are listed oldest first
		if r.canBreak() {
			w.breakable = append(w.breakable, r)
		}
		for _, p := range r.parts {
			if p != nil {
				p.gears = append(p.gears, r)
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
	alive, changed bool
	colour         body2d.Colour
	filter         Filter
	material       Material
	segments       []Material
}

// noteBodies notes what restoring will change of bodies and shapes, and marks what
// will be there.
func (w *World) noteBodies(s *Snapshot) {
	w.bodyLooks = w.bodyLooks[:0]
	for i := range w.slots {
		n := bodyLook{rec: w.slots[i].rec}
		if b := w.slots[i].b; b != nil {
			n.centre, n.local, n.angle, n.kind = b.M_sweep.C, b.M_sweep.LocalCenter, b.M_sweep.A, b.M_type
			n.mass = b.M_mass
			n.name, n.colour = n.rec.name, n.rec.colour
		}
		w.bodyLooks = append(w.bodyLooks, n)
	}
	for i := range s.bodies {
		s.bodies[i].at.seen = w.restores
	}
	w.shapeLooks = w.shapeLooks[:0]
	for i := range s.shapes {
		r := s.shapes[i].at
		r.seen = w.restores
		w.shapeLooks = append(w.shapeLooks, shapeLook{alive: w.shapes[r.handle] == r, colour: r.colour, filter: r.filter, material: r.material, segments: r.segments})
	}
}

// noteJoints does so for joints.
func (w *World) noteJoints(s *Snapshot) {
	w.jointLooks = w.jointLooks[:0]
	for i := range s.joints {
		r := s.joints[i].at
		r.seen = w.restores
		var line body2d.JointGeometry
		if w.joints[r.handle] == r {
			line = w.jointGeometry(r)
		}
		w.jointLooks = append(w.jointLooks, line)
	}
}

// announceRestored announces the bodies and shapes that came back or look
// different.
func (w *World) announceRestored(s *Snapshot, past *b2state.Past) {
	if w.out == nil {
		return
	}
	for i := range s.bodies {
		r := s.bodies[i].at
		var was bodyLook
		if int(r.slot) < len(w.bodyLooks) {
			was = w.bodyLooks[r.slot]
		}
		if was.rec != r {
			w.announceBody(r, body2d.BodyAdded)
			for _, sh := range r.shapes {
				w.announceShape(sh)
			}
			continue
		}
		if was.kind != r.b.M_type || was.local != r.b.M_sweep.LocalCenter || was.mass != r.b.M_mass || was.name != r.name || was.colour != r.colour {
			w.announceBody(r, body2d.BodyChanged)
		}
	}
	past.Changed(func(f *box2d.B2Fixture) {
		if sh := shapeOf(f); sh != nil {
			w.shapeLooks[sh.index].changed = true
		}
	})
	for i, look := range w.shapeLooks {
		sh := s.shapes[i].at
		switch r := sh.of; {
		case int(r.slot) >= len(w.bodyLooks) || w.bodyLooks[r.slot].rec != r: // announced with its body
		case !look.alive:
			w.announceShape(sh)
		case look.changed || look.colour != sh.colour || look.filter != sh.filter || look.material != sh.material || !slices.Equal(look.segments, sh.segments):
			w.announce(lateRecord{kind: body2d.ShapeRemoved, slot: r.slot, id: sh.id})
			w.announceShape(sh)
		}
	}
}

// announceJoints does so for joints.
func (w *World) announceJoints(s *Snapshot) {
	if w.out == nil {
		return
	}
	for i := range slices.Backward(s.joints) { // oldest first
		r := s.joints[i].at
		switch line := w.jointGeometry(r); {
		case w.jointLooks[i] == body2d.JointGeometry{}:
			w.announceJoint(r)
		case w.jointLooks[i] != line:
			w.announce(lateRecord{kind: body2d.JointRemoved, id: r.id})
			w.announceJoint(r)
		}
	}
}
