package main

import (
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// controls is what the picture has to know of the controls beside it and over it.
type controls interface {
	width(s input.Surface) int   // how much of the surface they take at the right, pixels
	crowds(s input.Surface) bool // there is no room for the figures beside them
	shapes() *ui.Context         // what is to be drawn of them, or nil
	knob() uint64                // the tick of the time bar
	drags() bool                 // the user drags something in the picture
	key(action string) string    // the first key of an action
	helpLines() []helpLine       // all mouse actions and keys
}

// drawControls draws the controls.
func (v *picture) drawControls(h *glrender.HUD) {
	c := v.controls.shapes()
	if c == nil {
		return
	}
	shapes := c.Shapes()
	for i := range shapes {
		s := &shapes[i]
		h.Clip(0, s.Top, 1e6, s.Bottom-s.Top)
		switch s.Kind {
		case ui.Box:
			h.Panel(s.X, s.Y, s.W, s.H, s.R, s.Colour)
		case ui.Line:
			h.Line(s.X, s.Y, s.W, s.H, s.R, s.Colour)
		case ui.Label:
			h.Label(s.X, s.Y, glrender.Face(s.Face), s.Colour, c.Text(s))
		}
	}
	h.Unclip()
}

// clear returns the size of the picture that the panel leaves free, in units.
func (v *picture) clear(h *glrender.HUD) (width, height float32) {
	width, height = h.Size()
	return width - float32(v.controls.width(v.surface))/h.Unit(), height
}
