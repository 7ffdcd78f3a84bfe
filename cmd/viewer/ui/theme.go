package ui

// The colours are for an opaque dark background.
var (
	Ground  = Colour{19, 23, 31, 255}
	Edge    = Colour{255, 255, 255, 20}
	Ink     = Colour{229, 234, 242, 255}
	Dim     = Colour{170, 180, 197, 255}
	Faint   = Colour{146, 157, 176, 255}
	Accent  = Colour{96, 165, 250, 255}
	Warn    = Colour{255, 178, 92, 255}
	Bad     = Colour{244, 112, 112, 255}
	well    = Colour{38, 45, 58, 255} // tracks, fields
	face    = Colour{41, 49, 63, 255} // buttons
	lit     = Colour{54, 65, 84, 255} // under the cursor
	chosen  = Colour{37, 78, 138, 255}
	keyFace = Colour{255, 255, 255, 18}
	tipBack = Colour{8, 10, 14, 250}
)

// Sizes of controls.
const (
	RowHeight    = 22 // RowHeight is the height of a button, a toggle or a choice.
	SliderHeight = 34
	Gap          = 6
	radius       = 4
)
