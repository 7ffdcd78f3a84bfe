package box

import "halfstep/internal/box/b2"

// Reach lists the sleeping bodies that solid contacts and joints connect to a listed body. It also lists
// the contacts and joints of these bodies. The step wakes the bodies later. Reach follows the given
// contacts, and the contacts in Contacts.Active from index first on.
func (s *World) Reach(contacts []int32, first int) {
	// After a restore, a listed contact or joint may connect two bodies that are not listed. The loop may
	// list one of these bodies later, so each round looks at all contacts and joints again.
	for had := -1; had < len(s.Bodies.Active); {
		had = len(s.Bodies.Active)
		for _, n := range contacts {
			s.reachOver(n)
		}
		for c, j := first, 0; c < len(s.Contacts.Active) || j < len(s.Joints.Active); {
			for ; c < len(s.Contacts.Active); c++ {
				s.reachOver(s.Contacts.Active[c])
			}
			for ; j < len(s.Joints.Active); j++ {
				base := s.Joints.All[s.Joints.Active[j]].Base
				if base != nil && base.M_bodyA.M_flags&base.M_bodyB.M_flags&b2.BodyActive != 0 {
					s.reach(int32(base.M_bodyA.M_islandIndex), int32(base.M_bodyB.M_islandIndex))
				}
			}
		}
	}
}

// reachOver lists both bodies of a solid contact if one of the bodies is listed.
func (s *World) reachOver(contact int32) {
	if e := &s.Contacts.All[contact]; s.Bodies.All[e.A].Listed != s.Bodies.All[e.B].Listed && e.ID != 0 && s.Contacts.At(contact).IsSolid() {
		s.reach(e.A, e.B)
	}
}

// reach lists two bodies if one of them is listed.
func (s *World) reach(a, b int32) {
	switch {
	case s.Bodies.All[a].Listed:
		s.Wake(b)
	case s.Bodies.All[b].Listed:
		s.Wake(a)
	}
}
