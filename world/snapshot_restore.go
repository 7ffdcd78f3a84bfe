package world

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/internal/reslice"
)

// Restore returns the world to the state of a snapshot. It can be called wherever [World.Snapshot]
// can be called. After a restore in a controller, the step continues with the next controllers. To
// get the same states as after the snapshot, call Restore between two steps, or in the controller
// that took the snapshot.
//
// Handles that were valid at the snapshot are valid again. Handles of bodies, shapes and joints
// that were created later are stale. Such handles are not used again, unless the commands that
// chose them are carried out again. Objects that callbacks create get new handles.
//
// World.Tick goes back with the world. The ticks of events, states and [Commands.At] go on, and
// commands that wait for a tick continue to wait. After a restore in Setup, the commands that
// waited at the snapshot wait again, for as many ticks. The picture shows bodies at their restored
// places at once, without blending. A BodyRemoved event comes for each body that no longer exists,
// and a WorldRestored event after them.
//
// The snapshot must be of this world, or come from [LoadSnapshot] and not be restored in another
// world. If Restore returns an error, it has changed nothing, unless a [Stateful] has refused its
// state.
func (w *World) Restore(s *Snapshot) error {
	return w.restore(s, asCommanded, w.when.tick+w.when.shift)
}

// GoBack does the work of [World.Restore] for callers that advance the world again before its
// state is captured: they next call Step for the tick after the snapshot's, or Apply for the
// snapshot's tick. The picture blends bodies without a jump, and no events are sent.
func (private) GoBack(s *Simulation, to *Snapshot) error { return s.world.restore(to, asBefore, 0) }

// Rerun does the work of GoBack for callers that then repeat the calls of that time, such as a
// replay. Bodies, shapes and joints that callbacks create get the same handles again.
func (private) Rerun(s *Simulation, from *Snapshot) error {
	err := s.world.restore(from, asBefore, 0)
	if err == nil {
		s.world.registry.made = from.made
	}
	return err
}

// Resume does the work of Rerun for a run that continues with new calls. The commands that waited
// for their tick (of [Commands.At]) wait again.
func (private) Resume(s *Simulation, from *Snapshot) error {
	if err := (private{}).Rerun(s, from); err != nil {
		return err
	}
	s.world.resumeScheduled(from, 0)
	return nil
}

// manner is the way in which a restore changes the world.
type manner uint8

const (
	asCommanded manner = iota // by World.Restore: bodies jump, and the ticks of the loop go on
	// asBefore cancels everything after the snapshot: the ticks of the loop go back too, and there are no events and no
	// jumps. Seeks in recordings and corrections in netplay use it.
	asBefore
	asStep // in place of a step: the ticks of the loop go on, and the picture blends (private.StepBack)
)

// restore restores s. The parameter how says in which manner. The parameter tick is the loop's new tick; with asBefore it
// is the tick of the snapshot.
func (w *World) restore(s *Snapshot, how manner, tick uint64) error {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return ErrStepping
	}
	if err := s.check(w); err != nil {
		return err
	}
	w.release()
	w.later = refill(w.later, nil)
	if how != asBefore {
		w.carried = nil // no shifts remain, because the picture shows a restored body at its new place at once
	}
	w.keeping.restores++
	w.editedRaw()
	if how != asBefore || w.places.course != s.saved.course {
		w.places.changed.MarkAll(len(w.places.slots))
	}
	k := &w.keeping
	if how == asCommanded {
		w.places.noteShown()
	}
	k.back = restoring{how: how, old: len(w.places.slots), count: s.slotCount, bodies: k.back.bodies[:0], shapes: k.back.shapes[:0], joints: k.back.joints[:0]}
	w.places.slots = slices.Grow(w.places.slots, max(s.slotCount-len(w.places.slots), 0))[:max(s.slotCount, len(w.places.slots))]
	if all := k.past.Restore(&s.b2); all {
		w.places.changed.MarkAll(len(w.places.slots))
	}
	if w.soft != nil {
		w.soft.Restore(&s.soft)
	}
	if w.keeping.dropBodies(); how == asCommanded {
		w.places.markJumps()
	}
	shift := s.shift
	if how != asBefore {
		shift = tick - s.saved.tick
	}
	if how != asBefore && w.news.out == nil { // in Setup, so the run begins with the snapshot
		w.resumeScheduled(s, shift-s.shift)
	}
	w.restoreSaved(s, shift)
	w.surfaces.applyRules()
	w.registry.first, w.registry.last = s.first, s.last // the restored records link the other bodies
	if len(k.back.bodies) > 0 {
		w.links.listJoints()
		if w.soft != nil {
			w.soft.ForgetFilters()
		}
	}
	w.forces.setLoads(s.loaded)
	w.places.restoreFree(s)
	w.keeping.announceRestored(k.past.Changed)
	if how == asCommanded {
		w.places.course = forward
	} else { // the state is as if the last step had just ended
		w.when.stepped = true
	}
	if how != asBefore {
		w.news.event(WorldRestored)
	}
	return s.giveStates()
}

// check returns an error if the snapshot cannot be restored in w. It assigns a snapshot from LoadSnapshot to w.
func (s *Snapshot) check(w *World) error {
	switch {
	case s == nil:
		return errEmpty
	case s.loading != nil:
		return s.claim(w)
	case s.of == nil:
		return errEmpty
	case s.of != w && s.of.way() != w.way():
		return fmt.Errorf("%w, with the %v stepper; this one has %v", errForeign, s.of.way(), w.way())
	case s.of != w:
		return errForeign
	}
	return nil
}

// restoreSaved restores the contents of a snapshot. The parameter shift is the loop's new tick minus the world's tick.
func (w *World) restoreSaved(s *Snapshot, shift uint64) {
	from, cfg := &s.saved, w.cfg
	w.cfg = from.cfg
	w.cfg.Stepper, w.cfg.Workers = cfg.Stepper, cfg.Workers // the way to step is not part of the world's state
	m := &w.when
	m.tick, m.now, m.shift = from.tick, from.tick, shift
	if m.phase == before { // the step continues
		m.now++
		w.ran = max(w.ran, from.ran) // no controller runs twice in the step
	} else {
		m.dt, w.ran = from.dt, from.ran
	}
	w.links.ground, w.crowd.coming, w.refused = from.ground, from.coming, from.refused
	w.sheet.drawn, w.places.course = from.drawn, from.course // recount will update awake, the number of awake bodies
	w.surfaces.hasOneWay, w.surfaces.someRoll, w.surfaces.someRest = from.hasOneWay, from.someRoll, from.someRest
	w.registry.made = max(w.registry.made, s.made)
	w.contacts.told, w.sheet.drawings = refill(w.contacts.told, s.events), refill(w.sheet.drawings, s.drawings)
	for i := range w.contacts.told {
		w.contacts.told[i].Tick += shift - s.shift
	}
	c := &s.control
	w.preSolve, w.shouldCollide = c.preSolve, c.shouldCollide
	// A loop of Step may be reading these slices. It finds no nil, because append does not clear the elements beyond the new
	// end.
	w.controls, w.hooks = append(w.controls[:0], c.controls...), append(w.hooks[:0], c.hooks...)
	w.states = refill(w.states, c.states)
}

// loadRecord restores the record of a body. The store calls it after noteRecord (see keeping.open).
func (k *keeping) loadRecord(_ int, from *record) {
	r := from.at
	if r == nil {
		return
	}
	shapes := r.shapes[:0]
	for i := range from.shapes {
		sh := from.shapes[i].at
		*sh = from.shapes[i].value
		k.registry.shapes[sh.handle] = sh
		shapes = append(shapes, sh)
	}
	for i := range from.joints {
		j := from.joints[i].at
		gears, extra := j.gears, j.extra
		*j = from.joints[i].value
		j.gears, j.extra = gears, extra
		k.registry.joints[j.handle] = j
	}
	shapes = cleared(r.shapes, shapes)
	*r = from.value
	r.shapes = shapes
	k.registry.bodies[r.handle] = r
	delete(k.masses.weighed, r) // the stored masses belong to the old shapes
}

// listJoints finds the gears of all joints, and the joints that can break.
func (k *links) listJoints() {
	k.breakable = k.breakable[:0]
	for j := k.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			if r.gears = r.gears[:0]; r.canBreak() {
				k.breakable = append(k.breakable, r)
			}
		}
	}
	slices.Reverse(k.breakable) // the order is now that of creation, as in each joint's list of gears
	for j := k.b2.M_jointList; j != nil; j = j.GetNext() {
		if r := jointOf(j); r != nil {
			for _, p := range r.parts {
				if p != nil {
					p.gears = slices.Insert(p.gears, 0, r)
				}
			}
		}
	}
}

// restoreFree restores the stack of free slots. Slots that are newer than the snapshot go to the bottom, so that new
// bodies get the same slots as after the snapshot.
func (p *places) restoreFree(s *Snapshot) {
	p.free = p.free[:0]
	for i := len(p.slots) - 1; i >= s.slotCount; i-- {
		p.free = append(p.free, int32(i))
	}
	p.free = append(p.free, s.free...)
}

// restoring is used during a restore, and has the looks of objects before the restore.
type restoring struct {
	how        manner
	old, count int                    // the old and the new number of slots
	bodies     []bodyLook             // by slot: looks of the bodies whose records the restore changes
	shapes     []shapeLook            // looks of the shapes in the records that the restore brings back, in the order of these records
	joints     []body2d.JointGeometry // geometries of the joints in these records, in their order; zero for a joint that did not exist
}

// bodyLook has the look of the body in a slot before a restore.
type bodyLook struct {
	slot   int32
	rec    *body   // nil if the slot had no body
	to     *record // to is the object's new record.
	local  box2d.B2Vec2
	mass   float64
	kind   uint8
	name   string
	colour body2d.Colour
}

// shapeLook has the look of a shape before a restore.
type shapeLook struct {
	alive    bool // alive says that the object existed.
	colour   body2d.Colour
	filter   Filter
	material Material
	segments []Material
}

// noteRecord is called before the record in a slot is restored. It stores the look of the body in the slot, and drops the
// joints and shapes of the body that the new record lacks.
func (k *keeping) noteRecord(n int, to *record) {
	if n >= len(k.places.slots) {
		return
	}
	back, r := &k.back, k.places.slots[n].rec
	look := bodyLook{slot: int32(n), rec: r, to: to}
	for i := range to.shapes {
		sh := to.shapes[i].at
		sh.seen = k.restores
		back.shapes = append(back.shapes, shapeLook{k.registry.shapes[sh.handle] == sh, sh.colour, sh.filter, sh.material, sh.segments})
	}
	for i := range to.joints {
		j := to.joints[i].at
		j.seen = k.restores
		var line body2d.JointGeometry
		if k.registry.joints[j.handle] == j {
			line = j.geometry()
		}
		back.joints = append(back.joints, line)
	}
	if r != nil {
		b := r.b
		look.local, look.kind, look.mass = b.M_sweep.LocalCenter, b.M_type, b.M_mass
		look.name, look.colour = r.name, r.colour
		if back.how == asStep && to.at == nil {
			k.vanish(r)
		}
		k.dropUnseen(r, to)
	}
	back.bodies = append(back.bodies, look)
}

// dropUnseen drops the joints and shapes of a body that the restored record to lacks. If the record is of another body, it
// drops the body, too.
func (k *keeping) dropUnseen(r *body, to *record) {
	gone := r != to.at
	for j := range r.joints() { // each joint is visited once, by its second body
		if j.seen == k.restores {
			continue
		}
		delete(k.registry.joints, j.handle)
		k.news.announce(lateRecord{kind: body2d.JointRemoved, id: j.id})
		// A joint that stays may have the handle of another joint, if one of the two was read from bytes.
		if k.back.how != asBefore && !slices.ContainsFunc(to.joints, func(k kept[joint]) bool { return k.value.handle == j.handle }) {
			k.news.jointEvent(JointRemoved, j)
		}
	}
	for _, sh := range r.shapes {
		if sh.seen == k.restores {
			continue
		}
		delete(k.registry.shapes, sh.handle)
		sh.fix = nil
		if !gone {
			k.news.announce(lateRecord{kind: body2d.ShapeRemoved, slot: r.slot, id: sh.id})
		}
	}
	if gone {
		delete(k.registry.bodies, r.handle)
		delete(k.masses.weighed, r)
	}
}

// dropBodies drops the bodies that a restore removes, after their joints.
func (k *keeping) dropBodies() {
	back := &k.back
	for i := range back.bodies {
		r := back.bodies[i].rec
		if r == nil || r == back.bodies[i].to.at {
			continue
		}
		if gone := (lateRecord{kind: body2d.BodyRemoved, slot: r.slot}); k.places.stillShown(r.slot) {
			k.news.late = append(k.news.late, gone)
		} else {
			k.news.announce(gone)
		}
		if back.how != asBefore && k.registry.bodies[r.handle] == nil { // if not, another body has the handle, because one of the two was read from bytes
			e := k.news.event(BodyRemoved)
			e.A, e.NameA, e.User = r.handle, r.name, r.user
		}
		r.b.SetUserData(nil)
		r.b, r.user = nil, nil
	}
}

// shownAt has the body in a slot, and the body's place.
type shownAt struct {
	rec    *body
	centre box2d.B2Vec2
	angle  float64
}

// noteShown stores the places of all bodies before a restore, for markJumps.
func (p *places) noteShown() {
	shown := reslice.ResizeDirty(p.shown, len(p.slots))
	p.shown = shown
	for n := range p.slots {
		s := &p.slots[n]
		if shown[n] = (shownAt{rec: s.rec}); s.b != nil {
			shown[n].centre, shown[n].angle = s.b.M_sweep.C, s.b.M_sweep.A
		}
	}
}

// markJumps marks the bodies that a restore has moved. The picture shows these bodies at their new places at once.
func (p *places) markJumps() {
	for n, was := range p.shown[:min(len(p.shown), len(p.slots))] {
		if s := &p.slots[n]; s.b != nil && (was.rec != s.rec || was.centre != s.b.M_sweep.C || was.angle != s.b.M_sweep.A) {
			s.jump = jumpPending
			p.changed.Mark(int32(n))
		}
	}
	clear(p.shown)
}

// announceRestored announces the bodies and shapes that are new or look different after a restore. Then it announces such
// joints, the oldest first. The parameter others has fixtures that looked different before the restore.
func (k *keeping) announceRestored(others []*box2d.B2Fixture) {
	if k.news.out == nil {
		return
	}
	for _, f := range others {
		if sh := shapeOf(f); sh != nil {
			sh.looks = k.restores
		}
	}
	back := &k.back
	looks := back.shapes
	for i := range back.bodies {
		was := &back.bodies[i]
		r := was.to.at
		switch {
		case r == nil:
			continue
		case was.rec != r:
			k.news.announceBody(r, body2d.BodyAdded)
		case was.kind != r.b.M_type || was.local != r.b.M_sweep.LocalCenter || was.mass != r.b.M_mass || was.name != r.name || was.colour != r.colour:
			k.news.announceBody(r, body2d.BodyChanged)
		}
		for i, sh := range r.shapes {
			switch look := &looks[i]; {
			case was.rec != r, !look.alive:
				k.news.announceShape(sh)
			case sh.looks == k.restores || look.colour != sh.colour || look.filter != sh.filter || look.material != sh.material || !slices.Equal(look.segments, sh.segments):
				k.news.announce(lateRecord{kind: body2d.ShapeRemoved, slot: was.slot, id: sh.id})
				k.news.announceShape(sh)
			}
		}
		looks = looks[len(r.shapes):]
	}
	lines := back.joints
	for i := range back.bodies {
		joints := back.bodies[i].to.joints
		for i := range slices.Backward(joints) {
			r := joints[i].at
			switch line := r.geometry(); {
			case lines[i] == body2d.JointGeometry{}:
				k.news.announceJoint(r)
			case lines[i] != line:
				k.news.announce(lateRecord{kind: body2d.JointRemoved, id: r.id})
				k.news.announceJoint(r)
			}
		}
		lines = lines[len(joints):]
	}
}
