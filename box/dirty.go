package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
	"halfstep/box/paged"
)

// Dirty says by numbers what of a world may have changed: what a step has worked on,
// what was edited, and what the library links to these. Whoever keeps copies of the
// world calls World.MarkActive before they read it, and clears it when they are up to date.
type Dirty struct {
	All      bool // everything
	AllNodes bool // of the broad phase's tree
	Near     bool // the library has changed the tree, near those of Nodes

	Bodies, Contacts, Joints paged.Marks
	Links                    paged.Marks // by number of a contact: which one it is, or which one is before it in the world's list
	Shapes                   paged.Marks // by number of their body: they, or which ones it has
	Nodes                    paged.Marks // of the tree
	Leaves                   paged.Marks // of the tree: the boxes of their proxies, or what a step knows of these
}

// Clear empties it.
func (d *Dirty) Clear() {
	d.All, d.AllNodes, d.Near = false, false, false
	for _, m := range d.marks() {
		m.Clear()
	}
}

// Merge adds what is in another one.
func (d *Dirty) Merge(other *Dirty) {
	d.All, d.AllNodes, d.Near = d.All || other.All, d.AllNodes || other.AllNodes, d.Near || other.Near
	from := other.marks()
	for i, m := range d.marks() {
		m.Merge(from[i])
	}
}

func (d *Dirty) marks() [7]*paged.Marks {
	return [...]*paged.Marks{&d.Bodies, &d.Contacts, &d.Joints, &d.Links, &d.Shapes, &d.Nodes, &d.Leaves}
}

func (s *World) addDirtyBody(b *box2d.B2Body) {
	if b != nil {
		if n := s.Number(b); n >= 0 {
			s.Dirty.Bodies.Add(n)
		}
	}
}

// MarkBody follows a change of a body by a step that does not work on it any more.
func (s *World) MarkBody(b *box2d.B2Body) {
	if s.marks() {
		s.addDirtyBody(b)
	}
}

// dirtyBody marks a body that comes or goes, with those that are linked to it.
func (s *World) dirtyBody(b *box2d.B2Body) {
	if s.Dirty.All {
		return
	}
	s.addDirtyBody(b)
	s.addDirtyBody(b.M_prev)
	s.addDirtyBody(b.M_next)
}

// dirtyContact marks a contact that comes or goes, its bodies, and the next older contact,
// which has another one before it then. To mark all that are linked to it would cost a
// step much where many come and go: whoever keeps the links finds those by what they were.
func (s *World) dirtyContact(n int32) {
	if s.everything || s.Dirty.All {
		return
	}
	s.markContact(n)
	s.Dirty.Links.Add(n)
	s.DirtyLinks(s.Contact[n].C.M_next)
}

// DirtyLinks marks a contact whose neighbours in lists have changed. It may be gone: then
// another one that has its number is marked, which costs less than to look.
func (s *World) DirtyLinks(i box2d.B2ContactInterface) {
	if i == nil {
		return
	}
	c := b2.BaseContact(i)
	n := b2.Number(c)
	if n < 0 {
		n = s.NumberOf(c)
	}
	if n >= 0 {
		s.Dirty.Links.Add(n)
	}
}

func (s *World) addDirtyJoint(j box2d.B2JointInterface) {
	if j != nil {
		if n := s.JointNumber(b2.BaseJoint(j)); n >= 0 {
			s.Dirty.Joints.Add(n)
		}
	}
}

func (s *World) dirtyJoint(base *box2d.B2Joint) {
	if s.everything || s.Dirty.All {
		return
	}
	if n := s.JointNumber(base); n >= 0 {
		s.Dirty.Joints.Add(n)
	}
	s.addDirtyJoint(base.M_prev)
	s.addDirtyJoint(base.M_next)
	for _, e := range [...]*box2d.B2JointEdge{base.M_edgeA, base.M_edgeB} {
		if e.Prev != nil {
			s.addDirtyJoint(e.Prev.Joint)
		}
		if e.Next != nil {
			s.addDirtyJoint(e.Next.Joint)
		}
	}
}

// MarkActive comes before Dirty is read. It marks what steps have worked on since it was
// last called; what became inactive meanwhile was marked when it did.
func (s *World) MarkActive() {
	if !s.worked || !s.marks() {
		return
	}
	s.worked = false
	if d := &s.Dirty; 4*len(s.Bodies) > 3*len(s.Body) { // to look for those that a contact holds would take longer
		d.Bodies.AddAll(len(s.Body))
		for _, n := range s.Contacts {
			d.Contacts.Add(n)
		}
	} else {
		for _, n := range s.Bodies {
			d.Bodies.Add(n)
		}
		for _, n := range s.Contacts {
			s.markContact(n)
		}
	}
	for _, n := range s.Joints {
		s.markJoint(n)
	}
}

// FreeContacts are the numbers that no contact has, from first on, as bits. What is kept
// of these is zero: to write that again costs less than to look it up.
func (s *World) FreeContacts(first, size int) (free uint64) {
	for i := range size {
		if n := first + i; n >= len(s.Contact) || s.Contact[n].C == nil {
			free |= 1 << i
		}
	}
	return free
}

// markContact marks a contact and its bodies, on which a step leaves flags.
func (s *World) markContact(n int32) {
	d := &s.Dirty
	d.Contacts.Add(n)
	d.Bodies.Add(s.Contact[n].A)
	d.Bodies.Add(s.Contact[n].B)
}

func (s *World) markJoint(n int32) {
	s.Dirty.Joints.Add(n)
	if base := s.Joint[n].Base; base != nil {
		s.addDirtyBody(base.M_bodyA)
		s.addDirtyBody(base.M_bodyB)
	}
	if g, ok := s.Joint[n].J.(*box2d.B2GearJoint); ok {
		s.addDirtyBody(g.M_bodyC)
		s.addDirtyBody(g.M_bodyD)
	}
}

// marks reports whether what leaves the lists of what is active is to be marked.
func (s *World) marks() bool { return !s.untold && !s.Dirty.All }

// EditContact follows a change of a contact.
func (s *World) EditContact(c *box2d.B2Contact) {
	if !s.everything {
		if n := s.NumberOf(c); n >= 0 {
			s.Dirty.Contacts.Add(n)
		}
	}
}

// moves comes before and after the library moves or takes away the leaves that a body has
// in the broad phase's tree, or makes them.
func (s *World) moves(b *box2d.B2Body) {
	if !s.everything {
		s.dirtyLeaves(b.M_fixtureList, true)
	}
}

// MovesShape is moves for a single shape.
func (s *World) MovesShape(f *box2d.B2Fixture) {
	if !s.everything {
		s.dirtyLeaves(f, false)
	}
}

// dirtyLeaves marks what the tree may change around a leaf. Where several move, one
// may change what is around another by then: nobody knows what.
func (s *World) dirtyLeaves(f *box2d.B2Fixture, andNext bool) {
	leaves, leaf := 0, -1
	for ; f != nil; f = f.M_next {
		leaves += f.M_proxyCount
		for k := range f.M_proxyCount {
			leaf = f.M_proxies[k].ProxyId
			s.Dirty.Leaves.Add(int32(leaf))
		}
		if !andNext {
			break
		}
	}
	switch {
	case leaves == 1:
		s.dirtyLeaf(leaf)
	case leaves > 1:
		s.Dirty.AllNodes = true
	}
}

// MoveProxy is B2BroadPhase.MoveProxy.
func (s *World) MoveProxy(id int, aabb box2d.B2AABB, displacement box2d.B2Vec2) {
	if bp := &s.world.M_contactManager.M_broadPhase; b2.MoveProxy(&bp.M_tree, id, aabb, displacement, s.nodes(id)) {
		bp.BufferMove(id)
	}
}

// MoveLeaf takes a node out of the tree, with what is below it, and puts it in anew.
func (s *World) MoveLeaf(id int) {
	t := &s.world.M_contactManager.M_broadPhase.M_tree
	changed := s.nodes(id)
	b2.RemoveLeaf(t, id, changed)
	b2.InsertLeaf(t, id, changed)
}

// nodes is what is told of the nodes that change while a leaf moves, or nil.
func (s *World) nodes(leaf int) *paged.Marks {
	if !s.marks() {
		return nil
	}
	if s.Dirty.Leaves.Add(int32(leaf)); s.Dirty.AllNodes {
		return nil
	}
	return &s.Dirty.Nodes
}

// dirtyLeaf marks a leaf and the nodes above it, before the library takes it out or after
// it has put it in. What else it changes then is next to one of these that has
// changed, or to another one that has.
func (s *World) dirtyLeaf(id int) {
	marks := s.nodes(id)
	if marks == nil {
		return
	}
	s.Dirty.Near = true
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	for i := id; i != box2d.B2_nullNode; i = nodes[i].Parent {
		marks.Add(int32(i))
	}
}

func (e *Body) isFree() bool    { return e.B == nil && !e.Listed && !e.seen && !e.edited }
func (e *Contact) isFree() bool { return e.C == nil && !e.Listed }
func (e *Joint) isFree() bool   { return e.Base == nil && !e.Listed }
