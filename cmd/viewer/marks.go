package main

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
)

// mostMarks bounds what one layer draws, so that a frame stays short in a scene of
// many bodies.
const mostMarks = 4000

var (
	velocityColour = colour{94, 214, 160, 230}
	normalColour   = colour{214, 160, 250, 200}
	axisX          = colour{244, 112, 112, 255}
	axisY          = colour{120, 220, 130, 255}
	impulseColour  = colour{255, 214, 92, 240}
	frictionColour = colour{255, 120, 200, 240}
	fastColour     = colour{255, 90, 60, 255}
	pathColour     = colour{96, 165, 250, 255}
	labelColour    = colour{176, 188, 204, 255}
	nailColour     = colour{236, 240, 246, 255}
	apartColour    = colour{255, 92, 92, 255}
	ringColour     = colour{255, 255, 255, 230}
)

// pen draws in world coordinates on a half of the picture.
type pen struct {
	*glrender.HUD
	camera scene.Camera
	half   surface
	left   float32 // the left edge of the half, units
}

func (p *pen) at(x, y float64) (float32, float32) {
	px, py := p.camera.WorldToScreen(x, y, p.half.w, p.half.h)
	return p.left + float32(px)/p.Unit(), float32(py) / p.Unit()
}

func (p *pen) sees(x, y float32) bool {
	return x > p.left-20 && x < p.left+float32(p.half.w)/p.Unit()+20 && y > -20 && y < float32(p.half.h)/p.Unit()+20
}

// line draws from a point of the world, in m, by a way in units.
func (p *pen) line(x, y, dx, dy float32, width float32, c colour) { p.Line(x, y, x+dx, y+dy, width, c) }

func (v *viewer) drawMarks(h *glrender.HUD) {
	half := v.half()
	wide, tall := float32(half.w)/h.Unit(), float32(half.h)/h.Unit()
	mark := func(left float32, view *scene.View[body2d.State]) {
		h.Clip(left, 0, wide, tall)
		v.markHalf(&pen{h, v.camera.Camera, half, left}, view)
	}
	if mark(0, v.view); v.right != nil {
		mark(wide, v.right.view)
	}
	h.Unclip()
}

// nameRoom is the room for names: one in a cell of the picture, so that they can be read.
type nameRoom [64 * 64]bool

// take takes the cell of a point, if it is free.
func (r *nameRoom) take(x, y float32) bool {
	i := (int(y/18)&63)*64 + int(x/56)&63
	free := !r[i]
	r[i] = true
	return free
}

func (v *viewer) markHalf(p *pen, view *scene.View[body2d.State]) {
	v.nameRoom = nameRoom{}
	v.markLabels(p)
	if v.layers&(glrender.Centres|namesLayer|velocitiesLayer|normalsLayer|islandsLayer|fastLayer) != 0 {
		n := 0
		for slot := range view.Scene.Bodies {
			if n == mostMarks {
				break
			}
			if v.markBody(p, view, slot) {
				n++
			}
		}
	}
	if view.Debug != nil {
		if v.layers&glrender.Contacts != 0 {
			p.markImpulses(view)
		}
		if v.layers&coloursLayer != 0 {
			p.markColours(view)
		}
	}
	for i := range view.Scene.Joints {
		if j := &view.Scene.Joints[i]; isNail(view.Scene, j) {
			if pose, ok := scene.PoseOf(view, int(j.SlotA)); ok {
				x, y := p.at(float64(pose.X), float64(pose.Y))
				p.Panel(x-5, y-5, 10, 10, 5, nailColour)
				p.Panel(x-2, y-2, 4, 4, 2, colour{20, 24, 30, 255})
			}
		}
	}
	v.markApart(p, view)
	v.markChosen(p, view)
}

// markLabels writes the labels of the scene, but for one that the label before it
// leaves no room.
func (v *viewer) markLabels(p *pen) {
	labels := v.scenes[v.current].Labels
	right, line := float32(-1), float32(-1)
	for i := range labels {
		l := &labels[i]
		if x, y := p.at(l.X, l.Y); p.sees(x, y) {
			w := labelWidth(int(p.Unit()), l.Text)
			if y == line && x-w/2 < right+4 && x > right-w {
				continue
			}
			right, line = x+w/2, y
			p.Label(x-w/2, y-8, glrender.Regular, labelColour, l.Text)
		}
	}
}

// markBody draws the layers of one body, and reports whether it is in sight.
func (v *viewer) markBody(p *pen, view *scene.View[body2d.State], slot int) bool {
	b := &view.Scene.Bodies[slot]
	pose, ok := scene.PoseOf(view, slot)
	if !ok || !b.Exists {
		return false
	}
	x, y := p.at(float64(pose.X), float64(pose.Y))
	if v.layers&normalsLayer != 0 {
		p.markNormals(view, slot, pose)
	}
	if !p.sees(x, y) {
		return false
	}
	if v.layers&glrender.Centres != 0 {
		sin, cos := math.Sincos(float64(pose.Angle))
		const long = 9
		p.line(x, y, long*float32(cos), -long*float32(sin), 1.5, axisX)
		p.line(x, y, -long*float32(sin), -long*float32(cos), 1.5, axisY)
	}
	if s := &view.Cur[slot]; v.layers&velocitiesLayer != 0 && (s.VX != 0 || s.VY != 0) {
		const ahead = .25 // s
		tx, ty := p.at(float64(pose.X+ahead*s.VX), float64(pose.Y+ahead*s.VY))
		p.arrow(x, y, tx, ty, velocityColour)
	}
	if v.layers&islandsLayer != 0 && view.Debug != nil && slot < len(view.Debug.Islands) {
		if n := view.Debug.Islands[slot]; n > 0 {
			p.outlineIn(view, slot, islandColour(n))
		}
	}
	if v.layers&fastLayer != 0 && isFast(view, slot) {
		p.outlineIn(view, slot, fastColour)
	}
	if v.layers&namesLayer != 0 && b.Name != "" && v.nameRoom.take(x, y) {
		p.tag(x, y, b.Name)
	}
	return true
}

func (p *pen) arrow(x0, y0, x1, y1 float32, c colour) {
	dx, dy := x1-x0, y1-y0
	d := float32(math.Hypot(float64(dx), float64(dy)))
	if d < 2 {
		return
	}
	p.Line(x0, y0, x1, y1, 1.5, c)
	if d > 7 {
		ux, uy := dx/d*5, dy/d*5
		p.Line(x1, y1, x1-ux-uy*.6, y1-uy+ux*.6, 1.5, c)
		p.Line(x1, y1, x1-ux+uy*.6, y1-uy-ux*.6, 1.5, c)
	}
}

func (p *pen) tag(x, y float32, text string) {
	w := labelWidth(int(p.Unit()), text)
	p.Panel(x-w/2-3, y-8, w+6, 16, 3, colour{10, 13, 18, 170})
	p.Label(x-w/2, y-8, glrender.Regular, colour{255, 255, 255, 235}, text)
}

// sides is the number of sides of a polygon or a line.
func sides(s *scene.Shape) int {
	if s.Kind == body2d.Polyline {
		return int(s.N) - 1
	}
	return int(s.N)
}

// markNormals draws the normal of each side of a body's polygons.
func (p *pen) markNormals(view *scene.View[body2d.State], slot int, pose scene.CentrePose) {
	b := &view.Scene.Bodies[slot]
	ox, oy := pose.Origin(b.LocalX, b.LocalY)
	sin, cos := math.Sincos(float64(pose.Angle))
	turn := func(x, y float64) (float64, float64) { return cos*x - sin*y, sin*x + cos*y }
	for s := range view.Scene.ShapesOf(slot) {
		if s.Kind == body2d.Disc {
			continue
		}
		for i := range sides(s) {
			a, c := s.Points[i], s.Points[(i+1)%int(s.N)]
			ex, ey := float64(c[0]-a[0]), float64(c[1]-a[1])
			long := math.Hypot(ex, ey)
			if long == 0 {
				continue
			}
			out := float64(s.Radius) / long
			mx, my := turn(float64(a[0])+ex/2+ey*out, float64(a[1])+ey/2-ex*out)
			nx, ny := turn(ey/long, -ex/long)
			x, y := p.at(ox+mx, oy+my)
			if p.sees(x, y) {
				p.line(x, y, 8*float32(nx), -8*float32(ny), 1.2, normalColour)
			}
		}
	}
}

// markImpulses draws the normal impulse of each contact point, and that of friction,
// as lines that are as long as its root, so that small ones can be seen beside large
// ones.
func (p *pen) markImpulses(view *scene.View[body2d.State]) {
	for i := range view.Debug.Contacts {
		if i == mostMarks {
			return
		}
		k := &view.Debug.Contacts[i]
		if k.Impulse <= 0 {
			continue
		}
		x, y := p.at(float64(k.X), float64(k.Y))
		if !p.sees(x, y) {
			continue
		}
		long := markLong(k.Impulse)
		p.line(x-long*k.NX, y+long*k.NY, 2*long*k.NX, -2*long*k.NY, 1.5, impulseColour)
		if k.Friction != 0 {
			along := markLong(k.Friction)
			p.line(x-along*k.NY, y-along*k.NX, 2*along*k.NY, 2*along*k.NX, 1.5, frictionColour)
		}
	}
}

// markChosen draws a ring about the body that the user looks into, and its path.
func (v *viewer) markChosen(p *pen, view *scene.View[body2d.State]) {
	n := &v.inspect
	if n.body == 0 {
		return
	}
	if ofRight := v.right != nil && view == v.right.view; n.path && n.right == ofRight {
		first := max(0, n.trailed-trailLong)
		for i := first + 1; i < n.trailed; i++ {
			a, b := n.trail[(i-1)%trailLong], n.trail[i%trailLong]
			x0, y0 := p.at(a.X, a.Y)
			x1, y1 := p.at(b.X, b.Y)
			if p.sees(x0, y0) || p.sees(x1, y1) {
				c := pathColour
				c[3] = uint8(40 + 200*(i-first)/trailLong)
				p.Line(x0, y0, x1, y1, 2, c)
			}
		}
	}
	slot, ok := view.Scene.Slot(uint64(n.body))
	if !ok {
		return
	}
	p.outlineIn(view, slot, ringColour)
}

func (p *pen) outlineIn(view *scene.View[body2d.State], slot int, col colour) {
	pose, ok := scene.PoseOf(view, slot)
	if !ok {
		return
	}
	b := &view.Scene.Bodies[slot]
	ox, oy := pose.Origin(b.LocalX, b.LocalY)
	sin, cos := math.Sincos(float64(pose.Angle))
	place := func(x, y float64) (float32, float32) { return p.at(ox+cos*x-sin*y, oy+sin*x+cos*y) }
	for s := range view.Scene.ShapesOf(slot) {
		if s.Radius > 0 && s.Kind != body2d.Polyline {
			p.roundOutline(s, place, col)
			continue
		}
		for i := range sides(s) {
			a, c := s.Points[i], s.Points[(i+1)%int(s.N)]
			x0, y0 := place(float64(a[0]), float64(a[1]))
			x1, y1 := place(float64(c[0]), float64(c[1]))
			p.Line(x0, y0, x1, y1, 2, col)
		}
	}
}

// roundOutline draws the outline of a disc, a capsule or a polygon with round corners:
// about each corner an arc from the normal of the side before to that of the side after.
func (p *pen) roundOutline(s *scene.Shape, place func(x, y float64) (float32, float32), col colour) {
	const sides = 24 // of a circle
	n, r := int(s.N), float64(s.Radius)
	if s.Kind == body2d.Disc {
		n = 1
	}
	normal := func(i int) float64 { // its direction
		a, b := s.Points[i%n], s.Points[(i+1)%n]
		return math.Atan2(float64(a[0]-b[0]), float64(b[1]-a[1]))
	}
	var firstX, firstY, lastX, lastY float32
	for i := range n {
		from, turn := 0.0, 2*math.Pi
		if n > 1 {
			from = normal(i + n - 1)
			turn = math.Mod(normal(i)-from+4*math.Pi, 2*math.Pi)
		}
		pieces := math.Ceil(turn * sides / (2 * math.Pi))
		for k := 0.0; k <= pieces; k++ {
			si, co := math.Sincos(from + turn*k/max(pieces, 1))
			x, y := place(float64(s.Points[i][0])+r*co, float64(s.Points[i][1])+r*si)
			if i == 0 && k == 0 {
				firstX, firstY = x, y
			} else {
				p.Line(lastX, lastY, x, y, 2, col)
			}
			lastX, lastY = x, y
		}
	}
	p.Line(lastX, lastY, firstX, firstY, 2, col)
}

// chosenLabel is the name of the chosen body in -stats.
func (s *session) chosenLabel() string {
	if s.inspect.body == 0 {
		return ""
	}
	slot, ok := s.view.Scene.Slot(uint64(s.inspect.body))
	if !ok {
		return ""
	}
	return label(s.view, slot)
}

// The layers here show how a step is solved: islands, the colours of the soft
// step's graph, and bodies that are fast.

// markLong is the length of an impulse in the picture, in units.
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
func (p *pen) markColours(view *scene.View[body2d.State]) {
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
	case g.Kind == body2d.Polyline || n < 2:
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
