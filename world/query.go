package world

import (
	"errors"

	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// Query asks which shapes are where. [World.Query] asks about the world at this
// moment, an engine's Shown about what a frame shows.
//
// Points, rays and shapes are given in the world, in m. Edges and chains are
// lines: rays hit them from both sides, and they contain no point. Shapes are as
// they are drawn, without the skin of 1 cm that Box2D puts around polygons, and
// overlap where they touch. Rays and casts that begin within 1e6 m of what they meet are exact
// to micrometres. From 1e7 m they can be wrong by centimetres, and from 1e8 m they can miss a
// circle, or RayCast and RayCastAll can differ.
//
// A function that is given to a method is called after all shapes have been found, once
// for each, until it returns false. It may change the world and use the Query; a
// shape that is destroyed meanwhile is left out. Shapes that overlap come in the order of their
// handles. The memory for answers is kept, so that later questions allocate none.
//
// The errors are about numbers that are not finite or too large, about shapes
// without extent, and about rays and casts without length.
type Query struct {
	space  query.Space
	filter QueryFilter
}

// Query returns questions about the shapes that f selects.
func (w *World) Query(f QueryFilter) Query { return Query{&w.space, f} }

// RayHit is where a ray, or a shape that is cast, meets a shape.
type RayHit struct {
	Body     Body
	Shape    Shape
	Point    Vec      // of the world, m, on the shape that is hit
	Normal   Vec      // unit, out of the shape that is hit
	Fraction float64  // of the way, 0 to 1
	Material Material // of the shape, or of the segment of a chain
}

// RayCast returns the first shape that a ray between two points, m, meets, and
// false if it meets none. A shape that contains the start is not met; a shape with
// the start on its outline is met if the ray goes in. Of several shapes met at the
// same fraction, it returns the one with the lowest handle.
func (q Query) RayCast(from, to Vec) (RayHit, bool, error) {
	return q.closest(q.castRay(query.Closest, from, to))
}

// RayCastAll calls f with each shape that a ray between two points, m, meets, in
// the order of the way, with the place where it is met first.
func (q Query) RayCastAll(from, to Vec, f func(RayHit) bool) error {
	a, err := q.castRay(query.All, from, to)
	return q.hits(a, err, f)
}

// RayCastAny reports whether a ray between two points, m, meets any shape. It is
// the quickest way to ask whether one point can be seen from another.
func (q Query) RayCastAny(from, to Vec) (bool, error) {
	_, ok, err := q.closest(q.castRay(query.Any, from, to))
	return ok, err
}

// ShapeCast moves a shape, without turning it, and returns the first shape that
// it meets, and false if it meets none. The shape's frame moves from one point to
// the other, m, turned by angle, rad. It can be a circle, a box, a polygon,
// an edge or a [Capsule]; of ShapeDef only Kind, Points and Radius count.
//
// A shape that overlaps at the start is met at fraction 0, with the normal of the
// shortest way out, unless the cast moves out of it or along it: so a body can be cast
// from where it stands. Nor does a cast along the ground meet shapes that are no higher than
// that ground, such as the next tile of a floor.
func (q Query) ShapeCast(shape ShapeDef, from, to Vec, angle float64) (RayHit, bool, error) {
	return q.closest(q.castShape(query.Closest, &shape, from, to, angle))
}

// ShapeCastAll calls f with each shape that a moving shape meets, in the order of
// the way. Points are in m, angles in rad; see ShapeCast.
func (q Query) ShapeCastAll(shape ShapeDef, from, to Vec, angle float64, f func(RayHit) bool) error {
	a, err := q.castShape(query.All, &shape, from, to, angle)
	return q.hits(a, err, f)
}

// OverlapPoint calls f with each circle and polygon that contains a point, m.
func (q Query) OverlapPoint(point Vec, f func(Body, Shape) bool) error {
	a, err := q.begin()
	if err = firstError(err, checkVec("point", point, maxPosition)); err != nil {
		return err
	}
	a.Point(q.filter.asked(), geometry.Vec(point))
	return q.shapes(a, f)
}

// OverlapBox calls f with each shape that meets the box between two corners, m.
// Corners the wrong way round are an error.
func (q Query) OverlapBox(low, high Vec, f func(Body, Shape) bool) error {
	a, err := q.begin()
	if err = firstError(err, checkVec("lower corner", low, maxPosition), checkVec("upper corner", high, maxPosition)); err != nil {
		return err
	}
	if low.X > high.X || low.Y > high.Y {
		return errors.New("world: the box's corners are the wrong way round")
	}
	var box geometry.Shape
	box.SetHull([]geometry.Vec{geometry.Vec(low), {X: high.X, Y: low.Y}, geometry.Vec(high), {X: low.X, Y: high.Y}}, 0)
	a.Overlap(q.filter.asked(), &box)
	return q.shapes(a, f)
}

// Overlap calls f with each shape that meets a shape whose frame is at a point,
// m, turned by angle, rad. ShapeCast says which shapes can be asked with.
func (q Query) Overlap(shape ShapeDef, at Vec, angle float64, f func(Body, Shape) bool) error {
	a, err := q.begin()
	var s geometry.Shape
	if err = firstError(err, shape.place(&s, at, angle)); err != nil {
		return err
	}
	a.Overlap(q.filter.asked(), &s)
	return q.shapes(a, f)
}

// begin returns the question of the space. There is one for all queries, which keeps its memory.
func (q Query) begin() (*query.Question, error) {
	if q.space == nil {
		return nil, errors.New("world: a Query comes from World.Query or from an engine's Shown")
	}
	return q.space.Begin(), nil
}

// castRay sets up a question about one, all or any of the shapes that a ray meets. The caller
// searches.
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

// castShape is castRay for a shape that moves. It first searches for shapes that this one stands on.
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
	q.space.Search(a) // finds the shapes on which this one stands
	a.Go()            // the caller's search finds the shapes in the way
	return a, nil
}

// apart reports whether a way has a length that can be told from 0.
func apart(from, to Vec) bool {
	dx, dy := to.X-from.X, to.Y-from.Y
	// The conversions keep compilers from fusing a product with the sum.
	return float64(dx*dx)+float64(dy*dy) > 0
}

// closest searches and returns what is found first.
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

// hits searches and calls f with all that is found.
func (q Query) hits(a *query.Question, err error, f func(RayHit) bool) error {
	if err != nil {
		return err
	}
	if f == nil {
		return errNoFunction
	}
	return q.each(a, func(h *query.Hit) bool { return f(rayHit(h)) })
}

// each searches and calls f with what is found.
func (q Query) each(a *query.Question, f func(*query.Hit) bool) error {
	q.space.Search(a)
	i, end := a.Found()
	defer a.Release(i) // after the questions that f asks
	for ; i < end; i++ {
		if q.space.Has(a.Hits[i].Shape) && !f(&a.Hits[i]) {
			break
		}
	}
	return nil
}

var errNoFunction = errors.New("world: there is no function to call with what is found")

// shapes searches and calls f with what overlaps.
func (q Query) shapes(a *query.Question, f func(Body, Shape) bool) error {
	if f == nil {
		return errNoFunction
	}
	return q.hits(a, nil, func(h RayHit) bool { return f(h.Body, h.Shape) })
}

func rayHit(h *query.Hit) RayHit {
	return RayHit{Body(h.Body), Shape(h.Shape), Vec(h.Point), Vec(h.Normal), h.Fraction, Material(h.Material)}
}

// QueryFilter says which shapes a question is about. The zero QueryFilter asks
// about all solid shapes of bodies that are not disabled.
type QueryFilter struct {
	// Mask is the categories of shapes that are found; 0 stands for all.
	Mask uint64
	// Category is the category of the asking body: shapes whose mask does not have it are
	// left out, as they would not collide with it. 0 leaves out none.
	Category uint64
	Sensors  bool // find sensors too
	Disabled bool // find shapes of disabled bodies too
	Ignore   Body // a body that is not found, such as the one that asks
	// Kinds is the kinds of body that are found; 0 stands for all.
	Kinds Kinds
	// Skip, unless it is nil, leaves out the bodies for which it returns true. Questions to the world
	// call it on the physics goroutine.
	Skip func(Body) bool
}

// Kinds is a set of kinds of body: OfKind(Static) | OfKind(Kinematic).
type Kinds uint8

// OfKind is the set of one kind.
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
