package glrender

import (
	"fmt"
	"unsafe"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"

	"github.com/go-gl/gl/v4.1-core/gl"
)

// Values of the uniform ghost of the program for shapes: it draws shapes at the shown
// instant, or their outlines in one of the two states around that instant.
const (
	ghostOff = iota
	ghostPrevious
	ghostCurrent
)

// drawn are the instances of a scene in a buffer. The first nShapes of them are shapes.
type drawn struct {
	vao         uint32
	shapes, all int
}

// Upload uploads the data of a view that the GPU does not have yet. Draw calls it. It is
// exported so that a program can measure the upload and the drawing separately. It returns an
// error if the view has more bodies than MaxBodies.
func (r *Renderer) Upload(v *scene.View[body2d.State]) error {
	if err := r.check(v); err != nil {
		return err
	}
	c := &r.gl
	if v.Scene != r.structure.scene {
		r.forget()
	}
	c.work = &c.stats.Structure
	r.structure.follow(c, v.Scene)
	c.work = &c.stats.Core
	// usually the GPU lacks only the current state, or neither of the two; after a skipped tick
	// it lacks both
	r.previous = r.ring.hold(c, v.PrevSerial, v.Prev, v.PrevChanges)
	r.current = r.ring.hold(c, v.CurSerial, v.Cur, v.CurChanges)
	r.drawn = drawn{r.structure.vao, r.structure.nShapes, len(r.structure.instances)}
	return nil
}

// Draw draws a view into a part of the framebuffer. If the view has more bodies than
// MaxBodies, it returns an error and draws nothing. It does nothing if the viewport has no
// pixels.
func (r *Renderer) Draw(v *scene.View[body2d.State], cam scene.Camera, fb Viewport, layers body2d.Layers) error {
	if fb.W <= 0 || fb.H <= 0 || !finite(cam) {
		return r.check(v)
	}
	if err := r.Upload(v); err != nil {
		return err
	}
	c := &r.gl
	if u := &r.culling; u.follow(&r.structure, v) && u.look(c, &r.structure, cam, fb) {
		r.drawn = drawn{u.vao, u.nShapes, u.n} // only the parts that the camera may see
	}
	c.viewport(fb.X, fb.Y, fb.W, fb.H)
	c.blend()
	*r.frame = cameraFrame(v, cam, fb, layers)
	r.bind()
	c.useProgram(r.grid)
	c.drawTriangle()
	r.drawBodies(layers)
	return nil
}

// drawBodies draws all of the picture except the background. bind must have been called
// before.
func (r *Renderer) drawBodies(layers body2d.Layers) {
	c := &r.gl
	n := r.drawn.shapes
	if layers&body2d.JointsLayer != 0 {
		n = r.drawn.all
	}
	if n > 0 {
		c.useProgram(r.shape)
		c.drawQuads(n)
	}
	if layers&body2d.GhostsLayer != 0 && r.drawn.shapes > 0 {
		c.work = &c.stats.Debug
		c.useProgram(r.shape)
		for g := int32(ghostPrevious); g <= ghostCurrent; g++ {
			c.uniform1i(r.ghostUniform, g)
			c.drawQuads(r.drawn.shapes)
		}
		c.uniform1i(r.ghostUniform, ghostOff)
		c.work = &c.stats.Core
	}
}

// check returns an error for a view with more bodies than MaxBodies.
func (r *Renderer) check(v *scene.View[body2d.State]) error {
	if n := max(len(v.Cur), len(v.Prev)); n > r.maxBodies {
		return fmt.Errorf("glrender: %d bodies, but this GL's texture buffers hold %d", n, r.maxBodies)
	}
	return nil
}

// bind uploads the uniform block (frame.go) and binds the resources that all programs share.
func (r *Renderer) bind() {
	c := &r.gl
	c.bindBufferBase(gl.UNIFORM_BUFFER, frameBinding, r.frameBuffer)
	c.bufferData(gl.UNIFORM_BUFFER, int(unsafe.Sizeof(*r.frame)), unsafe.Pointer(r.frame))
	c.bindTexture(previousUnit, gl.TEXTURE_BUFFER, r.ring.entries[r.previous].texture)
	c.bindTexture(currentUnit, gl.TEXTURE_BUFFER, r.ring.entries[r.current].texture)
	c.bindVertexArray(r.drawn.vao)
}
