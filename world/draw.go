package world

import (
	"math"

	"halfstep/buffer/body2d"
)

// DrawPoint draws a dot at a point of the world, m, into the picture: see [World.DrawText].
func (w *World) DrawPoint(at Vec, c body2d.Colour) {
	w.checkGoroutine()
	w.sheet.add(at, at, "", c)
}

// DrawLine draws a line between two points of the world, m, into the picture: see
// [World.DrawText].
func (w *World) DrawLine(from, to Vec, c body2d.Colour) {
	w.checkGoroutine()
	w.sheet.add(from, to, "", c)
}

// DrawText writes a line of text at a point of the world, m, into the picture. Drawings help to
// see what a program computes, such as the target of a controller, a ray and its hit, or a plan.
// The zero Colour leaves the choice to the renderer.
//
// A drawing belongs to the next published state. The step after that begins without drawings, so
// a controller or a hook must draw again in each step. Drawings change nothing in the world and
// no hash. Drawings follow the states: into View.Debug while [body2d.DrawnLayer] is requested,
// into recordings with states, and to watchers. A replay draws them again, and a snapshot
// contains them.
//
// Drawings with points that are not finite, or beyond [body2d.MaxDrawings], are left out.
func (w *World) DrawText(at Vec, text string, c body2d.Colour) {
	if w.checkGoroutine(); text != "" {
		w.sheet.add(at, at, text, c)
	}
}

// add adds a drawing if its points are finite and the list is not full.
func (h *sheet) add(a, b Vec, text string, c body2d.Colour) {
	finite := math.Abs(a.X)+math.Abs(a.Y)+math.Abs(b.X)+math.Abs(b.Y) <= math.MaxFloat32
	if finite && len(h.drawings) < body2d.MaxDrawings {
		h.drawings = append(h.drawings, body2d.Drawing{
			A: [2]float32{float32(a.X), float32(a.Y)}, B: [2]float32{float32(b.X), float32(b.Y)}, Text: text, Colour: c,
		})
	}
}

// sheet has the program's drawings.
type sheet struct {
	drawings []body2d.Drawing
	drawn    int // the number of drawings that belong to the state after the last step
}

// renew drops the drawings of the last step's state, and keeps those of later commands.
func (h *sheet) renew() {
	h.drawings = cleared(h.drawings, append(h.drawings[:0], h.drawings[h.drawn:]...))
	h.drawn = 0
}
