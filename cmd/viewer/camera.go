package main

import (
	"halfstep/buffer/body2d"
	"halfstep/internal/scenes"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// camera is the view of the world, and the body that it follows.
type camera struct {
	scene.Camera
	follow world.Body // 0: none

	x, y    float64 // the cursor, pixels
	panning bool
}

// start shows the scene's own view, or all bodies.
func (c *camera) start(place scenes.View, v *scene.View[body2d.State], s surface) {
	c.follow, c.panning = 0, false
	c.Camera = scene.Camera{X: place.X, Y: place.Y, Height: place.Height}
	if place.Height == 0 {
		c.fit(v, s)
	}
}

func (c *camera) fit(v *scene.View[body2d.State], s surface) {
	c.follow = 0
	c.Camera = c.Camera.Fit(scene.BoundsOf(v), s.w, s.h)
}

func (c *camera) track(e *player) {
	if c.follow == 0 {
		return
	}
	if p, ok := e.pose(c.follow); ok {
		c.X, c.Y = p.CentreX, p.CentreY
	}
}

func (c *camera) removed(b world.Body) {
	if c.follow == b {
		c.follow = 0
	}
}

// cursor moves the cursor. While panning, the picture moves with it.
func (c *camera) cursor(x, y float64, s surface) {
	if c.panning {
		c.follow = 0
		c.Camera = c.Pan(x-c.x, y-c.y, s.h)
	}
	c.x, c.y = x, y
}

// pan moves the view by fractions of its height.
func (c *camera) pan(right, up float64, s surface) {
	c.follow = 0
	h := float64(s.h)
	c.Camera = c.Pan(-right*h, up*h, s.h)
}

// zoomStep is one click of the wheel.
const zoomStep = 1.15

// zoom magnifies the view and keeps the point under the cursor.
func (c *camera) zoom(factor float64, s surface) {
	if !s.empty() {
		c.Camera = c.ZoomAt(c.x, c.y, s.w, s.h, factor)
	}
}

// world is the point of the world under the cursor, in m.
func (c *camera) world(s surface) world.Vec {
	x, y := c.ScreenToWorld(c.x, c.y, s.w, s.h)
	return world.Vec{X: x, Y: y}
}

// fitBeside makes the camera of a scene show as much of its width beside the panel
// as it would without it, if the window is not wide enough for both.
func (v *viewer) fitBeside(place scenes.View) {
	wide := v.panel.width(v.surface)
	if wide == 0 || place.Height == 0 || v.surface.empty() {
		return
	}
	b := scene.BoundsOf(v.view)
	c := v.camera.Camera
	half := v.half()
	aspect := float64(half.w) / float64(half.h)
	full := float64(v.surface.w) / float64(v.surface.h)
	// What the scene shows at its sides without the panel, as far as something is
	// there.
	need := min(c.Height*full, 2*max(c.X-b.MinX, b.MaxX-c.X)*1.04)
	if has := c.Height * aspect; need > has && !b.Empty() {
		v.camera.Height *= need / has
	}
}
