package b2

import "github.com/ByteArena/box2d"

// Bounds computes the box around a child of a shape with the transform xf, like ComputeAABB. It
// writes the box to the parameter to.
func Bounds(to *box2d.B2AABB, s box2d.B2ShapeInterface, xf *box2d.B2Transform, child int) {
	switch s := s.(type) {
	case *box2d.B2PolygonShape:
		PolygonBounds(to, s, xf)
	case *box2d.B2CircleShape:
		CircleBounds(to, s, xf)
	default:
		s.ComputeAABB(to, *xf, child)
		return
	}
	if HasNaN(to) { // the built-in min and max treat NaN in another way than the library
		s.ComputeAABB(to, *xf, child)
	}
}

// PolygonBounds computes the box around a polygon, like ComputeAABB. As in the library, the
// upper corner is too low by the radius, which fat AABBs hide.
func PolygonBounds(to *box2d.B2AABB, poly *box2d.B2PolygonShape, xf *box2d.B2Transform) {
	s, c, px, py := xf.Q.S, xf.Q.C, xf.P.X, xf.P.Y
	v := poly.M_vertices[0]
	lx, ly := (c*v.X-s*v.Y)+px, (s*v.X+c*v.Y)+py
	ux, uy := lx, ly
	for i := 1; i < poly.M_count; i++ {
		v := &poly.M_vertices[i]
		x, y := (c*v.X-s*v.Y)+px, (s*v.X+c*v.Y)+py
		lx, ly = min(lx, x), min(ly, y)
		ux, uy = max(ux, x), max(uy, y)
	}
	r := poly.M_radius
	to.LowerBound = box2d.B2Vec2{X: lx - r, Y: ly - r}
	to.UpperBound = box2d.B2Vec2{X: ux - r, Y: uy - r}
}

// CircleBounds computes the box around a circle, like ComputeAABB.
func CircleBounds(to *box2d.B2AABB, circle *box2d.B2CircleShape, xf *box2d.B2Transform) {
	s, c, p, r := xf.Q.S, xf.Q.C, circle.M_p, circle.M_radius
	x, y := xf.P.X+(c*p.X-s*p.Y), xf.P.Y+(s*p.X+c*p.Y)
	to.LowerBound = box2d.B2Vec2{X: x - r, Y: y - r}
	to.UpperBound = box2d.B2Vec2{X: x + r, Y: y + r}
}
