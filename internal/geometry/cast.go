package geometry

import "math"

// Distance returns the distance in m between shape a of the world and shape b at a place. If the
// shapes overlap, the distance is negative: minus the length of the shortest move that separates
// them.
func Distance(a, b *Shape, at *Transform) float64 {
	var m difference
	m.set(a, b, at)
	d, _, _ := m.origin()
	return d - a.Radius - b.Radius
}

// Nearest returns where shape a of the world and shape b at a place are nearest to each other: the
// nearest point of each, the unit normal that points out of b, and their Distance in the field
// Fraction. If the shapes overlap, the points are those that touch after the shortest move that
// separates the shapes. Two circles with the same centre have no normal; it is then zero.
func Nearest(a, b *Shape, at *Transform) (t Touch, onA Vec) {
	var m difference
	m.set(a, b, at)
	d, normal, where := m.origin()
	t.Fraction, t.Normal = d-a.Radius-b.Radius, at.Direction(normal)
	t.Point = at.Point(m.onB(b, where).Add(normal.Mul(b.Radius)))
	return t, t.Point.Add(t.Normal.Mul(t.Fraction))
}

// Overlap reports whether the shapes have a point in common, or are at most Slack apart.
func Overlap(a, b *Shape, at *Transform) bool { return Distance(a, b, at) <= Slack }

// Touch is the place where a moving shape touches another.
type Touch struct {
	Fraction float64 // Fraction is the part of the path before the touch, from 0 to 1.
	Point    Vec     // Point is the point of the world, on the outline of the touched shape.
	Normal   Vec     // Normal is the unit normal, which points out of the touched shape.
}

// parallel is the sine of an angle. If the angle between a path and an outline is smaller, the cast
// moves along the outline and not into it.
const parallel = 1e-9

// slideTolerance is a length in m. A cast may slide along a shape if some move separates the two
// that is at most this much longer than the shortest one: a body at rest is never quite level with
// the ground.
const slideTolerance = 1e-4

// restingDepth is how deep a shape may overlap the shape on which it stands, in m. Solvers let
// bodies sink in that far, and polygons have a skin.
const restingDepth = .02

// Plane is a half-plane: all points below a height along a unit normal.
type Plane struct {
	Normal Vec
	Height float64 // m
}

// Holds reports whether a shape at a place lies in the half-plane, or at most Slack outside.
func (p *Plane) Holds(s *Shape, at *Transform) bool {
	top := math.Inf(-1)
	for _, q := range s.Points[:s.N] {
		top = max(top, at.Point(q).Dot(p.Normal))
	}
	return top+s.Radius <= p.Height+Slack
}

// Floor returns the half-plane below the face of shape b on which shape a of the world stands. The
// result is false if there is no such face, or if shape a moves into the face. A shape that does
// not rise above that face is no obstacle: shape a already overlaps b as deeply at the start.
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

// Cast moves shape a along way without turning it. Shape a is in world coordinates, shape b at the
// transform at. Cast returns where shape a first comes within Slack of shape b. way must not be zero.
//
// If the shapes overlap at the start, the touch has fraction 0, and its normal is the direction of the
// shortest move that separates the shapes. But if way leads along that normal, or at right angles to
// it, there is no touch: a shape may leave another one, or slide along it. This also holds for the
// directions of moves that separate the shapes and are longer by at most slideTolerance.
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
