package soft

import "halfstep/internal/box"

// islands joins bodies that touch or that have a joint in common to sets. The bodies of a set fall
// asleep together. This is needed only in a step in which a body is tired, which means that it has
// been at rest long enough to sleep.
type islands struct {
	parent []int32 // by tired body: a body of the same set; the root of a set is its own parent
	rested []bool  // by body: the body is tired; for a root, at the end: all bodies of its set are tired
	tired  []int32
	rising []rising // rising are the bodies that have woken, for the method spread.

	set      *box.World
	stride   *stride
	bodies   *bodies
	contacts *contacts
	joints   *joints
	narrow   *narrowPhase
}

func (s *islands) root(i int32) int32 {
	for s.parent[i] != i {
		s.parent[i] = s.parent[s.parent[i]]
		i = s.parent[i]
	}
	return i
}

// sleep puts islands to sleep if all their bodies have been at rest long enough. The parameter moved
// has the bodies that were moved, and shares has the contacts that were solved. The method adds
// sleepers to rest that are not in rest yet.
func (s *islands) sleep(moved []finished, shares []shared, rest []int32) []int32 {
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
			set.Bodies.Slept(i)
			s.bodies.passing = append(s.bodies.passing, i)
			if s.bodies.poses[i].flags&poseDone != 0 {
				rest = append(rest, i)
			}
			s.bodies.motions[i].v, s.bodies.motions[i].w = vec{}, 0
			s.bodies.plan(i)
		}
	}
	return rest
}

// join puts two dynamic bodies into one set. A body next to a moving kinematic body, or next to a
// body that is not tired, counts as not rested.
func (s *islands) join(a, b int32) {
	if !s.rested[a] && !s.rested[b] {
		return // if few bodies are tired, most contacts end here
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

// wake wakes sleeping bodies that touch an awake body or are joined to one, together with their
// islands. The parameter found is the result of the narrow phase.
func (s *islands) wake(found []narrowed) {
	set := s.set
	if !s.bodies.sleepers {
		return
	}
	for _, i := range s.bodies.woken { // bodies that have woken in the narrow phase
		s.rising = append(s.rising, s.struck(i))
	}
	s.spread()
	if len(s.bodies.woken) > 0 {
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

// wakeBeside goes through some contacts, and wakes the islands of sleeping bodies that touch an awake
// body there.
func (s *islands) wakeBeside(contacts []int32) {
	for _, n := range contacts {
		e := &s.set.Contacts.All[n]
		if k := s.bodies.sleeperOf(e.A, e.B); k >= 0 && e.ID != 0 && s.contacts.all[n].isSolid() {
			s.wakeIsland(k)
		}
	}
}

func (s *islands) wakeIsland(i int32) {
	s.bodies.wake(i)
	s.rising = append(s.rising, s.struck(i))
	s.spread()
}

// rising is a body that wakes in this step, and its push. The push is its displacement in this
// step, in m, and the inverse mass of the body that pushes it. The field passed is the number of
// bodies through which the push has been passed on.
type rising struct {
	body    int32
	passed  int32
	push    vec
	inverse float32
}

// shove is the depth from which on a pushed body wakes its neighbours, as a fraction of the body's
// least extent. A body that goes less deep comes back out on the side where it went in.
const shove = 0.5

// struck returns the greatest push that a woken body gets from the bodies that touch it.
func (s *islands) struck(i int32) rising {
	r := rising{body: i}
	for of := range s.set.ContactsOf(s.bodies.all[i].b) {
		c := &s.contacts.all[of.Number()]
		if !c.isSolid() {
			continue
		}
		if way := float32(s.contacts.closingSpeed(c) * s.stride.dt); way*way > dot(r.push, r.push) {
			by := rising{body: c.bodyA + c.bodyB - i}
			by.inverse = s.bodies.masses[by.body].m
			r = s.passOn(&by, c, way)
		}
	}
	return r
}

// passOn returns the push of the other body of a contact. The body by is pushed by the displacement
// way along the normal.
func (s *islands) passOn(by *rising, c *contact, way float32) rising {
	r := rising{body: c.bodyA + c.bodyB - by.body, passed: by.passed + 1, push: c.normal.times(way), inverse: by.inverse}
	if r.body == c.bodyA {
		r.push = c.normal.times(-way)
	}
	if m := s.bodies.masses[r.body].m; by.inverse > 0 {
		r.push, r.inverse = r.push.times(m/(m+by.inverse)), m*by.inverse/(m+by.inverse)
	}
	return r
}

// wayInto returns the displacement of a body along the normal of a contact, in the direction of the
// other body.
func (r *rising) wayInto(c *contact) float32 {
	way := dot(r.push, c.normal)
	if r.body == c.bodyB {
		way = -way
	}
	return greater(way, 0)
}

// spread wakes the islands of the bodies in rising. A body that was made asleep has no island,
// because its contacts are not known yet. Such a body wakes in the next step, or in this step if
// another body is pushed into it. In each pass of the solver a push moves on by one body.
func (s *islands) spread() {
	most := 2 * int32(s.stride.subSteps)
	for k := 0; k < len(s.rising); k++ {
		r := s.rising[k]
		b := s.bodies.all[r.body].b
		least := float32(shove * s.bodies.all[r.body].minExtent)
		for of := range s.set.ContactsOf(b) {
			n := of.Number()
			c := &s.contacts.all[n]
			i := c.bodyA + c.bodyB - r.body
			sleeps, fresh := s.bodies.poses[i].flags&poseSleeping != 0, c.flags&known == 0
			if fresh {
				was := *c
				if sleeps && (r.passed > most || dot(r.push, r.push) < least*least) || !s.narrow.meet(n, c) || sleeps && r.wayInto(c) < least {
					*c = was
					continue
				}
			}
			if sleeps && c.isSolid() {
				s.bodies.wake(i)
				s.rising = append(s.rising, s.passOn(&r, c, r.wayInto(c)))
			}
			if fresh {
				s.narrow.tellMet(n)
			}
		}
		for e := b.M_jointList; e != nil; e = e.Next {
			if i := int32(e.Other.M_islandIndex); s.bodies.poses[i].flags&poseSleeping != 0 {
				s.bodies.wake(i)
				s.rising = append(s.rising, rising{body: i})
			}
		}
	}
	s.rising = s.rising[:0]
}
