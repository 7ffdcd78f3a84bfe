package box

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// FindNewContacts creates the contacts of the proxies in the library's move buffer. It does the
// work of B2ContactManager.FindNewContacts and B2BroadPhase.UpdatePairs.
func (s *World) FindNewContacts() {
	mgr := &s.world.M_contactManager
	if mgr.M_broadPhase.M_moveCount == 0 {
		return
	}
	found := s.Proxies.newPairs(&s.Contacts.pairs)
	s.Contacts.Grow(len(found))
	for _, key := range slices.Compact(found) {
		nodes := mgr.M_broadPhase.M_tree.M_nodes
		pA, pB := nodes[key>>32].UserData.(*box2d.B2FixtureProxy), nodes[uint32(key)].UserData.(*box2d.B2FixtureProxy)
		if b2.MayCollide(mgr, pA.Fixture, pB.Fixture) {
			s.AddContact(pA.Fixture, pA.ChildIndex, pB.Fixture, pB.ChildIndex)
		}
	}
}

// Wakes reports whether a new contact of two fixtures wakes their bodies.
func (s *World) Wakes(fA, fB *box2d.B2Fixture) bool {
	a, b := fA.M_body, fB.M_body
	return !fA.M_isSensor && !fB.M_isSensor && !b2.StayAsleep(a, b) && (!s.Soft() || b2.IsAwake(a) == b2.IsAwake(b))
}

// AddContact creates the contact of two children of fixtures, and links it. It returns the contact's
// number, or -1 if the library has no contact type for the pair.
func (s *World) AddContact(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) int32 {
	return s.admit(s.Contacts.Make(fA, indexA, fB, indexB, &s.Bodies), fA, fB)
}

// AddPair does the work of AddContact for the shapes with the numbers a and b, whose contacts
// the World keeps itself.
func (s *World) AddPair(a, b int32) int32 {
	return s.admit(s.Contacts.MakeOwn(a, b, s.Shapes.All, &s.Bodies), s.Shapes.All[a].F, s.Shapes.All[b].F)
}

// admit lists a new contact of two fixtures, and wakes their bodies if necessary. It does nothing if
// the contact's number is -1.
func (s *World) admit(n int32, fA, fB *box2d.B2Fixture) int32 {
	if n < 0 {
		return -1
	}
	e := &s.Contacts.All[n]
	if s.Wakes(fA, fB) {
		b2.Wake(fA.M_body)
		b2.Wake(fB.M_body)
		s.Wake(e.A)
		s.Wake(e.B)
	}
	s.Contacts.list(n) // the contact is listed for at least this step
	s.sweep = s.sweep || !s.Bodies.All[e.A].Listed && !s.Bodies.All[e.B].Listed
	return n
}
