// Package draw draws a frame with a renderer of your own. The renderer implements [Canvas],
// whose six methods draw in the world, in metres. A [Painter] calls these methods to draw
// the bodies of a [scene.View] at their blended places, and layers that show how the physics
// works: joints, contacts, boxes, velocities and names.
//
// [SVG] is a Canvas. Others are HUD.Canvas of renderloop/glrender, which draws over a
// picture of OpenGL, and canvas.go of examples/ebitengine.
package draw

import (
	"math"

	"halfstep/buffer/body2d"
)

// Vec is a point or a direction in the world, m. The y axis points up.
type Vec struct{ X, Y float64 }

// Look has the colours of a shape.
type Look struct{ Fill, Edge body2d.Colour }

// Canvas draws in the world. The canvas chooses the thickness of lines, edges and points,
// which does not change with the zoom. Later calls draw on top of earlier ones. A slice is
// valid only during the call.
type Canvas interface {
	// Polygon draws a convex polygon of 3 to 8 corners, counter-clockwise. The polygon is larger
	// by radius on all sides, with round corners. With radius 0 the corners are sharp.
	Polygon(corners []Vec, radius float64, l Look)
	// Circle draws a disc.
	Circle(centre Vec, radius float64, l Look)
	// Capsule draws the line from a to b, made thicker and rounded by radius.
	Capsule(a, b Vec, radius float64, l Look)
	// Line draws a thin line.
	Line(a, b Vec, c body2d.Colour)
	// Point draws a dot.
	Point(at Vec, c body2d.Colour)
	// Text writes a line of text with its middle at a point.
	Text(at Vec, text string, c body2d.Colour)
}

// arc is the greatest angle, rad, of the part of a round corner that becomes one side of a
// polygon.
const arc = math.Pi / 12

// Rounded appends the outline of corners that are rounded by radius, all in m, as a polygon.
// With one corner the outline is a circle, with two it is a capsule. It is for a canvas that
// can only fill polygons.
func Rounded(to, corners []Vec, radius float64) []Vec {
	n := len(corners)
	if radius <= 0 {
		return append(to, corners...)
	}
	for i, c := range corners {
		from, turn := 0., 2*math.Pi
		if n > 1 {
			before, after := corners[(i+n-1)%n], corners[(i+1)%n]
			from = outward(before, c)
			if turn = outward(c, after) - from; turn < 0 {
				turn += 2 * math.Pi
			}
		}
		steps := math.Ceil(turn / arc)
		for k := 0.; k <= steps; k++ {
			sin, cos := math.Sincos(from + turn*k/max(steps, 1))
			to = append(to, Vec{X: c.X + radius*cos, Y: c.Y + radius*sin})
		}
	}
	return to
}

// outward is the angle of the normal of a side. The normal points to the right of the side.
func outward(a, b Vec) float64 { return math.Atan2(a.X-b.X, b.Y-a.Y) }
