package geometry

import (
	"math"
	"math/rand/v2"
)

// random returns a shape of any kind about the origin, and a transform. Some of
// the shapes are as flat or as small as shapes can be.
func random(r *rand.Rand) (s Shape, at Transform) {
	size := math.Exp(r.NormFloat64())
	vec := func() Vec { return Vec{X: r.NormFloat64() * size, Y: r.NormFloat64() * size} }
	radius := 0.0
	if r.IntN(3) == 0 {
		radius = r.Float64() * size
	}
	switch r.IntN(6) {
	case 0:
		s.SetCircle(vec(), radius)
	case 1:
		s.SetSegment(vec(), vec(), radius)
	case 2: // an axis-aligned box, which is parallel to other boxes
		h := vec()
		s.SetHull([]Vec{{X: -h.X, Y: -h.Y}, {X: h.X, Y: -h.Y}, {X: h.X, Y: h.Y}, {X: -h.X, Y: h.Y}}, radius)
	case 3: // nearly flat
		a, b := vec(), vec()
		thin := math.Pow(10, -12*r.Float64())
		s.SetHull([]Vec{a, b, partway(a, b, .3).Add(vec().Mul(thin))}, radius)
	case 4: // a segment along an axis
		s.SetSegment(Vec{X: -size, Y: 0}, Vec{X: size, Y: 0}, radius)
	default:
		points := make([]Vec, 3+r.IntN(MaxPoints-2))
		for i := range points {
			points[i] = vec()
		}
		s.SetHull(points, radius)
	}
	at = NewTransform(vec(), r.NormFloat64()*3)
	if r.IntN(3) == 0 { // parallel to others
		at = NewTransform(vec(), float64(r.IntN(8))*math.Pi/4)
	}
	return s, at
}

// placed returns a shape moved into the world.
func placed(s Shape, at Transform) (p Shape) {
	p.Place(&s, &at)
	return p
}

var here = NewTransform(Vec{}, 0)

// far returns how far a shape extends in a direction, without its radius.
func far(s *Shape, n Vec) float64 {
	most := math.Inf(-1)
	for _, p := range s.Points[:s.N] {
		most = max(most, p.Dot(n))
	}
	return most
}

// gap returns the distance of two shapes of the world, computed by its
// definition: the widest gap between them in any direction. If the shapes
// overlap, it is the least overlap.
func gap(a, b *Shape) float64 {
	between := func(angle float64) float64 {
		n := Vec{X: math.Cos(angle), Y: math.Sin(angle)}
		return -far(b, n.Mul(-1)) - far(a, n)
	}
	best, at := math.Inf(-1), 0.0
	try := func(angle float64) {
		if g := between(angle); g > best {
			best, at = g, angle
		}
	}
	// the gap has its maxima at the normals of edges, and in directions between two
	// corners
	for i := range 256 {
		try(float64(i) * math.Pi / 128)
	}
	for _, s := range []*Shape{a, b} {
		for i := range s.N {
			e := s.Points[(i+1)%s.N].Sub(s.Points[i])
			angle := math.Atan2(e.Y, e.X)
			try(angle + math.Pi/2)
			try(angle - math.Pi/2)
		}
	}
	for _, p := range a.Points[:a.N] {
		for _, q := range b.Points[:b.N] {
			try(math.Atan2(q.Y-p.Y, q.X-p.X))
		}
	}
	for step := math.Pi / 128; step > 1e-10; step /= 2 {
		try(at + step)
		try(at - step)
	}
	return best - a.Radius - b.Radius
}
