package world

import (
	"fmt"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/internal/binenc"
	"halfstep/internal/box"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/store"
	"halfstep/internal/stamps"
)

// read reads everything after the header. The bytes may be hostile. After r.Want(false) every call of the reader fails.
// The arguments of r.Count and binenc.ReadEach are the least size of an element in bytes, so that no list can be longer
// than the bytes allow.
func (s *Snapshot) read(r *binenc.Reader, arch string) error {
	s.scheduled = readScheduled(r)
	s.loading = new(loading)
	r.Value(s.loading)
	r.Value(&s.user)
	r.Value(&s.userEnds)
	last := 0
	for _, end := range s.userEnds {
		r.Expect(end >= last && end <= len(s.user))
		last = end
	}
	if !r.Expect(len(s.userEnds) == len(s.loading.stateful)) {
		return r.Err
	}
	l := b2state.Read(r, arch == anyArch) // with anyArch, the contacts are the soft stepper's and not Box2D's
	if err := checkLoaded(l); r.Err == nil {
		r.Err = err
	}
	r.Expect(s.arch() == arch)
	r.Value(&s.saved)
	r.Value(&s.counters)
	if r.Err == nil {
		r.Err = s.saved.cfg.Validate()
	}
	c := s.saved.cfg
	r.Expect(s.saved.dt >= 0 && s.saved.ran >= 0)
	r.Expect(c.VelocityIterations > 0 && c.PositionIterations > 0 && c.MaxContacts > 0)
	r.Expect(s.made <= madeHere/2) // counting on from there never gives a handle twice
	var ground int64
	r.Value(&ground)
	owned := make([]bool, len(l.Bodies)) // bodies that have a record, or are the ground body
	if ground != -1 && r.Expect(ground >= 0 && ground < int64(len(owned))) {
		owned[ground] = true
		s.saved.ground = l.Bodies[ground]
	}
	var all lists
	all.readBodies(r, l, owned)
	all.readShapes(r, l)
	all.readJoints(r, l)
	slots := s.readSlots(r, all.bodies)
	if r.Err != nil {
		return r.Err
	}
	if err := l.Save(&s.b2); err != nil {
		return err
	}
	if arch == anyArch {
		s.soft.Read(r, l, &s.b2, c.SubSteps)
	}
	s.slots = store.Add(l.Store, &store.Column[slot]{Stamps: new(stamps.Stamps)})
	store.Read(&s.b2.Values, slots)
	s.records = store.Add(l.Store, &store.Column[record]{Stamps: new(stamps.Stamps)})
	store.Read(&s.b2.Values, s.take(&all, len(slots)))
	s.loaded = binenc.ReadEach[loaded](r, 74)
	waits := make([]bool, len(all.bodies))
	for i := range s.loaded {
		n := r.Number(len(all.bodies))
		if !r.Expect(n < len(all.bodies) && takes(waits, n)) {
			break
		}
		s.loaded[i].of = all.bodies[n].at
	}
	s.events = binenc.ReadEach[Event](r, 50)
	s.drawings = binenc.ReadEach[body2d.Drawing](r, 21)
	r.Expect(s.saved.drawn >= 0 && s.saved.drawn <= len(s.drawings) && len(s.drawings) <= body2d.MaxDrawings)
	r.Expect(len(r.Rest) == 0)
	return r.Err
}

// checkLoaded returns an error for objects beyond the limits of a world.
func checkLoaded(l *b2state.Loaded) error {
	for _, b := range l.Bodies {
		if err := checkBody(b); err != nil {
			return err
		}
	}
	for _, f := range l.Fixtures {
		if err := checkShape(f, f.M_shape); err != nil {
			return err
		}
	}
	for _, j := range l.Joints {
		if err := checkJoint(j); err != nil {
			return err
		}
	}
	for _, c := range l.Contacts {
		s := c.Surface()
		if err := checkContact(s.Friction, s.Restitution, s.TangentSpeed); err != nil {
			return err
		}
	}
	return nil
}

// takes marks the element i as owned. It returns false if there is no such element, or if it was owned before.
func takes(owned []bool, i int) bool {
	if i >= len(owned) || owned[i] {
		return false
	}
	owned[i] = true
	return true
}

// readBodies reads the records of bodies. Each record belongs to a body in l that has no record yet.
func (all *lists) readBodies(r *binenc.Reader, l *b2state.Loaded, owned []bool) {
	all.bodies = make([]kept[body], r.Count(50))
	handles := map[Body]bool{}
	shapes := 0
	for i := range all.bodies {
		k := &all.bodies[i]
		k.at = new(body)
		n := r.Number(len(owned))
		r.Value(&k.value)
		v := &k.value
		v.user = binenc.ReadUser(r)
		mass := false
		if r.Value(&mass); mass {
			v.mass = new(Mass)
			if r.Value(v.mass); r.Err == nil {
				r.Err = v.mass.check()
			}
		}
		count := r.Count(20)
		if !r.Expect(v.handle != 0 && !handles[v.handle] && count <= MaxBodyShapes && v.sleepSpeed >= 0 && v.sleepSpin >= 0 && takes(owned, n)) {
			return
		}
		handles[v.handle] = true
		v.b = l.Bodies[n]
		v.b.SetUserData(k.at)
		v.shapes = make([]*shape, count)
		shapes += count
		*k.at = *v
	}
	all.shapes = make([]kept[shape], min(shapes, len(r.Rest)))
	r.Expect(shapes == len(all.shapes))
}

// readShapes reads the records of shapes, body by body.
func (all *lists) readShapes(r *binenc.Reader, l *b2state.Loaded) {
	handles, owned := map[Shape]bool{}, make([]bool, len(l.Fixtures))
	of, k := 0, 0
	for i := range all.shapes {
		for r.Err == nil && k == len(all.bodies[of].value.shapes) {
			of, k = of+1, 0
		}
		sh := &all.shapes[i]
		sh.at = new(shape)
		n := r.Number(len(owned))
		r.Value(&sh.value)
		v := &sh.value
		v.user = binenc.ReadUser(r)
		if !r.Expect(v.handle != 0 && !handles[v.handle] && within(v.surfaceSpeed, maxValue) && v.rolling >= 0 && v.rolling <= maxValue && takes(owned, n)) {
			return
		}
		handles[v.handle] = true
		f, body := l.Fixtures[n], &all.bodies[of]
		if !r.Expect(f.M_body == body.value.b) {
			return
		}
		f.SetUserData(sh.at)
		v.fix, v.of = f, body.at
		body.value.shapes[k] = sh.at
		k++
		*sh.at = *v
	}
}

// readJoints reads the records of joints. The parts of a gear are indices in the list of joints, or -1.
func (all *lists) readJoints(r *binenc.Reader, l *b2state.Loaded) {
	all.joints = make([]kept[joint], r.Count(15))
	owned := make([]bool, len(l.Joints))
	handles := map[Joint]bool{}
	parts := make([][2]int64, len(all.joints))
	for i := range all.joints {
		k := &all.joints[i]
		k.at = new(joint)
		n := r.Number(len(owned))
		r.Value(&k.value)
		v := &k.value
		v.user = binenc.ReadUser(r)
		r.Value(&parts[i])
		if !r.Expect(v.handle != 0 && !handles[v.handle] && v.kind <= MotorJoint && takes(owned, n) && slotOf(l.Joints[n].GetBodyB()) >= 0) {
			return
		}
		handles[v.handle] = true
		v.j, v.extra = l.Joints[n], box.ExtraOf(l.Joints[n])
		v.j.SetUserData(k.at)
		r.Expect(v.extra == nil || checkExtra(v.extra))
		r.Expect((v.kind == GearJoint) == (parts[i] != [2]int64{-1, -1}))
	}
	for i := range all.joints {
		v := &all.joints[i].value
		for k, p := range parts[i] {
			if p != -1 && r.Expect(p >= 0 && p < int64(len(all.joints)) && all.joints[p].value.kind <= PrismaticJoint) {
				v.parts[k] = all.joints[p].at
			}
		}
		*all.joints[i].at = *v
	}
}

// take returns the records by slot, and links the bodies in order of creation.
func (s *Snapshot) take(all *lists, slots int) []record {
	by := make([]record, slots)
	var last *record
	shapes := all.shapes
	for i := range all.bodies {
		at, v := all.bodies[i].at, &all.bodies[i].value
		r := &by[v.slot]
		r.at, r.value = at, v.withoutForces()
		r.shapes, shapes = shapes[:len(v.shapes)], shapes[len(v.shapes):]
		if r.value.prev = s.last; last == nil {
			s.first = at
		} else {
			last.value.next = at
		}
		s.last, last = at, r
	}
	for _, j := range all.joints {
		r := &by[slotOf(j.value.j.GetBodyB())]
		r.joints = append(r.joints, j)
	}
	return by
}

// readSlots reads the slots. Each slot belongs to a body, or is free.
func (s *Snapshot) readSlots(r *binenc.Reader, bodies []kept[body]) []slot {
	slots := binenc.ReadEach[slot](r, 50)
	s.slotCount = len(slots)
	r.Value(&s.free)
	for i := range bodies {
		v := &bodies[i].value
		if !r.Expect(v.slot >= 0 && int(v.slot) < len(slots) && slots[v.slot].rec == nil) {
			return nil
		}
		to := &slots[v.slot]
		// a lost body is put back to this place
		r.Expect(isPoint(to.origin, farthest) && within(to.angle, farthest))
		to.rec, to.b = bodies[i].at, v.b
		to.generation &= body2d.GenerationMask
		to.dying = false
	}
	free := make([]bool, len(slots))
	for _, i := range s.free {
		if !r.Expect(i >= 0 && int(i) < len(slots) && slots[i].rec == nil && takes(free, int(i))) {
			return nil
		}
		slots[i] = slot{generation: slots[i].generation & body2d.GenerationMask, jump: noJump}
	}
	r.Expect(len(bodies)+len(s.free) == len(slots))
	return slots
}

// claim assigns a snapshot from LoadSnapshot to a world. It returns an error if the world has another stepper, or if its
// Stateful code has other types.
func (s *Snapshot) claim(w *World) error {
	of := s.loading
	if name := w.way().String(); of.stepper != name {
		return fmt.Errorf("world: the snapshot is of a world with the %.20q stepper; this one has %q", of.stepper, name)
	}
	s.control.take(&w.callbacks)
	var here []string
	for st := range s.stateful {
		here = append(here, fmt.Sprintf("%T", st))
	}
	if !slices.Equal(here, of.stateful) {
		return fmt.Errorf("world: the snapshot has the state of %.200q; this world has %.200q", of.stateful, here)
	}
	w.registry.shapeID, w.registry.jointID = max(w.registry.shapeID, s.shapeID), max(w.registry.jointID, s.jointID)
	w.registry.chosen.raise(s.chosen)
	w.handles.reserve(w.registry.chosen)
	s.of, s.loading = w, nil
	return nil
}
