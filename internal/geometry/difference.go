package geometry

import "math"

// difference is the set of all b - a for points b of one shape and a of another (their
// Minkowski difference): a convex polygon of at most as many corners as both have together.
// The shapes overlap if it contains the origin, and after shape a has moved by a vector v
// they overlap if it contains v. So queries about two shapes become queries about one polygon
// and one point or ray, which are answered exactly and without iteration.
type difference struct {
	n  int
	p  [2 * MaxPoints]Vec
	of [2 * MaxPoints]uint8 // the point of b from which each corner comes
}

// set computes b - a in the frame of b, without the radii. a is in the world.
func (m *difference) set(a, b *Shape, at *Transform) {
	var minus [MaxPoints]Vec
	for i := range a.N {
		minus[i] = at.local(a.Points[i]).Mul(-1)
	}
	first, second := b.Points[:b.N], minus[:a.N]
	i0, j0 := lowest(first), lowest(second)
	// Both outlines begin at their lowest point, and the edges of the sum are
	// those of both in the order of their angles.
	edges := func(points []Vec) int {
		if len(points) == 1 {
			return 0
		}
		return len(points)
	}
	m.n = 0
	for i, j, ni, nj := 0, 0, edges(first), edges(second); ; {
		p, q := first[wrap(i0+i, b.N)], second[wrap(j0+j, a.N)]
		m.p[m.n], m.of[m.n] = p.Add(q), uint8(wrap(i0+i, b.N))
		m.n++
		switch {
		case i < ni && j < nj:
			e := first[wrap(i0+i+1, b.N)].Sub(p)
			f := second[wrap(j0+j+1, a.N)].Sub(q)
			turn, none := e.Cross(f), Vec{}
			if !(turn < 0) && f != none || e == none {
				i++
			}
			if !(turn > 0) && e != none || f == none {
				j++
			}
		case i < ni:
			i++
		case j < nj:
			j++
		}
		if i == ni && j == nj {
			break
		}
	}
}

func wrap(i, n int) int {
	if i >= n {
		return i - n
	}
	return i
}

func lowest(points []Vec) int {
	k := 0
	for i, p := range points {
		if p.Y < points[k].Y || p.Y == points[k].Y && p.X < points[k].X {
			k = i
		}
	}
	return k
}

// place is a point of the outline of a difference: a part, 0 to 1, of the way from a
// corner to the next.
type place struct {
	corner int
	part   float64
}

// onB is the point of b for a point of the outline.
func (m *difference) onB(b *Shape, at place) Vec {
	return partway(b.Points[m.of[at.corner]], b.Points[m.of[wrap(at.corner+1, m.n)]], at.part)
}

// origin returns how far the origin is from the polygon, negative inside, with the direction
// from the nearest point of the outline outwards and that point. The direction is zero if it
// is undefined.
func (m *difference) origin() (distance float64, normal Vec, nearest place) {
	if m.n == 1 {
		d := lengthOf(m.p[0])
		return d, unitOf(m.p[0].Mul(-1)), place{}
	}
	// the edge that the origin is farthest outside of, or least inside
	depth := math.Inf(-1)
	best := math.Inf(1) // squared
	var from Vec
	for k := range m.n {
		p := m.p[k]
		e := m.p[wrap(k+1, m.n)].Sub(p)
		ee := e.Dot(e)
		if ee == 0 {
			continue
		}
		if side := p.Cross(e) / -math.Sqrt(ee); side > depth {
			depth, normal = side, e
		}
		part := min(max(-p.Dot(e)/ee, 0), 1)
		q := p.Add(e.Mul(part))
		if d := q.Dot(q); d < best {
			best, nearest, from = d, place{k, part}, q
		}
	}
	if math.IsInf(depth, -1) { // all corners are equal
		return lengthOf(m.p[0]), unitOf(m.p[0].Mul(-1)), place{}
	}
	normal = outward(normal)
	// rounding can put a point in line with a flat polygon, but far from it, on the inner side of
	// all edges
	if depth <= 0 && m.box().Overlaps(&Box{}) {
		return depth, normal, nearest
	}
	distance = math.Sqrt(best)
	if distance > Slack/16 { // closer, the direction is only rounding
		normal = unitOf(from.Mul(-1))
	}
	return distance, normal, nearest
}

// box is the box around the polygon.
func (m *difference) box() *Box {
	b := Nothing
	for _, p := range m.p[:m.n] {
		b = b.Around(&Box{p, p})
	}
	return &b
}

// slideDirection returns a unit vector along which a can move apart from b and against which the
// direction u does not lead, and false if there is none. The vector is normal, the direction
// of the shortest way apart, which is deep long, or the normal of an edge along which the way
// apart is at most slideTolerance longer. r is the sum of the radii and Slack.
func (m *difference) slideDirection(normal, u Vec, r, deep float64) (Vec, bool) {
	if normal != (Vec{}) && normal.Dot(u) >= -parallel {
		return normal, true
	}
	best := deep + slideTolerance
	found := false
	for k := range m.n {
		p := m.p[k]
		n := outward(m.p[wrap(k+1, m.n)].Sub(p))
		if depth := r + n.Dot(p); n != (Vec{}) && depth <= best && n.Dot(u) >= -parallel {
			best, normal, found = depth, n, true
		}
	}
	return normal, found
}

// enter returns the distance from the origin, along a unit direction, at which a ray enters
// the polygon rounded by r, with the outward normal and the point of the outline there. The
// origin is outside, and r is above 0. If the origin almost touches the polygon, rounding may
// put it inside; then way is 0. A ray along the outline does not enter.
func (m *difference) enter(u Vec, r float64) (way float64, normal Vec, where place, ok bool) {
	way = math.Inf(1)
	for k := range m.n {
		p := m.p[k]
		e := m.p[wrap(k+1, m.n)].Sub(p)
		if n := outward(e); n.Dot(u) < -parallel { // seen from outside
			x := (r + n.Dot(p)) / n.Dot(u)
			along := u.Mul(x).Sub(p).Dot(e) / e.Dot(e)
			if x >= -Slack && x < way && along >= 0 && along <= 1 {
				way, normal, where, ok = max(x, 0), n, place{k, along}, true
			}
		}
		// a ray that enters beside an edge enters at a corner
		side := u.Cross(p)
		if math.Abs(side) <= r {
			back := math.Sqrt(float64(r*r) - float64(side*side))
			if x := u.Dot(p) - back; x >= -Slack && x < way && back > parallel*r {
				way, where, ok = max(x, 0), place{k, 0}, true
				normal = u.Mul(-back).Sub(Vec{X: -u.Y, Y: u.X}.Mul(side)).Mul(1 / r)
			}
		}
	}
	return way, normal, where, ok
}
