package soft

import "github.com/ByteArena/box2d"

// islands joins the bodies that touch or are jointed to sets, which fall asleep
// at once. It is needed only in steps in which a body is tired.
type islands struct {
	parent []int32
	rest   []float64 // by root: how long the least rested body has rested
	stack  []int32
}

func (u *islands) root(i int32) int32 {
	for u.parent[i] != i {
		u.parent[i] = u.parent[u.parent[i]]
		i = u.parent[i]
	}
	return i
}

func (u *islands) join(a, b int32) {
	a, b = u.root(a), u.root(b)
	if a == b {
		return
	}
	if a > b {
		a, b = b, a
	}
	u.parent[b] = a
}

// isSolid reports whether a contact holds bodies together.
func (c *contact) isSolid() bool {
	return c.count > 0 && c.flags&(enabled|touching) == enabled|touching
}

// sleepIslands puts the islands to sleep in which everything has been at rest
// long enough.
func (s *Stepper) sleepIslands() {
	u := &s.islands
	n := len(s.bodies)
	u.parent, u.rest = growTo(u.parent, n)[:n], growTo(u.rest, n)[:n]
	for i := range u.parent {
		u.parent[i] = int32(i)
		u.rest[i] = s.bodies[i].b.M_sleepTime
	}
	const both = poseDynamic
	for _, slot := range s.order {
		c := &s.contacts[slot]
		if !c.isSolid() {
			continue
		}
		fa, fb := s.poses[c.bodyA].flags, s.poses[c.bodyB].flags
		if fa&fb&both != 0 {
			u.join(c.bodyA, c.bodyB)
		} else if fa&poseMoving != 0 {
			u.rest[c.bodyB] = 0
		} else if fb&poseMoving != 0 {
			u.rest[c.bodyA] = 0
		}
	}
	for i := range s.joints {
		j := &s.joints[i]
		s.joinJoint(j.bodyA, j.bodyB)
		if _, ok := j.j.(*box2d.B2GearJoint); ok {
			s.joinJoint(j.bodyA, j.gear[0])
			s.joinJoint(j.bodyA, j.gear[1])
			s.joinJoint(j.bodyA, j.bodyB)
		}
	}
	for i := range u.parent {
		r := u.root(int32(i))
		if s.poses[i].flags&poseDynamic != 0 && u.rest[i] < u.rest[r] {
			u.rest[r] = u.rest[i]
		}
	}
	for i := range u.parent {
		if s.poses[i].flags&poseAwake != 0 && u.rest[u.root(int32(i))] >= timeToSleep {
			s.bodies[i].b.SetAwake(false)
		}
	}
}

func (s *Stepper) joinJoint(a, b int32) {
	u := &s.islands
	fa, fb := s.poses[a].flags, s.poses[b].flags
	if fa&fb&poseDynamic != 0 {
		u.join(a, b)
	} else if fa&poseMoving != 0 {
		u.rest[b] = 0
	} else if fb&poseMoving != 0 {
		u.rest[a] = 0
	}
}

// wakeIslands wakes sleeping bodies that touch, or are jointed to, one that is
// awake, and what touches those.
func (s *Stepper) wakeIslands() {
	asleep := false
	for i := range s.poses {
		if s.poses[i].flags&poseSleeping != 0 {
			asleep = true
			break
		}
	}
	if !asleep {
		return
	}
	for _, slot := range s.order {
		c := &s.contacts[slot]
		if !c.isSolid() {
			continue
		}
		s.wakeEither(c.bodyA, c.bodyB)
	}
	for i := range s.joints {
		j := &s.joints[i]
		if j.base.M_bodyA.M_flags&j.base.M_bodyB.M_flags&bodyActive != 0 {
			s.wakeEither(j.bodyA, j.bodyB)
		}
	}
}

// wakeEither wakes the island of one body if the other is awake.
func (s *Stepper) wakeEither(a, b int32) {
	fa, fb := s.poses[a].flags, s.poses[b].flags
	const wakes = poseDynamic | poseMoving
	switch {
	case fa&poseSleeping != 0 && fb&wakes != 0:
		s.wakeIsland(a)
	case fb&poseSleeping != 0 && fa&wakes != 0:
		s.wakeIsland(b)
	}
}

func (s *Stepper) wakeIsland(i int32) {
	u := &s.islands
	stack := append(u.stack[:0], i)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.poses[i].flags&poseSleeping == 0 {
			continue
		}
		s.wake(i)
		b := s.bodies[i].b
		for e := b.M_contactList; e != nil; e = e.Next {
			if k := e.Other.M_islandIndex; s.poses[k].flags&poseSleeping != 0 && touchesSolidly(e.Contact) {
				stack = append(stack, int32(k))
			}
		}
		for e := b.M_jointList; e != nil; e = e.Next {
			if k := e.Other.M_islandIndex; s.poses[k].flags&poseSleeping != 0 {
				stack = append(stack, int32(k))
			}
		}
	}
	u.stack = stack
}
