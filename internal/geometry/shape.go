package geometry

// MaxPoints is the number of corners that a shape can have.
const MaxPoints = 8

// Shape is the convex hull of N points, rounded by a radius: a circle is one
// point and a radius, a segment two points, a capsule two points and a radius, a
// polygon three points or more, counter-clockwise and without equal neighbours.
type Shape struct {
	N       int
	Radius  float64 // m
	Points  [MaxPoints]Vec
	Normals [MaxPoints]Vec // unit, of the edge from each point to the next, if N > 1
}

// SetCircle makes s a circle.
func (s *Shape) SetCircle(centre Vec, radius float64) {
	s.N, s.Radius, s.Points[0] = 1, radius, centre
}

// SetSegment makes s a segment, rounded by a radius, or a circle if it has no
// length.
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
// Points that coincide, lie on a line between others or lie inside are dropped.
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
	// The lower half from left to right, then the upper half back.
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

// Area is the area within the points, in m², without the radius.
func (s *Shape) Area() float64 {
	sum := 0.0
	for i := 2; i < s.N; i++ {
		sum += s.Points[i-1].Sub(s.Points[0]).Cross(s.Points[i].Sub(s.Points[0]))
	}
	return sum / 2
}

// Place sets s to from, moved by a transform.
func (s *Shape) Place(from *Shape, at *Transform) {
	s.N, s.Radius = from.N, from.Radius
	for i := range from.N {
		s.Points[i] = at.Point(from.Points[i])
		s.Normals[i] = at.Direction(from.Normals[i])
	}
}

// Box is the box around the shape at a place.
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

// Contains reports whether a point of the world is in the shape at a place or on
// its outline. A segment without a radius contains nothing.
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
