package geometry

import "halfstep/internal/trig"

// Vec is a point or a vector of the plane, in m. Its methods give the same bits on every machine: the
// conversions to float64 keep compilers from fusing a product with a sum. world.Vec has the same
// methods.
type Vec struct{ X, Y float64 }

// Add is v + u, in the unit of both.
func (v Vec) Add(u Vec) Vec { return Vec{v.X + u.X, v.Y + u.Y} }

// Sub is v - u, in the unit of both.
func (v Vec) Sub(u Vec) Vec { return Vec{v.X - u.X, v.Y - u.Y} }

// Mul is v times s.
func (v Vec) Mul(s float64) Vec { return Vec{float64(v.X * s), float64(v.Y * s)} }

// Dot is the scalar product, in the product of the two units.
func (v Vec) Dot(u Vec) float64 { return float64(v.X*u.X) + float64(v.Y*u.Y) }

// Cross is the z of the cross product, in the product of the two units. It is positive if
// u lies to the left of v.
func (v Vec) Cross(u Vec) float64 { return float64(v.X*u.Y) - float64(v.Y*u.X) }

// Len is the length of v, in the unit of v.
func (v Vec) Len() float64 { return trig.Hypot(v.X, v.Y) }

// Unit is v with length 1, or zero if v is zero.
func (v Vec) Unit() Vec {
	if n := v.Len(); n > 0 {
		return Vec{v.X / n, v.Y / n}
	}
	return Vec{}
}

// Rotate is v turned counter-clockwise by an angle in rad.
func (v Vec) Rotate(angle float64) Vec {
	sin, cos := trig.SinCos(angle)
	return Vec{float64(cos*v.X) - float64(sin*v.Y), float64(sin*v.X) + float64(cos*v.Y)}
}
