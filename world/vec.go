package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/b2"
)

// Vec is a point or a vector of the plane, in metres unless the field or the
// parameter says otherwise. Y points up.
type Vec struct{ X, Y float64 }

func b2vec(v Vec) box2d.B2Vec2 { return box2d.B2Vec2{X: v.X, Y: v.Y} }

func fromB2(v box2d.B2Vec2) Vec { return Vec{v.X, v.Y} }

func transform(p Vec, angle float64) box2d.B2Transform {
	return box2d.B2Transform{P: b2vec(p), Q: box2d.MakeB2RotFromAngle(angle)}
}

func place(b *box2d.B2Body, local Vec) box2d.B2Vec2 {
	return b2.Transform(&b.M_xf, b2vec(local))
}

func distance(a, b box2d.B2Vec2) float64 { return b2.Hypot(a.X-b.X, a.Y-b.Y) }

// axis is a unit vector; zero means (1, 0).
func axis(v Vec) box2d.B2Vec2 {
	n := b2.Hypot(v.X, v.Y)
	switch {
	case n == 0:
		return box2d.B2Vec2{X: 1}
	case math.Abs(n-1) < 1e-12: // keep the bits of what is one already
		return b2vec(v)
	}
	return box2d.B2Vec2{X: v.X / n, Y: v.Y / n}
}
