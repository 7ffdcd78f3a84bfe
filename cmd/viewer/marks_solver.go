package main

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// The layers here show how a step is solved: islands, the colours of the soft
// step's graph, and bodies that are fast.

// markLong is how long an impulse is drawn, in units.
func markLong(impulse float32) float32 {
	return min(6*float32(math.Sqrt(math.Abs(float64(impulse)))), 60)
}

// hues are colours that are told apart easily.
var hues = [...]colour{
	{239, 83, 80, 255}, {102, 187, 106, 255}, {66, 165, 245, 255}, {255, 202, 40, 255},
	{171, 71, 188, 255}, {38, 198, 218, 255}, {255, 138, 101, 255}, {174, 213, 129, 255},
	{236, 64, 122, 255}, {121, 134, 203, 255}, {255, 241, 118, 255}, {77, 182, 172, 255},
}

// islandColour is the colour of an island: neighbouring numbers have different ones.
func islandColour(n int32) colour { return hues[uint32(n)*7%uint32(len(hues))] }

// markColours draws a dot at each contact point in the colour that the contact has
// in the graph of the soft step. Contacts of one colour are solved side by side.
func (v *viewer) markColours(p *pen, view *scene.View[body2d.State]) {
	for i := range view.Debug.Contacts {
		if i == mostMarks {
			return
		}
		k := &view.Debug.Contacts[i]
		if k.Colour == 0 {
			continue
		}
		if x, y := p.at(float64(k.X), float64(k.Y)); p.sees(x, y) {
			p.Panel(x-3.5, y-3.5, 7, 7, 3.5, hues[int(k.Colour-1)%len(hues)])
		}
	}
}

// isFast reports whether a body moves so far in a step that it might pass through
// something: more than half of its smallest shape. Continuous collision is for it.
func isFast(view *scene.View[body2d.State], slot int) bool {
	s := &view.Cur[slot]
	way := math.Hypot(float64(s.VX), float64(s.VY)) * view.Dt
	if way == 0 {
		return false
	}
	for g := range view.Scene.ShapesOf(slot) {
		if way > thin(g)/2 {
			return true
		}
	}
	return false
}

// thin is the distance from a shape's middle to its nearest side, m. A line has none:
// it is infinite.
func thin(g *scene.Shape) float64 {
	n := int(g.N)
	switch {
	case g.Kind == body2d.Disc:
		return float64(g.Radius)
	case g.Kind == body2d.Polyline || n < 3:
		return math.Inf(1)
	}
	var cx, cy float64
	for _, q := range g.Points[:n] {
		cx, cy = cx+float64(q[0])/float64(n), cy+float64(q[1])/float64(n)
	}
	near := math.Inf(1)
	for i := range n {
		a, b := g.Points[i], g.Points[(i+1)%n]
		ex, ey := float64(b[0]-a[0]), float64(b[1]-a[1])
		if long := math.Hypot(ex, ey); long > 0 {
			near = min(near, math.Abs(ex*(cy-float64(a[1]))-ey*(cx-float64(a[0])))/long)
		}
	}
	return near + float64(g.Radius)
}

// payload is what physics is asked for with every state, for the layers.
func (v *viewer) payload() body2d.DebugLayers {
	d := v.layers.Payload()
	if v.marks.islands {
		d |= body2d.DebugIslands
	}
	if v.marks.colours {
		d |= body2d.DebugContacts | body2d.DebugColours
	}
	return d
}
