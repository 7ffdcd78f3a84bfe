package picture

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/renderloop/draw"
	"halfstep/renderloop/glrender"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// mostMarks is the greatest number of bodies that markApart outlines. The limit keeps a frame
// short.
const mostMarks = 4000

var (
	pathColour  = colour{96, 165, 250, 255}
	labelColour = colour{176, 188, 204, 255}
	nailColour  = colour{236, 240, 246, 255}
	apartColour = colour{255, 92, 92, 255}
	ringColour  = colour{255, 255, 255, 230}
)

// pen draws marks on one half of the picture. Its methods convert from world coordinates.
type pen struct {
	*glrender.HUD
	camera scene.Camera
	half   input.Surface
	left   float32     // left is the left edge of the half, in units.
	canvas draw.Canvas // draws in world coordinates
}

// tagged is a canvas that draws text on a small dark panel. It omits text for which there is no
// room.
type tagged struct {
	draw.Canvas
	pen  *pen
	Room nameRoom
}

// Text writes a name, centred at a point in m.
func (n *tagged) Text(at draw.Vec, text string, c body2d.Colour) {
	if x, y := n.pen.at(at.X, at.Y); n.pen.sees(x, y) && n.Room.take(x, y) {
		n.pen.tag(x, y, text, colour(c))
	}
}

// at returns the position of a point of the world in units of the HUD. The point is in m.
func (p *pen) at(x, y float64) (float32, float32) {
	px, py := p.camera.WorldToScreen(x, y, p.half.W, p.half.H)
	return p.left + float32(px)/p.Unit(), float32(py) / p.Unit()
}

// sees reports whether a point of the HUD is in the half, or at most 20 units outside.
func (p *pen) sees(x, y float32) bool {
	return x > p.left-20 && x < p.left+float32(p.half.W)/p.Unit()+20 && y > -20 && y < float32(p.half.H)/p.Unit()+20
}

// DrawMarks draws the marks of bodies and joints over each half.
func (v *Picture) DrawMarks(h *glrender.HUD) {
	half := v.Half()
	wide, tall := float32(half.W)/h.Unit(), float32(half.H)/h.Unit()
	mark := func(left float32, view *scene.View[body2d.State]) {
		h.Clip(left, 0, wide, tall)
		v.pen = pen{HUD: h, camera: v.Camera.Camera, half: half, left: left}
		v.markHalf(&v.pen, view)
	}
	mark(0, v.session.Stage.View)
	if v.session.Stage.Right != nil {
		mark(wide, v.session.Stage.Right.View)
	}
	h.Unclip()
}

// nameRoom allows one name in each cell of the picture, so that names can be read.
type nameRoom [64 * 64]bool

// take reserves the cell of a point. It returns false if the cell is already reserved.
func (r *nameRoom) take(x, y float32) bool {
	i := (int(y/18)&63)*64 + int(x/56)&63
	free := !r[i]
	r[i] = true
	return free
}

// markHalf draws the marks of one half.
func (v *Picture) markHalf(p *pen, view *scene.View[body2d.State]) {
	v.markLabels(p)
	v.painter.Layers, v.painter.Mark = v.Layers&^body2d.JointsLayer, 9*float64(p.Unit())/p.camera.Scale(p.half.H)
	v.Tagged = tagged{Canvas: p.Canvas(p.camera, glrender.Viewport{X: int(p.left*p.Unit() + .5), W: p.half.W, H: p.half.H}), pen: p}
	p.canvas = &v.Tagged
	v.painter.Marks(p.canvas, view)
	for i := range view.Scene.Joints {
		if j := &view.Scene.Joints[i]; play.IsPin(view.Scene, j) {
			if pose, ok := scene.PoseOf(view, int(j.SlotA)); ok {
				x, y := p.at(float64(pose.X), float64(pose.Y))
				p.Panel(x-5, y-5, 10, 10, 5, nailColour)
				p.Panel(x-2, y-2, 4, 4, 2, colour{20, 24, 30, 255})
			}
		}
	}
	v.markApart(p, view)
	v.markChosen(p, view)
	v.markSketch(p)
}

// markLabels writes the labels of the scene. It omits a label that would touch the label before in
// the same line.
func (v *Picture) markLabels(p *pen) {
	labels := v.session.Stage.Scenes[v.session.Stage.Current].Labels
	right, line := float32(-1), float32(-1)
	for i := range labels {
		l := &labels[i]
		if x, y := p.at(l.X, l.Y); p.sees(x, y) {
			w := LabelWidth(int(p.Unit()), l.Text)
			if y == line && x-w/2 < right+4 && x > right-w {
				continue
			}
			right, line = x+w/2, y
			p.Label(x-w/2, y-8, glrender.Regular, labelColour, l.Text)
		}
	}
}

// tag writes a text on a panel, centred at a point.
func (p *pen) tag(x, y float32, text string, c colour) {
	w := LabelWidth(int(p.Unit()), text)
	p.Panel(x-w/2-3, y-8, w+6, 16, 3, colour{10, 13, 18, 170})
	p.Label(x-w/2, y-8, glrender.Regular, c, text)
}

// markChosen outlines the chosen body, shape and joint, and draws the path of the body.
func (v *Picture) markChosen(p *pen, view *scene.View[body2d.State]) {
	n := v.session.Inspect
	if n.Body == 0 {
		return
	}
	if ofRight := v.session.Stage.Right != nil && view == v.session.Stage.Right.View; n.Path && n.Right == ofRight {
		first := max(0, n.PathAdded-play.MostPathPoints)
		for i := first + 1; i < n.PathAdded; i++ {
			a, b := n.PathPoints[(i-1)%play.MostPathPoints], n.PathPoints[i%play.MostPathPoints]
			x0, y0 := p.at(a.X, a.Y)
			x1, y1 := p.at(b.X, b.Y)
			if p.sees(x0, y0) || p.sees(x1, y1) {
				c := pathColour
				c[3] = uint8(40 + 200*(i-first)/play.MostPathPoints)
				p.Line(x0, y0, x1, y1, 2, c)
			}
		}
	}
	slot, ok := view.Scene.Slot(uint64(n.Body))
	if !ok {
		return
	}
	v.painter.OutlineShape(p.canvas, view, slot, uint64(n.Shape), ringColour)
	for _, b := range n.More {
		if slot, ok := view.Scene.Slot(uint64(b)); ok {
			v.painter.OutlineShape(p.canvas, view, slot, 0, ringColour)
		}
	}
	for i := range view.Scene.Joints {
		if j := &view.Scene.Joints[i]; n.Joint != 0 && world.Joint(j.Handle) == n.Joint {
			v.painter.Joint(p.canvas, view, j, body2d.Colour(ringColour))
		}
	}
}

// markSketch draws the shape that releasing the button would make, with its size.
func (v *Picture) markSketch(p *pen) {
	k := &v.session.Sketcher.Sketch
	if !k.On || !v.controls.Drags() {
		return
	}
	if k.Frame {
		a, b := draw.Vec(k.From), draw.Vec(k.To)
		p.canvas.Polygon([]draw.Vec{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}}, 0, draw.Look{Edge: ringColour})
		return
	}
	if v.session.Sketcher.Tool == play.JointTool {
		p.canvas.Line(draw.Vec(k.From), draw.Vec(k.To), ringColour)
		x, y := p.at(k.To.X, k.To.Y)
		p.Panel(x-3, y-3, 6, 6, 3, ringColour) // where it will hold
		return
	}
	s, at, ok := k.Shape(v.session.Sketcher.Tool)
	if !ok {
		return
	}
	var corners []draw.Vec
	for _, q := range s.Points {
		corners = append(corners, draw.Vec{X: at.X + q.X, Y: at.Y + q.Y})
	}
	p.canvas.Polygon(corners, s.Radius, draw.Look{Edge: ringColour})
	t := v.Figures.Line().Num(math.Abs(k.To.X-k.From.X), 2).Str(" × ").Num(math.Abs(k.To.Y-k.From.Y), 2)
	if v.session.Sketcher.Tool == play.BallTool {
		t = v.Figures.Line().Str("radius ").Num(s.Radius, 2)
	}
	x, y := p.at(k.To.X, k.To.Y)
	p.tag(x, y+20, t.Str(" m").S(), ringColour)
}
