package b2

import "github.com/ByteArena/box2d"

// SetPolygon makes s the convex hull of 3 to 8 points, like B2PolygonShape.Set. No two points may
// be near each other. It returns false if the points have no area. Such points would make an
// assertion of the library fail.
func SetPolygon(s *box2d.B2PolygonShape, points []box2d.B2Vec2) bool {
	first := 0 // start at the lowest of the rightmost points
	for i, p := range points {
		if q := points[first]; p.X > q.X || p.X == q.X && p.Y < q.Y {
			first = i
		}
	}
	s.M_count = 0
	for at := first; s.M_count == 0 || at != first; s.M_count++ {
		if s.M_count == len(s.M_vertices) {
			return false
		}
		s.M_vertices[s.M_count] = points[at]
		at = rightmost(points, at)
	}
	if s.M_count < 3 {
		return false
	}
	for i := range s.M_count {
		edge := box2d.B2Vec2Sub(s.M_vertices[(i+1)%s.M_count], s.M_vertices[i])
		if !(Dot(edge, edge) > box2d.B2_epsilon*box2d.B2_epsilon) {
			return false
		}
		s.M_normals[i] = Unit(box2d.B2Vec2{X: edge.Y, Y: -edge.X})
	}
	return setCentroid(s)
}

// rightmost returns the index of the point that follows points[from] on the hull. No point lies to
// the right of the line from points[from] to that point. If several points lie on the line, it
// returns the farthest.
func rightmost(points []box2d.B2Vec2, from int) int {
	to := 0
	for j := 1; j < len(points); j++ {
		if to == from {
			to = j
			continue
		}
		r, v := box2d.B2Vec2Sub(points[to], points[from]), box2d.B2Vec2Sub(points[j], points[from])
		if c := Cross(r, v); c < 0 || c == 0 && Dot(v, v) > Dot(r, r) {
			to = j
		}
	}
	return to
}

// setCentroid sets the centroid, and reports whether the polygon has an area.
func setCentroid(s *box2d.B2PolygonShape) bool {
	const third = 1.0 / 3
	area, c := 0.0, box2d.B2Vec2{}
	for i := range s.M_count {
		p, q := s.M_vertices[i], s.M_vertices[(i+1)%s.M_count]
		half := 0.5 * Cross(p, q)
		area += float64(half)
		c = Plus(c, float64(half*third), box2d.B2Vec2Add(p, q))
	}
	s.M_centroid = Times(1/area, c)
	return area > box2d.B2_epsilon
}
