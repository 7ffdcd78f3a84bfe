package world

import (
	"fmt"
	"math"

	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// NearHit is a shape that is near to a point or to another shape.
type NearHit struct {
	Body     Body
	Shape    Shape
	Point    Vec     // on the outline of the found shape, in the world, in m
	From     Vec     // on the given point or shape, in the world, in m
	Normal   Vec     // unit vector that points out of the found shape; zero if two circles have the same centre
	Distance float64 // from Point to From, in m; for shapes that overlap, minus the distance that would separate them
}

// NearestPoint returns the shape that is nearest to a point, and the shape's nearest point. Both arguments are in m.
// It returns false if all shapes are farther away than within. The distance is negative for a point in a circle, a
// capsule or a polygon. If several shapes have the same distance, NearestPoint returns the one with the lowest
// handle.
func (q Query) NearestPoint(point Vec, within float64) (NearHit, bool, error) {
	a, err := q.begin()
	if err = firstError(err, checkVec("point", point, maxPosition), checkPositive("distance", within)); err != nil {
		return NearHit{}, false, err
	}
	return q.nearest(a, q.filter.asked(), pointOf(point), within)
}

// Near calls f with each shape near a given shape, the nearest first. The parameter within is the greatest distance,
// in m. The given shape's frame is at a point, in m, and turned by angle, in rad. Near finds each segment of a chain,
// so that the results can limit a motion of the given shape. ShapeCast lists the kinds of shape that it accepts.
func (q Query) Near(shape ShapeDef, at Vec, angle, within float64, f func(NearHit) bool) error {
	a, err := q.begin()
	var s geometry.Shape
	if err = firstError(err, shape.place(&s, at, angle), checkPositive("distance", within)); err != nil {
		return err
	}
	if f == nil {
		return errNoFunction
	}
	a.Near(q.filter.asked(), query.All, &s, within)
	return q.each(a, func(h *query.Hit) bool { return f(nearHit(h)) })
}

// NearestPointOf returns the point of a shape that is nearest to a point, in m. It ignores the filter of the Query.
// The error wraps [ErrStale].
func (q Query) NearestPointOf(s Shape, point Vec) (NearHit, error) {
	a, err := q.begin()
	if err = firstError(err, checkVec("point", point, maxPosition)); err != nil {
		return NearHit{}, err
	}
	h, ok, _ := q.nearest(a, about(s), pointOf(point), math.Inf(1))
	if !ok {
		return NearHit{}, noShape(s)
	}
	return h, nil
}

// Distance returns the distance between two shapes and their nearest points. In the result, Point is on b, From is on
// a, and Shape is b. Distance ignores the filter of the Query. The error wraps [ErrStale].
func (q Query) Distance(a, b Shape) (nearest NearHit, err error) {
	asked, err := q.begin()
	if err != nil {
		return NearHit{}, err
	}
	nearest.Distance = math.Inf(1)
	for i := 0; q.space.Part(uint64(a), i, &asked.Part) != 0; i++ {
		if h, ok, _ := q.nearest(asked, about(b), &asked.Part, nearest.Distance); ok && h.Distance < nearest.Distance {
			nearest = h
		}
	}
	if nearest.Shape == 0 {
		if q.space.Part(uint64(a), 0, &asked.Part) == 0 {
			b = a
		}
		return NearHit{}, noShape(b)
	}
	return nearest, nil
}

// OverlapShape calls f with each shape that meets a shape of the world, such as the shapes in a sensor. It leaves out
// shapes of the same body. The error wraps [ErrStale].
func (q Query) OverlapShape(s Shape, f func(Body, Shape) bool) error {
	a, err := q.begin()
	if err != nil {
		return err
	}
	if f == nil {
		return errNoFunction
	}
	own := q.space.Part(uint64(s), 0, &a.Part)
	if own == 0 {
		return noShape(s)
	}
	a.Overlap(q.filter.asked(), &a.Part)
	for i := 1; q.space.Part(uint64(s), i, &a.Part) != 0; i++ {
		q.space.Search(a)
		a.And(&a.Part)
	}
	return q.shapes(a, func(b Body, found Shape) bool { return b == Body(own) || f(b, found) })
}

// nearest searches for the shape that is nearest to s.
func (q Query) nearest(a *query.Question, f query.Filter, s *geometry.Shape, within float64) (NearHit, bool, error) {
	a.Near(f, query.Closest, s, within)
	q.space.Search(a)
	i, end := a.Found()
	defer a.Release(i)
	if i == end {
		return NearHit{}, false, nil
	}
	return nearHit(&a.Hits[i]), true, nil
}

func nearHit(h *query.Hit) NearHit {
	return NearHit{Body(h.Body), Shape(h.Shape), Vec(h.Point), Vec(h.From), Vec(h.Normal), h.Fraction}
}

func pointOf(p Vec) *geometry.Shape {
	return &geometry.Shape{N: 1, Points: [geometry.MaxPoints]geometry.Vec{geometry.Vec(p)}}
}

// about returns a filter that selects one shape, even if the shape is a sensor or disabled.
func about(s Shape) query.Filter { return query.Filter{Sensors: true, Disabled: true, Only: uint64(s)} }

func noShape(s Shape) error { return fmt.Errorf("world: %v %w", s, ErrStale) }
