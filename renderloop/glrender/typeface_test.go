package glrender

import (
	"image"
	"testing"

	"halfstep/buffer/body2d"

	"golang.org/x/image/math/fixed"
)

func TestEveryLetterHasACellOfItsOwnThatItFitsIn(t *testing.T) {
	for _, unit := range []int{1, 2, 3, maxUnit} {
		opened, atlas := openFaces(unit), fontAtlas(unit)
		seen := map[uint32]rune{}
		for i, c := range letters[1:] {
			n := letterOf(c)
			if other, taken := seen[n]; taken || n >= lettersMost || int(n) != i+1 {
				t.Errorf("%q has the cell of %q", c, other)
			}
			seen[n] = c
			for f := range faces {
				k := int(n) + f*lettersMost
				cell := image.Rect(0, 0, letterWide*unit, letterTall*unit).Add(image.Pt(k%lettersRow*letterWide*unit, k/lettersRow*letterTall*unit))
				dot := fixed.P(cell.Min.X+letterMargin*unit, cell.Min.Y+(letterAbove+letterBaseline)*unit)
				to, _, _, _, ok := opened[f].Glyph(dot, c)
				if !ok || !to.In(cell) {
					t.Errorf("unit %d: %q takes %v of %v", unit, c, to, cell)
				}
				ink := 0
				for y := cell.Min.Y; y < cell.Max.Y; y++ {
					for x := cell.Min.X; x < cell.Max.X; x++ {
						ink += int(atlas.GrayAt(x, y).Y)
					}
				}
				if ink == 0 {
					t.Errorf("unit %d: %q is not drawn", unit, c)
				}
			}
		}
	}
}

func TestTheLettersOfEuropeanNamesAreWritten(t *testing.T) {
	for _, c := range "Größe Ångström łódź Ωμέγα Жуки" {
		if letterOf(c) == letterOf(noLetter) {
			t.Errorf("%q is a box", c)
		}
	}
}

func TestALabelIsAsWideAsItsWidthSays(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		h := new(Renderer).BeginHUD(Viewport{W: 400, H: 300, Scale: scale})
		const text = "Wide, narrow – α²…|"
		h.Label(10, 20, Medium, body2d.Colour{255, 255, 255, 255}, text)
		last := h.list[len(h.list)-1]
		bar := LabelWidth(Medium, int(scale), "|")
		want := (10 + LabelWidth(Medium, int(scale), text) - bar - letterMargin) * float32(scale)
		if got := last.box[0]; got != want {
			t.Errorf("scale %v: the last letter is at %v, not %v", scale, got, want)
		}
		if last.what != lettersMost+letterOf('|') {
			t.Errorf("its cell is %d", last.what)
		}
	}
}

func TestLabelsAreDrawnSharpAtEveryScale(t *testing.T) {
	const w, h = 120, 40
	r := newRenderer(t, 2*w, 2*h)
	brightAt1 := 0
	for _, exact := range []float64{1, 1.4, 2} {
		scale := Unit(exact) // a unit is a whole number of pixels
		fb := Viewport{W: w * scale, H: h * scale, Scale: exact}
		r.Clear(body2d.Colour{0, 0, 0, 255})
		hud := r.BeginHUD(fb)
		hud.Label(10, 10, Medium, body2d.Colour{255, 255, 255, 255}, "HI")
		hud.Draw()
		m := r.Screenshot(fb)
		bright, first, last := 0, w*scale, 0
		for y := range fb.H {
			for x := range fb.W {
				if m.NRGBAAt(x, y).R > 60 {
					bright++
					first, last = min(first, x), max(last, x)
				}
			}
		}
		wide := int(LabelWidth(Medium, scale, "HI")) * scale
		if bright < 25*scale*scale || first < 10*scale || last > 10*scale+wide {
			t.Errorf("scale %v: %d bright pixels from %d to %d", exact, bright, first, last)
		}
		if exact == 1 {
			brightAt1 = bright
		} else if scale == 1 && bright != brightAt1 {
			t.Errorf("at scale %v %d pixels are bright, not %d", exact, bright, brightAt1)
		}
	}
}

func TestWhatIsClippedIsNotDrawn(t *testing.T) {
	const w, h = 70, 40
	r := newRenderer(t, w, h)
	white := body2d.Colour{255, 255, 255, 255}
	fb := Viewport{W: w, H: h, Scale: 1}
	r.Clear(body2d.Colour{0, 0, 0, 255})
	hud := r.BeginHUD(fb)
	hud.Clip(0, 10, 55, 10)
	hud.Panel(0, 0, 20, h, 3, white)
	hud.Line(30, 0, 30, h, 4, white)
	hud.Label(35, 12, Medium, white, "HHH") // from 16 down
	hud.Rect(50, 0, 20, h, white)
	hud.Unclip()
	hud.Rect(0, 30, w, 1, white)
	hud.Draw()
	m := r.Screenshot(fb)
	for y := range h {
		bright := map[bool]int{}
		for x := range w {
			if m.NRGBAAt(x, y).R > 100 {
				if x >= 55 && y != 30 {
					t.Errorf("beside the box, at %d, %d, something is drawn", x, y)
				}
				bright[x < 35]++
			}
		}
		switch inside := y >= 10 && y < 20; {
		case y == 30:
		case inside != (bright[true] > 20), bright[false] > 0 && !inside:
			t.Errorf("in row %d are %v bright pixels", y, bright)
		}
	}
}

func TestACharacterWithoutALetterIsABox(t *testing.T) {
	for _, c := range "世😀" {
		if letterOf(c) != letterOf('□') || letterOf(c) == letterOf('?') {
			t.Errorf("%q has cell %d", c, letterOf(c))
		}
	}
}
