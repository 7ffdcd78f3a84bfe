package geometry

import "math"

// difference is the set of all b - a for points b of one shape and points a of another shape (their
// Minkowski difference). It is a convex polygon with at most as many corners as both shapes
// together. The shapes overlap if the polygon contains the origin. After a move of shape a by a
// vector v, the shapes overlap if the polygon contains v. So a query about two shapes becomes a
// query about one polygon and one point or ray, which has an exact answer without iteration.
type difference struct {
	n  int
	p  [2 * MaxPoints]Vec
	of [2 * MaxPoints]uint8 // of gives the index of the point of b for each corner.
}

// set computes b - a in the frame of b, without the radii. Shape a is in the frame of the world.
func (m *difference) set(a, b *Shape, at *Transform) {
	var minus [MaxPoints]Vec
	for i := range a.N {
		minus[i] = at.local(a.Points[i]).Mul(-1)
	}
	first, second := b.Points[:b.N], minus[:a.N]
	i0, j0 := lowest(first), lowest(second)
	// Each outline begins at its lowest point. The edges of the sum are the edges of both outlines,
	// sorted by angle.
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

// place is a point of the outline of a difference: the start of an edge, and the fraction of the
// edge before the point, from 0 to 1.
type place struct {
	corner int
	part   float64
}

// onB returns the point of b that belongs to a point of the outline.
func (m *difference) onB(b *Shape, at place) Vec {
	return partway(b.Points[m.of[at.corner]], b.Points[m.of[wrap(at.corner+1, m.n)]], at.part)
}

// origin returns the distance of the origin from the polygon, the outward direction there, and
// the nearest point of the outline. The distance is negative if the origin is inside the
// polygon. An undefined direction is zero.
func (m *difference) origin() (distance float64, normal Vec, nearest place) {
	if m.n == 1 {
		d := lengthOf(m.p[0])
		return d, unitOf(m.p[0].Mul(-1)), place{}
	}
	// find the edge from which the origin is farthest outside, or least far inside
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
	// a flat polygon has inner sides everywhere, and rounding can then put a point on the inner side
	// of all edges although it is far from the polygon
	if depth <= 0 && m.box().Overlaps(&Box{}) {
		return depth, normal, nearest
	}
	distance = math.Sqrt(best)
	if distance > Slack/16 { // at a smaller distance the direction is only rounding
		normal = unitOf(from.Mul(-1))
	}
	return distance, normal, nearest
}

// box returns the box around the polygon.
func (m *difference) box() *Box {
	b := Nothing
	for _, p := range m.p[:m.n] {
		b = b.Around(&Box{p, p})
	}
	return &b
}

// slideDirection returns a unit vector along which a move of shape a separates it from b. The
// direction u must not lead against this vector. The result is false if there is no such vector. It
// is the direction of the shortest separating move, normal, or the normal of an edge. The move
// along that normal may be longer by at most slideTolerance. The parameter deep is the length of
// the shortest move, and r is the sum of the radii and Slack.
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

// enter returns the distance from the origin, along a unit direction, at which a ray enters the
// polygon rounded by r, with the outward normal and the point of the outline there. The origin
// must be outside the polygon, and r must be positive. If the origin almost touches the polygon,
// rounding may put it inside; the distance is then 0. A ray along the outline does not enter.
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
		// a ray that passes beside an edge can enter at a corner
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
