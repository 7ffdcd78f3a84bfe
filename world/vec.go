package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/geometry"
	"halfstep/internal/trig"
)

// Vec is a point or a vector of the plane. It is in m unless the field or the parameter says
// otherwise. Y points up. The methods give the same bits on every machine.
type Vec struct{ X, Y float64 }

// Add returns v + u, in the unit of both.
func (v Vec) Add(u Vec) Vec { return Vec(geometry.Vec(v).Add(geometry.Vec(u))) }

// Sub returns v - u, in the unit of both.
func (v Vec) Sub(u Vec) Vec { return Vec(geometry.Vec(v).Sub(geometry.Vec(u))) }

// Mul returns v times s.
func (v Vec) Mul(s float64) Vec { return Vec(geometry.Vec(v).Mul(s)) }

// Dot returns the scalar product, in the product of the two units.
func (v Vec) Dot(u Vec) float64 { return geometry.Vec(v).Dot(geometry.Vec(u)) }

// Cross returns the z of the cross product, in the product of the two units. It is positive if u
// points to the left of v.
func (v Vec) Cross(u Vec) float64 { return geometry.Vec(v).Cross(geometry.Vec(u)) }

// Len returns the length of v, in the unit of v.
func (v Vec) Len() float64 { return geometry.Vec(v).Len() }

// Unit returns the unit vector in the direction of v, or zero if v is zero.
func (v Vec) Unit() Vec { return Vec(geometry.Vec(v).Unit()) }

// Rotate returns v turned counter-clockwise by an angle, in rad.
func (v Vec) Rotate(angle float64) Vec { return Vec(geometry.Vec(v).Rotate(angle)) }

// b2vec converts a vector to Box2D's type, and fromB2 converts it back.
func b2vec(v Vec) box2d.B2Vec2 { return box2d.B2Vec2{X: v.X, Y: v.Y} }

func fromB2(v box2d.B2Vec2) Vec { return Vec{v.X, v.Y} }

// transform returns the frame of a body with its origin at p, turned by an angle, in rad.
func transform(p Vec, angle float64) box2d.B2Transform {
	return box2d.B2Transform{P: b2vec(p), Q: box2d.MakeB2RotFromAngle(angle)}
}

// place converts a point from the body's frame to the world's frame.
func place(b *box2d.B2Body, local Vec) box2d.B2Vec2 {
	return b2.Transform(&b.M_xf, b2vec(local))
}

func distance(a, b box2d.B2Vec2) float64 { return trig.Hypot(a.X-b.X, a.Y-b.Y) }

// axis returns the unit vector in the direction of v, or (1, 0) if v is zero.
func axis(v Vec) box2d.B2Vec2 {
	n := trig.Hypot(v.X, v.Y)
	switch {
	case n == 0:
		return box2d.B2Vec2{X: 1}
	case math.Abs(n-1) < 1e-12: // v is a unit vector already, and keeps its bits
		return b2vec(v)
	}
	return box2d.B2Vec2{X: v.X / n, Y: v.Y / n}
}
