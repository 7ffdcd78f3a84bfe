package main

import (
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"

	"halfstep/buffer/body2d"
	"halfstep/engine"
	"halfstep/renderloop/draw"
)

// canvas lets a draw.Painter draw its layers over the picture. It collects triangles.
// After the first frames the canvas itself allocates nothing. Ebitengine makes three
// small objects in the call that draws the triangles.
type canvas struct {
	screen   *ebiten.Image
	white    *ebiten.Image
	vertices []ebiten.Vertex
	indices  []uint32
	outline  []draw.Vec // scratch memory
	options  ebiten.DrawTrianglesOptions
}

func newCanvas() *canvas {
	c := &canvas{white: ebiten.NewImage(3, 3)}
	c.white.Fill(color.White)
	//lint:ignore SA1019 vector.FillPath, which is to take its place, would have a path and a call for each colour
	c.options.AntiAlias = true
	return c
}

// show draws the layers of a painter.
func (c *canvas) show(screen *ebiten.Image, p *draw.Painter, e *engine.Engine) {
	c.screen = screen
	c.collect(p, e)
	screen.DrawTriangles32(c.vertices, c.indices, c.white, &c.options)
}

// collect makes the triangles of a frame.
func (c *canvas) collect(p *draw.Painter, e *engine.Engine) {
	c.vertices, c.indices = c.vertices[:0], c.indices[:0]
	p.Draw(c, e.View())
}

func pixel(v draw.Vec) (x, y float32) {
	return float32(width/2 + v.X*perMetre), float32(height - (v.Y-bottom)*perMetre)
}

// corner adds a corner of a triangle, in pixels.
func (c *canvas) corner(x, y float32, col body2d.Colour) {
	alpha := float32(col[3]) / 255
	part := alpha / 255 // Ebitengine wants premultiplied colours
	c.vertices = append(c.vertices, ebiten.Vertex{
		DstX: x, DstY: y, SrcX: 1.5, SrcY: 1.5,
		ColorR: float32(col[0]) * part, ColorG: float32(col[1]) * part, ColorB: float32(col[2]) * part, ColorA: alpha,
	})
}

// fan makes triangles of the corners from index first on. These corners are convex.
func (c *canvas) fan(first int) {
	for i := first + 2; i < len(c.vertices); i++ {
		c.indices = append(c.indices, uint32(first), uint32(i-1), uint32(i))
	}
}

func (c *canvas) Line(a, b draw.Vec, col body2d.Colour) {
	x0, y0 := pixel(a)
	x1, y1 := pixel(b)
	long := float32(math.Hypot(float64(x1-x0), float64(y1-y0)))
	if long == 0 {
		return
	}
	const half = .75 // pixels
	nx, ny := half*(y0-y1)/long, half*(x1-x0)/long
	first := len(c.vertices)
	c.corner(x0+nx, y0+ny, col)
	c.corner(x1+nx, y1+ny, col)
	c.corner(x1-nx, y1-ny, col)
	c.corner(x0-nx, y0-ny, col)
	c.fan(first)
}

func (c *canvas) Polygon(corners []draw.Vec, radius float64, l draw.Look) {
	c.outline = draw.Rounded(c.outline[:0], corners, radius)
	for i, v := range c.outline {
		c.Line(v, c.outline[(i+1)%len(c.outline)], l.Fill)
	}
}

func (c *canvas) Circle(at draw.Vec, r float64, l draw.Look) { c.Polygon([]draw.Vec{at}, r, l) }

func (c *canvas) Capsule(a, b draw.Vec, r float64, l draw.Look) { c.Polygon([]draw.Vec{a, b}, r, l) }

func (c *canvas) Point(at draw.Vec, col body2d.Colour) {
	first := len(c.vertices)
	c.outline = draw.Rounded(c.outline[:0], []draw.Vec{at}, 2.5/perMetre)
	for _, v := range c.outline {
		x, y := pixel(v)
		c.corner(x, y, col)
	}
	c.fan(first)
}

func (c *canvas) Text(at draw.Vec, text string, _ body2d.Colour) {
	x, y := pixel(at)
	ebitenutil.DebugPrintAt(c.screen, text, int(x), int(y))
}
