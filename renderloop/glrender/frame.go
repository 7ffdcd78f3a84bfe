package glrender

import (
	"image"
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// frame is the uniform block of shaders/frame.glsl (std140).
type frame struct {
	centreHigh, centreLow [2]float32 // camera centre, m: the sum of the two
	width, height         float32    // viewport, pixels
	scale, lineScale      float32    // units per metre, content scale
	alpha, dt             float32
	fill                  float32 // opacity of the bodies' fill
	planeScale            float32 // |determinant| of plane
	previous, current     int32   // number of bodies in each of the two states
	smoothing             int32   // see smoothing
	layers                int32
	gridX, gridY          float32 // camera centre modulo ten cells, m
	cell, fine            float32 // width of a cell, m; strength of the fine lines
	// plane transforms units to homogeneous pixels from the centre of the viewport, column by
	// column. With a camera a unit is a pixel, with an overlay a metre.
	plane [3][4]float32
}

// overlayFill is the opacity of the bodies over a host's picture, which must stay visible.
const overlayFill = 0.35

// finestCell is the width of a cell in pixels at which the fine lines of the grid are no
// longer visible, for a content scale of 1.
const finestCell = 9

// newFrame returns the frame of a view without a camera. Its plane is the identity.
func newFrame(v *scene.View[body2d.State], fb Viewport, layers body2d.Layers) frame {
	return frame{
		width: float32(fb.W), height: float32(fb.H),
		scale: 1, lineScale: float32(fb.scale()),
		alpha: v.Alpha, dt: float32(v.Dt), fill: 1, planeScale: 1,
		previous: int32(len(v.Prev)), current: int32(len(v.Cur)),
		smoothing: smoothing(v), layers: int32(layers),
		plane: [3][4]float32{{0: 1}, {1: 1}, {2: 1}},
	}
}

// smoothing tells the shaders how to blend two states: it is the mode, plus 256 if the
// velocity of a state is that at the end of its step.
func smoothing(v *scene.View[body2d.State]) int32 {
	if v.LateVelocity {
		return int32(v.Smoothing) | 256
	}
	return int32(v.Smoothing)
}

// cameraFrame returns the frame of a view under a camera. The width of a cell of the grid is a
// power of ten.
func cameraFrame(v *scene.View[body2d.State], cam scene.Camera, fb Viewport, layers body2d.Layers) frame {
	f := newFrame(v, fb, layers)
	f.scale = float32(cam.Scale(fb.H))
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

// overlayFrame returns the frame for the plane z = 0 under the matrix m. If m is not finite
// or shows the plane edge-on, there is nothing to draw, and ok is false.
func overlayFrame(v *scene.View[body2d.State], m mgl32.Mat4, fb Viewport, layers body2d.Layers) (f frame, ok bool) {
	f = newFrame(v, fb, layers&^body2d.GridLayer)
	f.fill = overlayFill
	w, h := float64(fb.W)/2, float64(fb.H)/2
	var c [3][3]float64
	for i, column := range [3]int{0, 1, 3} {
		c[i] = [3]float64{float64(m.At(0, column)) * w, float64(m.At(1, column)) * h, float64(m.At(3, column))}
		f.plane[i] = [4]float32{float32(c[i][0]), float32(c[i][1]), float32(c[i][2])}
	}
	f.planeScale = float32(math.Abs(
		c[0][0]*(c[1][1]*c[2][2]-c[1][2]*c[2][1]) -
			c[1][0]*(c[0][1]*c[2][2]-c[0][2]*c[2][1]) +
			c[2][0]*(c[0][1]*c[1][2]-c[0][2]*c[1][1])))
	return f, f.planeScale > 0 && f.planeScale <= math.MaxFloat32
}

// FrameStats counts the GL calls and uploads since BeginFrame, by purpose.
type FrameStats struct {
	// Core counts the states, uniforms and draw calls of every frame.
	Core Work
	// Structure counts changes of bodies, shapes and joints.
	Structure Work
	// Debug counts ghosts. HUD counts the HUD and the drawings of painters.
	Debug, HUD Work
	// State counts the calls that save, set and restore the state of the context. Only Overlay
	// makes such calls.
	State Work
}

// Work is a number of GL calls, and of the bytes that they uploaded.
type Work struct{ Calls, Bytes int }

// Total is the sum over all purposes.
func (s FrameStats) Total() Work {
	return Work{
		s.Core.Calls + s.Structure.Calls + s.Debug.Calls + s.HUD.Calls + s.State.Calls,
		s.Core.Bytes + s.Structure.Bytes + s.Debug.Bytes + s.HUD.Bytes + s.State.Bytes,
	}
}

// Screenshot reads a part of the framebuffer as an upright, opaque picture. Call it
// before the buffers are swapped.
func (r *Renderer) Screenshot(fb Viewport) *image.NRGBA {
	picture := image.NewNRGBA(image.Rect(0, 0, max(fb.W, 0), max(fb.H, 0)))
	r.ReadPixels(fb, picture)
	return picture
}

// ReadPixels reads a part of the framebuffer, like Screenshot, into an existing picture of
// that size.
func (r *Renderer) ReadPixels(fb Viewport, picture *image.NRGBA) {
	w, h := fb.W, fb.H
	if w <= 0 || h <= 0 || picture.Stride != 4*w || len(picture.Pix) < 4*w*h {
		return
	}
	r.host.plainPixels(&reading)
	gl.ReadPixels(int32(fb.X), int32(fb.Y), int32(w), int32(h), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(picture.Pix))
	r.host.restorePixels(&reading)
	// GL counts rows from the bottom.
	for top, bottom := 0, h-1; top < bottom; top, bottom = top+1, bottom-1 {
		a, b := picture.Pix[top*4*w:(top+1)*4*w], picture.Pix[bottom*4*w:(bottom+1)*4*w]
		for i := range a {
			a[i], b[i] = b[i], a[i]
		}
	}
	for i := 3; i < len(picture.Pix); i += 4 {
		picture.Pix[i] = 255
	}
}
