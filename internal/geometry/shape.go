package geometry

// MaxPoints is the greatest number of corners of a shape.
const MaxPoints = 8

// Shape is the convex hull of N points, rounded by a radius. A circle is one
// point and a radius, a segment is two points, a capsule is two points and a
// radius, and a polygon is three or more points. The points of a polygon are in
// counter-clockwise order, and no two neighbours are equal.
type Shape struct {
	N       int
	Radius  float64 // m
	Points  [MaxPoints]Vec
	Normals [MaxPoints]Vec // Normals are the unit normals of the edges, if N is above 1. Edge i goes from point i to the next point.
}

// SetCircle makes s a circle.
func (s *Shape) SetCircle(centre Vec, radius float64) {
	s.N, s.Radius, s.Points[0] = 1, radius, centre
}

// SetSegment makes s a segment, rounded by a radius. If the segment has no
// length, s becomes a circle.
func (s *Shape) SetSegment(a, b Vec, radius float64) {
	if a == b {
		s.SetCircle(a, radius)
		return
	}
	s.N, s.Radius = 2, radius
	s.Points[0], s.Points[1] = a, b
	s.Normals[0] = outward(b.Sub(a))
	s.Normals[1] = s.Normals[0].Mul(-1)
}

// SetHull makes s the convex hull of up to MaxPoints points, rounded by a radius.
// It drops equal points, points on the line between two others, and points in the
// interior.
func (s *Shape) SetHull(points []Vec, radius float64) {
	var sorted [MaxPoints]Vec
	n := 0
	for _, p := range points {
		i := n
		for i > 0 && (p.X < sorted[i-1].X || p.X == sorted[i-1].X && p.Y < sorted[i-1].Y) {
			sorted[i] = sorted[i-1]
			i--
		}
		sorted[i] = p
		n++
	}
	// Build the lower half from left to right, and then the upper half from right to
	// left.
	var hull [2 * MaxPoints]Vec
	k := 0
	half := func(p Vec, floor int) {
		for k > floor && !(hull[k-1].Sub(hull[k-2]).Cross(p.Sub(hull[k-1])) > 0) {
			k--
		}
		if k == 0 || hull[k-1] != p {
			hull[k] = p
			k++
		}
	}
	for i := range n {
		half(sorted[i], 1)
	}
	floor := k
	for i := n - 2; i >= 0; i-- {
		half(sorted[i], floor)
	}
	if k > 1 && hull[k-1] == hull[0] {
		k--
	}
	s.N, s.Radius = k, radius
	copy(s.Points[:], hull[:k])
	for i := range k {
		s.Normals[i] = outward(hull[wrap(i+1, k)].Sub(hull[i]))
	}
}

// Area returns the area of the polygon of the points, in m². The radius does not
// count.
func (s *Shape) Area() float64 {
	sum := 0.0
	for i := 2; i < s.N; i++ {
		sum += s.Points[i-1].Sub(s.Points[0]).Cross(s.Points[i].Sub(s.Points[0]))
	}
	return sum / 2
}

// Place sets s to the shape in the parameter from, moved by a transform.
func (s *Shape) Place(from *Shape, at *Transform) {
	s.N, s.Radius = from.N, from.Radius
	for i := range from.N {
		s.Points[i] = at.Point(from.Points[i])
		s.Normals[i] = at.Direction(from.Normals[i])
	}
}

// Box returns the box around the shape at a place.
func (s *Shape) Box(at *Transform) Box {
	p := at.Point(s.Points[0])
	b := Box{p, p}
	for i := 1; i < s.N; i++ {
		p = at.Point(s.Points[i])
		b.Min.X, b.Max.X = min(b.Min.X, p.X), max(b.Max.X, p.X)
		b.Min.Y, b.Max.Y = min(b.Min.Y, p.Y), max(b.Max.Y, p.Y)
	}
	return b.Grown(s.Radius)
}

// Contains reports whether a point of the world is in the shape at a place, or on
// its outline. A segment without a radius contains no point.
func (s *Shape) Contains(at *Transform, p Vec) bool {
	switch {
	case s.N == 1:
		d := p.Sub(circleAt(s, at))
		return d.Dot(d) <= s.Radius*s.Radius
	case s.Radius > 0:
		point := Shape{N: 1, Points: [MaxPoints]Vec{p}}
		return Distance(&point, s, at) <= 0
	case s.N == 2:
		return false
	}
	local := at.local(p)
	for i := range s.N {
		if s.Normals[i].Dot(local.Sub(s.Points[i])) > 0 {
			return false
		}
	}
	return s.N > 0
}

func circleAt(s *Shape, at *Transform) Vec {
	return at.P.Add(at.Direction(s.Points[0]))
}
