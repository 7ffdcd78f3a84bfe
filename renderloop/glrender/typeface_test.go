package glrender

import (
	"image"
	"testing"

	"halfstep/buffer/body2d"

	"golang.org/x/image/math/fixed"
)

// allLetters are the characters that the faces have.
func allLetters() (all []rune) {
	for c := '!'; c < 127; c++ {
		all = append(all, c)
	}
	return append(all, []rune(moreLetters)...)
}

func TestEveryLetterHasACellOfItsOwnThatItFitsIn(t *testing.T) {
	for _, unit := range []int{1, 2, 3, maxUnit} {
		opened, atlas := openFaces(unit), fontAtlas(unit)
		seen := map[uint32]rune{}
		for _, c := range allLetters() {
			n := letterOf(c)
			if other, taken := seen[n]; taken || n >= lettersMost {
				t.Errorf("%q has the cell of %q", c, other)
			}
			seen[n] = c
			for f := range faces {
				k := int(n) + f*lettersMost
				cell := image.Rect(0, 0, letterWide*unit, letterTall*unit).Add(image.Pt(k%16*letterWide*unit, atlasHeight+k/16*letterTall*unit))
				dot := fixed.P(cell.Min.X+letterMargin*unit, cell.Min.Y+letterBaseline*unit)
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

func TestALabelIsAsWideAsItsWidthSays(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		h := new(Renderer).BeginHUD(Viewport{W: 400, H: 300, Scale: scale})
		const text = "Wide, narrow – α²…|"
		h.Label(10, 20, Medium, body2d.Colour{255, 255, 255, 255}, []byte(text))
		last := h.list[len(h.list)-1]
		bar := LabelWidth(Medium, int(scale), []byte("|"))
		want := (10 + LabelWidth(Medium, int(scale), []byte(text)) - bar - letterMargin) * float32(scale)
		if got := last.box[0]; got != want {
			t.Errorf("scale %v: the last letter is at %v, not %v", scale, got, want)
		}
		if last.what != labelKind+lettersMost+letterOf('|') || letterOf('世') != letterOf('?') {
			t.Errorf("its cell is %d", last.what)
		}
	}
}

func TestLabelsAreDrawnSharpAtEveryScale(t *testing.T) {
	const w, h = 120, 40
	r := newRenderer(t, Options{}, 2*w, 2*h)
	for scale := 1; scale <= 2; scale++ {
		fb := Viewport{W: w * scale, H: h * scale, Scale: float64(scale)}
		r.Clear(body2d.Colour{0, 0, 0, 255})
		hud := r.BeginHUD(fb)
		hud.Label(10, 10, Medium, body2d.Colour{255, 255, 255, 255}, []byte("HI"))
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
		wide := int(LabelWidth(Medium, scale, []byte("HI"))) * scale
		if bright < 25*scale*scale || first < 10*scale || last > 10*scale+wide {
			t.Errorf("scale %d: %d bright pixels from %d to %d", scale, bright, first, last)
		}
	}
}
