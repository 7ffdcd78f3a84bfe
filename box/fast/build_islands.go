package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/reslice"
)

// buildContactLists lists the solid contacts of each body. If all is true, the lists contain
// every contact, because callbacks may still change the flags of contacts.
func (s *Stepper) buildContactLists(all bool) {
	is := &s.islands
	refs := s.mirror.contacts
	n := len(s.mirror.bodies)
	is.contactSkipped = reslice.ResizeDirty(is.contactSkipped, len(refs))
	is.contactBodies = reslice.ResizeDirty(is.contactBodies, len(refs))
	is.contactsByBody.start = reslice.ResizeDirty(is.contactsByBody.start, n+1)
	start := is.contactsByBody.start
	clear(start)
	for i := range refs {
		r := &refs[i]
		if s.mode.callbacks != callbacksNone { // if no callback runs, collide has computed r.solid
			r.c.M_flags &^= b2.ContactIsland
			r.solid = isSolid(r)
		}
		is.contactBodies[i] = bodyPair{r.indexA, r.indexB}
		skip := !all && !r.solid
		is.contactSkipped[i] = skip
		if !skip {
			start[r.indexA]++
			start[r.indexB]++
		}
	}
	for _, c := range s.mirror.retiredContacts {
		c.M_flags &^= b2.ContactIsland
	}
	items := is.contactsByBody.allocate()
	for i, e := range is.contactBodies {
		if is.contactSkipped[i] {
			continue
		}
		start[e.a]--
		items[start[e.a]] = int32(i)
		start[e.b]--
		items[start[e.b]] = int32(i)
	}
}

// buildJointLists lists the joints of each body.
func (s *Stepper) buildJointLists() {
	adj := &s.islands.jointsByBody
	adj.start = reslice.ResizeDirty(adj.start, len(s.mirror.bodies)+1)
	clear(adj.start)
	joints := s.mirror.joints
	if len(joints) == 0 {
		return
	}
	for i := range joints {
		adj.start[joints[i].indexA]++
		adj.start[joints[i].indexB]++
	}
	items := adj.allocate()
	for i := range joints {
		j := &joints[i]
		adj.start[j.indexA]--
		items[adj.start[j.indexA]] = int32(i)
		adj.start[j.indexB]--
		items[adj.start[j.indexB]] = int32(i)
	}
}

// allocate reserves a range of items for each body. Before the call, start has the number of items of
// each body. After the call, start has the end of each range. The caller fills each range from its end,
// the oldest item first, so that start finally has the beginnings of the ranges.
func (a *adjacency) allocate() []int32 {
	sum := int32(0)
	for i, c := range a.start {
		sum += c
		a.start[i] = sum
	}
	a.items = reslice.ResizeDirty(a.items, int(sum))
	return a.items
}

// isSolid reports whether a contact is enabled, touches and has no sensor.
// Such a contact puts its bodies into one island.
func isSolid(r *contactRef) bool {
	const both = b2.ContactEnabled | b2.ContactTouching
	return r.c.M_flags&both == both && !r.fA.M_isSensor && !r.fB.M_isSensor
}

// buildIsland collects the island of a body by depth-first search.
func (s *Stepper) buildIsland(seed int32) {
	is := &s.islands
	refs, all, joints := s.mirror.contacts, s.mirror.bodies, s.mirror.joints
	oneByOne := s.mode.islands.oneByOne()
	isl := island{bodies: int32(len(is.bodies))}
	is.staticBodies, is.foundContacts, is.foundJoints = is.staticBodies[:0], is.foundContacts[:0], is.foundJoints[:0]
	stack := append(is.stack[:0], seed)
	is.bodyInIsland[seed] = true
	all[seed].M_flags |= b2.BodyIsland
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		b := all[i]
		box2d.B2Assert(b.M_flags&b2.BodyActive != 0)
		at := int32(len(is.bodies)) - isl.bodies
		is.bodies = append(is.bodies, b)
		is.worldIndex = append(is.worldIndex, i)
		is.islandIndex[i] = at
		b.M_islandIndex = int(at)
		b.M_flags |= b2.BodyAwake
		if is.isStatic[i] {
			is.staticBodies = append(is.staticBodies, i)
			continue
		}
		for _, k := range is.contactsByBody.of(i) {
			if is.contactSkipped[k] || oneByOne && !isSolid(&refs[k]) {
				continue
			}
			is.contactSkipped[k] = true
			e := is.contactBodies[k]
			is.foundContacts = append(is.foundContacts, islandContact{k, e.a, e.b})
			if o := e.a ^ e.b ^ i; !is.bodyInIsland[o] { // the other body
				is.bodyInIsland[o] = true
				all[o].M_flags |= b2.BodyIsland
				stack = append(stack, o)
			}
		}
		for _, k := range is.jointsByBody.of(i) {
			j := &joints[k]
			o := j.indexA ^ j.indexB ^ i
			if is.jointInIsland[k] || all[o].M_flags&b2.BodyActive == 0 {
				continue
			}
			is.jointInIsland[k] = true
			is.foundJoints = append(is.foundJoints, k)
			if !is.bodyInIsland[o] {
				is.bodyInIsland[o] = true
				all[o].M_flags |= b2.BodyIsland
				stack = append(stack, o)
			}
		}
	}
	is.stack = stack
	isl.bodiesEnd = int32(len(is.bodies))
	is.orderContacts(&isl, s.mode.islands)
	is.orderJoints(&isl, joints, s.mode.islands)

	// A static body may be part of several islands.
	for _, i := range is.staticBodies {
		is.bodyInIsland[i] = false
		all[i].M_flags &^= b2.BodyIsland
	}
	isl.hasStatic = len(is.staticBodies) > 0
	is.islands = append(is.islands, isl)
	s.solved++
	s.largest = max(s.largest, int(isl.bodiesEnd-isl.bodies)-len(is.staticBodies))
}

// adjacency lists the indices of each body's contacts or joints, the newest first. The library's
// lists of contact edges and joint edges have the same order.
type adjacency struct {
	start []int32
	items []int32
}

// of returns the indices of a body's contacts or joints. The parameter body is an index in
// mirror.bodies.
func (a *adjacency) of(body int32) []int32 {
	return a.items[a.start[body]:a.start[body+1]]
}
