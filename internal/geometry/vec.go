package geometry

import "halfstep/internal/trig"

// Vec is a point or a vector of the plane, in m. Its methods give the same bits on every machine,
// because conversions to float64 keep compilers from fusing a product with a sum. The type world.Vec
// has the same methods.
type Vec struct{ X, Y float64 }

// Add returns v + u, in the unit of both.
func (v Vec) Add(u Vec) Vec { return Vec{v.X + u.X, v.Y + u.Y} }

// Sub returns v - u, in the unit of both.
func (v Vec) Sub(u Vec) Vec { return Vec{v.X - u.X, v.Y - u.Y} }

// Mul returns v times s.
func (v Vec) Mul(s float64) Vec { return Vec{float64(v.X * s), float64(v.Y * s)} }

// Dot returns the scalar product of v and u, whose unit is the product of their units.
func (v Vec) Dot(u Vec) float64 { return float64(v.X*u.X) + float64(v.Y*u.Y) }

// Cross returns the z component of the cross product of v and u. Its unit is the product of their
// units. It is positive if u points to the left of v.
func (v Vec) Cross(u Vec) float64 { return float64(v.X*u.Y) - float64(v.Y*u.X) }

// Len returns the length of v, in the unit of v.
func (v Vec) Len() float64 { return trig.Hypot(v.X, v.Y) }

// Unit returns v scaled to length 1, or zero if v is zero.
func (v Vec) Unit() Vec {
	if n := v.Len(); n > 0 {
		return Vec{v.X / n, v.Y / n}
	}
	return Vec{}
}

// Rotate returns v turned counter-clockwise by an angle in rad.
func (v Vec) Rotate(angle float64) Vec {
	sin, cos := trig.SinCos(angle)
	return Vec{float64(cos*v.X) - float64(sin*v.Y), float64(sin*v.X) + float64(cos*v.Y)}
}
