package world

import (
	"errors"
	"fmt"

	"halfstep/internal/geometry"
)

// place sets s to the shape with its frame at a point, turned by an angle, or says why no
// question can be asked with it.
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

// convex sets s to the shape in its own frame.
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
