package world

import (
	"math"

	"halfstep/buffer/body2d"
)

// DrawPoint draws a dot at a point of the world, in m: see [World.DrawText].
func (w *World) DrawPoint(at Vec, c body2d.Colour) {
	w.checkGoroutine()
	w.sheet.add(at, at, "", c)
}

// DrawLine draws a line between two points of the world, in m: see [World.DrawText].
func (w *World) DrawLine(from, to Vec, c body2d.Colour) {
	w.checkGoroutine()
	w.sheet.add(from, to, "", c)
}

// DrawText writes a line of text at a point of the world, in m. Drawings show in the picture what a
// program computes, such as the target of a controller, a ray and its hit, or a plan. The zero
// Colour leaves the choice to the renderer.
//
// A drawing belongs to the next published state. The next step begins without drawings, so a
// controller or a hook must draw again in each step. Drawings change nothing in the world and
// no hash. They are published with the states: in View.Debug if [body2d.DrawnLayer] is requested,
// in recordings with states, and to watchers. A replay makes them again, and a snapshot contains
// them.
//
// Drawings with points that are not finite are left out, and so are those beyond the limit
// [body2d.MaxDrawings].
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
