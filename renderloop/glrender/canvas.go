package glrender

import (
	"github.com/go-gl/mathgl/mgl32"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/scene"
)

// canvas draws in the world with a HUD. It draws outlines, because a HUD fills only
// rectangles.
type canvas struct {
	hud     *HUD
	plane   [3][3]float64 // transforms (x, y, 1), in m, to homogeneous pixels from the top left corner
	part    Viewport      // the part of the HUD's viewport in which to draw
	most    int           // the number of quads of the HUD from which on the canvas draws nothing more
	outline []draw.Vec    // scratch memory
}

// Canvas returns a canvas for a [draw.Painter] that draws on the HUD, with the view of a camera. It draws
// outlines. It is for layers over a picture of [Renderer.Draw], which draws the bodies themselves much
// faster. The argument part is the part of the viewport in which to draw. Shapes outside it are left out, and
// so are all shapes after 20,000 quads. The canvas is valid until the next call.
func (h *HUD) Canvas(camera scene.Camera, part Viewport) draw.Canvas {
	s := camera.Scale(part.H)
	x, y := camera.WorldToScreen(0, 0, part.W, part.H)
	return h.canvasOf([3][3]float64{{s, 0, x + float64(part.X)}, {0, -s, y}, {0, 0, 1}}, part)
}

// through returns a canvas for the plane z = 0 under a matrix of Overlay.
func (h *HUD) through(m mgl32.Mat4) draw.Canvas {
	w, tall := float64(h.viewport.W)/2, float64(h.viewport.H)/2
	var plane [3][3]float64
	for i, column := range [3]int{0, 1, 3} {
		x, y, z := float64(m.At(0, column)), float64(m.At(1, column)), float64(m.At(3, column))
		plane[0][i], plane[1][i], plane[2][i] = (z+x)*w, (z-y)*tall, z
	}
	return h.canvasOf(plane, Viewport{W: h.viewport.W, H: h.viewport.H})
}

// canvasOf is the canvas of the HUD for a plane, within a part of the viewport.
func (h *HUD) canvasOf(plane [3][3]float64, part Viewport) *canvas {
	c := &h.canvas
	c.hud, c.plane, c.part, c.most = h, plane, part, len(h.list)+20_000
	return c
}

// seen converts a point to homogeneous pixels. A point with z <= 0 is behind the eye.
func (c *canvas) seen(v draw.Vec) (p [3]float64) {
	for i, row := range c.plane {
		p[i] = row[0]*v.X + row[1]*v.Y + row[2]
	}
	return p
}

// at converts homogeneous pixels to units of the HUD.
func (c *canvas) at(p [3]float64) (x, y float32) {
	return float32(p[0]/p[2]) / c.hud.unit, float32(p[1]/p[2]) / c.hud.unit
}

// visible reports whether a part of a box, in units of the HUD, may be in the picture.
func (c *canvas) visible(x0, y0, x1, y1 float32) bool {
	const edge = 20
	u, left := c.hud.unit, float32(c.part.X)/c.hud.unit
	return len(c.hud.list) < c.most && max(x0, x1) > left-edge && min(x0, x1) < left+float32(c.part.W)/u+edge &&
		max(y0, y1) > -edge && min(y0, y1) < float32(c.part.H)/u+edge
}

// round draws the outline around a point or a line.
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

// Line draws the part of a line that is in front of the eye.
func (c *canvas) Line(a, b draw.Vec, colour body2d.Colour) {
	p, q := c.seen(a), c.seen(b)
	if p[2] < q[2] {
		p, q = q, p
	}
	if near := 1e-3 * p[2]; p[2] <= 0 {
		return
	} else if q[2] < near {
		t := (p[2] - near) / (p[2] - q[2])
		for i := range q {
			q[i] = p[i] + t*(q[i]-p[i])
		}
	}
	x0, y0 := c.at(p)
	x1, y1 := c.at(q)
	if c.visible(x0, y0, x1, y1) {
		c.hud.Line(x0, y0, x1, y1, 1.5, colour)
	}
}

// spot returns the place of a point in the picture, in units of the HUD, and whether the
// point is in the picture.
func (c *canvas) spot(v draw.Vec) (x, y float32, ok bool) {
	p := c.seen(v)
	x, y = c.at(p)
	return x, y, p[2] > 0 && c.visible(x, y, x, y)
}

// Point draws a dot.
func (c *canvas) Point(v draw.Vec, colour body2d.Colour) {
	if x, y, ok := c.spot(v); ok {
		c.hud.Panel(x-2.5, y-2.5, 5, 5, 2.5, colour)
	}
}

// Text writes a line with its middle at a point.
func (c *canvas) Text(v draw.Vec, text string, colour body2d.Colour) {
	if x, y, ok := c.spot(v); ok {
		c.hud.Label(x-LabelWidth(Regular, int(c.hud.unit), text)/2, y-LabelHeight/2, Regular, colour, text)
	}
}
