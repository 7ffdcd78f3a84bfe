package stepper

import (
	"math"

	"github.com/ByteArena/box2d"
)

type vec = box2d.B2Vec2

// proxy is a convex shape as the distance algorithm sees it.
type proxy struct {
	vertices []vec
	radius   float64
	buffer   [2]vec
}

func (p *proxy) set(shape box2d.B2ShapeInterface, index int) {
	switch sh := shape.(type) {
	case *box2d.B2PolygonShape:
		p.vertices, p.radius = sh.M_vertices[:sh.M_count], sh.M_radius
	case *box2d.B2CircleShape:
		p.buffer[0] = sh.M_p
		p.vertices, p.radius = p.buffer[:1], sh.M_radius
	case *box2d.B2EdgeShape:
		p.buffer = [2]vec{sh.M_vertex1, sh.M_vertex2}
		p.vertices, p.radius = p.buffer[:], sh.M_radius
	case *box2d.B2ChainShape:
		box2d.B2Assert(0 <= index && index < sh.M_count)
		next := 0
		if index+1 < sh.M_count {
			next = index + 1
		}
		p.buffer = [2]vec{sh.M_vertices[index], sh.M_vertices[next]}
		p.vertices, p.radius = p.buffer[:], sh.M_radius
	default:
		box2d.B2Assert(false)
	}
}

// support is the index of the vertex furthest along a direction.
func (p *proxy) support(x, y float64) int {
	best, most := 0, p.vertices[0].X*x+p.vertices[0].Y*y
	for i := 1; i < len(p.vertices); i++ {
		if d := p.vertices[i].X*x + p.vertices[i].Y*y; d > most {
			best, most = i, d
		}
	}
	return best
}

// corner is a vertex of the simplex in the difference of two shapes.
type corner struct {
	a, b, w vec // points of A and of B, and the way from one to the other
	weight  float64
	iA, iB  int
}

func (c *corner) place(pA, pB *proxy, xfA, xfB *box2d.B2Transform) {
	c.a = apply(xfA, pA.vertices[c.iA])
	c.b = apply(xfB, pB.vertices[c.iB])
	c.w = vec{X: c.b.X - c.a.X, Y: c.b.Y - c.a.Y}
}

// simplex is one to three corners.
type simplex struct {
	v [3]corner
	n int
}

// simplexCache carries a simplex over to the next query of the same shapes.
type simplexCache struct {
	metric float64
	n      int
	iA, iB [3]int
}

func (s *simplex) read(cache *simplexCache, pA, pB *proxy, xfA, xfB *box2d.B2Transform) {
	s.n = cache.n
	for i := 0; i < s.n; i++ {
		c := &s.v[i]
		c.iA, c.iB, c.weight = cache.iA[i], cache.iB[i], 0
		c.place(pA, pB, xfA, xfB)
	}
	if s.n > 1 {
		// A simplex that has changed much is no good start.
		was, is := cache.metric, s.metric()
		if is < 0.5*was || 2*was < is || is < box2d.B2_epsilon {
			s.n = 0
		}
	}
	if s.n == 0 {
		c := &s.v[0]
		c.iA, c.iB, c.weight = 0, 0, 1
		c.place(pA, pB, xfA, xfB)
		s.n = 1
	}
}

func (s *simplex) write(cache *simplexCache) {
	cache.metric, cache.n = s.metric(), s.n
	for i := 0; i < s.n; i++ {
		cache.iA[i], cache.iB[i] = s.v[i].iA, s.v[i].iB
	}
}

// metric is a segment's length or twice a triangle's area.
func (s *simplex) metric() float64 {
	switch s.n {
	case 2:
		return box2d.B2Vec2Distance(s.v[0].w, s.v[1].w)
	case 3:
		return cross(minus(s.v[1].w, s.v[0].w), minus(s.v[2].w, s.v[0].w))
	}
	return 0
}

func dot(a, b vec) float64   { return a.X*b.X + a.Y*b.Y }
func cross(a, b vec) float64 { return a.X*b.Y - a.Y*b.X }
func minus(a, b vec) vec     { return vec{X: a.X - b.X, Y: a.Y - b.Y} }

// only keeps one corner.
func (s *simplex) only(i int) {
	s.v[i].weight = 1
	s.v[0] = s.v[i]
	s.n = 1
}

// segment finds the point of a segment that is closest to the origin.
func (s *simplex) segment() {
	w1, w2 := s.v[0].w, s.v[1].w
	e := minus(w2, w1)
	d2 := -dot(w1, e)
	if d2 <= 0 {
		s.only(0)
		return
	}
	d1 := dot(w2, e)
	if d1 <= 0 {
		s.only(1)
		return
	}
	k := 1 / (d1 + d2)
	s.v[0].weight, s.v[1].weight = d1*k, d2*k
	s.n = 2
}

// triangle does the same for a triangle, region by region.
func (s *simplex) triangle() {
	w1, w2, w3 := s.v[0].w, s.v[1].w, s.v[2].w
	e12 := minus(w2, w1)
	d12a, d12b := dot(w2, e12), -dot(w1, e12)
	e13 := minus(w3, w1)
	d13a, d13b := dot(w3, e13), -dot(w1, e13)
	e23 := minus(w3, w2)
	d23a, d23b := dot(w3, e23), -dot(w2, e23)
	n := cross(e12, e13)
	t1, t2, t3 := n*cross(w2, w3), n*cross(w3, w1), n*cross(w1, w2)

	switch {
	case d12b <= 0 && d13b <= 0:
		s.only(0)
	case d12a > 0 && d12b > 0 && t3 <= 0:
		k := 1 / (d12a + d12b)
		s.v[0].weight, s.v[1].weight = d12a*k, d12b*k
		s.n = 2
	case d13a > 0 && d13b > 0 && t2 <= 0:
		k := 1 / (d13a + d13b)
		s.v[0].weight, s.v[2].weight = d13a*k, d13b*k
		s.n = 2
		s.v[1] = s.v[2]
	case d12a <= 0 && d23b <= 0:
		s.only(1)
	case d13a <= 0 && d23a <= 0:
		s.only(2)
	case d23a > 0 && d23b > 0 && t1 <= 0:
		k := 1 / (d23a + d23b)
		s.v[1].weight, s.v[2].weight = d23a*k, d23b*k
		s.n = 2
		s.v[0] = s.v[2]
	default:
		k := 1 / (t1 + t2 + t3)
		s.v[0].weight, s.v[1].weight, s.v[2].weight = t1*k, t2*k, t3*k
		s.n = 3
	}
}

// gap is the length of the way between the closest points.
func (s *simplex) gap() float64 {
	a, b := s.v[0].a, s.v[0].b
	if s.n > 1 {
		a, b = s.blend()
	}
	dx, dy := a.X-b.X, a.Y-b.Y
	return math.Sqrt(dx*dx + dy*dy)
}

func (s *simplex) blend() (a, b vec) {
	u, v := &s.v[0], &s.v[1]
	a.X = u.weight*u.a.X + v.weight*v.a.X
	a.Y = u.weight*u.a.Y + v.weight*v.a.Y
	if s.n == 2 {
		b.X = u.weight*u.b.X + v.weight*v.b.X
		b.Y = u.weight*u.b.Y + v.weight*v.b.Y
		return a, b
	}
	t := &s.v[2]
	a.X += t.weight * t.a.X
	a.Y += t.weight * t.a.Y
	return a, a
}

// distance is the gap between two shapes without their radii, by the
// algorithm of Gilbert, Johnson and Keerthi. It keeps no global counters, as
// the library's does.
func distance(cache *simplexCache, pA, pB *proxy, xfA, xfB *box2d.B2Transform) float64 {
	var s simplex
	s.read(cache, pA, pB, xfA, xfB)
	for iter := 0; iter < 20; iter++ {
		saved := s.n
		var iA, iB [3]int
		for i := 0; i < saved; i++ {
			iA[i], iB[i] = s.v[i].iA, s.v[i].iB
		}
		switch s.n {
		case 2:
			s.segment()
		case 3:
			s.triangle()
		}
		if s.n == 3 {
			break // the origin is inside
		}
		d := vec{X: -s.v[0].w.X, Y: -s.v[0].w.Y}
		if s.n == 2 {
			e := minus(s.v[1].w, s.v[0].w)
			if cross(e, d) > 0 {
				d = vec{X: -1.0 * e.Y, Y: 1.0 * e.X}
			} else {
				d = vec{X: 1.0 * e.Y, Y: -1.0 * e.X}
			}
		}
		c := &s.v[s.n]
		c.iA = pA.support(xfA.Q.C*-d.X+xfA.Q.S*-d.Y, -xfA.Q.S*-d.X+xfA.Q.C*-d.Y)
		c.iB = pB.support(xfB.Q.C*d.X+xfB.Q.S*d.Y, -xfB.Q.S*d.X+xfB.Q.C*d.Y)
		c.place(pA, pB, xfA, xfB)
		again := false
		for i := 0; i < saved; i++ {
			if c.iA == iA[i] && c.iB == iB[i] {
				again = true
				break
			}
		}
		if again {
			break
		}
		s.n++
	}
	gap := s.gap()
	s.write(cache)
	return gap
}

// sensorOverlap tells whether the shapes of a contact overlap.
func (t *query) sensorOverlap(r *contactRef) bool {
	t.set(r)
	var cache simplexCache
	gap := distance(&cache, &t.a, &t.b, &r.bA.M_xf, &r.bB.M_xf)
	if radii := t.a.radius + t.b.radius; gap > radii && gap > box2d.B2_epsilon {
		gap -= radii
	} else {
		gap = 0
	}
	return gap < 10*box2d.B2_epsilon
}
