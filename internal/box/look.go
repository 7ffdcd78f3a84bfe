package box

// Renumber numbers the objects of the world, as the next step would do. It returns false if an object
// has a type that is not the library's.
func (s *World) Renumber() bool {
	if !s.numberAll() {
		return false
	}
	s.sight.number()
	if s.sight.told {
		s.markAll()
	} else {
		s.last = s.heads()
	}
	return true
}

// numberAll numbers the objects of the world. If other code does not report its changes, numberAll
// skips each list whose head and count are the same as after the last step. Such a list is unchanged,
// because a new object becomes the head, and a removal lowers the count.
func (s *World) numberAll() bool {
	for n := range s.Bodies.All {
		if e := &s.Bodies.All[n]; e.B != nil && (!s.sight.told || e.B.M_islandIndex != n) {
			e.Island, e.B.M_islandIndex = e.B.M_islandIndex, n
		}
	}
	was, is := s.last, s.heads()
	if s.sight.told || was.body != is.body || was.bodies != is.bodies {
		if s.Bodies.listAll(s.world, &s.flags) {
			s.sweep = true
		}
	}
	if s.sight.told || was.joint != is.joint || was.joints != is.joints {
		gone, ok := s.Joints.listAll(s.world, &s.flags)
		if !ok {
			return false
		}
		s.sweep = s.sweep || gone
	}
	if s.Soft() {
		s.FollowRaw()
		s.Contacts.listOwn(s.sight.isRaw(), &s.Shapes, &s.Bodies)
		return true
	}
	if s.sight.told || was.contact != is.contact || was.contacts != is.contacts {
		return s.Contacts.listAll(&s.flags, &s.Bodies.Stamps)
	}
	return true
}

// lookAtAll numbers and lists all objects of the world again, because a callback may change any of
// them.
func (s *World) lookAtAll() bool {
	if !s.Renumber() {
		return false
	}
	s.Bodies.lookAtAll()
	for n := range s.Contacts.All {
		if e := &s.Contacts.All[n]; e.ID != 0 {
			s.Contacts.list(int32(n))
		}
	}
	for n := range s.Joints.All {
		if e := &s.Joints.All[n]; e.Base != nil {
			s.Joints.List(int32(n))
		}
	}
	s.sweepLate = true
	return true
}

// Stamp is called before other code reads the Stamps. It marks the active objects if a step has changed
// them since the last call. Objects that have become inactive are already marked. If any object may have
// changed, it numbers and marks all objects. It returns false if a contact or joint has a type that is
// not the library's.
func (s *World) Stamp() bool {
	if s.sight.isBlind() {
		return s.Renumber()
	}
	if !s.worked {
		return true
	}
	s.worked = false
	bodies, contacts := &s.Bodies, &s.Contacts
	if 4*len(bodies.Active) > 3*len(bodies.All) { // mark all, because a loop over the bodies of each contact would take longer
		bodies.Stamps.MarkAll(len(bodies.All))
		for _, n := range contacts.Active {
			contacts.Stamps.Mark(n)
		}
		for _, n := range s.Joints.Active {
			s.Joints.Stamps.Mark(n)
		}
	} else {
		for _, n := range bodies.Active {
			bodies.Stamps.Mark(n)
		}
		for _, n := range contacts.Active {
			contacts.markWorked(n, &bodies.Stamps)
		}
		for _, n := range s.Joints.Active {
			s.Joints.markWorked(n, bodies)
		}
	}
	return true
}

// markAll stamps all objects.
func (s *World) markAll() {
	s.Bodies.Stamps.MarkAll(len(s.Bodies.All))
	s.Bodies.Shaped.MarkAll(len(s.Bodies.All))
	s.Contacts.Stamps.MarkAll(len(s.Contacts.All))
	s.Contacts.Links.MarkAll(len(s.Contacts.All))
	s.Joints.Stamps.MarkAll(len(s.Joints.All))
	s.Joints.Links.MarkAll(len(s.Joints.All))
	if s.Soft() {
		s.Shapes.Stamps.MarkAll(len(s.Shapes.All))
		return
	}
	nodes := len(s.Proxies.of.M_tree.M_nodes)
	s.Proxies.Nodes.MarkAll(nodes)
	s.Proxies.Boxes.MarkAll(nodes)
}
