package box

import "github.com/ByteArena/box2d"

// EndContact destroys a contact. The parameter again is one of the contact's bodies. The next search
// for pairs looks at the contact's shape of that body.
func (s *World) EndContact(c Contact, again *box2d.B2Body) {
	f, child := c.Own(again)
	if !s.Soft() {
		s.destroyContact(c)
		s.world.M_contactManager.M_broadPhase.TouchProxy(f.M_proxies[child].ProxyId)
		return
	}
	k := s.Contacts.All[c.n].ProxyA
	if s.Shapes.All[k].F != f {
		k = s.Contacts.All[c.n].ProxyB
	}
	s.destroyContact(c)
	s.Shapes.touch(int32(k))
}

// destroyContact destroys a contact, which may wake the contact's bodies. It calls the library if any
// object may have changed, because then the numbers of contacts are not valid.
func (s *World) destroyContact(c Contact) {
	s.editBoth(c)
	if n := s.Contacts.number(c); n >= 0 && (s.Soft() || !s.sight.isBlind()) {
		s.Contacts.Destroy(n, &s.Bodies)
	} else {
		s.world.M_contactManager.Destroy(c.c.M_nodeA.Contact)
	}
}

// endContacts ends the contacts of a body.
func (s *World) endContacts(b *box2d.B2Body) {
	for c := range s.ContactsOf(b) {
		s.destroyContact(c)
	}
}

// editBoth records a change of both bodies of a contact. For example, the bodies may wake.
func (s *World) editBoth(c Contact) {
	a, b := c.bodies()
	s.edit(a, 0)
	s.edit(b, 0)
}

// EndContacts destroys the contacts of a shape. It wakes the bodies that the shape has pushed.
func (s *World) EndContacts(f *box2d.B2Fixture) {
	for c := range s.ContactsOfShape(f) {
		if c.IsSolid() {
			s.wakeBoth(c)
		}
		s.destroyContact(c)
	}
}

func (s *World) wakeBoth(c Contact) {
	a, b := c.bodies()
	s.WakeBody(a)
	s.WakeBody(b)
}

// Resurface sets the Surface of a contact. It wakes the bodies if the contact is solid.
func (s *World) Resurface(c Contact, is Surface) {
	s.SetSurface(c, is)
	if c.IsSolid() {
		s.wakeBoth(c)
	}
}

// SetSurface sets the Surface of a contact between two steps.
func (s *World) SetSurface(c Contact, is Surface) {
	c.SetSurface(is)
	s.Contacts.Mark(c)
	s.editBoth(c) // makes the next step read the bodies
}

// DropContact lets two solid shapes pass through each other until they separate.
func (s *World) DropContact(c Contact) {
	c.Set(Passing | Dropping)
	c.Disable()
	s.Contacts.Mark(c)
}
