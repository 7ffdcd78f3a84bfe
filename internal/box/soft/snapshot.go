package soft

import (
	"errors"
	"reflect"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/b2state"
	"halfstep/internal/box/store"
)

// Between two steps a [Stepper] has some values that affect the next step and cannot be computed
// from the world. These values are in columns of the world's store, beside the columns of the
// library's objects.

// State has the columns, and the values that do not belong to an object.
type State struct {
	subSteps int32
	lastH    float32
	*columns
}

type columns struct {
	bodies   store.Kept[savedBody]
	boxes    store.Kept[savedBox] // by shape
	contacts store.Kept[contact]  // contacts has zero for a contact that no step has seen yet (see isKnown).
	joints   store.Kept[pushed]
}

// savedBody has the saved fields of body and pose.
type savedBody struct {
	known       bool // known says that a step has seen the body.
	fast        bool
	change      box.Change // change has the edits since the last step.
	localCenter box2d.B2Vec2
	x, y, a     float64
	q           rot

	mass, inertia float64 // mass and inertia are the values that the last step read
}

// savedBox is a fat box that differs from the tree's box, or that the next narrow phase must check.
// It is zero for other shapes.
type savedBox struct {
	is    bool
	moved uint8 // moved is the value of shapes.moved.
	aabb
}

// keeper saves and restores the values that affect the next step.
type keeper struct {
	set      *box.World
	bodies   *bodies
	shapes   *shapes
	contacts *contacts
	joints   *joints
	loader   *loader
}

// Keep adds columns to the store of a world, after the columns of the world's b2state.Past.
func (s *Stepper) Keep(to *store.Store) { s.columns = newColumns(&s.keeper, s.set, to) }

func newColumns(s *keeper, of *box.World, to *store.Store) *columns {
	return &columns{
		bodies:   store.Add(to, &store.Column[savedBody]{Stamps: &of.Bodies.Stamps, Save: s.saveBodies, Free: s.unloadBody, Load: s.restoreBody, Flat: true}),
		boxes:    store.Add(to, &store.Column[savedBox]{Stamps: &of.Shapes.Stamps, Save: s.saveBoxes, Load: s.restoreBox, Same: func(a, b *savedBox) bool { return *a == *b }, Flat: true}),
		contacts: store.Add(to, &store.Column[contact]{Stamps: &of.Contacts.Stamps, Save: s.saveContacts, Load: s.restoreContact, Flat: true}),
		joints:   store.Add(to, &store.Column[pushed]{Stamps: &of.Joints.Stamps, Save: s.saveJoints, Load: s.restoreJoint, Flat: true}),
	}
}

// Save saves the values that are in no column. It can be called between two steps.
func (s *Stepper) Save(st *State) { *st = State{int32(s.stride.subSteps), s.stride.lastH, s.columns} }

// Restore restores the values that Save saves. It is called after the store has restored the
// world.
func (s *Stepper) Restore(st *State) {
	s.stride.subSteps, s.stride.lastH, s.pairs.packed.fits = int(st.subSteps), st.lastH, false
	s.shapes.movedList = slices.DeleteFunc(s.shapes.movedList, func(n int32) bool { return s.shapes.moved[n] == 0 })
	s.regions.count = noRegions // contacts have no colours until the next step
}

func (s *keeper) saveBodies(r store.Run, to []savedBody) {
	for i, n := range r.Things() {
		if to[i] = (savedBody{}); n < len(s.set.Bodies.All) && s.set.Bodies.All[n].B != nil {
			s.saveBody(n, &to[i])
		}
	}
}

func (s *keeper) saveBody(n int, to *savedBody) {
	b := s.set.Bodies.All[n].B
	k := s.bodies.numberOf(b)
	if k < 0 || !s.bodies.all[k].seen {
		return
	}
	e, p := &s.bodies.all[k], &s.bodies.poses[k]
	to.known, to.fast, to.change = true, p.flags&poseFast != 0, s.loader.changeOf(k)
	s.set.Bodies.All[k].Change |= to.change // this holds even if other code undoes the change before the step, because a restore brings the change back
	to.localCenter, to.x, to.y, to.a, to.q = e.localCenter, p.x, p.y, e.a, p.q
	to.mass, to.inertia = e.mass, e.inertia
	if to.change&box.Placed != 0 && !isFinite(e.a+p.x+p.y+float64(p.q.s+p.q.c)) {
		to.x, to.y, to.a, to.q = 0, 0, 0, rot{}
	}
}

// unloadBody is called for all bodies before restoreBody is called for any body. It forgets the
// shapes of a body if they are not those of the state.
func (s *keeper) unloadBody(n int, from *savedBody) {
	if n >= len(s.set.Bodies.All) {
		return
	}
	if n >= len(s.bodies.all) {
		s.bodies.grow()
	}
	if s.bodies.all[n].fixed {
		s.shapes.noteStatics(int32(n))
	}
	s.loader.replaceBody(int32(n))
	if s.set.Bodies.All[n].B == nil {
		return
	}
	if e := &s.bodies.all[n]; !from.known || from.change&box.Reshaped != 0 || e.localCenter != from.localCenter || s.loader.differs(int32(n))&box.Reshaped != 0 {
		s.shapes.forget(e)
		*e = body{b: e.b, first: -1, count: -1}
	}
	s.bodies.poses[n] = pose{extent: s.bodies.poses[n].extent}
	s.bodies.passing = append(s.bodies.passing, int32(n))
}

// restoreBody loads the shapes of a body if necessary, and restores the body's saved values.
func (s *keeper) restoreBody(n int, from *savedBody) {
	if n >= len(s.set.Bodies.All) || !from.known {
		return
	}
	s.shapes.grow()
	k := int32(n)
	e, p := &s.bodies.all[k], &s.bodies.poses[k]
	switch {
	case from.change&box.Reshaped != 0:
		e.localCenter = from.localCenter
	case e.count < 0:
		s.shapes.copy(k)
	}
	e.fixed = e.b.M_type != b2.DynamicBody
	e.seen, e.a = true, from.a
	s.set.Bodies.All[k].Change = from.change
	e.mass, e.inertia = from.mass, from.inertia
	p.x, p.y, p.q = from.x, from.y, from.q
	if from.fast {
		p.flags = poseFast
	}
	for k := e.first; k >= 0; k = s.shapes.all[k].next {
		s.shapes.room[k] = 0
	}
	if e.fixed {
		s.shapes.noteStatics(k)
	}
}

func (s *keeper) saveBoxes(r store.Run, to []savedBox) {
	for i, n := range r.Things() {
		if to[i] = (savedBox{}); s.set.Shapes.Tree.Has(int32(n)) {
			s.saveBox(n, &to[i])
		}
	}
}

func (s *keeper) saveBox(n int, to *savedBox) {
	if n < len(s.shapes.moved) {
		to.moved, to.aabb = s.shapes.moved[n], s.shapes.fatBoxes[n]
	}
	tree := boxOf(s.set.Shapes.Tree.Box(int32(n)))
	if to.is = to.moved != 0 || to.aabb != tree; !to.is {
		*to = savedBox{}
	} else if !to.isFinite() && tree.isFinite() {
		to.aabb = aabb{} // a remainder of a shape that was destroyed
	}
}

// restoreBox copies a fat box from the tree. If the saved box has a fat box, it uses that
// instead.
func (s *keeper) restoreBox(n int, from *savedBox) {
	s.shapes.grow()
	if n >= len(s.shapes.all) {
		return
	}
	tree := aabb{} // this is the value of tree without a shape
	if s.set.Shapes.Tree.Has(int32(n)) {
		tree = boxOf(s.set.Shapes.Tree.Box(int32(n)))
	}
	s.shapes.fatBoxes[n], s.shapes.room[n] = tree, 0
	if from.is {
		s.shapes.fatBoxes[n] = from.aabb
	}
	s.shapes.swept[n] = tree.beyond(&s.shapes.fatBoxes[n])
	if from.moved != 0 && s.shapes.moved[n] == 0 {
		s.shapes.movedList = append(s.shapes.movedList, int32(n))
	}
	s.shapes.moved[n] = from.moved
}

func (s *keeper) saveContacts(r store.Run, to []contact) {
	for i, n := range r.Things() {
		if n < len(s.set.Contacts.All) && s.set.Contacts.All[n].ID != 0 && s.set.Contacts.All[n].Known {
			to[i] = s.contacts.all[n]
		} else {
			to[i] = contact{}
		}
	}
}

func (s *keeper) restoreContact(n int, from *contact) {
	if n >= len(s.set.Contacts.All) || s.set.Contacts.All[n].ID == 0 {
		return
	}
	e := &s.set.Contacts.All[n]
	e.Known = from.isKnown()
	s.contacts.all = growTo(s.contacts.all, n+1)
	s.contacts.all[n] = *from
}

// isKnown reports whether a saved contact is not zero. The two bodies of a contact are never the
// same.
func (c *contact) isKnown() bool { return c.bodyA != c.bodyB }

func (s *keeper) saveJoints(r store.Run, to []pushed) {
	for i, n := range r.Things() {
		if to[i] = (pushed{}); n < len(s.set.Joints.All) && s.set.Joints.All[n].Base != nil && s.set.Joints.All[n].Known {
			to[i] = s.joints.all[n].pushed
		}
	}
}

func (s *keeper) restoreJoint(n int, from *pushed) {
	if n < len(s.set.Joints.All) && s.set.Joints.All[n].Base != nil {
		s.joints.all = growTo(s.joints.all, n+1)
		s.joints.at(int32(n)).pushed = *from
	}
}

func (b *aabb) isFinite() bool { return isFinite(b.lx + b.ly + b.ux + b.uy) }

var (
	errState   = errors.New("the soft stepper's state contradicts itself")
	errForeign = errors.New("soft: the world holds a contact or joint that is not the library's own")
)

// contactValues are the values of a contact that cannot be computed from its shapes. Append
// writes only these.
type contactValues struct {
	known                               bool
	count                               uint8
	flags                               uint16
	friction, restitution, tangentSpeed float32
	normal                              vec
	kept                                kept
	points                              [2]point
}

// boxOfShape is a savedBox in the form in which Append writes it.
type boxOfShape struct {
	shape int32
	savedBox
}

// Layout describes the types that Append writes. Versions with different layouts cannot read each
// other's States.
func Layout() (s string) {
	for _, t := range []reflect.Type{reflect.TypeFor[savedBody](), reflect.TypeFor[contactValues](), reflect.TypeFor[boxOfShape](), reflect.TypeFor[pushed]()} {
		s += binenc.Describe(t)
	}
	return s
}

// Values returns all values of the State except the boxes. The boxes of shapes that no step has
// seen yet are remainders of other shapes.
func (st *State) Values(of *b2state.State) binenc.Values {
	return func(f func(any)) {
		f(&st.subSteps)
		f(&st.lastH)
		at, order := &of.Values, of.Order()
		for _, n := range order.Bodies {
			f(st.bodies.At(at, int(n)))
		}
		for _, n := range order.Contacts {
			c := st.contacts.At(at, int(n))
			v := contactValues{c.isKnown(), c.count, c.flags, c.friction, c.restitution, c.tangentSpeed, c.normal, c.kept, c.points}
			clear(v.points[c.count:])
			f(&v)
		}
		for _, n := range order.Joints {
			f(st.joints.At(at, int(n)))
		}
	}
}

// Append appends the State as bytes.
func (st *State) Append(b []byte, of *b2state.State) []byte {
	add := func(v any) { b = binenc.Append(b, reflect.ValueOf(v).Elem()) }
	st.Values(of)(add)
	boxes := []boxOfShape{}
	st.boxes.Each(&of.Values, func(n int, v *savedBox) {
		if v.is {
			boxes = append(boxes, boxOfShape{int32(n), *v})
		}
	})
	add(&boxes)
	return b
}

// These are tolerances for the square of a rotation's length, which should be 1. The tolerance
// rounding is for a body's rotation. The tolerance predicted is for the rotation in predict,
// which turns two bodies by a smallRotation each. The series of smallRotation omits a¹¹/11! from
// the sine. This is 3.6e-6 at a quarter turn, and 7.2e-6 in the square.
const rounding, predicted = 1e-6, 2e-5

// Read reads the bytes that Append has written, and adds the values to the state of the world
// that was read. If no world with this number of sub-steps can have the State, the reader gets an
// error.
func (st *State) Read(r *binenc.Reader, l *b2state.Loaded, to *b2state.State, subSteps int) {
	of := l.Owner
	st.columns = newColumns(nil, of, l.Store)
	r.Value(&st.subSteps)
	r.Value(&st.lastH)
	ok := int(st.subSteps) == subSteps && st.lastH >= 0
	bodies, contacts, joints := make([]savedBody, of.Bodies.Stamps.Len()), make([]contact, of.Contacts.Stamps.Len()), make([]pushed, of.Joints.Stamps.Len())
	boxes := make([]savedBox, of.Shapes.Stamps.Len())
	for _, b := range l.Bodies {
		v := &bodies[l.Owner.Bodies.Number(b)]
		r.Value(v)
		ok = ok && v.change <= heeded && (!v.known || v.change&box.Placed != 0 || v.q.isRotation(rounding))
	}
	for _, of := range l.Contacts {
		var v contactValues
		r.Value(&v)
		ok = ok && v.count <= 2 && (v.known || v.count == 0) && (v.flags&posed == 0 || v.kept.turn.isRotation(predicted))
		if n := of.Number(); v.known {
			a, b := of.Shapes()
			c := freshContact(&l.Owner.Contacts.All[n], radiusOf(a.M_shape), radiusOf(b.M_shape), b.M_shape)
			c.flags, c.count, c.friction, c.restitution, c.tangentSpeed = v.flags, v.count, v.friction, v.restitution, v.tangentSpeed
			c.normal, c.kept, c.points = v.normal, v.kept, v.points
			contacts[n] = c
		}
	}
	for _, j := range l.Joints {
		r.Value(&joints[l.Owner.Joints.Number(b2.BaseJoint(j))])
	}
	var moved []boxOfShape
	r.Value(&moved)
	for _, v := range moved {
		if ok = ok && v.shape >= 0 && int(v.shape) < len(boxes) && v.moved <= movedHere|movedByOthers; ok {
			boxes[v.shape] = v.savedBox
		}
	}
	if r.Err == nil && !ok {
		r.Err = errState
	}
	store.Read(&to.Values, bodies)
	store.Read(&to.Values, boxes)
	store.Read(&to.Values, contacts)
	store.Read(&to.Values, joints)
}
