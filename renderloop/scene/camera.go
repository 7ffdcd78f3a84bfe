package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"halfstep/buffer/body2d"
)

// Camera shows a rectangle of the world. The zero Camera shows a height of 20 m
// with the origin in the centre. Methods that move the camera return a new one.
//
// Screen positions are framebuffer pixels from the top left corner of a viewport
// of w by h pixels, and y points down. World positions are in metres, and y points
// up.
type Camera struct {
	X, Y   float64 // centre, m
	Height float64 // visible height, m; limited to the range from 1e-3 to 1e7, and 0 means 20
}

// Limits and default of Camera.Height, m.
const (
	minHeight     = 1e-3
	maxHeight     = 1e7
	defaultHeight = 20
)

func (c Camera) height() float64 {
	if c.Height == 0 || math.IsNaN(c.Height) {
		return defaultHeight
	}
	return min(max(c.Height, minHeight), maxHeight)
}

// Scale is the number of pixels in a metre.
func (c Camera) Scale(h int) float64 {
	return float64(max(h, 1)) / c.height()
}

// ScreenToWorld is the point of the world under a pixel.
func (c Camera) ScreenToWorld(x, y float64, w, h int) (wx, wy float64) {
	s := c.Scale(h)
	return c.X + (x-float64(w)/2)/s, c.Y - (y-float64(h)/2)/s
}

// WorldToScreen converts a point of the world, m, to pixels. It is the inverse of ScreenToWorld.
func (c Camera) WorldToScreen(wx, wy float64, w, h int) (x, y float64) {
	s := c.Scale(h)
	return float64(w)/2 + (wx-c.X)*s, float64(h)/2 - (wy-c.Y)*s
}

// Matrix transforms world positions to clip space, for an embedder's own drawing.
// It is in the column-major order of glUniformMatrix4fv. Its float32 values are
// exact to about 1e-7 of the camera's distance from the origin.
func (c Camera) Matrix(w, h int) mgl32.Mat4 {
	sx := 2 * c.Scale(h) / float64(max(w, 1))
	sy := 2 * c.Scale(h) / float64(max(h, 1))
	return mgl32.Mat4{
		0: float32(sx), 5: float32(sy), 10: 1, 15: 1,
		12: float32(-c.X * sx), 13: float32(-c.Y * sy),
	}
}

// Pan moves the picture by (dx, dy) pixels, as a drag does.
func (c Camera) Pan(dx, dy float64, h int) Camera {
	s := c.Scale(h)
	c.X -= dx / s
	c.Y += dy / s
	return c
}

// ZoomAt multiplies the magnification by factor. The point of the world under the
// pixel (x, y) stays there.
func (c Camera) ZoomAt(x, y float64, w, h int, factor float64) Camera {
	if !(factor > 0) || math.IsInf(factor, 0) {
		return c
	}
	wx, wy := c.ScreenToWorld(x, y, w, h)
	c.Height = Camera{Height: c.height() / factor}.height()
	s := c.Scale(h)
	c.X = wx - (x-float64(w)/2)/s
	c.Y = wy + (y-float64(h)/2)/s
	return c
}

// Fit returns a camera that shows all of b in a viewport of w by h pixels, with a
// margin of a twentieth on each side. If b is empty or infinite, it returns the
// same camera.
func (c Camera) Fit(b Bounds, w, h int) Camera {
	width, height := b.MaxX-b.MinX, b.MaxY-b.MinY
	if !(width >= 0 && height >= 0) || math.IsInf(width, 0) || math.IsInf(height, 0) {
		return c
	}
	aspect := float64(max(w, 1)) / float64(max(h, 1))
	fit := math.Max(height, width/aspect) / 0.9
	if fit < minHeight {
		fit = 1 // b is a point, so show what is around it
	}
	return Camera{X: (b.MinX + b.MaxX) / 2, Y: (b.MinY + b.MaxY) / 2, Height: fit}
}

// Bounds is an axis-aligned rectangle, in metres.
type Bounds struct{ MinX, MinY, MaxX, MaxY float64 }

var noBounds = Bounds{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// add returns the smallest rectangle around b and a disc of radius r about (x, y),
// m. It ignores a disc that is not finite.
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

// BoundsOf is the rectangle around all shapes that a view shows. It is empty if
// there are none.
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
