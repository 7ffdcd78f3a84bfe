package glrender

import (
	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"

	"github.com/go-gl/mathgl/mgl32"
)

// Overlay draws a view over a picture that is already there: the bodies, joints
// and debug layers without the background and the grid, always in front. The
// bodies' fill is thin, so that the picture shows through.
//
// m transforms (x, y, 0, 1) to clip space, with x and y in metres in the world of
// the bodies. For a 3D scene it is projection × view × model, where model places
// the plane of physics in the scene. Lines and edges have the same width in pixels
// as in Draw, wherever the plane is. m is float32 and so exact to about 1e-7 of
// the distance from the origin.
//
// Overlay draws to the first colour attachment of the bound framebuffer, and
// leaves the state of the context as it found it; see the package comment. It
// fails as Draw does. It draws nothing if m shows the plane edge-on or is not
// finite.
func (r *Renderer) Overlay(v *scene.View[body2d.State], m mgl32.Mat4, fb Viewport, layers Layers) error {
	f, ok := overlayFrame(v, m, fb, layers)
	if fb.W <= 0 || fb.H <= 0 || !ok {
		return r.check(v)
	}
	c := &r.gl
	c.work = &c.stats.State
	r.host.save(c)
	r.host.prepare(c, fb)
	err := r.Upload(v)
	if err == nil {
		*r.frame = f
		r.bind()
		r.drawBodies(v, layers)
	}
	c.work = &c.stats.State
	r.host.restore(c)
	c.work = &c.stats.Core
	return err
}
