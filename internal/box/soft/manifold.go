package soft

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

const (
	linearSlop = box2d.B2_linearSlop

	// speculative is the distance of two shapes, in m, below which they get contact points.
	speculative = 4 * linearSlop
)

// manifold has the points at which two shapes touch, in the frame of A.
type manifold struct {
	normal   vec     // normal points from A to B.
	apart    float32 // apart, without points, is a lower bound of the distance of the shapes along the normal.
	count    int
	flip     bool // flip says that the reference face is B's.
	atCorner bool // atCorner says that a corner touches a corner, and the normal is not that of a face.
	points   [2]struct {
		p          vec // p is the midpoint between the surfaces, relative to A's centre of mass.
		separation float32
		id         uint16
	}
}

func (m *manifold) set(i int, p vec, separation float32, id uint16) {
	m.points[i].p, m.points[i].separation, m.points[i].id = p, separation, id
}

// polygon is a polygon, an edge, or the point of a circle. The last vertex is repeated, so that a
// loop over four or eight vertices needs no branch. In a geometry there are always eight
// vertices. Elsewhere their number is a multiple of four.
type polygon struct {
	count  int
	radius float32                          // radius is the radius of the corners.
	v, n   [box2d.B2_maxPolygonVertices]vec // the vertices, and for each vertex the normal of the side that begins there
}

// load sets p to g, rotated by q and moved to at.
func (p *polygon) load(g *polygon, q rot, at vec) {
	p.count, p.radius = g.count, g.radius
	for i := range p.count {
		p.v[i&7] = q.apply(g.v[i&7]).add(at)
		p.n[i&7] = q.apply(g.n[i&7])
	}
	p.pad((p.count + 3) &^ 3)
}

// next returns the vertex after vertex i. The side of vertex i ends there.
func (p *polygon) next(i int) int {
	if i+1 == p.count {
		return 0
	}
	return i + 1
}

func (p *polygon) pad(to int) {
	for i := p.count; i < to; i++ {
		p.v[i&7] = p.v[(p.count-1)&7]
	}
}

// collide computes the manifold of two shapes. The parameters q and at are B's pose in A's frame.
func collide(m *manifold, a, b *geometry, q rot, at vec) {
	m.count, m.flip, m.atCorner, m.apart = 0, false, false, 0
	if b.kind == b2.CircleShape {
		center := q.apply(b.v[0]).add(at)
		if a.kind == b2.CircleShape {
			collideCircles(m, a.v[0], a.radius, center, b.radius)
		} else {
			collidePolygonCircle(m, a, center, b.radius)
		}
		return
	}
	var pb polygon
	edgeA, sepA, edgeB, sepB := separate(&a.polygon, &b.polygon, &pb, q, at, speculative+(a.radius+b.radius))
	collidePolygons(m, a, &pb, edgeA, sepA, edgeB, sepB)
}

// separate sets b to g, rotated by q and moved to at. It returns the greatest separation along
// the normals of a and the greatest separation along those of b, and the sides with these
// normals. If the separation along a's normals is greater than enough, the separation along b's
// normals may be missing.
func separate(a, g, b *polygon, q rot, at vec, enough float32) (edgeA int, sepA float32, edgeB int, sepB float32) {
	if wide {
		return separateWide(a, g, b, q, at)
	}
	b.load(g, q, at)
	edgeA, sepA = separationOf(a, b)
	if !(sepA > enough) {
		edgeB, sepB = separationOf(b, a)
	}
	return edgeA, sepA, edgeB, sepB
}

func collideCircles(m *manifold, a vec, ra float32, b vec, rb float32) {
	d := b.sub(a)
	n, l := normalize(d)
	separation := l - ra - rb
	if !(separation <= speculative) {
		m.normal, m.apart = n, separation
		return
	}
	if l == 0 {
		n = vec{0, 1}
	}
	m.count, m.normal = 1, n
	m.set(0, a.plus(ra, n).add(b.plus(-rb, n)).times(0.5), separation, 0)
}

// collidePolygonCircle does the work of collide for a polygon or an edge and a circle.
func collidePolygonCircle(m *manifold, a *geometry, center vec, rb float32) {
	best, s := 0, float32(-math.MaxFloat32)
	for i := range a.count {
		if d := dot(a.n[i], center.sub(a.v[i])); d > s {
			best, s = i, d
		}
	}
	radius := a.radius + rb
	if s > radius+speculative {
		m.normal, m.apart = a.n[best], s-radius
		return
	}
	next := a.next(best)
	v1, v2 := a.v[best], a.v[next]
	switch {
	case s < 1e-6 && a.count > 2: // the centre is in the polygon
	case dot(center.sub(v1), v2.sub(v1)) < 0:
		m.corner(a, best, center, rb)
		return
	case dot(center.sub(v2), v1.sub(v2)) < 0:
		m.corner(a, next, center, rb)
		return
	}
	n := a.n[best]
	m.count, m.normal = 1, n
	p := center.plus(a.radius-s, n) // the point on A's surface
	m.set(0, p.add(center.plus(-rb, n)).times(0.5), s-radius, 0)
}

// corner sets the point at which a circle touches corner i of a polygon or an edge.
func (m *manifold) corner(a *geometry, i int, center vec, rb float32) {
	v := a.v[i]
	n, l := normalize(center.sub(v))
	if l == 0 || l-a.radius-rb > speculative || a.beyond(i, center) {
		return
	}
	m.count, m.normal = 1, n
	m.set(0, v.plus(a.radius, n).add(center.plus(-rb, n)).times(0.5), l-a.radius-rb, 0)
}

// ghost returns the far end of the neighbour at end i of an edge.
func (g *geometry) ghost(i int) vec {
	if i == 0 {
		return g.before
	}
	return g.after
}

// beyond reports whether the neighbouring edge handles the point p. The point lies beyond end i
// of an edge.
func (g *geometry) beyond(i int, p vec) bool {
	if g.ghosts&(1<<i) == 0 {
		return false
	}
	end, neighbour := g.v[i], g.ghost(i)
	return dot(neighbour.sub(end), p.sub(end)) > 0
}

// separationOf returns the side of p along whose normal q is farthest, and the distance. It has no
// branches, because the processor could not predict which vertex of q is nearest.
func separationOf(p, q *polygon) (int, float32) {
	best, most := 0, float32(-math.MaxFloat32)
	for i := range p.count {
		n, v := p.n[i&7], p.v[i&7]
		least := min(min(dot(n, q.v[0]), dot(n, q.v[1])), min(dot(n, q.v[2]), dot(n, q.v[3])))
		if q.count > 4 {
			least = min(least, min(min(dot(n, q.v[4]), dot(n, q.v[5])), min(dot(n, q.v[6]), dot(n, q.v[7]))))
		}
		if d := least - dot(n, v); d > most {
			best, most = i, d
		}
	}
	if most == -math.MaxFloat32 { // all numbers are NaN
		return 0, math.MaxFloat32
	}
	return best, most
}

// collidePolygons does the work of collide for polygons and edges in A's frame. It is called
// after separate.
func collidePolygons(m *manifold, ga *geometry, b *polygon, edgeA int, sepA float32, edgeB int, sepB float32) {
	a := &ga.polygon
	radius := a.radius + b.radius
	if sepA > speculative+radius {
		m.normal, m.apart = a.n[edgeA&7], sepA-radius
		return
	}
	if sepB > speculative+radius {
		m.normal, m.apart = b.n[edgeB&7].times(-1), sepB-radius
		return
	}
	if ga.kind == b2.EdgeShape && ga.ghosts != 0 {
		edgeA, sepA, sepB = ga.chooseFace(b, edgeB, sepB)
		if sepA > speculative+radius {
			return
		}
	}
	sep := greater(sepA, sepB)
	if radius > 0 && sep > -sameFace && m.corners(ga, b, sep+sameFace) {
		return
	}
	// A's face has a small advantage, so that the chosen face does not alternate from step to step.
	if sepB > sepA+sameFace {
		m.clip(b, a, edgeB, true)
	} else {
		m.clip(a, b, edgeA, false)
	}
	if radius > 0 {
		m.dropFar()
		if m.count == 0 {
			m.corners(ga, b, 0)
		}
	}
}

// sameFace is the difference, in m, up to which two separations count as equal.
const sameFace = 0.1 * linearSlop

// corners does the work of collide for two shapes that do not overlap without their radii. At
// least one of the shapes is round. It reports whether the manifold is complete. The manifold is
// complete in two cases: the shapes are too far apart for points, or a corner touches a corner
// and their distance without the radii is more than least. At a smaller distance a face has
// almost the same normal, and two points.
func (m *manifold) corners(ga *geometry, b *polygon, least float32) bool {
	a := &ga.polygon
	radius := a.radius + b.radius
	pa, pb, i, j := nearest(a, b)
	n, d := normalize(pb.sub(pa))
	if d > radius+speculative {
		m.normal, m.apart = n, d-radius
		return true
	}
	if i < 0 || j < 0 || !(d > least) {
		return false
	}
	if ga.beyond(i, pb) {
		return true
	}
	m.count, m.normal, m.atCorner = 1, n, true
	m.set(0, pa.plus(a.radius, n).add(pb.plus(-b.radius, n)).times(0.5), d-radius, uint16(i)|uint16(j)<<8)
	return true
}

// dropFar removes points that are too far away to touch. A round shape would otherwise roll
// towards them.
func (m *manifold) dropFar() {
	n := 0
	for _, p := range m.points[:m.count] {
		if p.separation <= speculative {
			m.points[n] = p
			n++
		}
	}
	m.count = n
}

// nearest returns the nearest points of two polygons that do not overlap, and the corners at
// these points. For a point on a side the corner is -1. It tries all corners and sides, because
// most shapes that touch at corners have only two corners.
func nearest(a, b *polygon) (pa, pb vec, i, j int) {
	corner, side, ofA := nearestSide(a, b)
	switch {
	case side < 0:
	case ofA:
		pa, i = a.v[corner&7], corner
		pb, j = b.nearestOn(side, pa)
	default:
		pb, j = b.v[corner&7], corner
		pa, i = a.nearestOn(side, pb)
	}
	return pa, pb, i, j
}

// nearestSide returns the nearest corner and side of two polygons, and whether the corner is a
// corner of a. If several pairs are equally near, it returns the first. If all distances are NaN,
// the side is -1.
func nearestSide(a, b *polygon) (corner, side int, ofA bool) {
	if wide && a.count <= 4 && b.count <= 4 {
		n := nearestAVX2(&a.v[0].x, &b.v[0].x, a.count, b.count)
		if n < 0 {
			return 0, n, false
		}
		return n >> 2 & 3, n & 3, n >= 16
	}
	side = -1
	best := float32(math.MaxFloat32)
	for k, of := range [2][2]*polygon{{a, b}, {b, a}} {
		sides := of[0].count
		if sides == 2 {
			sides = 1 // both polygons have the same pairs
		}
		for c := range of[1].count {
			p := of[1].v[c&7]
			for s := range sides {
				at, _ := of[0].nearestOn(s, p)
				off := p.sub(at)
				if d := dot(off, off); d < best {
					best, corner, side, ofA = d, c, s, k == 1
				}
			}
		}
	}
	return corner, side, ofA
}

// nearestOn returns the point of a side that is nearest to p, and the corner at this point, or
// -1.
func (a *polygon) nearestOn(side int, p vec) (at vec, corner int) {
	next := a.next(side)
	v, way := a.v[side&7], a.v[next&7].sub(a.v[side&7])
	along, all := dot(p.sub(v), way), dot(way, way)
	switch {
	case along >= all:
		return a.v[next&7], next
	case along > 0:
		return v.plus(along/all, way), -1
	}
	return v, side
}

// chooseFace prevents polygon b from catching on the inner corners of a chain. It returns the
// side of edge g that faces b, and the separation there. The last result is sepB, or -MaxFloat32
// if the normal of b's face would push b towards a neighbouring edge's side.
func (g *geometry) chooseFace(b *polygon, edgeB int, sepB float32) (edgeA int, sepA, newSepB float32) {
	a := &g.polygon
	var centre vec
	for _, v := range b.v[:b.count] {
		centre = centre.add(v)
	}
	centre = centre.times(1 / float32(b.count))
	side := one(dot(a.n[0], centre.sub(a.v[0])) < 0)
	n := a.n[side]
	edgeA, sepA = side, math.MaxFloat32
	for _, v := range b.v[:b.count] {
		sepA = lesser(dot(n, v.sub(a.v[0])), sepA)
	}
	// If a polygon is deeper in the edge than the edge is long, the polygon does not lie on the edge.
	// The polygon itself is then the ground.
	if along := a.v[1].sub(a.v[0]); sepB > sepA && float32(sepA*sepA) < dot(along, along) {
		// This is the normal of B's face, in the direction of the force on B. At an end with a neighbour,
		// it must not lean further than the neighbour's normal. At a concave corner it must not lean at
		// all.
		nb := b.n[edgeB].times(-1)
		for i := range 2 {
			if g.ghosts&(1<<i) == 0 {
				continue
			}
			along := a.v[i].sub(a.v[1-i]) // outwards from the edge at this end
			if dot(nb, along) <= 0 {
				continue
			}
			d, _ := normalize(g.ghost(i).sub(a.v[i]))
			// This is the neighbour's normal on the same side.
			nn := vec{d.y, -d.x}
			if (i == 0) != (side == 1) {
				nn = vec{-d.y, d.x}
			}
			hollow := dot(n, d) >= 0
			if hollow || dot(n, nb) < dot(n, nn) {
				return edgeA, sepA, -math.MaxFloat32
			}
		}
	}
	return edgeA, sepA, sepB
}

// clip cuts the side of inc that faces the reference side to the length of the reference side,
// which is the side `edge` of ref. The parameter flip says that ref is B.
func (m *manifold) clip(ref, inc *polygon, edge int, flip bool) {
	n := ref.n[edge&7]
	e2, least := 0, float32(math.MaxFloat32)
	for i := 0; i < inc.count; i++ {
		if d := dot(n, inc.n[i&7]); d < least {
			e2, least = i, d
		}
	}
	i11, i12, i21, i22 := edge, ref.next(edge), e2, inc.next(e2)
	v11, v12, v21, v22 := ref.v[i11&7], ref.v[i12&7], inc.v[i21&7], inc.v[i22&7]
	t := vec{-n.y, n.x}
	length := dot(v12.sub(v11), t)
	// The incident edge has the opposite direction.
	upper, lower := dot(v21.sub(v11), t), dot(v22.sub(v11), t)
	if upper < 0 || length < lower {
		return
	}
	lo, hi := v22, v21
	if wide := upper - lower; wide > 1e-7 {
		if lower < 0 {
			lo = v22.plus(-lower/wide, v21.sub(v22))
		}
		if upper > length {
			hi = v22.plus((length-lower)/wide, v21.sub(v22))
		}
	}
	sepLo, sepHi := dot(lo.sub(v11), n), dot(hi.sub(v11), n)
	r1, r2 := ref.radius, inc.radius
	lo = lo.plus(0.5*(r1-r2-sepLo), n)
	hi = hi.plus(0.5*(r1-r2-sepHi), n)
	sepLo -= r1 + r2
	sepHi -= r1 + r2
	m.normal, m.flip = n, flip
	idLo, idHi := uint16(i11)|uint16(i22)<<8, uint16(i12)|uint16(i21)<<8
	if flip {
		m.normal = vec{-n.x, -n.y}
		idLo, idHi = uint16(i22)|uint16(i11)<<8, uint16(i21)|uint16(i12)<<8
		lo, hi, sepLo, sepHi, idLo, idHi = hi, lo, sepHi, sepLo, idHi, idLo
	}
	if lesser(sepLo, sepHi) > speculative {
		return
	}
	m.count = 2
	m.set(0, lo, sepLo, idLo)
	m.set(1, hi, sepHi, idHi)
}

// gap returns a lower bound of the distance of two shapes, and the direction of this distance
// from A to B, in A's frame. The bound is negative if the shapes overlap. The parameters q and at
// are B's pose in A's frame. The bound is exact, unless the shapes are nearest at corners that
// are not round.
func gap(ga, gb *geometry, q rot, at vec) (float32, vec) {
	a := &ga.polygon
	var b polygon
	radius := ga.radius + gb.radius
	if ga.kind == b2.CircleShape || gb.kind == b2.CircleShape {
		b.load(&gb.polygon, q, at)
		switch {
		case gb.kind != b2.CircleShape:
			d, n := b.distance(a.v[0])
			return d - radius, n.times(-1)
		case ga.kind != b2.CircleShape:
			d, n := a.distance(b.v[0])
			return d - radius, n
		}
		n, l := normalize(b.v[0].sub(a.v[0]))
		return l - radius, n
	}
	edgeA, sepA, edgeB, sepB := separate(a, &gb.polygon, &b, q, at, math.MaxFloat32)
	if radius > 0 && greater(sepA, sepB) > -sameFace {
		pa, pb, _, _ := nearest(a, &b)
		if n, d := normalize(pb.sub(pa)); d > 1e-6 { // at a smaller distance the direction is only rounding
			return d - radius, n
		}
	}
	if sepB > sepA {
		return sepB - radius, b.n[edgeB].times(-1)
	}
	return sepA - radius, a.n[edgeA]
}

// distance returns the distance of a point from a polygon or an edge, and the direction towards the
// point.
func (a *polygon) distance(p vec) (float32, vec) {
	best, s := 0, float32(-math.MaxFloat32)
	for i := range a.count {
		if d := dot(a.n[i], p.sub(a.v[i])); d > s {
			best, s = i, d
		}
	}
	if s <= 0 && a.count > 2 {
		return s, a.n[best]
	}
	v1, v2 := a.v[best], a.v[a.next(best)]
	corner := v1
	switch {
	case dot(p.sub(v1), v2.sub(v1)) < 0:
	case dot(p.sub(v2), v1.sub(v2)) < 0:
		corner = v2
	default:
		return s, a.n[best]
	}
	n, l := normalize(p.sub(corner))
	return l, n
}
