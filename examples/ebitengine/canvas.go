package main

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/vector"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/draw"
)

// canvas lets a draw.Painter draw how the physics sees the world, over the picture.
type canvas struct{ screen *ebiten.Image }

func pixel(v draw.Vec) (x, y float32) {
	return float32(width/2 + v.X*perMetre), float32(height - (v.Y-bottom)*perMetre)
}

func nrgba(c body2d.Colour) color.Color { return color.NRGBA{c[0], c[1], c[2], c[3]} }

func (c canvas) Line(a, b draw.Vec, col body2d.Colour) {
	x0, y0 := pixel(a)
	x1, y1 := pixel(b)
	vector.StrokeLine(c.screen, x0, y0, x1, y1, 1.5, nrgba(col), true)
}

func (c canvas) Polygon(corners []draw.Vec, radius float64, l draw.Look) {
	outline := draw.Rounded(nil, corners, radius)
	for i, v := range outline {
		c.Line(v, outline[(i+1)%len(outline)], l.Fill)
	}
}

func (c canvas) Circle(at draw.Vec, r float64, l draw.Look) { c.Polygon([]draw.Vec{at}, r, l) }

func (c canvas) Capsule(a, b draw.Vec, r float64, l draw.Look) { c.Polygon([]draw.Vec{a, b}, r, l) }

func (c canvas) Point(at draw.Vec, col body2d.Colour) {
	x, y := pixel(at)
	vector.FillCircle(c.screen, x, y, 2.5, nrgba(col), true)
}

func (c canvas) Text(at draw.Vec, text string, _ body2d.Colour) {
	x, y := pixel(at)
	ebitenutil.DebugPrintAt(c.screen, text, int(x), int(y))
}
