package world

import (
	"errors"
	"fmt"

	"github.com/ByteArena/box2d"

	"halfstep/internal/geometry"
)

// place sets s to the shape with its frame at a point, turned by an angle. It returns an error if queries do not
// accept the shape.
func (d *ShapeDef) place(s *geometry.Shape, at Vec, angle float64) error {
	var local geometry.Shape
	if err := firstError(
		checkVec("position of the shape", at, maxPosition), checkNumber("angle", angle), d.checkPoints(),
	); err != nil {
		return err
	}
	if err := d.convex(&local); err != nil {
		return err
	}
	t := geometry.NewTransform(geometry.Vec(at), angle)
	s.Place(&local, &t)
	return nil
}

// convex sets s to the shape in the shape's own frame.
func (d *ShapeDef) convex(s *geometry.Shape) error {
	n, least, most := len(d.Points), 2, 2
	switch d.Kind {
	case CircleShape:
		least, most = 1, 1
	case PolygonShape:
		least, most = 3, geometry.MaxPoints
	case EdgeShape, CapsuleShape:
	case ChainShape, ClosedChainShape:
		return errors.New("world: a chain is not convex: ask with its edges")
	default:
		return fmt.Errorf("world: no shape kind %d", d.Kind)
	}
	if n < least || n > most {
		return fmt.Errorf("world: a shape of the kind %v has %d points", d.Kind, n)
	}
	radius := 0.0
	if d.Kind == CircleShape || d.Kind == CapsuleShape || d.Kind == PolygonShape && d.Radius != 0 {
		if err := d.checkRadius(); err != nil {
			return err
		}
		radius = d.Radius
	}
	var points [geometry.MaxPoints]geometry.Vec
	for i, p := range d.Points {
		points[i] = geometry.Vec(p)
	}
	s.SetHull(points[:n], radius)
	switch {
	case d.Kind == PolygonShape && s.Area() < leastArea:
		return errDegenerate
	case d.Kind == EdgeShape && s.N < 2:
		return errors.New("world: the edge has no length")
	}
	return nil
}

// Mass returns the mass that the shape adds to its body, the centre of that mass, and its inertia about the origin of
// the body's frame. Edges and chains have no mass. The error names the wrong value in the definition.
func (d ShapeDef) Mass() (Mass, error) {
	shape, err := d.build()
	if err != nil {
		return Mass{}, err
	}
	var m box2d.B2MassData
	shape.ComputeMass(&m, d.Density)
	return Mass{Mass: m.Mass, Centre: fromB2(m.Center), Inertia: m.I}, nil
}

// Bounds returns the lower left and the upper right corner of the box around the shape, in m. The shape's frame is at
// a point, in m, and turned by an angle, in rad.
func (d ShapeDef) Bounds(at Vec, angle float64) (low, high Vec, err error) {
	if err := firstError(d.Validate(), checkVec("position of the shape", at, maxPosition), checkNumber("angle", angle)); err != nil {
		return Vec{}, Vec{}, err
	}
	t, all := geometry.NewTransform(geometry.Vec(at), angle), geometry.Nothing
	for _, p := range d.Points {
		q := t.Point(geometry.Vec(p))
		all = all.Around(&geometry.Box{Min: q, Max: q})
	}
	if d.Kind == CircleShape || d.Kind == CapsuleShape || d.Kind == PolygonShape {
		all = all.Grown(d.Radius)
	}
	return Vec(all.Min), Vec(all.Max), nil
}

// ShapeDistance returns the distance between two shapes without bodies, and their nearest points. In the result,
// Point is on b and From is on a. The frame of each shape is at a point, in m, and turned by an angle, in rad. A
// chain, which is not convex, gives an error.
func ShapeDistance(a ShapeDef, atA Vec, angleA float64, b ShapeDef, atB Vec, angleB float64) (NearHit, error) {
	var s, o geometry.Shape
	if err := firstError(a.place(&s, atA, angleA), b.convex(&o), b.checkPoints(), checkVec("position of the shape", atB, maxPosition), checkNumber("angle", angleB)); err != nil {
		return NearHit{}, err
	}
	t := geometry.NewTransform(geometry.Vec(atB), angleB)
	touch, from := geometry.Nearest(&s, &o, &t)
	return NearHit{Point: Vec(touch.Point), From: Vec(from), Normal: Vec(touch.Normal), Distance: touch.Fraction}, nil
}

// Bounds returns the lower left and the upper right corner of the box around a shape, in m. It ignores the filter of
// the Query. The error wraps [ErrStale].
func (q Query) Bounds(s Shape) (low, high Vec, err error) {
	asked, err := q.begin()
	if err != nil {
		return Vec{}, Vec{}, err
	}
	all, parts := geometry.Nothing, 0
	for ; q.space.Part(uint64(s), parts, &asked.Part) != 0; parts++ {
		box := asked.Part.Box(&geometry.Transform{Cos: 1})
		all = all.Around(&box)
	}
	if parts == 0 {
		return Vec{}, Vec{}, noShape(s)
	}
	return Vec(all.Min), Vec(all.Max), nil
}

// Bounds returns the lower left and the upper right corner of the box around all shapes of a body, in m. It returns
// an error for a body without shapes. The error wraps [ErrStale] if the body does not exist.
func (w *World) Bounds(b Body) (low, high Vec, err error) {
	shapes, err := w.Shapes(b)
	if err != nil {
		return Vec{}, Vec{}, err
	}
	if len(shapes) == 0 {
		return Vec{}, Vec{}, errors.New("world: the body has no shape")
	}
	all := geometry.Nothing
	for _, s := range shapes {
		low, high, err := w.Query(QueryFilter{}).Bounds(s)
		if err != nil {
			return Vec{}, Vec{}, err
		}
		all = all.Around(&geometry.Box{Min: geometry.Vec(low), Max: geometry.Vec(high)})
	}
	return Vec(all.Min), Vec(all.Max), nil
}
