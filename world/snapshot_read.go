package world

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/internal/b2state"
	"halfstep/internal/plain"
)

// snapshotReader reads what is left of some bytes, until an error.
type snapshotReader struct {
	b   []byte
	err error
}

// plain reads the plain part of a variable, by a pointer to it.
func (r *snapshotReader) plain(p any) {
	if r.err != nil {
		return
	}
	v := reflect.ValueOf(p).Elem()
	if r.b, r.err = plain.Read(r.b, v); r.err == nil && !plain.Finite(v) {
		r.err = errors.New("a number is not finite")
	}
}

var errContradiction = errors.New("it contradicts itself")

// want refuses the bytes unless something holds.
func (r *snapshotReader) want(ok bool) bool {
	if !ok && r.err == nil {
		r.err = errContradiction
	}
	return r.err == nil
}

// number reads a number below a limit.
func (r *snapshotReader) number(limit int) int {
	n, used := binary.Uvarint(r.b)
	if !r.want(used > 0 && n < uint64(max(limit, 0))) {
		return 0
	}
	r.b = r.b[used:]
	return int(n)
}

// count reads how many elements follow, of some bytes each at least.
func (r *snapshotReader) count(each int) int { return r.number(len(r.b)/each + 1) }

// readEach reads what appendEach has appended, of some bytes each at least.
func readEach[T any](r *snapshotReader, each int) []T {
	list := make([]T, r.count(each))
	for i := range list {
		r.plain(&list[i])
	}
	return list
}

func (r *snapshotReader) user() any {
	i := r.number(len(userTypes))
	if i == 0 || r.err != nil {
		return nil
	}
	v := reflect.New(userTypes[i]).Elem()
	if r.b, r.err = plain.Read(r.b, v); r.err != nil { // it may be infinite
		return nil
	}
	return v.Interface()
}

// read reads everything behind the header, which names the architecture.
func (s *Snapshot) read(r *snapshotReader, own bool, arch string) error {
	s.loading = new(loading)
	r.plain(s.loading)
	r.plain(&s.user)
	r.plain(&s.userEnds)
	last := 0
	for _, end := range s.userEnds {
		r.want(end >= last && end <= len(s.user))
		last = end
	}
	if !r.want(len(s.userEnds) == len(s.loading.stateful)) {
		return r.err
	}
	b2, rest, err := b2state.Read(r.b, true)
	if err == nil {
		err = b2.Each(checkBody, checkShape, checkJoint)
	}
	if err != nil {
		return err
	}
	s.b2, r.b = *b2, rest
	if r.want(s.arch() == arch) && arch == anyArch {
		r.plain(&s.soft)
	}

	r.plain(&s.saved)
	r.plain(&s.counters)
	if r.err == nil {
		r.err = s.saved.cfg.Validate()
	}
	c := s.saved.cfg
	if r.err == nil && arch == anyArch {
		r.err = s.soft.Check(s.b2.Bodies(), s.b2.Contacts(), s.b2.Joints(), s.b2.Nodes(), c.SubSteps)
	}
	r.want(c.VelocityIterations > 0 && c.PositionIterations > 0 && c.MaxContacts > 0 && s.made <= madeHere/2) // so that it never counts on to where handles repeat
	var ground int64
	r.plain(&ground)
	bodies, fixtures, joints := make([]bool, s.b2.Bodies()), make([]bool, s.b2.Fixtures()), make([]bool, s.b2.Joints())
	if ground != -1 && r.want(ground >= 0 && ground < int64(len(bodies))) {
		bodies[ground] = true
		s.saved.ground = s.b2.Body(int(ground), nil)
	}
	s.readBodies(r, bodies)
	s.readShapes(r, fixtures)
	s.readJoints(r, joints)
	s.readSlots(r)
	var waiting []int32
	r.plain(&waiting)
	s.events = readEach[Event](r, 50)
	for _, i := range waiting {
		if r.want(i >= 0 && int(i) < len(s.bodies) && s.bodies[i].value.loaded) {
			v := &s.bodies[i].value
			s.loaded = append(s.loaded, loaded{s.bodies[i].at, v.frame, v.once, v.given})
		}
	}
	for i := range s.bodies {
		s.bodies[i].value = s.bodies[i].value.withoutForces()
	}
	s.readNumbered(r, own)
	r.want(len(r.b) == 0)
	return r.err
}

// takes reports whether something has no owner yet, and gives it one.
func takes(owned []bool, i int) bool {
	if i >= len(owned) || owned[i] {
		return false
	}
	owned[i] = true
	return true
}

func (s *Snapshot) readBodies(r *snapshotReader, owned []bool) {
	s.recordSet = &recordSet{users: 1}
	s.bodies = make([]kept[body], r.count(50))
	handles := map[Body]bool{}
	shapes := 0
	for i := range s.bodies {
		k := &s.bodies[i]
		k.at = new(body)
		n := r.number(len(owned))
		r.plain(&k.value)
		v := &k.value
		v.user = r.user()
		mass := false
		if r.plain(&mass); mass {
			v.mass = new(Mass)
			if r.plain(v.mass); r.err == nil {
				r.err = v.mass.check()
			}
		}
		count := r.count(20)
		if !r.want(v.handle != 0 && !handles[v.handle] && count <= MaxBodyShapes && takes(owned, n)) {
			return
		}
		handles[v.handle] = true
		v.b = s.b2.Body(n, k.at)
		v.shapes = make([]*shape, count)
		shapes += count
		*k.at = *v
	}
	s.shapes = make([]kept[shape], min(shapes, len(r.b)))
	r.want(shapes == len(s.shapes))
}

func (s *Snapshot) readShapes(r *snapshotReader, owned []bool) {
	handles := map[Shape]bool{}
	of, k := 0, 0
	for i := range s.shapes {
		for r.err == nil && k == len(s.bodies[of].value.shapes) {
			of, k = of+1, 0
		}
		sh := &s.shapes[i]
		sh.at = new(shape)
		n := r.number(len(owned))
		r.plain(&sh.value)
		v := &sh.value
		v.user = r.user()
		if !r.want(v.handle != 0 && !handles[v.handle] && takes(owned, n)) {
			return
		}
		handles[v.handle] = true
		f, b := s.b2.Fixture(n, sh.at)
		body := &s.bodies[of]
		if !r.want(b == body.value.b) {
			return
		}
		v.fix, v.of = f, body.at
		body.value.shapes[k] = sh.at
		k++
		*sh.at = *v
	}
}

func (s *Snapshot) readJoints(r *snapshotReader, owned []bool) {
	s.joints = make([]kept[joint], r.count(15))
	handles := map[Joint]bool{}
	parts := make([][2]int64, len(s.joints))
	for i := range s.joints {
		k := &s.joints[i]
		k.at = new(joint)
		n := r.number(len(owned))
		r.plain(&k.value)
		v := &k.value
		v.user = r.user()
		r.plain(&parts[i])
		if !r.want(v.handle != 0 && !handles[v.handle] && v.kind <= MotorJoint && takes(owned, n)) {
			return
		}
		handles[v.handle] = true
		v.j = s.b2.Joint(n, k.at)
		r.want((v.kind == GearJoint) == (parts[i] != [2]int64{-1, -1}))
	}
	for i := range s.joints {
		v := &s.joints[i].value
		for k, p := range parts[i] {
			if p != -1 && r.want(p >= 0 && p < int64(len(s.joints)) && s.joints[p].value.kind <= PrismaticJoint) {
				v.parts[k] = s.joints[p].at
			}
		}
		*s.joints[i].at = *v
	}
}

// readSlots reads the slots. Each is that of a body, or free.
func (s *Snapshot) readSlots(r *snapshotReader) {
	s.slots = readEach[slot](r, 50)
	s.slotCount = len(s.slots)
	r.plain(&s.free)
	for i := range s.bodies {
		v := &s.bodies[i].value
		if !r.want(v.slot >= 0 && int(v.slot) < len(s.slots) && s.slots[v.slot].rec == nil) {
			return
		}
		to := &s.slots[v.slot]
		// A lost body is put back there.
		r.want(isPoint(to.origin, farthest) && within(to.angle, farthest) &&
			within(to.vx, maxValue) && within(to.vy, maxValue) && within(to.omega, maxValue))
		to.rec, to.b = s.bodies[i].at, v.b
		to.generation &= body2d.GenerationMask
	}
	free := make([]bool, len(s.slots))
	for _, i := range s.free {
		if !r.want(i >= 0 && int(i) < len(s.slots) && s.slots[i].rec == nil && takes(free, int(i))) {
			return
		}
		s.slots[i] = slot{generation: s.slots[i].generation & body2d.GenerationMask, jump: noJump}
	}
	r.want(len(s.bodies)+len(s.free) == len(s.slots))
}

// claim makes a snapshot that was read that of a world.
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
	w.shapeID, w.jointID = max(w.shapeID, s.shapeID), max(w.jointID, s.jointID)
	w.chosen.raise(s.chosen)
	w.handles.reserve(w.chosen)
	w.lastEdit++ // nothing has been like it yet
	s.of, s.loading, s.edits, s.jointed = w, nil, w.lastEdit, w.lastEdit
	s.recordSet.edits = s.edits
	for _, inner := range s.numbered {
		if err := inner.claim(w); err != nil {
			return err
		}
	}
	return nil
}
