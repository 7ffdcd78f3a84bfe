// Package geometry has functions for convex shapes: whether a shape contains a point, where
// a ray enters it, whether two shapes overlap, and where a shape that moves in a straight
// line touches another. Queries of the world and queries of the shown instant use the same
// functions, so that the same query has the same answer in both.
//
// Rays and points follow Box2D 2.x. If Box2D finds something, the results are the same to
// the bit: a ray that starts in a shape does not hit the shape, and a segment is hit from
// both sides and contains no point. There is one exception: a ray that starts on an edge
// gets the normal of that edge.
package geometry

import (
	"math"

	"halfstep/internal/trig"
)

// The conversion float64 around a product rounds the product before the next operation.
// Without the conversion arm64 would fuse the product with a sum, and the results would
// differ.

// Slack is the distance up to which shapes count as touching, in m. It covers the rounding of
// positions up to 1,000 km from the origin.
const Slack = 1e-9

// lengthOf returns the length of a. Vec.Len handles larger numbers, but rounds differently.
func lengthOf(a Vec) float64 { return math.Sqrt(a.Dot(a)) }

func partway(a, b Vec, f float64) Vec { return a.Add(b.Sub(a).Mul(f)) }

// unitOf returns a vector of length 1 in the direction of a. If a has no length, unitOf
// returns a.
func unitOf(a Vec) Vec {
	n := lengthOf(a)
	if n == 0 {
		return a
	}
	n = 1 / n
	return a.Mul(n)
}

// outward returns the unit normal to the right of an edge. This normal points out of a
// counter-clockwise polygon.
func outward(edge Vec) Vec { return unitOf(Vec{X: edge.Y, Y: -edge.X}) }

// Transform rotates by an angle, given by its sine and cosine, and then moves by P.
type Transform struct {
	P        Vec
	Sin, Cos float64
}

// NewTransform returns the transform of a frame at p, turned by angle in rad.
func NewTransform(p Vec, angle float64) Transform {
	sin, cos := trig.SinCos(angle)
	return Transform{p, sin, cos}
}

// Point transforms a point from the frame to the world.
func (t *Transform) Point(p Vec) Vec {
	return t.Direction(p).Add(t.P)
}

// Direction transforms a direction from the frame to the world.
func (t *Transform) Direction(d Vec) Vec {
	return Vec{X: float64(t.Cos*d.X) - float64(t.Sin*d.Y), Y: float64(t.Sin*d.X) + float64(t.Cos*d.Y)}
}

func (t *Transform) local(p Vec) Vec { return t.localDirection(p.Sub(t.P)) }

func (t *Transform) localDirection(d Vec) Vec {
	return Vec{X: float64(t.Cos*d.X) + float64(t.Sin*d.Y), Y: float64(t.Cos*d.Y) - float64(t.Sin*d.X)}
}

// Box is an axis-aligned rectangle, in m.
type Box struct{ Min, Max Vec }

// Nothing is the empty box: Nothing.Around(c) equals c.
var Nothing = Box{Vec{X: math.Inf(1), Y: math.Inf(1)}, Vec{X: math.Inf(-1), Y: math.Inf(-1)}}

// Around returns the smallest box around the boxes b and c.
func (b Box) Around(c *Box) Box {
	return Box{
		Vec{X: min(b.Min.X, c.Min.X), Y: min(b.Min.Y, c.Min.Y)},
		Vec{X: max(b.Max.X, c.Max.X), Y: max(b.Max.Y, c.Max.Y)},
	}
}

// Grown returns the box with a margin of r added on all sides.
func (b Box) Grown(r float64) Box {
	return Box{Vec{X: b.Min.X - r, Y: b.Min.Y - r}, Vec{X: b.Max.X + r, Y: b.Max.Y + r}}
}

// Overlaps reports whether two boxes have a point in common.
func (b *Box) Overlaps(c *Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X && b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y
}

// Centre returns the middle of the box.
func (b *Box) Centre() Vec { return b.Min.Add(b.Max).Mul(.5) }

// Half returns half the width and half the height of the box.
func (b *Box) Half() Vec { return b.Max.Sub(b.Min).Mul(.5) }

// Across returns a unit vector at right angles to the line between two points.
func Across(from, to Vec) Vec { return outward(to.Sub(from)) }
