package scene

import (
	"math"

	"halfstep/buffer/body2d"
)

// Bounds is an axis-aligned rectangle, in metres.
type Bounds struct{ MinX, MinY, MaxX, MaxY float64 }

// noBounds is the empty rectangle.
var noBounds = Bounds{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// add returns the smallest rectangle around b and a disc of radius r about (x, y),
// in metres. A disc that is not finite is ignored.
func (b Bounds) add(x, y, r float64) Bounds {
	if s := x + y + r; math.IsNaN(s) || math.IsInf(s, 0) {
		return b
	}
	return Bounds{
		math.Min(b.MinX, x-r), math.Min(b.MinY, y-r),
		math.Max(b.MaxX, x+r), math.Max(b.MaxY, y+r),
	}
}

// Empty reports whether b contains no point.
func (b Bounds) Empty() bool { return !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) }

// BoundsOf is the rectangle around all shapes of a view as they are shown. It is
// empty if there are none.
func BoundsOf(v *View[body2d.State]) Bounds {
	b := noBounds
	if v.Scene == nil {
		return b
	}
	for i := range v.Scene.Shapes {
		s := &v.Scene.Shapes[i]
		pose, ok := PoseOf(v, int(s.Slot))
		if !ok {
			continue
		}
		body := &v.Scene.Bodies[s.Slot]
		x, y := pose.Origin(body.LocalX, body.LocalY)
		sin, cos := math.Sincos(float64(pose.Angle))
		n := int(s.N)
		if s.Kind == body2d.Disc {
			n = 1
		}
		for _, p := range s.Points[:min(n, body2d.MaxPoints)] {
			px, py := float64(p[0]), float64(p[1])
			b = b.add(x+cos*px-sin*py, y+sin*px+cos*py, float64(s.Radius))
		}
	}
	return b
}
