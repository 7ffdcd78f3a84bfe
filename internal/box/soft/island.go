package soft

import "halfstep/internal/box"

// islands joins bodies that touch or have a joint to sets, which fall asleep at once. It is
// needed only in steps in which a body is tired, that is, has rested long enough to sleep.
type islands struct {
	parent []int32 // by body that is tired: a body of the same set; a root is its own parent
	rested []bool  // by body: it is tired; of a root in the end, its whole set is
	tired  []int32
	stack  []int32

	set      *box.World
	bodies   *bodies
	contacts *contacts
	joints   *joints
}

func (s *islands) root(i int32) int32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// sleep puts the islands to sleep in which everything has been at rest
// long enough. moved are the bodies that were moved, and shares the contacts that were solved.
func (s *islands) sleep(moved []finished, shares []shared) {
	set := s.set
	n := len(set.Bodies.All)
	s.parent, s.rested = growTo(s.parent, n), growTo(s.rested, n)
	clear(s.rested)
	s.tired = s.tired[:0]
	for i := range moved {
		s.tired = append(s.tired, moved[i].tired...)
	}
	for _, i := range s.tired {
		s.parent[i], s.rested[i] = i, true
	}
	for b := range shares {
		for k := range shares[b].entries {
			for _, e := range shares[b].entries[k] {
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
	for _, i := range s.tired {
		if s.bodies.poses[i].flags&poseDynamic != 0 && !s.rested[i] {
			s.rested[s.root(i)] = false
		}
	}
	for _, i := range s.tired {
		if s.bodies.poses[i].flags&poseAwake != 0 && s.rested[s.root(i)] {
			s.bodies.all[i].b.SetAwake(false)
			set.Bodies.Slept()
			s.bodies.motions[i].v, s.bodies.motions[i].w = vec{}, 0
			s.bodies.plan(i)
		}
	}
}

// join puts two dynamic bodies into one set. A body next to a moving kinematic one, or next to
// one that is not tired, counts as not rested.
func (s *islands) join(a, b int32) {
	if !s.rested[a] && !s.rested[b] {
		return // most contacts, where few bodies are tired
	}
	fa, fb := s.bodies.poses[a].flags, s.bodies.poses[b].flags
	dynamic := fa&fb&poseDynamic != 0
	switch {
	case fa&poseMoving != 0 || dynamic && !s.rested[a]:
		s.rested[b] = false
	case fb&poseMoving != 0 || dynamic && !s.rested[b]:
		s.rested[a] = false
	case dynamic:
		a, b = s.root(a), s.root(b)
		s.parent[max(a, b)] = min(a, b)
	}
}

// wake wakes sleeping bodies that touch, or have a joint with, one that is awake, and
// their islands. found is what the narrow phase has found.
func (s *islands) wake(found []narrowed) {
	set := s.set
	if !s.bodies.sleepers {
		return
	}
	if s.bodies.woken { // a body woke in the narrow phase
		s.wakeBeside(set.Contacts.Active)
	} else {
		for i := range found {
			s.wakeBeside(found[i].sleepers)
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
func (s *islands) wakeBeside(contacts []int32) {
	for _, n := range contacts {
		e := &s.set.Contacts.All[n]
		if k := s.bodies.sleeperOf(e.A, e.B); k >= 0 && e.ID != 0 && s.contacts.all[n].isSolid() {
			s.wakeIsland(k)
		}
	}
}

func (s *islands) wakeIsland(i int32) {
	stack := append(s.stack[:0], i)
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
	s.stack = stack
}
