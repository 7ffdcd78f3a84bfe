package fast

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

type vec = box2d.B2Vec2

// distanceProxy is B2DistanceProxy: a convex shape for the distance algorithm.
type distanceProxy struct {
	vertices []vec
	radius   float64
	buffer   [2]vec
}

// set sets the vertices and the radius to those of a shape, or of segment number index of a chain.
func (p *distanceProxy) set(shape box2d.B2ShapeInterface, index int) {
	switch sh := shape.(type) {
	case *box2d.B2PolygonShape:
		p.vertices, p.radius = sh.M_vertices[:sh.M_count], sh.M_radius
	case *b2.RoundPolygon:
		p.vertices, p.radius = sh.M_vertices[:sh.M_count], sh.M_radius
	case *box2d.B2CircleShape:
		p.buffer[0] = sh.M_p
		p.vertices, p.radius = p.buffer[:1], sh.M_radius
	case *box2d.B2EdgeShape:
		p.buffer = [2]vec{sh.M_vertex1, sh.M_vertex2}
		p.vertices, p.radius = p.buffer[:], sh.M_radius
	case *box2d.B2ChainShape:
		box2d.B2Assert(0 <= index && index < sh.M_count)
		p.buffer = [2]vec{sh.M_vertices[index], sh.M_vertices[(index+1)%sh.M_count]}
		p.vertices, p.radius = p.buffer[:], sh.M_radius
	default:
		box2d.B2Assert(false)
	}
}

// support is GetSupport. It returns the index of the vertex that is farthest in the direction (x, y).
func (p *distanceProxy) support(x, y float64) int {
	bestIndex, bestValue := 0, p.vertices[0].X*x+p.vertices[0].Y*y
	for i := 1; i < len(p.vertices); i++ {
		if value := p.vertices[i].X*x + p.vertices[i].Y*y; value > bestValue {
			bestIndex, bestValue = i, value
		}
	}
	return bestIndex
}

// simplexVertex is B2SimplexVertex.
type simplexVertex struct {
	wA, wB, w      vec     // the farthest points of A and B in the direction of the search, and wB - wA
	a              float64 // barycentric coordinate
	indexA, indexB int
}

func (v *simplexVertex) set(pA, pB *distanceProxy, xfA, xfB *box2d.B2Transform) {
	v.wA = transformMul(xfA, pA.vertices[v.indexA])
	v.wB = transformMul(xfB, pB.vertices[v.indexB])
	v.w = vec{X: v.wB.X - v.wA.X, Y: v.wB.Y - v.wA.Y}
}

// simplex is B2Simplex: one to three vertices.
type simplex struct {
	vertices [3]simplexVertex
	count    int
}

// simplexCache is B2SimplexCache. The next call of distance for the same two proxies starts with
// the simplex in it.
type simplexCache struct {
	metric         float64
	count          int
	indexA, indexB [3]int
}

// readCache starts with the final simplex of the last call of distance. It does not use that
// simplex if its size has changed much.
func (s *simplex) readCache(cache *simplexCache, pA, pB *distanceProxy, xfA, xfB *box2d.B2Transform) {
	s.count = cache.count
	for i := 0; i < s.count; i++ {
		v := &s.vertices[i]
		v.indexA, v.indexB, v.a = cache.indexA[i], cache.indexB[i], 0
		v.set(pA, pB, xfA, xfB)
	}
	if s.count > 1 {
		// discard a simplex whose metric has changed much
		metric1, metric2 := cache.metric, s.metric()
		if metric2 < 0.5*metric1 || 2*metric1 < metric2 || metric2 < box2d.B2_epsilon {
			s.count = 0
		}
	}
	if s.count == 0 {
		v := &s.vertices[0]
		v.indexA, v.indexB, v.a = 0, 0, 1
		v.set(pA, pB, xfA, xfB)
		s.count = 1
	}
}

func (s *simplex) writeCache(cache *simplexCache) {
	cache.metric, cache.count = s.metric(), s.count
	for i := 0; i < s.count; i++ {
		cache.indexA[i], cache.indexB[i] = s.vertices[i].indexA, s.vertices[i].indexB
	}
}

// metric is GetMetric: a segment's length or twice a triangle's area.
func (s *simplex) metric() float64 {
	switch s.count {
	case 2:
		return box2d.B2Vec2Distance(s.vertices[0].w, s.vertices[1].w)
	case 3:
		return cross(sub(s.vertices[1].w, s.vertices[0].w), sub(s.vertices[2].w, s.vertices[0].w))
	}
	return 0
}

func dot(a, b vec) float64   { return a.X*b.X + a.Y*b.Y }
func cross(a, b vec) float64 { return a.X*b.Y - a.Y*b.X }
func sub(a, b vec) vec       { return vec{X: a.X - b.X, Y: a.Y - b.Y} }

// keepVertex reduces the simplex to one vertex.
func (s *simplex) keepVertex(i int) {
	s.vertices[i].a = 1
	s.vertices[0] = s.vertices[i]
	s.count = 1
}

// solve2 is Solve2. It finds the point of a segment that is closest to the origin, in
// barycentric coordinates.
func (s *simplex) solve2() {
	w1, w2 := s.vertices[0].w, s.vertices[1].w
	e := sub(w2, w1)
	d2 := -dot(w1, e)
	if d2 <= 0 {
		s.keepVertex(0)
		return
	}
	d1 := dot(w2, e)
	if d1 <= 0 {
		s.keepVertex(1)
		return
	}
	k := 1 / (d1 + d2)
	s.vertices[0].a, s.vertices[1].a = d1*k, d2*k
	s.count = 2
}

// solve3 is Solve3. It finds the point of a triangle that is closest to the origin, in
// barycentric coordinates.
func (s *simplex) solve3() {
	w1, w2, w3 := s.vertices[0].w, s.vertices[1].w, s.vertices[2].w
	e12 := sub(w2, w1)
	d12a, d12b := dot(w2, e12), -dot(w1, e12)
	e13 := sub(w3, w1)
	d13a, d13b := dot(w3, e13), -dot(w1, e13)
	e23 := sub(w3, w2)
	d23a, d23b := dot(w3, e23), -dot(w2, e23)
	n := cross(e12, e13)
	t1, t2, t3 := n*cross(w2, w3), n*cross(w3, w1), n*cross(w1, w2)

	switch {
	case d12b <= 0 && d13b <= 0:
		s.keepVertex(0)
	case d12a > 0 && d12b > 0 && t3 <= 0:
		k := 1 / (d12a + d12b)
		s.vertices[0].a, s.vertices[1].a = d12a*k, d12b*k
		s.count = 2
	case d13a > 0 && d13b > 0 && t2 <= 0:
		k := 1 / (d13a + d13b)
		s.vertices[0].a, s.vertices[2].a = d13a*k, d13b*k
		s.count = 2
		s.vertices[1] = s.vertices[2]
	case d12a <= 0 && d23b <= 0:
		s.keepVertex(1)
	case d13a <= 0 && d23a <= 0:
		s.keepVertex(2)
	case d23a > 0 && d23b > 0 && t1 <= 0:
		k := 1 / (d23a + d23b)
		s.vertices[1].a, s.vertices[2].a = d23a*k, d23b*k
		s.count = 2
		s.vertices[0] = s.vertices[2]
	default:
		k := 1 / (t1 + t2 + t3)
		s.vertices[0].a, s.vertices[1].a, s.vertices[2].a = t1*k, t2*k, t3*k
		s.count = 3
	}
}

// witnessDistance is the distance between the closest points of the two shapes.
func (s *simplex) witnessDistance() float64 {
	a, b := s.vertices[0].wA, s.vertices[0].wB
	if s.count > 1 {
		a, b = s.witnessPoints()
	}
	dx, dy := a.X-b.X, a.Y-b.Y
	return math.Sqrt(dx*dx + dy*dy)
}

// witnessPoints is GetWitnessPoints for two or three vertices.
func (s *simplex) witnessPoints() (a, b vec) {
	u, v := &s.vertices[0], &s.vertices[1]
	a.X = u.a*u.wA.X + v.a*v.wA.X
	a.Y = u.a*u.wA.Y + v.a*v.wA.Y
	if s.count == 2 {
		b.X = u.a*u.wB.X + v.a*v.wB.X
		b.Y = u.a*u.wB.Y + v.a*v.wB.Y
		return a, b
	}
	t := &s.vertices[2]
	a.X += t.a * t.wA.X
	a.Y += t.a * t.wA.Y
	return a, a
}

// distance is B2Distance without radii. It returns the distance between two shapes by the algorithm
// of Gilbert, Johnson and Keerthi (GJK). It does not count in global variables, as the library's
// function does.
func distance(cache *simplexCache, pA, pB *distanceProxy, xfA, xfB *box2d.B2Transform) float64 {
	var s simplex
	s.readCache(cache, pA, pB, xfA, xfB)
search:
	for iter := 0; iter < 20; iter++ {
		saveCount := s.count
		var saveA, saveB [3]int
		for i := 0; i < saveCount; i++ {
			saveA[i], saveB[i] = s.vertices[i].indexA, s.vertices[i].indexB
		}
		switch s.count {
		case 2:
			s.solve2()
		case 3:
			s.solve3()
		}
		if s.count == 3 {
			break // the origin is in the triangle
		}
		d := vec{X: -s.vertices[0].w.X, Y: -s.vertices[0].w.Y}
		if s.count == 2 {
			e := sub(s.vertices[1].w, s.vertices[0].w)
			if cross(e, d) > 0 { // the library also has products with 1 here
				d = vec{X: -1.0 * e.Y, Y: 1.0 * e.X}
			} else {
				d = vec{X: 1.0 * e.Y, Y: -1.0 * e.X}
			}
		}
		vertex := &s.vertices[s.count]
		vertex.indexA = pA.support(xfA.Q.C*-d.X+xfA.Q.S*-d.Y, -xfA.Q.S*-d.X+xfA.Q.C*-d.Y)
		vertex.indexB = pB.support(xfB.Q.C*d.X+xfB.Q.S*d.Y, -xfB.Q.S*d.X+xfB.Q.C*d.Y)
		vertex.set(pA, pB, xfA, xfB)
		for i := 0; i < saveCount; i++ {
			if vertex.indexA == saveA[i] && vertex.indexB == saveB[i] {
				break search // the vertex is already in the simplex
			}
		}
		s.count++
	}
	dist := s.witnessDistance()
	s.writeCache(cache)
	return dist
}

// testOverlap is B2TestOverlapShapes for the shapes of a contact.
func (in *toiInput) testOverlap(r *contactRef) bool {
	in.setProxies(r)
	var cache simplexCache
	dist := distance(&cache, &in.proxyA, &in.proxyB, &r.bA.M_xf, &r.bB.M_xf)
	if totalRadius := in.proxyA.radius + in.proxyB.radius; dist > totalRadius && dist > box2d.B2_epsilon {
		dist -= totalRadius
	} else {
		dist = 0
	}
	return dist < 10*box2d.B2_epsilon
}
