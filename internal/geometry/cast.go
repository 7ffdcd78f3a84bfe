package geometry

import "math"

// Distance is the distance in m between a shape of the world and a shape at a place. If they
// overlap it is negative: the shortest way by which they can be moved apart.
func Distance(a, b *Shape, at *Transform) float64 {
	var m difference
	m.set(a, b, at)
	d, _, _ := m.origin()
	return d - a.Radius - b.Radius
}

// Nearest returns where a shape of the world and shape b at a place are nearest to each
// other: a point of each, the unit normal out of b towards the other, and their Distance as
// the fraction. If they overlap, these are the points that touch after the shortest way
// apart. The normal is zero for two circles about one point, which have none.
func Nearest(a, b *Shape, at *Transform) (t Touch, onA Vec) {
	var m difference
	m.set(a, b, at)
	d, normal, where := m.origin()
	t.Fraction, t.Normal = d-a.Radius-b.Radius, at.Direction(normal)
	t.Point = at.Point(m.onB(b, where).Add(normal.Mul(b.Radius)))
	return t, t.Point.Add(t.Normal.Mul(t.Fraction))
}

// Overlap reports whether the shapes have a point in common, or are within
// Slack.
func Overlap(a, b *Shape, at *Transform) bool { return Distance(a, b, at) <= Slack }

// Touch is a contact of a cast with a shape.
type Touch struct {
	Fraction float64 // the part of the way before it, 0 to 1
	Point    Vec     // a point of the world, on the outline of the touched shape
	Normal   Vec     // unit, out of the touched shape
}

// parallel is the sine of the angle, between a way and an outline, below which a
// cast moves along rather than into it.
const parallel = 1e-9

// slideTolerance is how much longer than the shortest way apart another one may be, in m, for a cast
// to slide along it: a body at rest is never quite level with its ground.
const slideTolerance = 1e-4

// restingDepth is how deep, in m, a shape may overlap the shape on which it stands: solvers let
// bodies sink in that far, and polygons have skins.
const restingDepth = .02

// Plane is the half-plane below a height along a unit normal.
type Plane struct {
	Normal Vec
	Height float64 // m
}

// Holds reports whether a shape at a place is in the plane, or within Slack.
func (p *Plane) Holds(s *Shape, at *Transform) bool {
	top := math.Inf(-1)
	for _, q := range s.Points[:s.N] {
		top = max(top, at.Point(q).Dot(p.Normal))
	}
	return top+s.Radius <= p.Height+Slack
}

// Floor returns the half-plane below the face of shape b on which shape a of the world
// stands and into which it does not move, and false if there is none. a already overlaps the
// shapes below that face as deeply at the start.
func Floor(a *Shape, way Vec, b *Shape, at *Transform) (Plane, bool) {
	var m difference
	m.set(a, b, at)
	r := a.Radius + b.Radius + Slack
	d, normal, _ := m.origin()
	if d > r || r-d > restingDepth {
		return Plane{}, false
	}
	normal, ok := m.slideDirection(normal, unitOf(at.localDirection(way)), r, r-d)
	if !ok {
		return Plane{}, false
	}
	top := math.Inf(-1)
	normal = at.Direction(normal)
	for _, p := range b.Points[:b.N] {
		top = max(top, at.Point(p).Dot(normal))
	}
	return Plane{normal, top + b.Radius}, true
}

// Cast moves shape a of the world along a vector way, which must not be zero, without
// turning it, and returns where it first comes within Slack of shape b at a place.
//
// If they overlap at the start, the cast touches at fraction 0, with the normal of the
// shortest way apart. It does not touch if it moves along that normal or at right angles to
// it. The same holds for other ways apart that are hardly longer (see slideTolerance).
func Cast(a *Shape, way Vec, b *Shape, at *Transform) (Touch, bool) {
	var m difference
	m.set(a, b, at)
	v := at.localDirection(way)
	length := lengthOf(v)
	u := v.Mul(1 / length)
	r := a.Radius + b.Radius + Slack
	d, normal, where := m.origin()
	t := Touch{}
	switch {
	case d-r > length:
		return Touch{}, false
	case d > r:
		x, n, entered, ok := m.enter(u, r)
		if !ok || x > length {
			return Touch{}, false
		}
		t.Fraction, normal, where = min(x/length, 1), n, entered
	case normal == Vec{}:
		normal = u.Mul(-1)
	default:
		if _, ok := m.slideDirection(normal, u, r, r-d); ok {
			return Touch{}, false
		}
	}
	t.Point = at.Point(m.onB(b, where).Add(normal.Mul(b.Radius)))
	t.Normal = at.Direction(normal)
	return t, true
}
