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
// m takes (x, y, 0, 1) to clip space, with x and y in metres as the bodies have
// them: for a scene in three dimensions the projection times the view, times
// the transform that puts the plane of physics into the scene. Lines and edges
// are as many pixels wide as in Draw, wherever the plane is. m is float32 and
// so exact to about 1e-7 of the distance from the origin.
//
// It draws to the first colour attachment of the framebuffer that is bound, and
// leaves the state of the context as it found it, as the package comment says.
// It fails as Draw does. Nothing is drawn where m shows the plane from its edge
// or is not finite.
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
