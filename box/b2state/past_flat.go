package b2state

import (
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/box/paged"
)

// Shares reports whether the State has pages, which it shares with others.
func (s *State) Shares() bool {
	p := pagesOf(s)
	return p != nil && p.of != nil
}

// Numbers are those that the box.World had for bodies, contacts and joints, in the
// order of the world's lists. A State that shares nothing does not know them.
func (s *State) Numbers() (bodies, contacts, joints []int32) {
	if !s.Shares() {
		return nil, nil, nil
	}
	from := pagesOf(s)
	bodies = numbers(&from.bodies, from.sizes[0], from.heads.body, func(e *pagedBody) *box2d.B2Body { return e.of.B },
		func(n int) *box2d.B2Body { return from.bodies.At(n).value.M_next })
	contacts = numbers(&from.contacts, from.sizes[1], from.heads.contact, func(e *pagedContact) box2d.B2ContactInterface { return e.of.I },
		func(n int) box2d.B2ContactInterface { return from.links.At(n).next })
	joints = numbers(&from.joints, from.sizes[2], from.heads.joint, func(e *pagedJoint) box2d.B2JointInterface { return e.of.J },
		func(n int) box2d.B2JointInterface { return from.joints.At(n).base.M_next })
	return bodies, contacts, joints
}

// numbers follows a list of the world, and returns where its elements are in a table.
func numbers[T any, K comparable](t *paged.Table[T], size int, head K, of func(*T) K, next func(n int) K) (list []int32) {
	at := make(map[K]int, size)
	t.Pages(func(first int, page []T) {
		for i := range page {
			at[of(&page[i])] = first + i
		}
	})
	var end K
	for e := head; e != end; {
		n := at[e]
		list = append(list, int32(n))
		e = next(n)
	}
	return list
}

// flat is the State as one that shares nothing. Any goroutine may ask for it.
func (s *State) flat() *State {
	if !s.Shares() {
		return s
	}
	from := pagesOf(s)
	to := &State{world: s.world, moves: s.moves}
	bodies, contacts, joints := s.Numbers()
	to.nodes = make([]savedNode, from.nodeCount)
	from.nodes.Pages(func(first int, page []pagedNode) {
		for i := range page {
			if n := first + i; n < len(to.nodes) {
				to.nodes[n] = page[i].savedNode
			}
		}
	})
	to.bodies, to.fixtures, to.proxies = []savedBody{}, []savedFixture{}, []savedProxy{}
	for _, n := range bodies {
		e := from.bodies.At(int(n))
		to.bodies = append(to.bodies, savedBody{e.of.B, e.value})
		if island := &to.bodies[len(to.bodies)-1].value.M_islandIndex; from.of.leave {
			*island = 0
		} else {
			*island = e.of.Island
		}
		shapes := *from.shapes.At(int(n))
		proxies := shapes.proxies
		for _, f := range shapes.fixtures {
			to.fixtures = append(to.fixtures, f)
			for range f.value.M_proxies {
				proxy := savedProxy{id: proxies[0].id, child: proxies[0].child}
				proxies = proxies[1:]
				if f.value.M_proxyCount > 0 {
					proxy.aabb = *from.boxes.At(int(proxy.id))
				}
				to.proxies = append(to.proxies, proxy)
			}
		}
	}
	to.contacts, to.surfaces, to.manifolds = []savedContact{}, []surface{}, []box2d.B2Manifold{}
	for _, n := range contacts {
		e := from.contacts.At(int(n))
		c := savedContact{c: e.of.I, ends: e.ends, child: e.child, flags: *from.flags.At(int(n)), manifold: -1}
		if k, is := len(to.surfaces), from.surfaces.At(int(n)); k == 0 || to.surfaces[k-1] != *is {
			to.surfaces = append(to.surfaces, *is)
		}
		c.surface = int32(len(to.surfaces) - 1)
		if m := from.manifolds.At(int(n)); m != nil && !isBlank(m) {
			c.manifold = int32(len(to.manifolds))
			to.manifolds = append(to.manifolds, *m)
		}
		to.contacts = append(to.contacts, c)
	}
	to.joints = []savedJoint{}
	for _, n := range joints {
		e := from.joints.At(int(n))
		j := savedJoint{e.of.J, e.value, e.base, e.extra}
		if from.of.leave {
			j.base.M_index = 0
		}
		to.joints = append(to.joints, j)
	}
	return to
}

// size is how many bytes the tables take in a State that shares nothing, but for the
// manifolds.
func (s *pages) size() int {
	if s == nil {
		return 0
	}
	of := func(count int, each uintptr) int { return count * int(each) }
	return of(s.sizes[0], unsafe.Sizeof(savedBody{})) + of(s.fixtureCount, unsafe.Sizeof(savedFixture{})+unsafe.Sizeof(savedProxy{})) +
		of(s.sizes[1], unsafe.Sizeof(savedContact{})+unsafe.Sizeof(surface{})) +
		of(s.sizes[2], unsafe.Sizeof(savedJoint{})) + of(s.nodeCount, unsafe.Sizeof(savedNode{}))
}
