package box

import "halfstep/internal/box/b2"

// Reach lists the sleepers that are in an island with a listed body, through solid
// contacts and joints, and lists their contacts and joints. The step wakes them later.
// Reach looks at the contacts that it is given, and at Contacts from index first on.
func (s *World) Reach(contacts []int32, first int) {
	// After a restore, what is listed may lie between bodies that are not. A body that is
	// reached later can be the way to such a contact or joint, so all are looked at again.
	for had := -1; had < len(s.Bodies); {
		had = len(s.Bodies)
		for _, n := range contacts {
			s.reachOver(n)
		}
		for c, j := first, 0; c < len(s.Contacts) || j < len(s.Joints); {
			for ; c < len(s.Contacts); c++ {
				s.reachOver(s.Contacts[c])
			}
			for ; j < len(s.Joints); j++ {
				base := s.Joint[s.Joints[j]].Base
				if base != nil && base.M_bodyA.M_flags&base.M_bodyB.M_flags&b2.BodyActive != 0 {
					s.reach(int32(base.M_bodyA.M_islandIndex), int32(base.M_bodyB.M_islandIndex))
				}
			}
		}
	}
}

// reachOver lists both bodies of a solid contact if one is listed.
func (s *World) reachOver(contact int32) {
	if e := &s.Contact[contact]; s.Body[e.A].Listed != s.Body[e.B].Listed && e.ID != 0 && s.At(contact).IsSolid() {
		s.reach(e.A, e.B)
	}
}

// reach lists both of two bodies if one is.
func (s *World) reach(a, b int32) {
	switch {
	case s.Body[a].Listed:
		s.Wake(b)
	case s.Body[b].Listed:
		s.Wake(a)
	}
}
