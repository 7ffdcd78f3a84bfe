package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/store"
)

// Dirty says, by numbers, when each object of a world last changed: because a step worked on
// it, because it was edited, or because the library linked it to such an object. Code that keeps
// copies of the world calls World.Stamp before it looks.
type Dirty struct {
	Bodies, Contacts, Joints store.Stamps
	Links                    store.Stamps // by number of a contact: which one it is, or which one is before it in the world's list
	Shapes                   store.Stamps // by number of a body: its shapes, or which ones it has
	Nodes                    store.Stamps // of the library's tree
	Leaves                   store.Stamps // of that tree: the boxes of their proxies; with World.Soft by number of a shape: which one it is, or its box

	// The stamps of Nodes at which the library last changed the tree near marked nodes, and
	// anywhere in it.
	Near, AllNodes uint64
}

// addDirtyBody marks a body, if it is one that has a number.
func (s *World) addDirtyBody(b *box2d.B2Body) {
	if b != nil {
		if n := s.Number(b); n >= 0 {
			s.Dirty.Bodies.Mark(n)
		}
	}
}

// MarkBody is called after a step has changed a body that it no longer works on.
func (s *World) MarkBody(b *box2d.B2Body) {
	if s.marks() {
		s.addDirtyBody(b)
	}
}

// dirtyBody marks a body that is made or destroyed, and the bodies linked to it.
func (s *World) dirtyBody(b *box2d.B2Body) {
	if s.everything {
		return
	}
	s.addDirtyBody(b)
	s.addDirtyBody(b.M_prev)
	s.addDirtyBody(b.M_next)
}

// dirtyContact marks a contact that is made or destroyed, its bodies, and the next older
// contact, whose link to the one before it changes. Marking all contacts that are linked to it
// would be expensive in a step in which many come and go: code that keeps links finds the
// others by the links that it has saved.
func (s *World) dirtyContact(n int32) {
	if s.everything {
		return
	}
	s.markContact(n)
	s.Dirty.Links.Mark(n)
	if !s.Soft { // the World's own lists mark the contacts that they link
		s.DirtyLinks(s.Contact[n].C.M_next)
	}
}

// DirtyLinks marks a contact whose neighbours in lists have changed. If it is destroyed, another
// one with its number may be marked, which costs less than finding out.
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
		s.Dirty.Links.Mark(n)
	}
}

// addDirtyJoint marks a joint, if it is one that has a number.
func (s *World) addDirtyJoint(j box2d.B2JointInterface) {
	if j != nil {
		if n := s.JointNumber(b2.BaseJoint(j)); n >= 0 {
			s.Dirty.Joints.Mark(n)
		}
	}
}

// dirtyJoint marks a joint that is made or destroyed, and the joints linked to it.
func (s *World) dirtyJoint(base *box2d.B2Joint) {
	if s.everything {
		return
	}
	if n := s.JointNumber(base); n >= 0 {
		s.Dirty.Joints.Mark(n)
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

// Stamp is called before others look at Dirty. It marks the objects that steps have worked on
// since its last call; objects that became inactive meanwhile were marked then. If anything
// may have changed, it numbers all objects and marks everything. It returns false if the
// world holds a contact or joint of a type that is not the library's.
func (s *World) Stamp() bool {
	if s.everything {
		return s.Renumber()
	}
	if !s.worked {
		return true
	}
	s.worked = false
	if d := &s.Dirty; 4*len(s.Bodies) > 3*len(s.Body) { // going through the bodies of each contact would take longer
		d.Bodies.MarkAll(len(s.Body))
		for _, n := range s.Contacts {
			d.Contacts.Mark(n)
		}
	} else {
		for _, n := range s.Bodies {
			d.Bodies.Mark(n)
		}
		for _, n := range s.Contacts {
			s.markContact(n)
		}
	}
	for _, n := range s.Joints {
		s.markJoint(n)
	}
	return true
}

// markAll marks everything in each of the tables of Dirty.
func (s *World) markAll() {
	d := &s.Dirty
	nodes, leaves := len(s.world.M_contactManager.M_broadPhase.M_tree.M_nodes), len(s.Shapes.All)
	if !s.Soft {
		leaves = nodes
	}
	for stamps, n := range map[*store.Stamps]int{
		&d.Bodies: len(s.Body), &d.Shapes: len(s.Body), &d.Contacts: len(s.Contact), &d.Links: len(s.Contact),
		&d.Joints: len(s.Joint), &d.Nodes: nodes, &d.Leaves: leaves,
	} {
		stamps.MarkAll(n)
	}
}

// markContact marks a contact and its bodies, on which a step leaves flags.
func (s *World) markContact(n int32) {
	d := &s.Dirty
	d.Contacts.Mark(n)
	d.Bodies.Mark(s.Contact[n].A)
	d.Bodies.Mark(s.Contact[n].B)
}

// markJoint marks a joint and the bodies that a step leaves flags on because of it.
func (s *World) markJoint(n int32) {
	s.Dirty.Joints.Mark(n)
	if base := s.Joint[n].Base; base != nil {
		s.addDirtyBody(base.M_bodyA)
		s.addDirtyBody(base.M_bodyB)
	}
	if g, ok := s.Joint[n].J.(*box2d.B2GearJoint); ok {
		s.addDirtyBody(g.M_bodyC)
		s.addDirtyBody(g.M_bodyD)
	}
}

// marks reports whether an object that leaves the lists of active ones must be marked.
func (s *World) marks() bool { return !s.untold }

// EditLibraryContact is EditContact for one of the library's.
func (s *World) EditLibraryContact(c *box2d.B2Contact) { s.EditContact(Contact{c: c}) }

// EditContact is called after a contact was changed.
func (s *World) EditContact(c Contact) {
	if !s.everything {
		if n := s.numberAt(c); n >= 0 {
			s.Dirty.Contacts.Mark(n)
		}
	}
}

// moves is called before and after the library makes, moves or removes a body's leaves in the
// broad phase's tree.
func (s *World) moves(b *box2d.B2Body) {
	if !s.everything && !s.Soft {
		s.dirtyLeaves(b.M_fixtureList, true) // and those of the next fixtures
	}
}

// MovesShape is moves for a single shape.
func (s *World) MovesShape(f *box2d.B2Fixture) {
	if !s.everything && !s.Soft {
		s.dirtyLeaves(f, false) // and of no other fixture
	}
}

// dirtyLeaves marks the nodes around the leaf of a fixture, which the tree may change. If
// several leaves move, one may change what is around the next, so all nodes count as changed.
func (s *World) dirtyLeaves(f *box2d.B2Fixture, andNext bool) {
	leaves, leaf := 0, -1
	for ; f != nil; f = f.M_next {
		leaves += f.M_proxyCount
		for k := range f.M_proxyCount {
			leaf = f.M_proxies[k].ProxyId
			s.Dirty.Leaves.Mark(int32(leaf))
		}
		if !andNext {
			break
		}
	}
	switch {
	case leaves == 1:
		s.dirtyLeaf(leaf)
	case leaves > 1:
		s.Dirty.AllNodes = s.Dirty.Nodes.Next()
	}
}

// MoveProxy is B2BroadPhase.MoveProxy.
func (s *World) MoveProxy(id int, aabb box2d.B2AABB, displacement box2d.B2Vec2) {
	if bp := &s.world.M_contactManager.M_broadPhase; b2.MoveProxy(&bp.M_tree, id, aabb, displacement, s.nodes(id)) {
		bp.BufferMove(id)
	}
}

// nodes returns the Stamps in which the nodes that change while a leaf moves are marked, or nil.
func (s *World) nodes(leaf int) *store.Stamps {
	if !s.marks() {
		return nil
	}
	s.Dirty.Leaves.Mark(int32(leaf))
	return &s.Dirty.Nodes
}

// dirtyLeaf marks a leaf and the nodes above it, before the library takes it out or after it
// has put it in. All other nodes that the library changes then are linked, over changed ones,
// to one of these.
func (s *World) dirtyLeaf(id int) {
	marks := s.nodes(id)
	if marks == nil {
		return
	}
	s.Dirty.Near = s.Dirty.Nodes.Next()
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	for i := id; i != box2d.B2_nullNode; i = nodes[i].Parent {
		marks.Mark(int32(i))
	}
}

// isFree reports whether the number of an element can be given out: it is in no list either.
func (e *Body) isFree() bool         { return e.B == nil && !e.Listed && !e.seen && !e.edited }
func (e *ContactEntry) isFree() bool { return e.ID == 0 && !e.Listed }
func (e *Joint) isFree() bool        { return e.Base == nil && !e.Listed }
