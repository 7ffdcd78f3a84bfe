package b2

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/geometry"
	"halfstep/internal/trig"
)

// RoundPolygon is the convex hull of 2 to 8 points, rounded by M_radius: a capsule or a
// polygon with round corners. The normal of each point is that of the edge to the next
// point.
//
// The library does not know the shape. It calls the shape's methods, and makes and destroys its
// contacts like NewContact. But it cannot destroy a fixture with this shape, and its own step
// cannot measure distances to the shape.
type RoundPolygon struct{ box2d.B2PolygonShape }

// NewRoundPolygon makes the hull of 2 to 8 points, no two of which may be near each other.
// It returns false if 3 or more points have no area.
func NewRoundPolygon(points []box2d.B2Vec2, radius float64) (*RoundPolygon, bool) {
	s := new(RoundPolygon)
	s.M_type, s.M_radius = RoundShape, radius
	if len(points) > 2 {
		return s, SetPolygon(&s.B2PolygonShape, points)
	}
	s.M_count = copy(s.M_vertices[:], points)
	along := box2d.B2Vec2Sub(points[1], points[0])
	s.M_normals[0] = Unit(box2d.B2Vec2{X: along.Y, Y: -along.X})
	s.M_normals[1] = s.M_normals[0].OperatorNegate()
	s.M_centroid = Times(0.5, box2d.B2Vec2Add(points[0], points[1]))
	return s, true
}

// MakeDestroyable gives a fixture another shape if the library cannot destroy the present shape.
func MakeDestroyable(f *box2d.B2Fixture) {
	if f.M_shape.GetType() == RoundShape {
		f.M_shape = &destroyable
	}
}

var destroyable = box2d.MakeB2CircleShape() // the library's code for circles does nothing to the shape

// Clone copies the shape.
func (s *RoundPolygon) Clone() box2d.B2ShapeInterface {
	c := *s
	return &c
}

// SetOutline gives the parameter to the form of the shape, for queries.
func (s *RoundPolygon) SetOutline(to *geometry.Shape) { setOutline(to, &s.B2PolygonShape) }

// setOutline gives the parameter to the form of a polygon.
func setOutline(to *geometry.Shape, s *box2d.B2PolygonShape) {
	to.N, to.Radius = s.M_count, s.M_radius
	for i := range s.M_count {
		to.Points[i], to.Normals[i] = geometry.Vec(s.M_vertices[i]), geometry.Vec(s.M_normals[i])
	}
}

// TransformOf converts a transform of the library, for queries.
func TransformOf(xf *box2d.B2Transform) geometry.Transform {
	return geometry.Transform{P: geometry.Vec(xf.P), Sin: xf.Q.S, Cos: xf.Q.C}
}

// TestPoint reports whether the shape at xf contains a point.
func (s *RoundPolygon) TestPoint(xf box2d.B2Transform, p box2d.B2Vec2) bool {
	var outline geometry.Shape
	s.SetOutline(&outline)
	at := TransformOf(&xf)
	return outline.Contains(&at, geometry.Vec(p))
}

// RayCast returns the point at which a ray enters the shape at xf.
func (s *RoundPolygon) RayCast(out *box2d.B2RayCastOutput, in box2d.B2RayCastInput, xf box2d.B2Transform, _ int) bool {
	var outline geometry.Shape
	s.SetOutline(&outline)
	at := TransformOf(&xf)
	fraction, normal, hit := outline.RayCast(&at, geometry.Vec(in.P1), geometry.Vec(in.P2), in.MaxFraction)
	if hit {
		out.Fraction, out.Normal = fraction, box2d.B2Vec2(normal)
	}
	return hit
}

// Box returns the box around the shape with the transform xf.
func (s *RoundPolygon) Box(xf *box2d.B2Transform) (b box2d.B2AABB) {
	v := Transform(xf, s.M_vertices[0])
	lx, ly, ux, uy := v.X, v.Y, v.X, v.Y
	for i := 1; i < s.M_count; i++ {
		v := Transform(xf, s.M_vertices[i])
		lx, ly, ux, uy = min(lx, v.X), min(ly, v.Y), max(ux, v.X), max(uy, v.Y)
	}
	r := s.M_radius
	b.LowerBound, b.UpperBound = box2d.B2Vec2{X: lx - r, Y: ly - r}, box2d.B2Vec2{X: ux + r, Y: uy + r}
	return b
}

// ComputeAABB writes the result of Box.
func (s *RoundPolygon) ComputeAABB(b *box2d.B2AABB, xf box2d.B2Transform, _ int) { *b = s.Box(&xf) }

// ComputeMass writes the result of MassOf.
func (s *RoundPolygon) ComputeMass(m *box2d.B2MassData, density float64) { *m = MassOf(s, density) }

// Outline appends the outline of the shape at xf, counter-clockwise. Its arcs become lines
// that turn by at most a sixteenth of a half turn, so that the area is less by up to 0.7 %.
func (s *RoundPolygon) Outline(to []box2d.B2Vec2, xf *box2d.B2Transform) []box2d.B2Vec2 {
	for i := range s.M_count {
		from := s.M_normals[(i+s.M_count-1)%s.M_count]
		angle := s.turn(i)
		pieces := math.Ceil(angle / (math.Pi / 16))
		for k := 0.0; k <= pieces; k++ {
			sin, cos := trig.SinCos(angle * k / max(pieces, 1))
			to = append(to, Transform(xf, Plus(s.M_vertices[i], s.M_radius, Rotate(box2d.B2Rot{S: sin, C: cos}, from))))
		}
	}
	return to
}

// turn returns the angle at a corner between the normals of its edges.
func (s *RoundPolygon) turn(i int) float64 {
	if s.M_count == 2 {
		return math.Pi
	}
	last, n := s.M_normals[(i+s.M_count-1)%s.M_count], s.M_normals[i]
	return max(0, trig.Angle(Cross(last, n), Dot(last, n)))
}

// mass returns the mass of the shape: the sum over the polygon of its points, a rectangle
// outside each edge, and a sector of a circle outside each corner. The inertia is about the
// origin.
func (s *RoundPolygon) mass(density float64) box2d.B2MassData {
	var sum MassSum
	add := func(area, own float64, centre box2d.B2Vec2) { // own is the inertia of the part about the centre of the part
		m := float64(density * area)
		sum.Add(&box2d.B2MassData{Mass: m, Center: centre, I: float64(density*own) + float64(m*Dot(centre, centre))})
	}
	if s.M_count > 2 {
		m := polygonMass(&s.B2PolygonShape, density)
		sum.Add(&m)
	}
	r := s.M_radius
	for i := range s.M_count {
		v, n, last := s.M_vertices[i], s.M_normals[i], s.M_normals[(i+s.M_count-1)%s.M_count]
		edge := box2d.B2Vec2Sub(s.M_vertices[(i+1)%s.M_count], v)
		length := Length(edge)
		add(length*r, length*r*(float64(length*length)+float64(r*r))/12, Plus(Plus(v, .5, edge), r/2, n))

		// The sector is between the normals of both edges, with the angle a. Its area is a r²/2 and
		// its inertia about the corner a r⁴/4. Its first moment about the corner is the integral of
		// ρ² dρ (cos φ, sin φ) dφ over the sector: r³/3 times the growth of (sin φ, -cos φ) from
		// the first normal (cos φ, sin φ) to the second.
		area := s.turn(i) * r * r / 2
		if !(area > 0) {
			continue
		}
		k := r * r * r / 3 / area
		to := box2d.B2Vec2{X: float64(k * (n.Y - last.Y)), Y: float64(k * (last.X - n.X))}
		add(area, area*(float64(r*r/2)-Dot(to, to)), box2d.B2Vec2Add(v, to))
	}
	return box2d.B2MassData{Mass: sum.Mass, Center: sum.Centre(), I: sum.I}
}
