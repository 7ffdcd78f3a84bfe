package glrender

import (
	"image"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Screenshot reads a part of the framebuffer as an upright, opaque picture. Call it
// before the buffers are swapped.
func (r *Renderer) Screenshot(fb Viewport) *image.NRGBA {
	picture := image.NewNRGBA(image.Rect(0, 0, max(fb.W, 0), max(fb.H, 0)))
	r.ReadPixels(fb, picture)
	return picture
}

// ReadPixels is Screenshot into an existing picture of the viewport's size.
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
