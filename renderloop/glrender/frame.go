package glrender

import (
	"math"

	"halfstep/buffer"
	"halfstep/renderloop"
)

// frame is the uniform block of shaders/frame.glsl (std140).
type frame struct {
	centreHigh, centreLow [2]float32 // camera centre, m: their sum
	width, height         float32    // viewport, pixels
	scale, lineScale      float32    // pixels per metre, content scale
	alpha, dt             float32
	_                     [2]float32
	previous, current     int32 // bodies in each half
	smoothing             int32
	layers                int32
	gridX, gridY          float32 // centre modulo ten cells, m
	cell, fine            float32 // cell, m; strength of the fine lines
}

// finestCell is the width in pixels at which the fine lines of the grid are
// gone, for a content scale of 1.
const finestCell = 9

func newFrame(v *renderloop.View[buffer.BodyState], cam renderloop.Camera, fb Viewport, layers Layers) frame {
	f := frame{
		width: float32(fb.W), height: float32(fb.H),
		scale: float32(cam.Scale(fb.H)), lineScale: float32(fb.scale()),
		alpha: v.Alpha, dt: float32(v.Dt),
		previous: int32(len(v.Prev)), current: int32(len(v.Cur)),
		smoothing: int32(v.Smoothing), layers: int32(layers),
	}
	f.centreHigh = [2]float32{float32(cam.X), float32(cam.Y)}
	f.centreLow = [2]float32{
		float32(cam.X - float64(f.centreHigh[0])), float32(cam.Y - float64(f.centreHigh[1])),
	}
	level := math.Log10(finestCell * fb.scale() / cam.Scale(fb.H))
	cell := math.Pow(10, math.Ceil(level))
	f.cell = float32(cell)
	f.fine = float32(math.Ceil(level) - level)
	f.gridX, f.gridY = float32(math.Mod(cam.X, 10*cell)), float32(math.Mod(cam.Y, 10*cell))
	return f
}
