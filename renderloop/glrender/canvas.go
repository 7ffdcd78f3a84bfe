package glrender

import (
	"halfstep/buffer/body2d"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/scene"
)

// canvas draws in the world with a HUD: outlines, as a HUD fills only rectangles.
type canvas struct {
	hud     *HUD
	camera  scene.Camera
	part    Viewport
	most    int        // quads in the HUD
	outline []draw.Vec // scratch
}

// Canvas returns the HUD as what a [draw.Painter] draws on, with the view of a camera. It
// draws outlines, and is meant for layers over a picture of [Renderer.Draw], which draws the
// bodies themselves much faster. The picture is a part of the viewport, from its X on and W
// by H pixels large. What lies outside is left out, and so is what comes after 20,000 quads.
// The canvas is valid until the next call.
func (h *HUD) Canvas(camera scene.Camera, part Viewport) draw.Canvas {
	h.canvas.hud, h.canvas.camera, h.canvas.part, h.canvas.most = h, camera, part, len(h.list)+20_000
	return &h.canvas
}

func (c *canvas) at(v draw.Vec) (x, y float32) {
	px, py := c.camera.WorldToScreen(v.X, v.Y, c.part.W, c.part.H)
	return float32(px+float64(c.part.X)) / c.hud.unit, float32(py) / c.hud.unit
}

// sees reports whether something of a box can be in the picture, units.
func (c *canvas) sees(x0, y0, x1, y1 float32) bool {
	const edge = 20
	u, left := c.hud.unit, float32(c.part.X)/c.hud.unit
	return len(c.hud.list) < c.most && max(x0, x1) > left-edge && min(x0, x1) < left+float32(c.part.W)/u+edge &&
		max(y0, y1) > -edge && min(y0, y1) < float32(c.part.H)/u+edge
}

func (c *canvas) round(radius float64, l draw.Look, corners ...draw.Vec) {
	c.Polygon(corners, radius, l)
}

// Polygon draws the outline of a polygon.
func (c *canvas) Polygon(corners []draw.Vec, radius float64, l draw.Look) {
	c.outline = draw.Rounded(c.outline[:0], corners, radius)
	for i, v := range c.outline {
		c.Line(v, c.outline[(i+1)%len(c.outline)], l.Edge)
	}
}

// Circle draws a circle.
func (c *canvas) Circle(centre draw.Vec, radius float64, l draw.Look) { c.round(radius, l, centre) }

// Capsule draws the outline of a capsule.
func (c *canvas) Capsule(a, b draw.Vec, radius float64, l draw.Look) { c.round(radius, l, a, b) }

// Line draws a line.
func (c *canvas) Line(a, b draw.Vec, colour body2d.Colour) {
	x0, y0 := c.at(a)
	x1, y1 := c.at(b)
	if c.sees(x0, y0, x1, y1) {
		c.hud.Line(x0, y0, x1, y1, 1.5, colour)
	}
}

// Point draws a dot.
func (c *canvas) Point(v draw.Vec, colour body2d.Colour) {
	x, y := c.at(v)
	if c.sees(x, y, x, y) {
		c.hud.Panel(x-2.5, y-2.5, 5, 5, 2.5, colour)
	}
}

// Text writes a line about a point.
func (c *canvas) Text(v draw.Vec, text string, colour body2d.Colour) {
	x, y := c.at(v)
	if !c.sees(x, y, x, y) {
		return
	}
	c.hud.Label(x-LabelWidth(Regular, int(c.hud.unit), text)/2, y-LabelHeight/2, Regular, colour, text)
}
