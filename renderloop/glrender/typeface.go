package glrender

import (
	"image"
	"image/draw"
	"math"
	"sync"
	"unicode"

	"github.com/go-gl/gl/v4.1-core/gl"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"halfstep/buffer/body2d"
)

// Face is a proportional typeface of the HUD. It is drawn for the size of the HUD's unit, so that
// it is sharp on every display.
type Face uint8

const (
	// Regular is the face of most text.
	Regular Face = iota
	// Medium is heavier.
	Medium

	faces = 2
)

// LabelHeight is the height of a line of a Face, in HUD units.
const LabelHeight = 16

// With this size small letters are 7 units high.
const (
	letterSize     = 13.2
	letterBaseline = 12 // distance of the baseline from the top of the line, units
	letterAbove    = 2  // accents of capitals reach this far above the line, units
)

// Each letter of each face has a cell in the atlas. The same numbers are in shaders/hud.frag.glsl.
const (
	lettersMost  = 544 // cells of a face
	lettersRow   = 32  // number of cells in a row of the atlas
	letterWide   = 16  // width of a cell, units
	letterTall   = 20  // letterTall is the height of a letter in units.
	letterMargin = 2   // empty space to the left of the letter, units
)

// letters are the characters in the order of their cells: ASCII, Latin-1, Latin Extended-A, Greek,
// Cyrillic, and signs. The last one is drawn in place of every other character.
var letters = func() (all []rune) {
	for _, part := range [...][2]rune{{' ', '~'}, {0xa1, 0x17f}, {0x384, 0x3ce}, {0x401, 0x45f}, {0x490, 0x491}} {
		for c := part[0]; c <= part[1]; c++ {
			if unicode.IsPrint(c) {
				all = append(all, c)
			}
		}
	}
	return append(all, []rune("…−–—≤≥→←↑↓√•"+string(noLetter))...)
}()

// cells has the number of each letter's cell. 0 is the cell of the space, and also stands for a
// character without a cell.
var cells = func() (to [1 << 14]uint16) {
	for i, c := range letters {
		to[c] = uint16(i)
	}
	return to
}()

// noLetter is drawn in place of characters that the font does not have, such as emoji.
const noLetter = '□'

// letterOf returns the number of a character's cell, or that of noLetter's cell.
func letterOf(c rune) uint32 {
	if c >= 0 && int(c) < len(cells) && (cells[c] != 0 || c == ' ') {
		return uint32(cells[c])
	}
	return uint32(cells[noLetter])
}

// maxUnit is the largest HUD unit, in pixels: see Viewport.scale.
const maxUnit = 8

// widths has the widths of the letters in each face, in units.
type widths [faces][lettersMost]float32

// widthsAt has the widths for each unit. They are measured when they are first needed.
var widthsAt [maxUnit + 1]func() *widths

func init() {
	for unit := 1; unit <= maxUnit; unit++ {
		widthsAt[unit] = sync.OnceValue(func() *widths { return measure(unit) })
	}
}

func widthsFor(unit int) *widths { return widthsAt[min(max(unit, 1), maxUnit)]() }

// openFaces opens the faces for a unit. Only one goroutine may use them.
func openFaces(unit int) (opened [faces]font.Face) {
	for i, data := range [faces][]byte{goregular.TTF, gomedium.TTF} {
		parsed, err := opentype.Parse(data)
		if err != nil {
			panic(err) // the font is part of the program
		}
		opened[i], err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: letterSize * float64(unit), DPI: 72})
		if err != nil {
			panic(err)
		}
	}
	return opened
}

// measure returns the widths of the letters, in units. Drawn with unit pixels to the unit, each is a
// whole number of pixels.
func measure(unit int) *widths {
	w := &widths{}
	for i, face := range openFaces(unit) {
		for n, c := range letters {
			if a, ok := face.GlyphAdvance(c); ok {
				w[i][n] = float32(a.Round()) / float32(unit)
			}
		}
	}
	return w
}

// Unit is the size of a HUD unit, in pixels, for a content scale.
func Unit(scale float64) int {
	return int(math.Max(1, math.Round(Viewport{Scale: scale}.scale())))
}

// LabelWidth is the width of a line in a face, in units of the given size in pixels.
func LabelWidth(f Face, unit int, s string) float32 {
	widths := widthsFor(unit)
	w := float32(0)
	for _, c := range s {
		w += widths[min(f, faces-1)][letterOf(c)]
	}
	return w
}

// Label writes one line in a face, with its top left corner at (x, y), in units. It keeps no
// reference to s.
func (h *HUD) Label(x, y float32, f Face, c body2d.Colour, s string) {
	f = min(f, faces-1)
	widths := widthsFor(int(h.unit))
	px, py := round(x*h.unit), round(y*h.unit)
	for _, char := range s {
		letter := letterOf(char)
		if char != ' ' {
			left, top := px-letterMargin*h.unit, py-letterAbove*h.unit
			h.list = append(h.list, hudInstance{
				[4]float32{left, top, left + letterWide*h.unit, top + letterTall*h.unit},
				uint32(f)*lettersMost + letter, c, h.clip,
			})
		}
		px += widths[f][letter] * h.unit
	}
}

// fontAtlas is a picture of all cells for a unit.
func fontAtlas(unit int) *image.Gray {
	atlas := image.NewGray(image.Rect(0, 0, lettersRow*letterWide*unit, faces*lettersMost/lettersRow*letterTall*unit))
	for f, face := range openFaces(min(max(unit, 1), maxUnit)) {
		for n, c := range letters {
			n += f * lettersMost
			at := image.Pt(n%lettersRow*letterWide*unit, n/lettersRow*letterTall*unit)
			dot := fixed.P(at.X+letterMargin*unit, at.Y+(letterAbove+letterBaseline)*unit)
			to, mask, from, _, ok := face.Glyph(dot, c)
			cell := image.Rect(at.X, at.Y, at.X+letterWide*unit, at.Y+letterTall*unit)
			if in := to.Intersect(cell); ok && !in.Empty() {
				draw.DrawMask(atlas, in, image.White, image.Point{}, mask, from.Add(in.Min.Sub(to.Min)), draw.Over)
			}
		}
	}
	return atlas
}

// uploadAtlas fills the texture with the atlas for a unit. New and changes of the
// unit call it; frames do not.
func uploadAtlas(h *hostState, id uint32, unit int) {
	atlas := fontAtlas(unit)
	var bound int32
	gl.GetIntegerv(gl.TEXTURE_BINDING_2D, &bound)
	gl.BindTexture(gl.TEXTURE_2D, id)
	h.plainPixels(&writing)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.R8, int32(atlas.Rect.Dx()), int32(atlas.Rect.Dy()), 0, gl.RED, gl.UNSIGNED_BYTE, gl.Ptr(atlas.Pix))
	h.restorePixels(&writing)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 0) // there are no mipmaps
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.BindTexture(gl.TEXTURE_2D, uint32(bound))
}
