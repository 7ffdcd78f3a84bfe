package picture

import (
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
)

// Controls is what the picture knows of the controls beside it and over it.
type Controls interface {
	Width(s input.Surface) int   // Width returns the width that the controls take at the right of the surface, in pixels.
	Crowds(s input.Surface) bool // Crowds reports whether there is no room for the figures beside the controls.
	Shapes() *ui.Context         // Shapes returns the shapes to draw, or nil.
	Knob() uint64                // Knob returns the tick of the time bar.
	Drags() bool                 // Drags reports whether the user drags something in the picture.
	Key(action string) string    // Key returns the first key of an action.
	HelpLines() []HelpLine       // HelpLines returns all mouse actions and keys.
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

// Clear returns the size of the part of the picture that the panel does not cover, in
// units.
func (v *Picture) Clear(h *glrender.HUD) (width, height float32) {
	width, height = h.Size()
	return width - float32(v.controls.Width(v.Surface))/h.Unit(), height
}
