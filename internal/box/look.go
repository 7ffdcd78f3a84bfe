package box

import (
	"slices"

	"halfstep/internal/box/b2"
)

// Renumber gives numbers to what the world holds now, as the next step would do. It returns
// false for a type that is not the library's.
func (s *World) Renumber() bool {
	if !s.numberAll() {
		return false
	}
	if s.marks() {
		s.markAll()
	}
	return true
}

// numberAll gives numbers to what the world holds. A new element becomes the head of
// the world's list, and a removal lowers the count, so a list whose head and count
// are those last seen has not changed.
func (s *World) numberAll() bool {
	w, m := s.world, &s.world.M_contactManager
	for n := range s.Body {
		if e := &s.Body[n]; e.B != nil && (s.islands || e.B.M_islandIndex != n) {
			e.Island, e.B.M_islandIndex = e.B.M_islandIndex, n
		}
	}
	s.islands = false
	unlisted := s.unlisted || !s.untold
	if unlisted || s.bodyHead != w.M_bodyList || s.bodyCount != w.M_bodyCount {
		s.listBodies()
	}
	if unlisted || s.jointHead != w.M_jointList || s.jointCount != w.M_jointCount {
		if !s.listJoints() {
			return false
		}
	}
	if s.Soft {
		s.FollowRaw()
		s.listOwn()
		return true
	}
	if unlisted || s.contactHead != m.M_contactList || s.contactCount != m.M_contactCount {
		return s.listContacts()
	}
	return true
}

// lookAtAll brings everything in line with the world.
func (s *World) lookAtAll() bool {
	if !s.Renumber() {
		return false
	}
	for _, list := range [...]*[]int32{&s.Seen, &s.Changed, &s.Bodies} {
		*list = slices.Grow(*list, max(0, len(s.Body)-len(*list)))
	}
	// Everything is listed, because a callback may change anything, too.
	for n := range s.Body {
		if e := &s.Body[n]; e.B != nil {
			e.Static = e.B.M_type == b2.StaticBody
			s.See(int32(n))
			s.Changed = append(s.Changed, int32(n))
			e.Change |= Unknown
			if !e.Listed {
				e.Listed = true
				s.Bodies = append(s.Bodies, int32(n))
			}
		}
	}
	for n := range s.Contact {
		if e := &s.Contact[n]; e.ID != 0 {
			s.listContact(int32(n))
		}
	}
	for n := range s.Joint {
		if e := &s.Joint[n]; e.Base != nil {
			s.listJoint(int32(n))
		}
	}
	s.sweepLate, s.unlisted = true, false
	return true
}

// listBodies numbers the bodies of the world. Those that are known keep their
// numbers.
func (s *World) listBodies() {
	s.BodyOrder++
	w := s.world
	known := s.knownFlags(len(s.Body))
	list := slices.Grow(s.walkedBodies[:0], w.M_bodyCount)
	for b := w.M_bodyList; b != nil; b = b.M_next {
		list = append(list, b)
		if n := s.Number(b); n >= 0 {
			known[n] = true
		}
	}
	for n := range known {
		if e := &s.Body[n]; e.B != nil && !known[n] {
			e.B = nil
			s.changed, s.sweep = true, true
			s.See(int32(n))
			s.Changed = append(s.Changed, int32(n))
		}
	}
	s.Body = slices.Grow(s.Body, max(0, len(list)-len(s.Body)))
	for _, b := range slices.Backward(list) {
		n := s.Number(b)
		if n < 0 {
			n = s.addBody(b)
		}
		s.seq++
		s.Body[n].seq = s.seq
	}
	clear(list)
	s.walkedBodies = list
}

// listJoints numbers the joints of the world. It returns false for a type that is not the
// library's.
func (s *World) listJoints() bool {
	w := s.world
	known := s.knownFlags(len(s.Joint))
	list := s.walkedJoints[:0]
	for j := w.M_jointList; j != nil; {
		base := b2.BaseJoint(j)
		if base == nil {
			return false
		}
		list = append(list, j)
		if n := s.JointNumber(base); n >= 0 {
			known[n] = true
		}
		j = base.M_next
	}
	for n := range known {
		if s.Joint[n].Base != nil && !known[n] {
			s.dropJoint(int32(n))
		}
	}
	s.Joint = slices.Grow(s.Joint, max(0, len(list)-len(s.Joint)))
	for _, j := range slices.Backward(list) {
		base := b2.BaseJoint(j)
		n := s.JointNumber(base)
		if n < 0 {
			n = s.addJoint(j, base)
		}
		s.seq++
		s.Joint[n].seq, s.Joint[n].Extra = s.seq, usedExtra(j)
	}
	clear(list)
	s.walkedJoints = list
	return true
}

// listContacts numbers the contacts of the world. It returns false for a type that is not the
// library's.
func (s *World) listContacts() bool {
	s.ContactOrder++
	m := &s.world.M_contactManager
	known := s.knownFlags(len(s.Contact))
	s.walked = s.walked[:0]
	for i := m.M_contactList; i != nil; {
		c := b2.BaseContact(i)
		if c == nil {
			return false
		}
		s.walked = append(s.walked, i)
		if n := s.NumberOf(c); n >= 0 {
			known[n] = true
		}
		i = c.M_next
	}
	for n := range known {
		if e := &s.Contact[n]; e.ID != 0 && !known[n] {
			s.drop(int32(n)) // if it is there under another number, Back takes its memory back below
		}
	}
	for _, i := range slices.Backward(s.walked) {
		c, kind := b2.Base(i)
		s.made.Back(c)
		n := s.NumberOf(c)
		if n < 0 {
			n = s.addContact(i, c, kind)
		}
		s.seq++
		s.Contact[n].Seq = s.seq
	}
	clear(s.walked)
	return true
}

// knownFlags returns n flags that are not set.
func (s *World) knownFlags(n int) []bool {
	if n > cap(s.known) {
		s.known = make([]bool, n+n/4)
	}
	s.known = s.known[:n]
	clear(s.known)
	return s.known
}
