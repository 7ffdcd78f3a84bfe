package world

import (
	"errors"

	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// Query finds shapes by place. A Query from [World.Query] reads the present world. A Query from an engine's
// Shown reads the state on the screen.
//
// Points, rays and shapes are in the world's frame, in m. Edges and chains are lines: rays hit them from both
// sides, and they contain no point. Shapes have their drawn outlines, without the skin of 1 cm that Box2D puts
// around polygons. Shapes that touch overlap. Rays and casts that begin at most 1e6 m from a shape are exact to
// micrometres. From 1e7 m on they can be wrong by centimetres. From 1e8 m on they can miss a circle, or RayCast
// and RayCastAll can differ.
//
// A method with a function f first finds all shapes, and then calls f once for each shape until f returns false.
// f may change the world and use the Query. Shapes that f destroys are left out. Overlapping shapes come in the
// order of their handles. A Query uses its memory again, so later calls do not allocate.
//
// Methods return errors for numbers that are not finite or too large, for shapes without extent, and for rays and
// casts without length.
type Query struct {
	space  query.Space
	filter QueryFilter
}

// Query returns a Query of the shapes that f selects.
func (w *World) Query(f QueryFilter) Query { return Query{&w.space, f} }

// RayHit is the point at which a ray, or a moving shape, hits a shape.
type RayHit struct {
	Body     Body
	Shape    Shape
	Point    Vec      // on the outline of the hit shape, in the world, in m
	Normal   Vec      // unit vector that points out of the hit shape
	Fraction float64  // distance from the start, as a fraction of the ray or the motion, from 0 to 1
	Material Material // material of the shape, or of the segment of a chain
}

// RayCast returns the first shape that a ray between two points meets. The points are in m. The result is false if
// the ray meets no shape. The ray ignores a shape that contains the start. It meets a shape with the start on its
// outline if the ray goes into the shape. If several shapes are at the same fraction, RayCast returns the one with
// the lowest handle.
func (q Query) RayCast(from, to Vec) (RayHit, bool, error) {
	return q.closest(q.castRay(query.Closest, from, to))
}

// RayCastAll calls f with each shape that a ray between two points meets, in the order of distance. The points are
// in m. Each hit is the ray's first point on the shape.
func (q Query) RayCastAll(from, to Vec, f func(RayHit) bool) error {
	a, err := q.castRay(query.All, from, to)
	return q.hits(a, err, f)
}

// RayCastAny reports whether a ray between two points meets any shape. The points are in m. It is the fastest test
// whether one point is visible from another.
func (q Query) RayCastAny(from, to Vec) (bool, error) {
	_, ok, err := q.closest(q.castRay(query.Any, from, to))
	return ok, err
}

// ShapeCast moves a shape without turning it, and returns the first shape that it meets. The result is false if it
// meets no shape. The moving shape's frame goes from one point to the other, in m, and is turned by angle, in rad.
// The shape can be a circle, a box, a polygon, an edge or a [Capsule]. Of ShapeDef, only Kind, Points and Radius
// are used.
//
// If the moving shape overlaps another shape at the start, the cast meets that shape at fraction 0, with the normal
// of the shortest way out. But the cast ignores the other shape if the motion leads out of it or along it, so a
// body on the ground can be cast from its place. A cast along the ground also ignores shapes of the same height,
// such as the next tile of a floor.
func (q Query) ShapeCast(shape ShapeDef, from, to Vec, angle float64) (RayHit, bool, error) {
	return q.closest(q.castShape(query.Closest, &shape, from, to, angle))
}

// ShapeCastAll calls f with each shape that a moving shape meets, in the order of distance. Points are in m, angles
// in rad; see ShapeCast.
func (q Query) ShapeCastAll(shape ShapeDef, from, to Vec, angle float64, f func(RayHit) bool) error {
	a, err := q.castShape(query.All, &shape, from, to, angle)
	return q.hits(a, err, f)
}

// OverlapPoint calls f with each circle, capsule and polygon that contains a point, in m.
func (q Query) OverlapPoint(point Vec, f func(Body, Shape) bool) error {
	a, err := q.begin()
	if err = firstError(err, checkVec("point", point, maxPosition)); err != nil {
		return err
	}
	a.Point(q.filter.asked(), geometry.Vec(point))
	return q.shapes(a, f)
}

// OverlapBox calls f with each shape that meets the box between two corners, in m. It returns an error if low is
// above high.
func (q Query) OverlapBox(low, high Vec, f func(Body, Shape) bool) error {
	a, err := q.begin()
	if err = firstError(err, checkVec("lower corner", low, maxPosition), checkVec("upper corner", high, maxPosition)); err != nil {
		return err
	}
	if low.X > high.X || low.Y > high.Y {
		return errors.New("world: the first corner of the box must be the lower left one")
	}
	var box geometry.Shape
	box.SetHull([]geometry.Vec{geometry.Vec(low), {X: high.X, Y: low.Y}, geometry.Vec(high), {X: low.X, Y: high.Y}}, 0)
	a.Overlap(q.filter.asked(), &box)
	return q.shapes(a, f)
}

// Overlap calls f with each shape that meets a given shape. The given shape's frame is at a point, in m, and turned
// by angle, in rad. ShapeCast lists the kinds of shape that it accepts.
func (q Query) Overlap(shape ShapeDef, at Vec, angle float64, f func(Body, Shape) bool) error {
	a, err := q.begin()
	var s geometry.Shape
	if err = firstError(err, shape.place(&s, at, angle)); err != nil {
		return err
	}
	a.Overlap(q.filter.asked(), &s)
	return q.shapes(a, f)
}

// begin returns the world's Question with its memory. All queries share it.
func (q Query) begin() (*query.Question, error) {
	if q.space == nil {
		return nil, errors.New("world: a Query comes from World.Query or from an engine's Shown")
	}
	return q.space.Begin(), nil
}

// castRay prepares a question for one, all or any of the shapes that a ray meets. The caller runs the search.
func (q Query) castRay(want query.Want, from, to Vec) (*query.Question, error) {
	a, err := q.begin()
	if err = firstError(err, checkVec("start of the ray", from, maxPosition), checkVec("end of the ray", to, maxPosition)); err != nil {
		return nil, err
	}
	if !apart(from, to) {
		return nil, errors.New("world: the ray has no length")
	}
	a.Ray(q.filter.asked(), want, geometry.Vec(from), geometry.Vec(to))
	return a, nil
}

// castShape prepares a question for the shapes that a moving shape meets. First it searches for shapes on which the
// moving shape stands.
func (q Query) castShape(want query.Want, shape *ShapeDef, from, to Vec, angle float64) (*query.Question, error) {
	a, err := q.begin()
	var s geometry.Shape
	if err = firstError(err, checkVec("end of the cast", to, maxPosition), shape.place(&s, from, angle)); err != nil {
		return nil, err
	}
	if !apart(from, to) {
		return nil, errors.New("world: the cast has no length")
	}
	a.Cast(q.filter.asked(), want, &s, geometry.Vec{X: to.X - from.X, Y: to.Y - from.Y})
	q.space.Search(a) // finds the shapes on which the moving shape stands
	a.Go()            // the caller's search then finds the shapes in the way
	return a, nil
}

// apart reports whether the distance between two points is more than 0 in float64.
func apart(from, to Vec) bool {
	dx, dy := to.X-from.X, to.Y-from.Y
	// The conversions keep compilers from fusing a product with the sum.
	return float64(dx*dx)+float64(dy*dy) > 0
}

// closest runs the search and returns the first result.
func (q Query) closest(a *query.Question, err error) (RayHit, bool, error) {
	if err != nil {
		return RayHit{}, false, err
	}
	q.space.Search(a)
	i, end := a.Found()
	defer a.Release(i)
	if i == end {
		return RayHit{}, false, nil
	}
	return rayHit(&a.Hits[i]), true, nil
}

// hits runs the search and calls f with all results.
func (q Query) hits(a *query.Question, err error, f func(RayHit) bool) error {
	if err != nil {
		return err
	}
	if f == nil {
		return errNoFunction
	}
	return q.each(a, func(h *query.Hit) bool { return f(rayHit(h)) })
}

// each runs the search and calls f with the results.
func (q Query) each(a *query.Question, f func(*query.Hit) bool) error {
	q.space.Search(a)
	i, end := a.Found()
	defer a.Release(i) // f may ask further questions, so the results must stay until then
	for ; i < end; i++ {
		if q.space.Has(a.Hits[i].Shape) && !f(&a.Hits[i]) {
			break
		}
	}
	return nil
}

var errNoFunction = errors.New("world: the function to call with the results is nil")

// shapes runs the search and calls f with the shapes that overlap.
func (q Query) shapes(a *query.Question, f func(Body, Shape) bool) error {
	if f == nil {
		return errNoFunction
	}
	return q.hits(a, nil, func(h RayHit) bool { return f(h.Body, h.Shape) })
}

func rayHit(h *query.Hit) RayHit {
	return RayHit{Body(h.Body), Shape(h.Shape), Vec(h.Point), Vec(h.Normal), h.Fraction, Material(h.Material)}
}

// QueryFilter selects the shapes of a Query. The zero QueryFilter selects all solid shapes of enabled bodies.
type QueryFilter struct {
	// Mask has the categories of shapes to find. 0 means all categories.
	Mask uint64
	// Category is the category of the body that asks. Shapes whose masks lack this category are left out, because they
	// would not collide with that body. 0 leaves out no shape.
	Category uint64
	Sensors  bool // find sensors too
	Disabled bool // find shapes of disabled bodies too
	Ignore   Body // a body to leave out, such as the body that asks
	// Kinds has the kinds of body to find. 0 means all kinds.
	Kinds Kinds
	// Skip leaves out the bodies for which it returns true. It may be nil. A query of the world calls Skip on the
	// physics goroutine.
	Skip func(Body) bool
}

// Kinds is a set of kinds of body, such as OfKind(Static) | OfKind(Kinematic).
type Kinds uint8

// OfKind returns the set of one kind.
func OfKind(k BodyKind) Kinds { return 1 << k }

func (f *QueryFilter) asked() query.Filter {
	asked := query.Filter{
		Category: f.Category, Mask: f.Mask, Sensors: f.Sensors, Disabled: f.Disabled, Ignore: uint64(f.Ignore), Kinds: uint8(f.Kinds),
	}
	if skip := f.Skip; skip != nil {
		asked.Skip = func(b uint64) bool { return skip(Body(b)) }
	}
	return asked
}
