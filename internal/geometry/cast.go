package geometry

// Distance is the distance in m between a shape of the world and a shape at a
// place. Where they overlap it is negative: how far they have to move apart.
func Distance(a, b *Shape, at *Transform) float64 {
	var m difference
	m.set(a, b, at)
	d, _, _ := m.origin()
	return d - a.Radius - b.Radius
}

// Overlap reports whether the shapes have a point in common, or are within
// Slack.
func Overlap(a, b *Shape, at *Transform) bool { return Distance(a, b, at) <= Slack }

// Touch is where a cast touches a shape.
type Touch struct {
	Fraction float64 // of the way, 0 to 1
	Point    Vec     // of the world, on the shape that is touched
	Normal   Vec     // unit, out of the shape that is touched
}

// parallel is the sine of the angle, between a way and an outline, below which a
// cast moves along rather than into it.
const parallel = 1e-9

// Cast moves shape a of the world by a way that has a length, without turning it,
// and returns where it first comes within Slack of shape b at a place.
//
// If they overlap to begin with, the cast touches at fraction 0, with the normal
// of the shortest way apart. It does not touch if it moves that way, or along.
func Cast(a *Shape, way Vec, b *Shape, at *Transform) (Touch, bool) {
	var m difference
	m.set(a, b, at)
	v := at.localDirection(way)
	length := v.length()
	u := v.times(1 / length)
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
		normal = u.times(-1)
	case normal.dot(u) >= -parallel:
		return Touch{}, false
	}
	t.Point = at.Point(m.onB(b, where).plus(normal.times(b.Radius)))
	t.Normal = at.Direction(normal)
	return t, true
}
