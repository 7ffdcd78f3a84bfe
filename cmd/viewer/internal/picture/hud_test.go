package picture

import (
	"math"
	"testing"

	"halfstep/cmd/viewer/ui"
)

// luminance returns the relative luminance of a colour. Contrast is computed from two
// luminances.
func luminance(c ui.Colour) float64 {
	f := func(x uint8) float64 {
		k := float64(x) / 255
		if k <= .04045 {
			return k / 12.92
		}
		return math.Pow((k+.055)/1.055, 2.4)
	}
	return .2126*f(c[0]) + .7152*f(c[1]) + .0722*f(c[2])
}

func TestTextStandsOutFromItsGround(t *testing.T) {
	for _, ground := range []ui.Colour{ui.Ground, {38, 45, 58, 255}, ui.Colour(HelpColour)} {
		for _, text := range []ui.Colour{ui.Ink, ui.Dim, ui.Faint, ui.Accent, ui.Warn, ui.Bad, ui.Colour(FrameColour), ui.Colour(StepColour)} {
			if k := (luminance(text) + .05) / (luminance(ground) + .05); k < 4.5 {
				t.Errorf("%v on %v: contrast %.2f", text, ground, k)
			}
		}
	}
}
