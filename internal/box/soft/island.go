package soft

// islands joins bodies that touch or have a joint to sets, which fall asleep at once. It is
// needed only in steps in which a body is tired, that is, has rested long enough to sleep.
type islands struct {
	parent []int32 // by body that is tired: a body of the same set; a root is its own parent
	rested []bool  // by body: it is tired; of a root in the end, its whole set is
	tired  []int32
	stack  []int32
}

func (u *islands) root(i int32) int32 {
	for u.parent[i] != i {
		u.parent[i] = u.parent[u.parent[i]]
		i = u.parent[i]
	}
	return i
}

// isSolid reports whether a contact is solved: it has points and is enabled.
func (c *contact) isSolid() bool {
	return c.count > 0 && c.flags&enabled != 0
}

// sleepIslands puts the islands to sleep in which everything has been at rest
// long enough.
func (s *Stepper) sleepIslands() {
	u, set := &s.islands, s.set
	n := len(set.Bodies.All)
	u.parent, u.rested = growTo(u.parent, n), growTo(u.rested, n)
	clear(u.rested)
	u.tired = u.tired[:0]
	for i := range s.results {
		u.tired = append(u.tired, s.results[i].tired...)
	}
	for _, i := range u.tired {
		u.parent[i], u.rested[i] = i, true
	}
	for b := range s.graph.shares {
		for k := range s.regions.count + 1 {
			for _, e := range s.graph.shares[b].entries[k] {
				s.join(e.bodies())
			}
		}
	}
	for _, k := range set.Joints.Active {
		j := &s.joints.all[k]
		s.join(j.bodyA, j.bodyB)
		if set.Joints.All[k].Gear {
			s.join(j.bodyA, j.gear[0])
			s.join(j.bodyA, j.gear[1])
		}
	}
	for _, i := range u.tired {
		if s.bodies.poses[i].flags&poseDynamic != 0 && !u.rested[i] {
			u.rested[u.root(i)] = false
		}
	}
	for _, i := range u.tired {
		if s.bodies.poses[i].flags&poseAwake != 0 && u.rested[u.root(i)] {
			s.bodies.all[i].b.SetAwake(false)
			set.Bodies.Slept()
			s.bodies.motions[i].v, s.bodies.motions[i].w = vec{}, 0
			s.bodies.plan(i)
		}
	}
}

// join puts two dynamic bodies into one set. A body next to a moving kinematic one, or next to
// one that is not tired, counts as not rested.
func (s *Stepper) join(a, b int32) {
	u := &s.islands
	if !u.rested[a] && !u.rested[b] {
		return // most contacts, where few bodies are tired
	}
	fa, fb := s.bodies.poses[a].flags, s.bodies.poses[b].flags
	dynamic := fa&fb&poseDynamic != 0
	switch {
	case fa&poseMoving != 0 || dynamic && !u.rested[a]:
		u.rested[b] = false
	case fb&poseMoving != 0 || dynamic && !u.rested[b]:
		u.rested[a] = false
	case dynamic:
		a, b = u.root(a), u.root(b)
		u.parent[max(a, b)] = min(a, b)
	}
}

// wakeIslands wakes sleeping bodies that touch, or have a joint with, one that is awake, and
// their islands.
func (s *Stepper) wakeIslands() {
	set := s.set
	if !s.bodies.sleepers {
		return
	}
	if s.bodies.woken { // a body woke in the narrow phase
		s.wakeBeside(set.Contacts.Active)
	} else {
		for i := range s.narrow.results {
			s.wakeBeside(s.narrow.results[i].sleepers)
		}
	}
	for _, n := range set.Joints.Active {
		j := s.joints.at(n)
		if k := s.bodies.sleeperOf(j.bodyA, j.bodyB); k >= 0 {
			s.wakeIsland(k)
		}
	}
	set.Merge()
}

// wakeBeside wakes the islands of sleeping bodies that touch one that is awake in some contacts.
func (s *Stepper) wakeBeside(contacts []int32) {
	for _, n := range contacts {
		e := &s.set.Contacts.All[n]
		if k := s.bodies.sleeperOf(e.A, e.B); k >= 0 && e.ID != 0 && s.contacts.all[n].isSolid() {
			s.wakeIsland(k)
		}
	}
}

// sleeperOf returns the sleeping one of two bodies if the other is dynamic and awake or moves
// as a kinematic one, or -1.
func (s *bodies) sleeperOf(a, b int32) int32 {
	fa, fb := s.poses[a].flags, s.poses[b].flags
	const wakes = poseDynamic | poseMoving
	switch {
	case fa&poseSleeping != 0 && fb&wakes != 0:
		return a
	case fb&poseSleeping != 0 && fa&wakes != 0:
		return b
	}
	return -1
}

func (s *Stepper) wakeIsland(i int32) {
	u := &s.islands
	stack := append(u.stack[:0], i)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.bodies.poses[i].flags&poseSleeping == 0 {
			continue
		}
		s.bodies.wake(i)
		b := s.bodies.all[i].b
		for of := range s.set.ContactsOf(b) {
			if c := &s.contacts.all[of.Number()]; c.isSolid() {
				if k := c.bodyA + c.bodyB - i; s.bodies.poses[k].flags&poseSleeping != 0 {
					stack = append(stack, k)
				}
			}
		}
		for e := b.M_jointList; e != nil; e = e.Next {
			if k := e.Other.M_islandIndex; s.bodies.poses[k].flags&poseSleeping != 0 {
				stack = append(stack, int32(k))
			}
		}
	}
	u.stack = stack
}
