package soft

import (
	"math"
	"math/bits"
)

// forms are the geometries of shapes. Equal geometries are stored only once. Most worlds therefore
// have few geometries, and the narrow phase finds them in the cache.
type forms struct {
	all   []geometry // by form: the geometry; number 0 is for shapes that are not loaded
	of    []int32    // by shape: its form
	users []int32    // by form: the number of shapes that have the form
	next  []int32    // by form: the next form in its list, or 0; for a free form the next free form
	first []int32    // by the lowest bits of a key: the first form of a list
	free  int32      // free is a form that no shape has, or 0.
}

func (s *forms) grow(n int) {
	s.of = copied(s.of, n)
	if len(s.all) == 0 {
		s.all, s.users, s.next, s.first = make([]geometry, 1), make([]int32, 1), make([]int32, 1), make([]int32, 64)
	}
}

func (s *forms) put(shape int32, g *geometry) {
	was := s.of[shape]
	n := *s.list(g)
	for n != 0 && !s.all[n].is(g) {
		n = s.next[n]
	}
	if n == 0 {
		n = s.add(g)
	}
	s.users[n]++
	s.of[shape] = n
	s.leave(was)
}

// drop removes the geometry of a shape, if the shape has one.
func (s *forms) drop(shape int32) {
	was := s.of[shape]
	s.of[shape] = 0
	s.leave(was)
}

func (s *forms) add(g *geometry) int32 {
	n := s.free
	if n != 0 {
		s.free = s.next[n]
	} else {
		n = int32(len(s.all))
		s.all, s.users, s.next = append(s.all, geometry{}), append(s.users, 0), append(s.next, 0)
		if int(n) == len(s.first) {
			s.first = make([]int32, 2*len(s.first))
			for k := int32(1); k < n; k++ {
				s.enter(k)
			}
		}
	}
	s.all[n] = *g
	s.enter(n)
	return n
}

// enter adds a form to its list.
func (s *forms) enter(n int32) {
	list := s.list(&s.all[n])
	s.next[n], *list = *list, n
}

// list returns the head of the list to which a geometry belongs.
func (s *forms) list(g *geometry) *int32 { return &s.first[g.key()&uint64(len(s.first)-1)] }

// leave is called when a shape no longer has a form.
func (s *forms) leave(n int32) {
	if n == 0 {
		return
	}
	if s.users[n]--; s.users[n] > 0 {
		return
	}
	at := s.list(&s.all[n])
	for *at != n {
		at = &s.next[*at]
	}
	*at = s.next[n]
	s.all[n], s.next[n] = geometry{}, s.free
	s.free = n
}

// key returns a number that is equal for geometries with the same bits, and rarely equal for others.
func (g *geometry) key() uint64 {
	h := uint64(g.count)<<16 | uint64(g.kind)<<8 | uint64(g.ghosts)
	mix := func(v vec) {
		h ^= v.bits()
		high, low := bits.Mul64(h, 0x9e3779b97f4a7c15)
		h = high ^ low
	}
	mix(vec{g.radius, 0})
	for i := range g.count {
		mix(g.v[i&7])
	}
	return h
}

// is reports whether two geometries have the same bits.
func (g *geometry) is(o *geometry) bool {
	if g.kind != o.kind || g.ghosts != o.ghosts || g.count != o.count || math.Float32bits(g.radius) != math.Float32bits(o.radius) ||
		g.before.bits() != o.before.bits() || g.after.bits() != o.after.bits() {
		return false
	}
	for i := range g.count { // the normals and the centroid follow from the vertices
		if g.v[i&7].bits() != o.v[i&7].bits() {
			return false
		}
	}
	return true
}

// bits returns the bits of both coordinates. The number -0 has other bits than 0.
func (v vec) bits() uint64 {
	return uint64(math.Float32bits(v.x))<<32 | uint64(math.Float32bits(v.y))
}
