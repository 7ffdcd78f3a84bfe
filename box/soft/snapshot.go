package soft

import (
	"errors"
	"slices"
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/box"
	"halfstep/box/b2"
)

// State is what a [Stepper] knows between two steps that decides the next and does
// not follow from the world. The zero State is empty. [Stepper.Save] fills it, again
// and again, and keeps its memory. It holds no pointers into the world: internal/plain
// writes it as bytes.
type State struct {
	subSteps int32
	lastH    float32
	bodies   []savedBody    // in the order of the world's list
	contacts []savedContact // likewise
	points   []point        // of the contacts, one after the other
	moved    []savedBox
	joints   []pushed // oldest first

	pages any // *pages, instead of these tables if they have an owner; see paged.Table
}

type savedBody struct {
	known       bool // to the stepper, which has not seen new bodies yet
	fast        bool
	change      box.Change // by others, since the last step
	localCenter box2d.B2Vec2
	x, y, a     float64
	q           rot

	mass, inertia float64 // as last seen
}

type savedContact struct {
	known                               bool
	count                               uint8
	flags                               uint16
	friction, restitution, tangentSpeed float32
	normal                              vec
	kept                                kept
}

// savedBox is a fat box that differs from the tree's, or that the next narrow phase
// has to look at.
type savedBox struct {
	proxy int32
	moved uint8
	aabb
}

// Size is how many bytes of memory a State takes, or would take if it shared nothing, but
// for the points.
func (st *State) Size() int {
	if p := pagesOf(st); p != nil && p.of != nil {
		return p.sizes[0]*int(unsafe.Sizeof(savedBody{})) + p.sizes[1]*int(unsafe.Sizeof(savedContact{})) + p.sizes[2]*int(unsafe.Sizeof(pushed{}))
	}
	return size(st.bodies) + size(st.contacts) + size(st.points) + size(st.moved) + size(st.joints)
}

func size[T any](s []T) int {
	var t T
	return len(s) * int(unsafe.Sizeof(t))
}

// Forget empties the State and keeps its memory.
func (st *State) Forget() {
	pagesOf(st).drop()
	st.empty()
}

// empty empties all but the pages.
func (st *State) empty() {
	*st = State{
		bodies: emptied(st.bodies), contacts: emptied(st.contacts), points: emptied(st.points),
		moved: emptied(st.moved), joints: emptied(st.joints), pages: st.pages,
	}
}

// emptied is not nil, which would have other bytes than an empty slice.
func emptied[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s[:0]
}

// Save takes the state. It can be called between two steps.
func (s *Stepper) Save(st *State) {
	w := s.world
	st.Forget()
	st.subSteps, st.lastH = int32(s.opts.SubSteps), s.lastH
	st.bodies = growTo(st.bodies, w.M_bodyCount)
	i := 0
	for b := w.M_bodyList; b != nil; b = b.M_next {
		s.saveBody(&st.bodies[i], b)
		i++
	}
	st.contacts = slices.Grow(st.contacts, w.M_contactManager.M_contactCount)
	s.eachContact(func(_ *box2d.B2Contact, slot int32) {
		c := new(contact)
		if slot >= 0 {
			c = &s.contacts[slot]
		}
		st.addContact(c)
	})
	nodes := w.M_contactManager.M_broadPhase.M_tree.M_nodes
	for p := range nodes {
		if b := s.boxToSave(p, &nodes[p]); b.is {
			st.moved = append(st.moved, savedBox{int32(p), b.moved, b.aabb})
		}
	}
	for j := w.M_jointList; j != nil; j = j.GetNext() {
		st.joints = append(st.joints, s.pushedOf(b2.BaseJoint(j)))
	}
	slices.Reverse(st.joints)
}

// boxToSave returns what a savedBox has of a proxy, if there is to be one. The next step
// looks at what comes to a free node.
func (s *Stepper) boxToSave(p int, n *box2d.B2TreeNode) (b leafBox) {
	if n.Height != 0 {
		return b
	}
	if p < len(s.moved) {
		b.moved, b.aabb = s.moved[p], s.fatBoxes[p]
	}
	tree := boxOf(&n.Aabb)
	if b.is = b.moved != 0 || b.aabb != tree; !b.is {
		return leafBox{}
	}
	if !b.isFinite() && tree.isFinite() {
		b.aabb = aabb{} // was that of a shape that is gone
	}
	return b
}

// addContact takes what a stepper knows of the next contact. If it is none, c is zero:
// no contact holds one body alone.
func (st *State) addContact(c *contact) {
	st.contacts = append(st.contacts, savedContact{
		known: c.bodyA != c.bodyB, count: c.count, flags: c.flags,
		friction: c.friction, restitution: c.restitution, tangentSpeed: c.tangentSpeed,
		normal: c.normal, kept: c.kept,
	})
	st.points = append(st.points, c.points[:c.count]...)
}

func (s *Stepper) saveBody(to *savedBody, b *box2d.B2Body) {
	k := s.numberOf(b)
	if k < 0 || !s.bodies[k].seen {
		*to = savedBody{}
		return
	}
	e, p := &s.bodies[k], &s.poses[k]
	to.known, to.fast, to.change = true, p.flags&poseFast != 0, s.changeOf(k)
	to.localCenter, to.x, to.y, to.a, to.q = e.localCenter, p.x, p.y, e.a, p.q
	to.mass, to.inertia = e.mass, e.inertia
	if to.change&box.Placed != 0 && !isFinite(e.a+p.x+p.y+float64(p.q.s+p.q.c)) {
		to.x, to.y, to.a, to.q = 0, 0, 0, rot{}
	}
}

// isFinite reports whether x is a number, and not an infinite one.
func isFinite(x float64) bool { return x-x == 0 }

func (b *aabb) isFinite() bool { return isFinite(b.lx + b.ly + b.ux + b.uy) }

var (
	errState   = errors.New("the soft stepper's state contradicts itself")
	errForeign = errors.New("soft: the world holds a contact or joint that is not the library's own")
)

// Check refuses a State that was read from bytes and is of no world with so many
// bodies, contacts, joints and nodes of its tree, or has other sub-steps than it should.
func (st *State) Check(bodies, contacts, joints, nodes, subSteps int) error {
	for i := range st.bodies {
		if b := &st.bodies[i]; b.change > heeded || b.known && b.change&box.Placed == 0 && !b.q.isRotation() {
			return errState
		}
	}
	points := 0
	for i := range st.contacts {
		c := &st.contacts[i]
		if c.count > 2 || !c.known && c.count > 0 || c.flags&posed != 0 && !c.kept.turn.isRotation() {
			return errState
		}
		points += int(c.count)
	}
	for i := range st.moved {
		if m := &st.moved[i]; m.proxy < 0 || int(m.proxy) >= nodes || m.moved > movedHere|movedByOthers {
			return errState
		}
	}
	if len(st.bodies) != bodies || len(st.contacts) != contacts || len(st.points) != points || len(st.joints) != joints || int(st.subSteps) != subSteps || st.lastH < 0 {
		return errState
	}
	return nil
}

// Restore puts the state back after the world has been put back to where it was
// when the state was taken (see box/b2state). The state may be of another
// stepper, whose world was a copy of this one; this stepper was made before the world
// was put back.
func (s *Stepper) Restore(st *State) {
	s.opts.SubSteps, s.lastH = int(st.subSteps), st.lastH
	s.set.Restored()
	if !s.set.Renumber() {
		panic(errForeign)
	}
	s.restoreBodies(st)
	s.restoreBoxes(st)
	s.restoreContacts(st)
	s.forgetColours()
	s.restoreJoints(st)
	s.statics.valid, s.fresh = false, false
}

// restoreBodies makes the table of bodies anew. Shapes that are loaded are kept.
func (s *Stepper) restoreBodies(st *State) {
	s.followBodies()
	for i := range s.bodies {
		s.replaceBody(int32(i))
	}
	each := func(f func(n int32, from *savedBody)) {
		i := 0
		for b := s.world.M_bodyList; b != nil; b = b.M_next {
			f(s.set.Number(b), &st.bodies[i])
			i++
		}
	}
	each(s.unloadBody)
	s.growShapes()
	each(s.restoreBody)
}

// unloadBody forgets the shapes of a body if others are to be loaded.
func (s *Stepper) unloadBody(k int32, from *savedBody) {
	if e := &s.bodies[k]; !from.known || from.change&box.Reshaped != 0 || e.localCenter != from.localCenter || s.differs(k)&box.Reshaped != 0 {
		s.forgetShapes(e)
		*e = body{b: e.b, first: -1, count: -1}
	}
	s.poses[k] = pose{extent: s.poses[k].extent}
}

// restoreBody follows when all shapes are forgotten that are to be.
func (s *Stepper) restoreBody(k int32, from *savedBody) {
	e, p := &s.bodies[k], &s.poses[k]
	if !from.known {
		return
	}
	switch {
	case from.change&box.Reshaped != 0:
		e.localCenter = from.localCenter
	case e.count < 0:
		s.copyShapes(k)
	}
	e.fixed = e.b.M_type != b2.DynamicBody
	e.seen, e.a = true, from.a
	s.set.Body[k].Change = from.change
	e.mass, e.inertia = from.mass, from.inertia
	p.x, p.y, p.q = from.x, from.y, from.q
	if from.fast {
		p.flags = poseFast
	}
	for k := e.first; k >= 0; k = s.shapes[k].next {
		s.room[k] = 0
	}
}

// restoreBoxes copies the fat boxes from the tree, but for those of which more is
// known.
func (s *Stepper) restoreBoxes(st *State) {
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	for p := range nodes {
		s.fatBoxes[p], s.room[p] = boxOf(&nodes[p].Aabb), 0
	}
	for _, p := range s.movedList {
		s.moved[p] = 0
	}
	s.movedList = s.movedList[:0]
	for i := range st.moved {
		m := &st.moved[i]
		s.fatBoxes[m.proxy] = m.aabb
		if m.moved != 0 {
			s.moved[m.proxy] = m.moved
			s.movedList = append(s.movedList, m.proxy)
		}
	}
}

func (s *Stepper) restoreContacts(st *State) {
	set := s.set
	s.contacts = growTo(s.contacts, len(set.Contact))
	points := st.points
	i := 0
	for c := s.world.M_contactManager.M_contactList; c != nil; i++ {
		lc, from := b2.BaseContact(c), &st.contacts[i]
		e := &set.Contact[set.NumberOf(lc)]
		to := &s.contacts[set.NumberOf(lc)]
		if e.Known = from.known; !from.known {
			*lc.M_manifold = box2d.B2Manifold{} // no Refresh writes it
		} else {
			*to = s.freshContact(e)
			to.flags, to.count = from.flags, from.count
			to.friction, to.restitution, to.tangentSpeed = from.friction, from.restitution, from.tangentSpeed
			to.normal, to.kept = from.normal, from.kept
			points = points[copy(to.points[:to.count], points):]
			lc.M_manifold.PointCount = int(to.count) // the rest waits for Refresh
		}
		c = lc.M_next
	}
}

func (s *Stepper) restoreJoints(st *State) {
	set := s.set
	s.joints = growTo(s.joints, len(set.Joint))
	i := len(st.joints) // they are oldest first
	for j := s.world.M_jointList; j != nil; j = j.GetNext() {
		i--
		n := set.JointNumber(b2.BaseJoint(j))
		set.Joint[n].Known = true
		s.setJoint(n)
		s.joints[n].pushed = st.joints[i]
	}
}
