package draw

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// Painter draws views. After its first frames it allocates nothing. It must be made by
// [NewPainter], and belongs to the render thread.
type Painter struct {
	Theme  Theme
	Layers body2d.Layers
	Mark   float64 // length, m, of the axes of a body, and of the line of an impulse of 1 N·s

	corners [body2d.MaxPoints]Vec // scratch memory
}

// NewPainter returns a painter of the given layers, in the default theme, whose marks are
// 0.25 m long.
func NewPainter(layers body2d.Layers) *Painter {
	return &Painter{Theme: DefaultTheme(), Layers: layers, Mark: .25}
}

// frame is the place at which a body is shown: its origin, and the direction of its x axis.
type frame struct {
	at       Vec
	sin, cos float64
}

func (f *frame) place(p [2]float32) Vec {
	x, y := float64(p[0]), float64(p[1])
	return Vec{X: f.at.X + f.cos*x - f.sin*y, Y: f.at.Y + f.sin*x + f.cos*y}
}

// frameOf returns the frame of the body in a slot, and false if there is no body.
func frameOf(v *scene.View[body2d.State], slot int) (f frame, pose scene.CentrePose, ok bool) {
	if slot < 0 || slot >= len(v.Scene.Bodies) || !v.Scene.Bodies[slot].Exists {
		return f, pose, false
	}
	if pose, ok = scene.PoseOf(v, slot); ok {
		b := &v.Scene.Bodies[slot]
		f.at.X, f.at.Y = pose.Origin(b.LocalX, b.LocalY)
		f.sin, f.cos = math.Sincos(float64(pose.Angle))
	}
	return f, pose, ok
}

// Draw draws the bodies of a view, and the layers over them.
func (p *Painter) Draw(c Canvas, v *scene.View[body2d.State]) {
	for slot := range v.Scene.Bodies {
		if f, _, ok := frameOf(v, slot); ok {
			for s := range v.Scene.ShapesOf(slot) {
				p.shape(c, v, slot, s, &f)
			}
		}
	}
	p.Marks(c, v)
}

// Marks draws the layers alone, over bodies that are already drawn.
func (p *Painter) Marks(c Canvas, v *scene.View[body2d.State]) {
	if p.Layers&body2d.JointsLayer != 0 {
		for i := range v.Scene.Joints {
			p.Joint(c, v, &v.Scene.Joints[i], p.Theme.Joint)
		}
	}
	if v.Debug != nil {
		p.debug(c, v.Debug)
	}
	if p.Layers&(body2d.CentresLayer|body2d.VelocitiesLayer|body2d.NamesLayer|body2d.NormalsLayer|body2d.IslandsLayer|body2d.FastLayer) != 0 {
		for slot := range v.Scene.Bodies {
			p.body(c, v, slot)
		}
	}
}

func (p *Painter) shape(c Canvas, v *scene.View[body2d.State], slot int, s *scene.Shape, f *frame) {
	b := &v.Scene.Bodies[slot]
	own := s.Colour
	if own[3] == 0 {
		own = b.Colour
	}
	l := p.Theme.look(b.Type, slot, own, s.Sensor, v.Cur[slot].Flags(), p.Layers&body2d.SleepLayer != 0)
	p.geometry(c, s, f, l, l.Fill)
	if at := f.place(s.Points[0]); s.Kind == body2d.Disc {
		radius := float64(s.Radius)
		c.Line(at, Vec{X: at.X + f.cos*radius, Y: at.Y + f.sin*radius}, l.Edge)
	}
}

// geometry draws a shape with the colours of a look, or a polyline with the colour line.
func (p *Painter) geometry(c Canvas, s *scene.Shape, f *frame, l Look, line body2d.Colour) {
	points := p.corners[:s.N]
	for i := range points {
		points[i] = f.place(s.Points[i])
	}
	switch radius := float64(s.Radius); {
	case s.Kind == body2d.Disc:
		c.Circle(points[0], radius, l)
	case s.Kind == body2d.Convex && len(points) == 2:
		c.Capsule(points[0], points[1], radius, l)
	case s.Kind == body2d.Convex:
		c.Polygon(points, radius, l)
	default:
		for i := 1; i < len(points); i++ {
			c.Line(points[i-1], points[i], line)
		}
	}
}

// Joint draws a joint as a line with a dot at each end, and with its arms if it has any.
func (p *Painter) Joint(c Canvas, v *scene.View[body2d.State], j *scene.Joint, col body2d.Colour) {
	if j.Hidden {
		return
	}
	end := func(slot int32, at [2]float32) (Vec, bool) {
		if slot < 0 {
			return Vec{X: float64(at[0]), Y: float64(at[1])}, true
		}
		f, _, ok := frameOf(v, int(slot))
		anchor := f.place(at)
		if ok && j.Arms && !v.Scene.Bodies[slot].Static() {
			b := &v.Scene.Bodies[slot]
			c.Line(f.place([2]float32{b.LocalX, b.LocalY}), anchor, col)
		}
		return anchor, ok
	}
	a, okA := end(j.SlotA, j.A)
	b, okB := end(j.SlotB, j.B)
	if !okA || !okB {
		return
	}
	if j.HasVia {
		from := Vec{X: float64(j.Via[0][0]), Y: float64(j.Via[0][1])}
		to := Vec{X: float64(j.Via[1][0]), Y: float64(j.Via[1][1])}
		c.Line(a, from, col)
		c.Line(from, to, col)
		a = to
	}
	c.Line(a, b, col)
	c.Point(a, col)
	c.Point(b, col)
}

func (p *Painter) debug(c Canvas, d *body2d.Debug) {
	if p.Layers&body2d.BoxesLayer != 0 {
		for _, b := range d.Boxes {
			low, high := Vec{X: float64(b.MinX), Y: float64(b.MinY)}, Vec{X: float64(b.MaxX), Y: float64(b.MaxY)}
			c.Line(low, Vec{X: high.X, Y: low.Y}, p.Theme.Box)
			c.Line(Vec{X: high.X, Y: low.Y}, high, p.Theme.Box)
			c.Line(high, Vec{X: low.X, Y: high.Y}, p.Theme.Box)
			c.Line(Vec{X: low.X, Y: high.Y}, low, p.Theme.Box)
		}
	}
	for i := range d.Contacts {
		k := &d.Contacts[i]
		at, n := Vec{X: float64(k.X), Y: float64(k.Y)}, Vec{X: float64(k.NX), Y: float64(k.NY)}
		if p.Layers&body2d.ContactsLayer != 0 {
			p.push(c, at, n, k.Impulse, p.Theme.Impulse)
			p.push(c, at, Vec{X: n.Y, Y: -n.X}, k.Friction, p.Theme.Friction)
		}
		switch {
		case p.Layers&body2d.ColoursLayer != 0 && k.Colour > 0:
			c.Point(at, hue(int(k.Colour)))
		case p.Layers&body2d.ContactsLayer != 0:
			c.Point(at, p.Theme.Contact)
		}
	}
	for i := range d.Drawn {
		if p.Layers&body2d.DrawnLayer != 0 {
			p.drawing(c, &d.Drawn[i])
		}
	}
}

// drawing draws one of the program's own drawings.
func (p *Painter) drawing(c Canvas, d *body2d.Drawing) {
	a, b, col := Vec{X: float64(d.A[0]), Y: float64(d.A[1])}, Vec{X: float64(d.B[0]), Y: float64(d.B[1])}, d.Colour
	if col == (body2d.Colour{}) {
		col = p.Theme.Drawn
	}
	switch {
	case d.Text != "":
		c.Text(a, d.Text, col)
	case a == b:
		c.Point(a, col)
	default:
		c.Line(a, b, col)
	}
}

// push draws an impulse as a line. Its length is proportional to the square root of the
// impulse, so that small impulses can be seen beside large ones.
func (p *Painter) push(c Canvas, at, along Vec, impulse float32, col body2d.Colour) {
	long := p.Mark * math.Sqrt(math.Abs(float64(impulse)))
	if impulse < 0 {
		long = -long
	}
	if long != 0 {
		c.Line(at, Vec{X: at.X + long*along.X, Y: at.Y + long*along.Y}, col)
	}
}

func (p *Painter) body(c Canvas, v *scene.View[body2d.State], slot int) {
	f, pose, ok := frameOf(v, slot)
	if !ok {
		return
	}
	at := Vec{X: float64(pose.X), Y: float64(pose.Y)}
	if p.Layers&body2d.NormalsLayer != 0 {
		p.normals(c, v, slot, &f)
	}
	if d := v.Debug; p.Layers&body2d.IslandsLayer != 0 && d != nil && slot < len(d.Islands) && d.Islands[slot] > 0 {
		p.Outline(c, v, slot, hue(7*int(d.Islands[slot]))) // so that neighbours differ
	}
	if p.Layers&body2d.FastLayer != 0 && isFast(v, slot) {
		p.Outline(c, v, slot, p.Theme.Fast)
	}
	if p.Layers&body2d.CentresLayer != 0 {
		c.Line(at, Vec{X: at.X + p.Mark*f.cos, Y: at.Y + p.Mark*f.sin}, p.Theme.AxisX)
		c.Line(at, Vec{X: at.X - p.Mark*f.sin, Y: at.Y + p.Mark*f.cos}, p.Theme.AxisY)
	}
	if s := &v.Cur[slot]; p.Layers&body2d.VelocitiesLayer != 0 && (s.VX != 0 || s.VY != 0) {
		const ahead = .25 // s
		c.Line(at, Vec{X: at.X + ahead*float64(s.VX), Y: at.Y + ahead*float64(s.VY)}, p.Theme.Velocity)
	}
	if b := &v.Scene.Bodies[slot]; p.Layers&body2d.NamesLayer != 0 && b.Name != "" {
		c.Text(at, b.Name, p.Theme.Text)
	}
}

// normals draws the normal of each side of a body's polygons and lines.
func (p *Painter) normals(c Canvas, v *scene.View[body2d.State], slot int, f *frame) {
	for s := range v.Scene.ShapesOf(slot) {
		sides := int(s.N)
		switch s.Kind {
		case body2d.Disc:
			continue
		case body2d.Polyline:
			sides--
		}
		for i := range sides {
			a, b := f.place(s.Points[i]), f.place(s.Points[(i+1)%int(s.N)])
			long := math.Hypot(b.X-a.X, b.Y-a.Y)
			if long == 0 {
				continue
			}
			n, r := Vec{X: (b.Y - a.Y) / long, Y: (a.X - b.X) / long}, float64(s.Radius)
			from := Vec{X: (a.X+b.X)/2 + r*n.X, Y: (a.Y+b.Y)/2 + r*n.Y}
			c.Line(from, Vec{X: from.X + p.Mark*n.X, Y: from.Y + p.Mark*n.Y}, p.Theme.Normal)
		}
	}
}

// Outline draws the outlines of a body's shapes.
func (p *Painter) Outline(c Canvas, v *scene.View[body2d.State], slot int, col body2d.Colour) {
	p.OutlineShape(c, v, slot, 0, col)
}

// OutlineShape draws the outline of a body's shape with a handle. With handle 0 it draws the
// outlines of all its shapes.
func (p *Painter) OutlineShape(c Canvas, v *scene.View[body2d.State], slot int, handle uint64, col body2d.Colour) {
	f, _, ok := frameOf(v, slot)
	if !ok {
		return
	}
	l := Look{Edge: col}
	for s := range v.Scene.ShapesOf(slot) {
		if handle == 0 || s.Handle == handle {
			p.geometry(c, s, &f, l, col)
		}
	}
}

// isFast reports whether a body might pass through another one, because it moves more than
// half of its thinnest shape in a step.
func isFast(v *scene.View[body2d.State], slot int) bool {
	s := &v.Cur[slot]
	way := math.Hypot(float64(s.VX), float64(s.VY)) * v.Dt
	if way == 0 {
		return false
	}
	for g := range v.Scene.ShapesOf(slot) {
		if way > thin(g)/2 {
			return true
		}
	}
	return false
}

// thin is the distance from the middle of a shape to its nearest side, m. It is infinite for a
// polyline.
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
