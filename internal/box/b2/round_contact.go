package b2

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/geometry"
)

// sameFace is the least cosine of the angle between the normal of a contact and that of a face, at
// which the contact gets the two points of a face. With a greater cosine, a capsule that lies along
// another capsule would have one point in some steps.
const sameFace = 0.9986

// tolerance is a distance in m. The face of B replaces that of A only if it is farther apart by
// this distance, as in the library.
const tolerance = 0.1 * box2d.B2_linearSlop

// RoundContact is a contact of two shapes, at least one of which is a [RoundPolygon].
type RoundContact struct{ box2d.B2Contact }

// Evaluate computes the manifold of the contact.
func (c *RoundContact) Evaluate(m *box2d.B2Manifold, xfA, xfB box2d.B2Transform) {
	collideRounds(m, &c.B2Contact, &xfA, &xfB)
}

// EvaluateRound does the work of Evaluate for a contact of the kind Rounds, at the present
// transforms of the bodies.
func EvaluateRound(m *box2d.B2Manifold, c *box2d.B2Contact) {
	collideRounds(m, c, &c.M_fixtureA.M_body.M_xf, &c.M_fixtureB.M_body.M_xf)
}

// roundPair has the shapes of a contact, in the frame of A, as polygons. A circle has one corner
// and no edge. An edge has two corners and two edges. The corners and edges leave out the radii.
// The radius of a polygon or an edge is the library's skin.
type roundPair struct {
	a, b   *box2d.B2PolygonShape
	inB    *box2d.B2PolygonShape // the shape b, in the frame of B
	radius float64               // sum of the two radii, in m
	edge   *box2d.B2EdgeShape    // the shape a with its neighbours if a is an edge, and zero otherwise
}

// collideRounds computes the manifold of a pair for which the library has no function. The normal
// is the direction of the shortest distance between the shapes without their radii. If this is the
// normal of a face, the face of the other shape is clipped to that face. If it is not, a corner
// touches a corner. In most cases the direction is clearly that of a face, and the slower
// geometry.Nearest is not needed.
func collideRounds(m *box2d.B2Manifold, c *box2d.B2Contact, xfA, xfB *box2d.B2Transform) {
	m.PointCount = 0
	var drawn, placed box2d.B2PolygonShape // only one of these is used, because one of the shapes is round
	var edge box2d.B2EdgeShape
	p := roundPair{edge: &edge, b: &placed}
	p.a, p.inB = asPolygon(c.M_fixtureA.M_shape, &drawn), asPolygon(c.M_fixtureB.M_shape, &drawn)
	switch s := c.M_fixtureA.M_shape.(type) {
	case *box2d.B2EdgeShape:
		edge = *s
		drawEdge(p.a, &edge)
	case *box2d.B2ChainShape:
		edge = box2d.MakeB2EdgeShape()
		s.GetChildEdge(&edge, c.M_indexA)
		drawEdge(p.a, &edge)
	}
	p.radius = p.a.M_radius + p.inB.M_radius
	axis := RotateBack(xfA.Q, box2d.B2Vec2{X: xfB.Q.C, Y: xfB.Q.S}) // rotation of B in the frame of A
	at := box2d.B2Transform{P: TransformBack(xfA, xfB.P), Q: box2d.B2Rot{S: axis.Y, C: axis.X}}
	p.b.M_count, p.b.M_radius = p.inB.M_count, p.inB.M_radius
	for i := range p.b.M_count {
		p.b.M_vertices[i], p.b.M_normals[i] = Transform(&at, p.inB.M_vertices[i]), Rotate(at.Q, p.inB.M_normals[i])
	}

	faceA, apartA, straightA := beside(p.a, p.b, p.radius)
	if apartA > p.radius {
		return
	}
	faceB, apartB, straightB := beside(p.b, p.a, p.radius)
	if apartB > p.radius {
		return
	}
	flip := apartB > apartA+tolerance // whether the face is that of B
	var n box2d.B2Vec2
	corner := false
	switch {
	case !flip && straightA:
		n = p.a.M_normals[faceA]
	case flip && straightB:
		n = p.b.M_normals[faceB].OperatorNegate()
	default:
		normal, apart, ok := p.nearestCorners()
		if !ok {
			normal, apart = p.leastWay()
		}
		if !(apart <= p.radius) {
			return
		}
		n = normal
		var cosA, cosB float64
		faceA, cosA = facing(p.a, n)
		faceB, cosB = facing(p.b, n.OperatorNegate())
		flip, corner = cosA < sameFace, max(cosA, cosB) < sameFace
	}
	side, taken := p.ofNeighbour(n)
	switch {
	case taken:
		p.clip(m, side, false)
	case corner: // a corner touches a corner
	case flip:
		p.clip(m, faceB, true)
	default:
		p.clip(m, faceA, false)
	}
	if m.PointCount == 0 && !taken {
		p.corners(m, n)
	}
}

// leastWay returns the unit normal in the direction of the shortest distance from a to b, without
// their radii. The distance apart is in m.
func (p *roundPair) leastWay() (normal box2d.B2Vec2, apart float64) {
	var a, b geometry.Shape
	setOutline(&a, p.a)
	setOutline(&b, p.b)
	t, _ := geometry.Nearest(&b, &a, &geometry.Transform{Cos: 1})
	return box2d.B2Vec2(t.Normal), t.Fraction + p.radius
}

// nearestCorners finds the corners of a and b that are nearest to each other. It returns the unit
// normal from the corner of a to that of b, and their distance, in m. The result ok reports whether
// no other points of the shapes are nearer. In that case all of a lies behind its corner along the
// normal, and all of b in front of its corner.
func (p *roundPair) nearestCorners() (normal box2d.B2Vec2, apart float64, ok bool) {
	least := math.Inf(1)
	a, b := p.a.M_vertices[:p.a.M_count], p.b.M_vertices[:p.b.M_count]
	i, j := 0, 0
	for k := range a {
		for l := range b {
			d := box2d.B2Vec2Sub(b[l], a[k])
			if square := Dot(d, d); square < least {
				i, j, normal, least = k, l, d, square
			}
		}
	}
	apart = math.Sqrt(least)
	normal = Times(1/apart, normal)
	ok = apart > geometry.Slack // at a smaller distance, the normal would depend on rounding
	for k := range a {
		ok = ok && Dot(normal, box2d.B2Vec2Sub(a[k], a[i])) <= 0
	}
	for l := range b {
		ok = ok && Dot(normal, box2d.B2Vec2Sub(b[l], b[j])) >= 0
	}
	return normal, apart, ok
}

// corners makes a contact point of the corners that are nearest to each other along a normal.
func (p *roundPair) corners(m *box2d.B2Manifold, n box2d.B2Vec2) {
	i, j := furthest(p.a, n), furthest(p.b, n.OperatorNegate())
	m.Type, m.LocalPoint, m.PointCount = box2d.B2Manifold_Type.E_circles, p.a.M_vertices[i], 1
	m.Points[0].LocalPoint, m.Points[0].Id = p.inB.M_vertices[j], box2d.B2ContactID{IndexA: uint8(i), IndexB: uint8(j)}
}

// asPolygon returns a polygon itself, or a polygon with the corner of a circle.
func asPolygon(shape box2d.B2ShapeInterface, to *box2d.B2PolygonShape) *box2d.B2PolygonShape {
	switch s := shape.(type) {
	case *RoundPolygon:
		return &s.B2PolygonShape
	case *box2d.B2PolygonShape:
		return s
	case *box2d.B2CircleShape:
		to.M_count, to.M_radius, to.M_vertices[0] = 1, s.M_radius, s.M_p
	}
	return to
}

// drawEdge makes a polygon from an edge: two corners, and a face on each side.
func drawEdge(to *box2d.B2PolygonShape, e *box2d.B2EdgeShape) {
	to.M_count, to.M_radius, to.M_vertices[0], to.M_vertices[1] = 2, e.M_radius, e.M_vertex1, e.M_vertex2
	to.M_normals[0] = box2d.B2Vec2(geometry.Across(geometry.Vec(e.M_vertex1), geometry.Vec(e.M_vertex2)))
	to.M_normals[1] = Times(-1, to.M_normals[0])
}

// beside returns the face of shape a from which shape b is farthest, or in which b is least deep.
// The distance apart is in m, without radii. The result straight reports whether it is the distance
// of the shapes, because the nearest corner of b is in the shape or opposite to the face. If a face
// is farther away than enough, beside returns the first such face.
func beside(a, b *box2d.B2PolygonShape, enough float64) (face int, apart float64, straight bool) {
	apart = math.Inf(-1)
	near := 0 // corner of b
	for i := range edges(a) {
		nx, ny, vx, vy := a.M_normals[i].X, a.M_normals[i].Y, a.M_vertices[i].X, a.M_vertices[i].Y
		least, k := math.Inf(1), 0
		for j := range b.M_vertices[:b.M_count] {
			w := &b.M_vertices[j]
			if d := float64(nx*(w.X-vx)) + float64(ny*(w.Y-vy)); d < least {
				least, k = d, j
			}
		}
		if least > apart {
			if face, apart, near = i, least, k; apart > enough {
				return face, apart, false
			}
		}
	}
	if a.M_count == 1 || apart < -tolerance { // the ends of two flat shapes in one line may be far apart
		return face, apart, a.M_count > 1
	}
	v := a.M_vertices[face]
	side := box2d.B2Vec2Sub(a.M_vertices[after(face, a.M_count)], v)
	along := Dot(side, box2d.B2Vec2Sub(b.M_vertices[near], v))
	return face, apart, along >= 0 && along <= Dot(side, side)
}

// after returns the index of the corner after corner i of n corners, without a division.
func after(i, n int) int {
	if i+1 == n {
		return 0
	}
	return i + 1
}

// edges returns the number of edges of a shape.
func edges(s *box2d.B2PolygonShape) int {
	if s.M_count == 1 {
		return 0
	}
	return s.M_count
}

// facing returns the face of a shape whose normal is nearest to a direction, and the cosine of
// the angle between the two.
func facing(s *box2d.B2PolygonShape, n box2d.B2Vec2) (face int, cos float64) {
	cos = -2
	for i := range edges(s) {
		if c := Dot(s.M_normals[i], n); c > cos {
			face, cos = i, c
		}
	}
	return face, cos
}

// furthest returns the index of the corner of a shape that is farthest in a direction.
func furthest(s *box2d.B2PolygonShape, n box2d.B2Vec2) int {
	k := 0
	for i := range s.M_count {
		if Dot(s.M_vertices[i], n) > Dot(s.M_vertices[k], n) {
			k = i
		}
	}
	return k
}

// ofNeighbour reports whether the normal n of a contact leans so far over an end of an edge that
// the next edge of the chain must push instead. It also returns the side of the edge on which B is.
// So shapes do not catch on the inner corners of a chain.
func (p *roundPair) ofNeighbour(n box2d.B2Vec2) (side int, taken bool) {
	e := p.edge
	if !e.M_hasVertex0 && !e.M_hasVertex3 {
		return 0, false
	}
	var centre box2d.B2Vec2
	for _, q := range p.b.M_vertices[:p.b.M_count] {
		centre = box2d.B2Vec2Add(centre, q)
	}
	centre = Times(1/float64(p.b.M_count), centre)
	if Dot(p.a.M_normals[0], box2d.B2Vec2Sub(centre, e.M_vertex1)) < 0 {
		side = 1
	}
	own := p.a.M_normals[side]
	for i, end := range [...]struct {
		has       bool
		at, other box2d.B2Vec2
		ghost     box2d.B2Vec2
	}{{e.M_hasVertex0, e.M_vertex1, e.M_vertex2, e.M_vertex0}, {e.M_hasVertex3, e.M_vertex2, e.M_vertex1, e.M_vertex3}} {
		if !end.has || Dot(n, box2d.B2Vec2Sub(end.at, end.other)) <= 0 {
			continue
		}
		d := Unit(box2d.B2Vec2Sub(end.ghost, end.at))
		next := box2d.B2Vec2{X: d.Y, Y: -d.X} // the neighbour's normal on the same side
		if (i == 0) != (side == 1) {
			next = box2d.B2Vec2{X: -d.Y, Y: d.X}
		}
		if hollow := Dot(own, d) >= 0; hollow || Dot(own, n) < Dot(own, next) {
			return side, true
		}
	}
	return side, false
}

// clip clips the face of the other shape that is opposite to a face of A, or of B if flip is
// true. Each end of the clipped face that touches becomes a contact point.
func (p *roundPair) clip(m *box2d.B2Manifold, face int, flip bool) {
	ref, inc, own, other := p.a, p.b, p.a, p.inB
	m.Type = box2d.B2Manifold_Type.E_faceA
	if flip {
		ref, inc, own, other = p.b, p.a, p.inB, p.a
		m.Type = box2d.B2Manifold_Type.E_faceB
	}
	n := ref.M_normals[face]
	from, to := 0, 0 // indices of the other face, which runs in the opposite direction
	least := math.Inf(1)
	for i := range edges(inc) {
		if c := Dot(inc.M_normals[i], n); c < least {
			from, to, least = after(i, inc.M_count), i, c
		}
	}
	next := after(face, ref.M_count)
	origin := ref.M_vertices[face]
	along := box2d.B2Vec2Sub(ref.M_vertices[next], origin)
	length := Length(along)
	along = Unit(along)
	a, b := box2d.B2Vec2Sub(inc.M_vertices[from], origin), box2d.B2Vec2Sub(inc.M_vertices[to], origin)
	low, high := Dot(a, along), Dot(b, along)
	if high < 0 || low > length {
		return
	}
	cut := [2]float64{0, 1}
	if low < 0 && high > low {
		cut[0] = -low / (high - low)
	}
	if high > length && high > low {
		cut[1] = (length - low) / (high - low)
	}
	start, end := own.M_vertices[face], own.M_vertices[next]
	m.LocalNormal, m.LocalPoint = own.M_normals[face], Times(0.5, box2d.B2Vec2Add(start, end))
	for i, t := range cut {
		if i == 1 && from == to {
			break // the shape is a circle
		}
		if separation := Dot(a, n) + float64(t*Dot(box2d.B2Vec2Sub(b, a), n)); !(separation <= p.radius) {
			continue
		}
		u, v := other.M_vertices[from], other.M_vertices[to]
		id := box2d.B2ContactID{IndexA: uint8(face), IndexB: uint8(from)}
		if i == 1 {
			id = box2d.B2ContactID{IndexA: uint8(next), IndexB: uint8(to)}
		}
		if flip {
			id.IndexA, id.IndexB = id.IndexB, id.IndexA
		}
		m.Points[m.PointCount] = box2d.B2ManifoldPoint{LocalPoint: Plus(u, t, box2d.B2Vec2Sub(v, u)), Id: id}
		m.PointCount++
	}
}
