package box

import "github.com/ByteArena/box2d"

// EndContact destroys a contact. The next search looks at one of its shapes again.
func (s *World) EndContact(c Contact, again *box2d.B2FixtureProxy) {
	s.ContactGoes(c.c)
	s.destroyContact(c)
	s.world.M_contactManager.M_broadPhase.TouchProxy(again.ProxyId)
}

func (s *World) destroyContact(c Contact) {
	s.world.M_contactManager.Destroy(c.c.M_nodeA.Contact)
}

// EndContacts destroys the contacts of a shape, and wakes what it pushed.
func (s *World) EndContacts(f *box2d.B2Fixture) {
	s.ContactsGo(f.M_body, f)
	for c := range ContactsOfShape(f) {
		s.edit(c.c.M_fixtureA.M_body, 0) // the library may wake it
		s.edit(c.c.M_fixtureB.M_body, 0)
		if c.IsSolid() {
			s.wakeBoth(c)
		}
		s.destroyContact(c)
	}
}

func (s *World) wakeBoth(c Contact) {
	s.WakeBody(c.c.M_fixtureA.M_body)
	s.WakeBody(c.c.M_fixtureB.M_body)
}

// Resurface sets how the surfaces of a contact act on each other from here on, and wakes what
// it pushes.
func (s *World) Resurface(c Contact, is Surface) {
	s.SetSurface(c, is)
	if c.IsSolid() {
		s.wakeBoth(c)
	}
}

// SetSurface sets how the surfaces of a contact act on each other between two steps.
func (s *World) SetSurface(c Contact, is Surface) {
	c.SetSurface(is)
	s.EditContact(c.c)
	s.edit(c.c.M_fixtureA.M_body, 0) // the next step reads it
	s.edit(c.c.M_fixtureB.M_body, 0)
}

// DropContact lets two solid shapes pass each other until they part.
func (s *World) DropContact(c Contact) {
	c.Set(Passing | Dropping)
	c.c.M_flags &^= box2d.B2Contact_Flag.E_enabledFlag
	s.EditContact(c.c)
}
