package b2

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/geometry"
)

// sameFace is the cosine of the angle within which the normal of a contact counts as that
// of a face, which has two points. Without it a capsule that lies along another one would
// have one point in some steps.
const sameFace = 0.9986

// tolerance is how much farther apart B's face must be to take the place of A's, m, as the
// library has it.
const tolerance = 0.1 * box2d.B2_linearSlop

// RoundContact is a contact of two shapes of which one at least is a [RoundPolygon].
type RoundContact struct{ box2d.B2Contact }

// Evaluate computes the manifold of the contact.
func (c *RoundContact) Evaluate(m *box2d.B2Manifold, xfA, xfB box2d.B2Transform) {
	collideRounds(m, &c.B2Contact, &xfA, &xfB)
}

// EvaluateRound is Evaluate of a contact of the kind Rounds, where its bodies are.
func EvaluateRound(m *box2d.B2Manifold, c *box2d.B2Contact) {
	collideRounds(m, c, &c.M_fixtureA.M_body.M_xf, &c.M_fixtureB.M_body.M_xf)
}

// roundPair is the shapes of a contact in A's frame.
type roundPair struct {
	a, b   geometry.Shape
	inB    geometry.Shape // b in its own frame
	radius float64        // of both: that of a polygon or an edge is the library's skin
	edge   box2d.B2EdgeShape
}

// collideRounds computes the manifold of a pair that the library has no function for. The
// normal is the shortest way apart of the shapes without their radii. If it is that of a
// face, the face of the other shape is clipped to it; otherwise a corner touches a corner.
// Mostly the normal of a face is plainly the one, and geometry.Nearest need not be asked.
func collideRounds(m *box2d.B2Manifold, c *box2d.B2Contact, xfA, xfB *box2d.B2Transform) {
	var p roundPair
	m.PointCount = 0
	p.load(c, xfA, xfB)
	faceA, apartA, straightA := beside(&p.a, &p.b)
	if apartA > p.radius {
		return
	}
	faceB, apartB, straightB := beside(&p.b, &p.a)
	if apartB > p.radius {
		return
	}
	flip := apartB > apartA+tolerance
	var n box2d.B2Vec2
	corner := false
	switch {
	case !flip && straightA:
		n = box2d.B2Vec2(p.a.Normals[faceA])
	case flip && straightB:
		n = box2d.B2Vec2(p.b.Normals[faceB]).OperatorNegate()
	default:
		nearest, _ := geometry.Nearest(&p.b, &p.a, &geometry.Transform{Cos: 1})
		if !(nearest.Fraction <= 0) {
			return
		}
		n = box2d.B2Vec2(nearest.Normal)
		var cosA, cosB float64
		faceA, cosA = facing(&p.a, n)
		faceB, cosB = facing(&p.b, n.OperatorNegate())
		flip, corner = cosA < sameFace, max(cosA, cosB) < sameFace
	}
	side, taken := p.ofNeighbour(n)
	switch {
	case taken:
		p.clip(m, side, false)
	case corner:
	case flip:
		p.clip(m, faceB, true)
	default:
		p.clip(m, faceA, false)
	}
	if m.PointCount == 0 && !taken {
		p.corners(m, n)
	}
}

// corners makes a point of the corners that are nearest along a normal.
func (p *roundPair) corners(m *box2d.B2Manifold, n box2d.B2Vec2) {
	i, j := furthest(&p.a, n), furthest(&p.b, n.OperatorNegate())
	m.Type, m.LocalPoint, m.PointCount = box2d.B2Manifold_Type.E_circles, box2d.B2Vec2(p.a.Points[i]), 1
	m.Points[0].LocalPoint, m.Points[0].Id = box2d.B2Vec2(p.inB.Points[j]), box2d.B2ContactID{IndexA: uint8(i), IndexB: uint8(j)}
}

func (p *roundPair) load(c *box2d.B2Contact, xfA, xfB *box2d.B2Transform) {
	p.set(&p.a, c.M_fixtureA.M_shape, c.M_indexA)
	p.set(&p.inB, c.M_fixtureB.M_shape, c.M_indexB)
	p.radius = p.a.Radius + p.inB.Radius
	axis := RotateBack(xfA.Q, box2d.B2Vec2{X: xfB.Q.C, Y: xfB.Q.S}) // B's in A's frame
	at := geometry.Transform{P: geometry.Vec(TransformBack(xfA, xfB.P)), Sin: axis.Y, Cos: axis.X}
	p.b.Place(&p.inB, &at)
}

func (p *roundPair) set(to *geometry.Shape, shape box2d.B2ShapeInterface, child int) {
	switch s := shape.(type) {
	case *RoundPolygon:
		s.SetOutline(to)
	case *box2d.B2PolygonShape:
		to.N, to.Radius = s.M_count, s.M_radius
		for i := range s.M_count {
			to.Points[i], to.Normals[i] = geometry.Vec(s.M_vertices[i]), geometry.Vec(s.M_normals[i])
		}
	case *box2d.B2CircleShape:
		to.SetCircle(geometry.Vec(s.M_p), s.M_radius)
	case *box2d.B2EdgeShape:
		p.edge = *s
		to.SetSegment(geometry.Vec(s.M_vertex1), geometry.Vec(s.M_vertex2), s.M_radius)
	case *box2d.B2ChainShape:
		p.edge = box2d.MakeB2EdgeShape()
		s.GetChildEdge(&p.edge, child)
		to.SetSegment(geometry.Vec(p.edge.M_vertex1), geometry.Vec(p.edge.M_vertex2), s.M_radius)
	}
}

// beside returns the face of a shape that another one is farthest outside of, or least
// inside, and by how much, without radii. It reports whether that is how far they are apart:
// the nearest corner of the other one is straight outside the face, or in the shape.
func beside(a, b *geometry.Shape) (face int, apart float64, straight bool) {
	apart = math.Inf(-1)
	near := 0 // corner of b
	for i := 0; i < a.N && a.N > 1; i++ {
		n, v := a.Normals[i], a.Points[i]
		least, k := math.Inf(1), 0
		for j := range b.N {
			if d := float64(n.X*(b.Points[j].X-v.X)) + float64(n.Y*(b.Points[j].Y-v.Y)); d < least {
				least, k = d, j
			}
		}
		if least > apart {
			face, apart, near = i, least, k
		}
	}
	if a.N == 1 || apart < -tolerance { // flat shapes in line may be far from each other
		return face, apart, a.N > 1
	}
	v := box2d.B2Vec2(a.Points[face])
	side := box2d.B2Vec2Sub(box2d.B2Vec2(a.Points[(face+1)%a.N]), v)
	along := Dot(side, box2d.B2Vec2Sub(box2d.B2Vec2(b.Points[near]), v))
	return face, apart, along >= 0 && along <= Dot(side, side)
}

// facing returns the face of a shape whose normal is nearest to a direction, and the cosine
// of the angle between them.
func facing(s *geometry.Shape, n box2d.B2Vec2) (face int, cos float64) {
	cos = -2
	for i := 0; i < s.N && s.N > 1; i++ {
		if c := Dot(box2d.B2Vec2(s.Normals[i]), n); c > cos {
			face, cos = i, c
		}
	}
	return face, cos
}

func furthest(s *geometry.Shape, n box2d.B2Vec2) int {
	k := 0
	for i := 1; i < s.N; i++ {
		if Dot(box2d.B2Vec2(s.Points[i]), n) > Dot(box2d.B2Vec2(s.Points[k]), n) {
			k = i
		}
	}
	return k
}

// ofNeighbour reports whether a normal of an edge of a chain leans so far over one of its
// ends that it is the neighbouring edge's to push along it, and the side of the edge on
// which B is. So nothing catches on the inner corners of a chain.
func (p *roundPair) ofNeighbour(n box2d.B2Vec2) (side int, taken bool) {
	e := &p.edge
	if !e.M_hasVertex0 && !e.M_hasVertex3 {
		return 0, false
	}
	var centre box2d.B2Vec2
	for _, q := range p.b.Points[:p.b.N] {
		centre = box2d.B2Vec2Add(centre, box2d.B2Vec2(q))
	}
	centre = Times(1/float64(p.b.N), centre)
	if Dot(box2d.B2Vec2(p.a.Normals[0]), box2d.B2Vec2Sub(centre, e.M_vertex1)) < 0 {
		side = 1
	}
	own := box2d.B2Vec2(p.a.Normals[side])
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

// clip clips the face of the other shape that faces a face of A, or of B if flip, to that
// face, and makes a point of each end that touches.
func (p *roundPair) clip(m *box2d.B2Manifold, face int, flip bool) {
	ref, inc, own, other := &p.a, &p.b, &p.a, &p.inB
	m.Type = box2d.B2Manifold_Type.E_faceA
	if flip {
		ref, inc, own, other = &p.b, &p.a, &p.inB, &p.a
		m.Type = box2d.B2Manifold_Type.E_faceB
	}
	n := box2d.B2Vec2(ref.Normals[face])
	from, to := 0, 0 // of the other face, which runs the other way
	least := math.Inf(1)
	for i := 0; i < inc.N && inc.N > 1; i++ {
		if c := Dot(box2d.B2Vec2(inc.Normals[i]), n); c < least {
			from, to, least = (i+1)%inc.N, i, c
		}
	}
	next := (face + 1) % ref.N
	origin := box2d.B2Vec2(ref.Points[face])
	along := box2d.B2Vec2Sub(box2d.B2Vec2(ref.Points[next]), origin)
	length := Length(along)
	along = Unit(along)
	a, b := box2d.B2Vec2Sub(box2d.B2Vec2(inc.Points[from]), origin), box2d.B2Vec2Sub(box2d.B2Vec2(inc.Points[to]), origin)
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
	start, end := box2d.B2Vec2(own.Points[face]), box2d.B2Vec2(own.Points[next])
	m.LocalNormal, m.LocalPoint = box2d.B2Vec2(own.Normals[face]), Times(0.5, box2d.B2Vec2Add(start, end))
	for i, t := range cut {
		if i == 1 && from == to {
			break // a circle
		}
		if separation := Dot(a, n) + float64(t*Dot(box2d.B2Vec2Sub(b, a), n)); !(separation <= p.radius) {
			continue
		}
		u, v := box2d.B2Vec2(other.Points[from]), box2d.B2Vec2(other.Points[to])
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
