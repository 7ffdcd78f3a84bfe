package forces

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
	"halfstep/world"
)

// moments are the area of a figure, m², and its first moments, m³. (The conversions to float64
// in this file keep compilers from fusing a product with a sum.)
type moments struct{ area, x, y float64 }

func (m *moments) add(o moments) {
	m.area += o.area
	m.x += o.x
	m.y += o.y
}

// addAt adds a figure whose moments are about a point.
func (m *moments) addAt(o moments, at box2d.B2Vec2) {
	m.add(moments{o.area, o.x + float64(o.area*at.X), o.y + float64(o.area*at.Y)})
}

func (m *moments) centroid() world.Vec { return world.Vec{X: m.x / m.area, Y: m.y / m.area} }

// polygon returns the moments of a polygon, which are negative if it turns clockwise.
func polygon(vs []box2d.B2Vec2) (m moments) {
	if len(vs) < 3 {
		return m
	}
	about := moments{} // about the first corner, because a distant origin gives larger rounding errors
	for i := 1; i+1 < len(vs); i++ {
		about.add(triangle(box2d.B2Vec2Sub(vs[i], vs[0]), box2d.B2Vec2Sub(vs[i+1], vs[0])))
	}
	m.addAt(about, vs[0])
	return m
}

// triangle returns the moments of the triangle of the origin, p and q.
func triangle(p, q box2d.B2Vec2) moments {
	area := float64(b2.Cross(p, q) / 2)
	return moments{area, area * (p.X + q.X) / 3, area * (p.Y + q.Y) / 3}
}

// sector returns the moments of a sector of a circle about the origin, from the
// direction of p to that of q the short way round.
func sector(p, q box2d.B2Vec2, r float64) moments {
	p, q = b2.Unit(p), b2.Unit(q)
	k := r * r * r / 3
	return moments{
		float64(r * r * trig.Angle(b2.Cross(p, q), b2.Dot(p, q)) / 2),
		float64(k * (q.Y - p.Y)), float64(k * (p.X - q.X)),
	}
}

// discIn returns the moments of the intersection of a circle and a counter-clockwise polygon.
// It is the sum, over the edges, of the intersections of the circle with the triangle of its
// centre and the edge.
func discIn(vs []box2d.B2Vec2, middle box2d.B2Vec2, r float64) (m moments) {
	if len(vs) < 3 {
		return m
	}
	about := moments{}
	p := box2d.B2Vec2Sub(vs[len(vs)-1], middle)
	for _, v := range vs {
		q := box2d.B2Vec2Sub(v, middle)
		about.add(discAndEdge(p, q, r))
		p = q
	}
	m.addAt(about, middle)
	return m
}

// discAndEdge returns the moments of the intersection of a circle about the origin and the
// triangle of the origin, p and q. The edge enters the circle at t and leaves it at u, from 0
// at p to 1 at q.
func discAndEdge(p, q box2d.B2Vec2, r float64) (m moments) {
	d := box2d.B2Vec2Sub(q, p)
	dd, pd, pp := b2.Dot(d, d), b2.Dot(p, d), b2.Dot(p, p)
	root := float64(pd*pd) - float64(dd*(pp-float64(r*r)))
	if !(dd > 0) {
		return m
	}
	if root <= 0 {
		return sector(p, q, r)
	}
	root = math.Sqrt(root)
	t, u := max((-pd-root)/dd, 0), min((-pd+root)/dd, 1)
	if t >= u {
		return sector(p, q, r)
	}
	in, out := b2.Plus(p, t, d), b2.Plus(p, u, d)
	if t > 0 {
		m.add(sector(p, in, r))
	}
	m.add(triangle(in, out))
	if u < 1 {
		m.add(sector(out, q, r))
	}
	return m
}

// areaOf is the area of a solid circle or polygon, and 0 for any other fixture.
func areaOf(f *box2d.B2Fixture) float64 {
	if f.M_isSensor {
		return 0
	}
	switch s := f.M_shape.(type) {
	case *box2d.B2CircleShape:
		return float64(math.Pi * s.M_radius * s.M_radius)
	case *box2d.B2PolygonShape:
		return polygon(s.M_vertices[:s.M_count]).area
	case *b2.RoundPolygon:
		return b2.MassOf(s, 1).Mass
	}
	return 0
}
