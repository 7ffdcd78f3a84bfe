package geometry

import "math"

// RayCast returns where a ray between two points of the world first meets the shape at a
// place. The results are the fraction of the ray before that point, which is at most the
// parameter most, and the shape's unit normal there. A ray that starts in the shape does not
// meet it. A ray that starts on the outline and goes in does meet it. A ray along a segment
// meets the first end.
func (s *Shape) RayCast(at *Transform, from, to Vec, most float64) (fraction float64, normal Vec, hit bool) {
	switch {
	case s.N == 1:
		return s.rayCircle(at, from, to, most)
	case s.N == 0:
		return 0, Vec{}, false
	case s.Radius > 0:
		point := Shape{N: 1, Points: [MaxPoints]Vec{from}}
		if Distance(&point, s, at) < -Slack {
			return 0, Vec{}, false
		}
		c, ok := Cast(&point, to.Sub(from), s, at)
		return c.Fraction, c.Normal, ok && c.Fraction <= most
	}
	p := at.local(from)
	d := at.local(to).Sub(p)
	if s.N == 2 {
		fraction, normal, hit = s.raySegment(p, d, most)
	} else {
		fraction, normal, hit = s.rayPolygon(p, d, most)
	}
	return fraction, at.Direction(normal), hit
}

// rayCircle solves the same quadratic equation as Box2D, with the same operations and the
// same bits.
func (s *Shape) rayCircle(at *Transform, from, to Vec, most float64) (float64, Vec, bool) {
	m := from.Sub(circleAt(s, at))
	b := m.Dot(m) - float64(s.Radius*s.Radius)
	r := to.Sub(from)
	c, rr := m.Dot(r), r.Dot(r)
	sigma := float64(c*c) - float64(rr*b)
	if !(sigma >= 0) || rr < math.SmallestNonzeroFloat64 {
		return 0, Vec{}, false
	}
	a := -(c + math.Sqrt(sigma))
	if a < 0 && c < 0 && b >= -2*float64(s.Radius*Slack) {
		a = 0 // the ray starts on the outline
	}
	if !(0 <= a) {
		return 0, Vec{}, false
	}
	if a /= rr; !(a <= most) {
		return 0, Vec{}, false
	}
	return a, unitOf(m.Add(r.Mul(a))), true
}

// raySegment lets a ray hit points up to Slack beyond the ends of the segment. Otherwise
// rounding would let a ray pass between two segments of a chain.
func (s *Shape) raySegment(p, d Vec, most float64) (float64, Vec, bool) {
	v, n := s.Points[0], s.Normals[0]
	if length := lengthOf(d); length > 0 {
		// if the ray runs along the segment, it meets the nearer end
		u := d.Mul(1 / length)
		first, last := v.Sub(p), s.Points[1].Sub(p)
		if math.Abs(u.Cross(first)) <= Slack && math.Abs(u.Cross(last)) <= Slack {
			x := min(u.Dot(first), u.Dot(last))
			return max(x/length, 0), u.Mul(-1), x >= -Slack && x <= most*length
		}
	}
	numerator, denominator := n.Dot(v.Sub(p)), n.Dot(d)
	if denominator == 0 {
		return 0, Vec{}, false
	}
	t := numerator / denominator
	if !(0 <= t && t <= most) {
		return 0, Vec{}, false
	}
	e := s.Points[1].Sub(v)
	along, ee := p.Add(d.Mul(t)).Sub(v).Dot(e), e.Dot(e)
	if beyond := max(-along, along-ee); beyond > 0 && !(beyond <= Slack*math.Sqrt(ee)) {
		return 0, Vec{}, false
	}
	if denominator > 0 { // the normal points against the ray, even if the ray starts on the segment
		n = n.Mul(-1)
	}
	return max(t, 0), n, true // not -0
}

// rayPolygon intersects the ray with the half-plane of each edge. A ray that starts on an
// edge and goes in meets that edge. In Box2D it does not.
func (s *Shape) rayPolygon(p, d Vec, most float64) (float64, Vec, bool) {
	lower, upper, entered := 0.0, most, -1
	for i := range s.N {
		numerator := s.Normals[i].Dot(s.Points[i].Sub(p))
		denominator := s.Normals[i].Dot(d)
		switch {
		case denominator == 0:
			if numerator < 0 {
				return 0, Vec{}, false
			}
		case denominator < 0 && numerator < lower*denominator:
			lower, entered = numerator/denominator, i
		case denominator < 0 && entered < 0 && numerator <= Slack:
			entered = i
		case denominator > 0 && numerator < upper*denominator:
			upper = numerator / denominator
		}
		if upper < lower {
			return 0, Vec{}, false
		}
	}
	if entered < 0 {
		return 0, Vec{}, false
	}
	return lower, s.Normals[entered], true
}
