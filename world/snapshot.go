package world

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/box"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/soft"
	"halfstep/internal/box/store"
	"halfstep/internal/reslice"
)

// Snapshot is the whole state of a world, bit for bit. After [World.Restore] the same commands give
// the same states, hashes and callbacks. The zero Snapshot is empty, and [World.Snapshot] fills it.
// A Snapshot that is filled again allocates nothing once it is large enough.
//
// A Snapshot contains bodies, shapes, joints and contacts with all values that the solver keeps for
// them. It contains the broad phase, sleep, gravity, forces that wait for a step, the ticks of the
// world, names, smoothing, the list of controllers and hooks, and the state of each [Stateful]. It
// contains the commands that wait for their tick ([Commands.At]), for an engine that begins with the
// snapshot. It does not contain other data of user code: the targets of pointers in User values,
// variables of closures, and registered functions.
//
// A Snapshot keeps bodies in memory that are destroyed after the snapshot. It belongs to the physics
// goroutine of its world. Any goroutine may call MarshalBinary and AppendBinary while no
// World.Snapshot or World.Restore uses the snapshot.
type Snapshot struct {
	of      *World   // nil if the snapshot is empty, and from LoadSnapshot until the first restore
	loading *loading // nil, except from LoadSnapshot until the first restore
	b2      b2state.State
	soft    soft.State // empty unless SoftStep
	saved   saved
	counters
	slots       store.Kept[slot]   // the values are in b2.Values
	records     store.Kept[record] // like the field above
	first, last *body              // in order of creation
	slotCount   int
	free        []int32
	loaded      []loaded
	events      []Event // events of contacts since the last call of the hooks
	drawings    []body2d.Drawing
	control     callbacks
	scheduled   []buffer.Scheduled[Command]
	user        []byte // the states of controllers and other Stateful code, one after the other
	userEnds    []int
}

// saved is the part of a world that a snapshot copies unchanged. Most other parts have another form in a snapshot.
type saved struct {
	cfg    Config
	tick   uint64 // of the moment, like the next two fields
	now    uint64
	dt     float64
	ground *box2d.B2Body
	awake  int32
	coming coming
	drawn  int
	ran    int
	course course

	hasOneWay bool
	someRoll  bool
	someRest  bool
	refused   bool
}

// counters is a part of a world that a snapshot copies. A restore uses these values, but does not copy all of them
// back.
type counters struct {
	shift            uint64 // of the moment, like the next field
	frame            uint64
	made             uint64 // of the registry, like the next three fields
	chosen           chosen
	shapeID, jointID uint32
}

// kept is a copy of a body, shape or joint, with a pointer to the original. A restore copies the value back to the
// original.
type kept[T any] struct {
	at    *T
	value T
}

var (
	errNil     = errors.New("world: no Snapshot to take the state into")
	errEmpty   = errors.New("world: the snapshot is empty")
	errHooks   = errors.New("world: contact hooks are still to be called in this step: take the snapshot in the last one, in a controller or between two steps")
	errForeign = errors.New("world: the snapshot is of another world")
)

// Tick returns the tick of the world ([World.Tick]) in the snapshot.
func (s *Snapshot) Tick() uint64 { return s.saved.tick }

// Stepper returns the stepper of the snapshot's world, or FastStep for an empty snapshot. A snapshot from
// [LoadSnapshot] can only be restored in a world with the same stepper.
func (s *Snapshot) Stepper() (way Stepper) {
	switch {
	case s.loading != nil:
		way, _ = ParseStepper(s.loading.stepper) // claim has refused any other name
	case s.of != nil:
		way = s.of.way()
	}
	return way
}

// Size returns the approximate memory of the snapshot, in bytes. Snapshots share values that have not changed
// between them, but each Size counts these values in full.
func (s *Snapshot) Size() int {
	shapes := s.bodyCount() * int(unsafe.Sizeof(kept[shape]{})) // most bodies have one shape
	return s.b2.Size() + shapes + sizeOf(s.free) + sizeOf(s.scheduled) + sizeOf(s.loaded) + sizeOf(s.events) + sizeOf(s.drawings) + len(s.user)
}

// sizeOf returns the size of a slice, in bytes.
func sizeOf[T any](s []T) int {
	var t T
	return len(s) * int(unsafe.Sizeof(t))
}

// empty drops all pointers of the snapshot, and keeps its memory for later use.
func (s *Snapshot) empty() {
	s.of, s.loading, s.slots, s.records, s.first, s.last, s.slotCount = nil, nil, nil, nil, nil, nil, 0
	s.b2.Forget()
	s.saved = saved{}
	s.loaded, s.events, s.drawings = refill(s.loaded, nil), refill(s.events, nil), refill(s.drawings, nil)
	s.scheduled = refill(s.scheduled, nil)
	s.control.take(&callbacks{})
}

// take copies from to c.
func (c *callbacks) take(from *callbacks) {
	c.controls, c.hooks, c.states = refill(c.controls, from.controls), refill(c.hooks, from.hooks), refill(c.states, from.states)
	c.preSolve, c.shouldCollide = from.preSolve, from.shouldCollide
}

// refill copies the elements of from to the slice to, in the same memory if there is enough.
func refill[T any](to, from []T) []T { return cleared(to, append(to[:0], from...)) }

// cleared returns written, which shares its memory with old. It clears the elements of old that follow written, so
// that the garbage collector can free what they point to.
func cleared[T any](old, written []T) []T {
	if len(written) < len(old) {
		clear(old[len(written):])
	}
	return written
}

// Snapshot copies the state of the world to s. It can be called where a World can be used, except in
// the PreSolve and ShouldCollide hooks, where it returns [ErrStepping]. It returns another error in a
// contact hook, except in the last hook of a step. If a controller takes a snapshot, the state is that
// of the middle of a step: after a restore, the step continues with the next controller. A snapshot
// lacks functions that wait for the end of the step ([World.Later]).
//
// After any other error s is empty: the world has a contact or joint that is not Box2D's own, or a
// [Stateful] failed.
func (w *World) Snapshot(s *Snapshot) error {
	err := w.snapshot(s)
	if err == nil {
		s.takeScheduled(&w.waiting)
	}
	return err
}

// snapshot does the work of Snapshot, except for the commands that wait for their tick.
func (w *World) snapshot(s *Snapshot) error {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return ErrStepping
	}
	if w.when.phase == after && w.hooked < len(w.hooks) {
		return errHooks
	}
	if s == nil {
		return errNil
	}
	if s.of != nil && s.of != w {
		s.empty()
	}
	w.editedRaw() // the program may have changed Box2D's own objects
	w.places.recount()
	if err := w.keeping.past.Save(&s.b2); err != nil {
		s.empty()
		if errors.Is(err, b2state.ErrLocked) {
			return ErrStepping // a step panicked
		}
		return fmt.Errorf("world: no snapshot: %w", err)
	}
	if s.slots, s.records = w.keeping.slots, w.keeping.records; w.soft != nil {
		w.soft.Save(&s.soft)
	}
	s.control.take(&w.callbacks)
	if err := s.takeStates(); err != nil {
		s.empty()
		return err
	}
	s.of, s.loading = w, nil
	m, g := &w.when, &w.registry
	s.saved = saved{
		cfg: w.cfg, tick: m.tick, now: m.now, dt: m.dt, ground: w.links.ground, awake: w.places.awake, coming: w.crowd.coming,
		drawn: w.sheet.drawn, ran: w.ran, course: w.places.course,
		hasOneWay: w.surfaces.hasOneWay, someRoll: w.surfaces.someRoll, someRest: w.surfaces.someRest, refused: w.refused,
	}
	s.counters = counters{m.shift, m.frame, g.made, g.chosen, g.shapeID, g.jointID}
	s.first, s.last = w.registry.first, w.registry.last
	s.takeLoads(&w.forces)
	s.takeFree(&w.places)
	s.events, s.drawings = refill(s.events, w.contacts.told), refill(s.drawings, w.sheet.drawings)
	s.scheduled = refill(s.scheduled, nil)
	return nil
}

// takeLoads copies the forces that wait for a step, and the targets of MoveTo. If a frame with a force has had no
// step yet, takeLoads stores the number of frames since that frame.
func (s *Snapshot) takeLoads(from *forces) {
	list := s.loaded[:0]
	for _, l := range from.loaded {
		if l.of.b != nil {
			if l.given = from.when.frame - l.given; l.frame == (load{}) || from.when.stepped {
				l.given = 0
			}
			list = append(list, l)
		}
	}
	s.loaded = cleared(s.loaded, list)
}

// setLoads gives bodies the forces and targets that takeLoads has copied.
func (o *forces) setLoads(list []loaded) {
	for _, l := range o.loaded {
		l.of.loaded = 0
	}
	o.loaded = refill(o.loaded, list)
	for i := range o.loaded {
		l := &o.loaded[i]
		l.given = o.when.frame - l.given
		l.of.loaded = int32(i) + 1
	}
}

// record is the world's data of a body, of its shapes and of the joints whose second body it is. It lacks values that
// steps change often.
type record struct {
	kept[body]               // the field at is nil in a slot without a body
	shapes     []kept[shape] // in order of creation
	joints     []kept[joint] // newest first
}

func (to *record) copy(from *record) {
	*to = record{from.kept, refill(to.shapes, from.shapes), refill(to.joints, from.joints)}
}

func (to *record) clear() { to.copy(&record{}) }

// keeping has the data that all snapshots of a world share. A snapshot is a version of the columns of a store. Two
// snapshots share all values that have not changed between them.
type keeping struct {
	box      *box.World
	registry *registry
	places   *places
	news     *news
	masses   *masses

	past     *b2state.Past  // columns of Box2D's objects
	geometry b2state.Shapes // geometry has the shapes of these objects.
	slots    store.Kept[slot]
	records  store.Kept[record] // by slot
	store    *store.Store
	back     restoring // back has the data of the current restore.
	restores uint64    // the number of restores so far; a restore marks the bodies, shapes and joints that it keeps with this number
	dt       float64   // s, of the current step back

	moreShapes reslice.Chunk[kept[shape]] // memory for the shapes of records
	moreJoints reslice.Chunk[kept[joint]]
}

// open adds the columns of a world to the store. The parameter soft is nil with FastStep.
func (k *keeping) open(b *box2d.B2World, soft *soft.Stepper) {
	k.store = new(store.Store)
	k.past = b2state.NewPast(b, k.box, k.store, &k.geometry)
	if soft != nil {
		soft.Keep(k.store)
	}
	k.slots = store.Add(k.store, &store.Column[slot]{Stamps: &k.places.changed.Stamps, Save: k.places.saveSlots, Load: k.loadSlot})
	k.records = store.Add(k.store, &store.Column[record]{Stamps: &k.registry.edits, Save: k.saveRecords, Before: k.noteRecord, Load: k.loadRecord, Copy: (*record).copy, Clear: (*record).clear})
}

// saveSlots saves slots without the bodies that were destroyed after the step. Those bodies stay only until the state
// of the step is published.
func (p *places) saveSlots(r store.Run, to []slot) {
	for i, n := range r.Things() {
		if n >= len(p.slots) {
			to[i] = slot{}
		} else if to[i] = p.slots[n]; to[i].dying {
			to[i] = to[i].freed()
		}
	}
}

// loadSlot restores a slot. If the body in the slot changes, the slot gets a new generation, so that pictures do not
// blend between the two bodies.
func (k *keeping) loadSlot(n int, from *slot) {
	if n >= len(k.places.slots) {
		return
	}
	to, back := &k.places.slots[n], &k.back
	generation, rec := to.generation, to.rec
	if rec != nil && rec != from.rec {
		generation = (generation + 1) & body2d.GenerationMask
	}
	if *to = *from; n >= back.count {
		*to = slot{jump: noJump}
	}
	if n < back.old { // the slot was in use before the restore; other slots get the generation from the snapshot
		to.generation = generation
	}
	if to.generation != from.generation || n >= back.count {
		k.places.changed.Mark(int32(n)) // the slot now differs from the slot in the snapshot
	}
}

// saveRecords copies the present records of bodies to a snapshot.
func (k *keeping) saveRecords(r store.Run, to []record) {
	for i, n := range r.Things() {
		shapes, joints := to[i].shapes[:0], to[i].joints[:0]
		var is kept[body]
		if n < len(k.places.slots) && k.places.slots[n].b != nil {
			is.at = k.places.slots[n].rec
			is.value = is.at.withoutForces()
			shapes = withRoom(shapes, len(is.at.shapes), &k.moreShapes, len(to))
			count := 0
			for range is.at.joints() {
				count++
			}
			joints = withRoom(joints, count, &k.moreJoints, len(to))
			for _, sh := range is.at.shapes {
				shapes = append(shapes, kept[shape]{sh, *sh})
			}
			for j := range is.at.joints() {
				joints = append(joints, kept[joint]{j, *j})
			}
		}
		to[i] = record{is, cleared(to[i].shapes, shapes), cleared(to[i].joints, joints)}
	}
}

// withRoom returns an empty slice with room for n elements. The slice is s, or a part of an allocation that several
// slices share.
func withRoom[T any](s []T, n int, more *reslice.Chunk[T], others int) []T {
	if n > cap(s) {
		s = more.Take(n, others)
	}
	return s[:0]
}

// joints yields the joints whose second body is r.
func (r *body) joints() iter.Seq[*joint] {
	return func(yield func(*joint) bool) {
		for e := r.b.M_jointList; e != nil; e = e.Next {
			if j := jointOf(e.Joint); j != nil && e.Joint.GetBodyB() == r.b && !yield(j) {
				return
			}
		}
	}
}

// takeFree copies the list of free slots. It treats slots of bodies that were destroyed after the step as free.
func (s *Snapshot) takeFree(from *places) {
	s.slotCount = len(from.slots)
	s.free = refill(s.free, from.free)
	for _, d := range from.dying {
		if !d.freed {
			s.free = append(s.free, d.slot)
		}
	}
}

// slot returns slot i of the snapshot.
func (s *Snapshot) slot(i int) slot { return *s.slots.At(&s.b2.Values, i) }

func (s *Snapshot) bodyCount() int { return s.slotCount - len(s.free) }

// record returns the snapshot's record of the body in a slot.
func (s *Snapshot) record(i int) *record { return s.records.At(&s.b2.Values, i) }

// lists has the records of a snapshot in the order in which they are written as bytes.
type lists struct {
	bodies []kept[body]  // in order of creation
	shapes []kept[shape] // body by body
	joints []kept[joint] // newest first
}

// listed makes the lists of a snapshot. Any goroutine may call it.
func (s *Snapshot) listed() (all lists) {
	n := s.bodyCount()
	all.bodies, all.shapes = make([]kept[body], 0, n), make([]kept[shape], 0, n)
	at := make(map[*body]*record, n)
	s.records.Each(&s.b2.Values, func(_ int, r *record) { at[r.at] = r })
	for r := s.first; r != nil; r = at[r].value.next {
		from := at[r]
		all.bodies, all.shapes, all.joints = append(all.bodies, from.kept), append(all.shapes, from.shapes...), append(all.joints, from.joints...)
	}
	slices.SortFunc(all.joints, func(a, b kept[joint]) int { return byAge(&b.value, &a.value) })
	return all
}
