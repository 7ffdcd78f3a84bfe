package picture

import (
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// Controls is the picture's view of the controls beside it and over it.
type Controls interface {
	Width(s input.Surface) int   // the width of the surface that they take at the right, pixels
	Crowds(s input.Surface) bool // there is no room for the figures beside them
	Shapes() *ui.Context         // the shapes to draw, or nil
	Knob() uint64                // the tick of the time bar
	Drags() bool                 // the user drags something in the picture
	Key(action string) string    // the first key of an action
	HelpLines() []HelpLine       // all mouse actions and keys
}

// DrawControls draws the controls.
func (v *Picture) DrawControls(h *glrender.HUD) {
	c := v.controls.Shapes()
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

// Clear returns the size of the picture that the panel leaves free, in units.
func (v *Picture) Clear(h *glrender.HUD) (width, height float32) {
	width, height = h.Size()
	return width - float32(v.controls.Width(v.Surface))/h.Unit(), height
}
