package glrender

import (
	"image"
	"image/draw"

	"github.com/go-gl/gl/v4.1-core/gl"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// The size of a character and the height of a line, in HUD units.
const (
	GlyphWidth  = 7
	GlyphHeight = 13
	LineHeight  = 15
)

// The atlas holds the glyph of each byte at its code, 16 in a row.
const (
	cellWidth, cellHeight   = 8, 16
	atlasWidth, atlasHeight = 16 * cellWidth, 16 * cellHeight
)

// glyphOf is the glyph of a character: its own in ASCII, the most similar one for
// the other characters that the HUD uses, and 127 (a box) for the rest.
func glyphOf(c rune) byte {
	switch {
	case c >= ' ' && c < 127:
		return byte(c)
	case c == 'µ' || c == 'μ':
		return 'u'
	case c == '×':
		return 'x'
	case c == 'α':
		return 'a'
	case c == '−' || c == '–' || c == '—':
		return '-'
	case c == '·' || c == '…':
		return '.'
	case c == '\u00a0' || c == '\u202f':
		return ' '
	}
	return 127
}

// fontAtlas is the fixed font and, below it, the letters at a unit.
func fontAtlas(unit int) *image.Gray {
	wide := max(atlasWidth, 16*letterWide*unit)
	tall := atlasHeight + faces*lettersMost/16*letterTall*unit
	atlas := image.NewGray(image.Rect(0, 0, wide, tall))
	drawLetters(atlas, unit)
	face := basicfont.Face7x13
	for c := ' '; c <= 127; c++ {
		char := c
		if c == 127 {
			char = '\ufffd'
		}
		origin := image.Pt(int(c%16)*cellWidth, int(c/16)*cellHeight)
		to, mask, from, _, ok := face.Glyph(fixed.P(origin.X, origin.Y+face.Ascent), char)
		if ok {
			draw.DrawMask(atlas, to, image.White, image.Point{}, mask, from, draw.Over)
		}
	}
	return atlas
}

// uploadAtlas fills the texture with the atlas for a unit. New and a change of the
// unit call it, not a frame.
func uploadAtlas(h *hostState, id uint32, unit int) {
	atlas := fontAtlas(unit)
	var bound int32
	gl.GetIntegerv(gl.TEXTURE_BINDING_2D, &bound)
	gl.BindTexture(gl.TEXTURE_2D, id)
	h.plainPixels(&writing)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.R8, int32(atlas.Rect.Dx()), int32(atlas.Rect.Dy()), 0, gl.RED, gl.UNSIGNED_BYTE, gl.Ptr(atlas.Pix))
	h.restorePixels(&writing)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.BindTexture(gl.TEXTURE_2D, uint32(bound))
}
