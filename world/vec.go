package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/plane"
	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
)

// Vec is a point or a vector of the plane, in metres unless the field or the parameter says
// otherwise. See [plane.Vec] for its methods.
type Vec = plane.Vec

// b2vec and fromB2 convert to the vectors of Box2D, and from them.
func b2vec(v Vec) box2d.B2Vec2 { return box2d.B2Vec2{X: v.X, Y: v.Y} }

func fromB2(v box2d.B2Vec2) Vec { return Vec{X: v.X, Y: v.Y} }

// transform is that of a body with its origin at p, turned by an angle in rad.
func transform(p Vec, angle float64) box2d.B2Transform {
	return box2d.B2Transform{P: b2vec(p), Q: box2d.MakeB2RotFromAngle(angle)}
}

// place is where in the world a point of the body's frame lies.
func place(b *box2d.B2Body, local Vec) box2d.B2Vec2 {
	return b2.Transform(&b.M_xf, b2vec(local))
}

func distance(a, b box2d.B2Vec2) float64 { return trig.Hypot(a.X-b.X, a.Y-b.Y) }

// axis is the unit vector in the direction of v, or (1, 0) for zero.
func axis(v Vec) box2d.B2Vec2 {
	n := trig.Hypot(v.X, v.Y)
	switch {
	case n == 0:
		return box2d.B2Vec2{X: 1}
	case math.Abs(n-1) < 1e-12: // v is a unit vector already: keep its bits
		return b2vec(v)
	}
	return box2d.B2Vec2{X: v.X / n, Y: v.Y / n}
}
