package glrender

import (
	"math"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"halfstep/buffer/body2d"
)

// HUD collects text, boxes and lines, and draws them with one call in the order in which
// they were added. Positions and sizes are in units from the top left corner of the
// viewport: a unit is the content scale rounded to whole pixels, so that text stays sharp.
//
// A Renderer has one HUD. Renderer.BeginHUD empties it.
type HUD struct {
	quads
	r             *Renderer // the renderer whose GL calls and statistics the HUD uses
	program       uint32
	atlas         uint32
	atlasUnit     int // the unit for which the atlas was drawn
	screenUniform int32
	screen        [3]float32 // the value of the uniform screen

	viewport Viewport
	unit     float32    // pixels
	clip     [4]float32 // clips the quads that are added from now on: left, top, right, bottom, in pixels
	list     []hudInstance
	canvas   canvas
}

// hudInstance is one quad of shaders/hud.vert.glsl, in pixels.
type hudInstance struct {
	box    [4]float32 // left, top, right, bottom; or both ends of a line
	what   uint32     // the number of a letter's cell in the atlas, or one of the kinds below
	colour body2d.Colour
	clip   [4]float32
}

const (
	rectKind uint32 = 0x8000
	lineKind uint32 = 0x8001

	hudBytes = int(unsafe.Sizeof(hudInstance{}))
)

func (h *HUD) create(r *Renderer) {
	h.r = r
	h.screenUniform = gl.GetUniformLocation(h.program, gl.Str("screen\x00"))
	gl.GenTextures(1, &h.atlas)
	h.atlasUnit = 1
	uploadAtlas(r.host, h.atlas, h.atlasUnit)
	var in hudInstance
	h.quads.create(hudBytes,
		attribute{4, gl.FLOAT, unsafe.Offsetof(in.box)},
		attribute{1, gl.UNSIGNED_INT, unsafe.Offsetof(in.what)},
		attribute{4, gl.UNSIGNED_BYTE, unsafe.Offsetof(in.colour)},
		attribute{4, gl.FLOAT, unsafe.Offsetof(in.clip)})
}

func (h *HUD) close() {
	gl.DeleteTextures(1, &h.atlas)
	h.quads.close()
}

// BeginHUD empties the HUD for a viewport, and returns it. The HUD is valid until the next
// BeginHUD.
func (r *Renderer) BeginHUD(fb Viewport) *HUD {
	r.hud.viewport = fb
	r.hud.unit = float32(Unit(fb.Scale))
	r.hud.list = r.hud.list[:0]
	r.hud.Unclip()
	return &r.hud
}

// Clip clips all later drawing to a box, in units.
func (h *HUD) Clip(x, y, width, height float32) {
	u := h.unit
	h.clip = [4]float32{x * u, y * u, (x + width) * u, (y + height) * u}
}

// Unclip ends Clip.
func (h *HUD) Unclip() { h.clip = [4]float32{-1e9, -1e9, 1e9, 1e9} }

// Unit is the number of pixels in a unit.
func (h *HUD) Unit() float32 { return h.unit }

// Size is the size of the viewport in units.
func (h *HUD) Size() (width, height float32) {
	return float32(h.viewport.W) / h.unit, float32(h.viewport.H) / h.unit
}

// Rect fills a box with its upper left corner at (x, y), in units.
func (h *HUD) Rect(x, y, width, height float32, c body2d.Colour) {
	h.Panel(x, y, width, height, 0, c)
}

// Panel fills a box with rounded corners. Its upper left corner is at (x, y). The radius
// and all lengths are in units.
func (h *HUD) Panel(x, y, width, height, radius float32, c body2d.Colour) {
	u := h.unit
	h.list = append(h.list, hudInstance{
		[4]float32{x * u, y * u, (x + width) * u, (y + height) * u}, rectKind | sixteenths(radius*u), c, h.clip,
	})
}

// Line draws a line with round ends, in units.
func (h *HUD) Line(x0, y0, x1, y1, width float32, c body2d.Colour) {
	u := h.unit
	h.list = append(h.list, hudInstance{
		[4]float32{x0 * u, y0 * u, x1 * u, y1 * u}, lineKind | sixteenths(width*u), c, h.clip,
	})
}

// sixteenths packs a length in pixels (a radius or a width) into the high half of
// hudInstance.what.
func sixteenths(pixels float32) uint32 {
	return uint32(min(max(pixels*16, 0), math.MaxUint16)) << 16
}

func round(x float32) float32 { return float32(math.Round(float64(x))) }

// Draw draws everything that was collected since BeginHUD.
func (h *HUD) Draw() {
	if len(h.list) == 0 || h.viewport.W <= 0 || h.viewport.H <= 0 {
		return
	}
	c := &h.r.gl
	c.work = &c.stats.HUD
	c.viewport(h.viewport.X, h.viewport.Y, h.viewport.W, h.viewport.H)
	c.blend()
	h.draw()
}

// draw draws the HUD with the current viewport and blending.
func (h *HUD) draw() {
	if len(h.list) == 0 {
		return
	}
	c := &h.r.gl
	c.work = &c.stats.HUD
	if unit := int(h.unit); unit != h.atlasUnit {
		h.atlasUnit = unit
		uploadAtlas(h.r.host, h.atlas, unit)
	}
	c.useProgram(h.program)
	// A program keeps the values of its uniforms.
	if screen := [3]float32{float32(h.viewport.W), float32(h.viewport.H), h.unit}; screen != h.screen {
		h.screen = screen
		c.uniform3f(h.screenUniform, screen[0], screen[1], screen[2])
	}
	c.bindTexture(glyphsUnit, gl.TEXTURE_2D, h.atlas)
	c.bindVertexArray(h.vao)
	c.bindBuffer(gl.ARRAY_BUFFER, h.buffer)
	c.bufferData(gl.ARRAY_BUFFER, len(h.list)*hudBytes, unsafe.Pointer(&h.list[0]))
	c.drawQuads(len(h.list))
	c.work = &c.stats.Core
}

// Graph draws values as a line in a box. The oldest value is at the left. The value 0 is
// at the bottom of the box, and the value top at its top. Larger values are cut off.
// values may be a ring that begins at index start.
func (h *HUD) Graph(x, y, width, height float32, values []float32, start int, top float32, c body2d.Colour) {
	n := len(values)
	if n < 2 || !(top > 0) {
		return
	}
	step := width / float32(n-1)
	at := func(i int) float32 {
		v := values[(start+i)%n] / top
		return y + height*(1-min(max(v, 0), 1))
	}
	for i := 1; i < n; i++ {
		h.Line(x+float32(i-1)*step, at(i-1), x+float32(i)*step, at(i), 1, c)
	}
}

// Bars draws values as a histogram in a box. The value 0 is at the bottom of the box, and
// the value top at its top.
func (h *HUD) Bars(x, y, width, height float32, values []float32, top float32, c body2d.Colour) {
	if len(values) == 0 || !(top > 0) {
		return
	}
	step := width / float32(len(values))
	gap := min(1, step*0.25)
	for i, v := range values {
		tall := height * min(max(v/top, 0), 1)
		if tall > 0 {
			h.Rect(x+float32(i)*step, y+height-tall, step-gap, tall, c)
		}
	}
}
