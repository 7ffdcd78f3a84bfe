package box

import (
	"iter"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// ContactOf is what all contacts of the library have. Of one of another type it is a copy.
func ContactOf(i box2d.B2ContactInterface) *box2d.B2Contact {
	if c := b2.BaseContact(i); c != nil {
		return c
	}
	return &box2d.B2Contact{
		M_flags: i.GetFlags(), M_next: i.GetNext(), M_manifold: i.GetManifold(),
		M_fixtureA: i.GetFixtureA(), M_fixtureB: i.GetFixtureB(),
		M_indexA: i.GetChildIndexA(), M_indexB: i.GetChildIndexB(),
	}
}

// EachContact walks the contacts of a body, newest first, or of one of its shapes unless f
// is nil. The loop may destroy the contact that it is at.
func EachContact(b *box2d.B2Body, f *box2d.B2Fixture) iter.Seq2[box2d.B2ContactInterface, *box2d.B2Contact] {
	return func(yield func(box2d.B2ContactInterface, *box2d.B2Contact) bool) {
		for e := b.M_contactList; e != nil; {
			i := e.Contact
			e = e.Next
			if c := ContactOf(i); (f == nil || c.M_fixtureA == f || c.M_fixtureB == f) && !yield(i, c) {
				return
			}
		}
	}
}

// EndContact destroys a contact. The next search looks at one of its shapes again.
func (s *World) EndContact(i box2d.B2ContactInterface, again *box2d.B2FixtureProxy) {
	s.ContactGoes(ContactOf(i))
	s.world.M_contactManager.Destroy(i)
	s.world.M_contactManager.M_broadPhase.TouchProxy(again.ProxyId)
}

// EndContacts destroys the contacts of a shape, and wakes what it pushed.
func (s *World) EndContacts(f *box2d.B2Fixture) {
	s.ContactsGo(f.M_body, f)
	for i, c := range EachContact(f.M_body, f) {
		s.edit(c.M_fixtureA.M_body, 0) // the library may wake it
		s.edit(c.M_fixtureB.M_body, 0)
		if b2.IsSolid(c) {
			s.wakeBoth(c)
		}
		s.world.M_contactManager.Destroy(i)
	}
}

func (s *World) wakeBoth(c *box2d.B2Contact) {
	s.WakeBody(c.M_fixtureA.M_body)
	s.WakeBody(c.M_fixtureB.M_body)
}

// Resurface follows a change of how the surfaces of a contact act on each other, and wakes
// what it pushes.
func (s *World) Resurface(c *box2d.B2Contact) {
	s.EditContact(c)
	if b2.IsSolid(c) {
		s.wakeBoth(c)
	}
}
