package draw

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
)

// Layers is a set of things to draw besides the bodies.
type Layers uint32

const (
	// Joints draws a line for each joint.
	Joints Layers = 1 << iota
	// Boxes draws the bounding boxes in View.Debug.
	Boxes
	// Contacts draws the contact points in View.Debug, with the impulses of the normal and of
	// friction.
	Contacts
	// Centres draws the axes of each body at its centre of mass.
	Centres
	// Velocities draws how far a body goes in a quarter of a second.
	Velocities
	// Names writes the names of bodies.
	Names
	// Sleep dims bodies that sleep.
	Sleep
)

// Payload is the debug data that the layers need in View.Debug; see Engine.SetDebugLayers.
func (l Layers) Payload() (d body2d.DebugLayers) {
	if l&Boxes != 0 {
		d |= body2d.DebugBoxes
	}
	if l&Contacts != 0 {
		d |= body2d.DebugContacts
	}
	return d
}

// Painter draws views. It allocates nothing once it has drawn. It must be made by
// [NewPainter] and belongs to the render thread.
type Painter struct {
	Theme  Theme
	Layers Layers
	Mark   float64 // how long the axis of a body is, and the line of an impulse of 1 N·s, m

	corners [body2d.MaxPoints]Vec
}

// NewPainter returns a painter of the given layers, in the default theme, whose marks are
// 0.25 m long.
func NewPainter(layers Layers) *Painter {
	return &Painter{Theme: DefaultTheme(), Layers: layers, Mark: .25}
}

// frame is where a body is shown: its origin, and the direction of its x axis.
type frame struct {
	at       Vec
	sin, cos float64
}

func (f *frame) place(p [2]float32) Vec {
	x, y := float64(p[0]), float64(p[1])
	return Vec{f.at.X + f.cos*x - f.sin*y, f.at.Y + f.sin*x + f.cos*y}
}

// frameOf reports false for a slot that shows no body.
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

// Draw draws the bodies of a view as it shows them, and the layers over them.
func (p *Painter) Draw(c Canvas, v *scene.View[body2d.State]) {
	for slot := range v.Scene.Bodies {
		if f, _, ok := frameOf(v, slot); ok {
			for s := range v.Scene.ShapesOf(slot) {
				p.shape(c, v, slot, s, &f)
			}
		}
	}
	if p.Layers&Joints != 0 {
		for i := range v.Scene.Joints {
			p.joint(c, v, &v.Scene.Joints[i])
		}
	}
	if v.Debug != nil {
		p.debug(c, v.Debug)
	}
	if p.Layers&(Centres|Velocities|Names) != 0 {
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
	l := p.Theme.look(b.Type, slot, own, s.Sensor, v.Cur[slot].Flags(), p.Layers&Sleep != 0)
	points := p.corners[:s.N]
	for i := range points {
		points[i] = f.place(s.Points[i])
	}
	switch radius := float64(s.Radius); {
	case s.Kind == body2d.Disc:
		c.Circle(points[0], radius, l)
		c.Line(points[0], Vec{points[0].X + f.cos*radius, points[0].Y + f.sin*radius}, l.Edge)
	case s.Kind == body2d.Convex && len(points) == 2:
		c.Capsule(points[0], points[1], radius, l)
	case s.Kind == body2d.Convex:
		c.Polygon(points, radius, l)
	default:
		for i := 1; i < len(points); i++ {
			c.Line(points[i-1], points[i], l.Fill)
		}
	}
}

func (p *Painter) joint(c Canvas, v *scene.View[body2d.State], j *scene.Joint) {
	if j.Hidden {
		return
	}
	end := func(slot int32, at [2]float32) (Vec, bool) {
		if slot < 0 {
			return Vec{float64(at[0]), float64(at[1])}, true
		}
		f, _, ok := frameOf(v, int(slot))
		return f.place(at), ok
	}
	a, okA := end(j.SlotA, j.A)
	b, okB := end(j.SlotB, j.B)
	if !okA || !okB {
		return
	}
	if j.HasVia {
		from := Vec{float64(j.Via[0][0]), float64(j.Via[0][1])}
		to := Vec{float64(j.Via[1][0]), float64(j.Via[1][1])}
		c.Line(a, from, p.Theme.Joint)
		c.Line(from, to, p.Theme.Joint)
		a = to
	}
	c.Line(a, b, p.Theme.Joint)
	c.Point(a, p.Theme.Joint)
	c.Point(b, p.Theme.Joint)
}

func (p *Painter) debug(c Canvas, d *body2d.Debug) {
	if p.Layers&Boxes != 0 {
		for _, b := range d.Boxes {
			low, high := Vec{float64(b.MinX), float64(b.MinY)}, Vec{float64(b.MaxX), float64(b.MaxY)}
			c.Line(low, Vec{high.X, low.Y}, p.Theme.Box)
			c.Line(Vec{high.X, low.Y}, high, p.Theme.Box)
			c.Line(high, Vec{low.X, high.Y}, p.Theme.Box)
			c.Line(Vec{low.X, high.Y}, low, p.Theme.Box)
		}
	}
	if p.Layers&Contacts == 0 {
		return
	}
	for i := range d.Contacts {
		k := &d.Contacts[i]
		at, n := Vec{float64(k.X), float64(k.Y)}, Vec{float64(k.NX), float64(k.NY)}
		p.push(c, at, n, k.Impulse, p.Theme.Impulse)
		p.push(c, at, Vec{n.Y, -n.X}, k.Friction, p.Theme.Friction)
		c.Point(at, p.Theme.Contact)
	}
}

// push draws an impulse as a line that is as long as its root, so that small ones can be seen
// beside large ones.
func (p *Painter) push(c Canvas, at, along Vec, impulse float32, col body2d.Colour) {
	long := p.Mark * math.Sqrt(math.Abs(float64(impulse)))
	if impulse < 0 {
		long = -long
	}
	if long != 0 {
		c.Line(at, Vec{at.X + long*along.X, at.Y + long*along.Y}, col)
	}
}

func (p *Painter) body(c Canvas, v *scene.View[body2d.State], slot int) {
	f, pose, ok := frameOf(v, slot)
	if !ok {
		return
	}
	at := Vec{float64(pose.X), float64(pose.Y)}
	if p.Layers&Centres != 0 {
		c.Line(at, Vec{at.X + p.Mark*f.cos, at.Y + p.Mark*f.sin}, p.Theme.AxisX)
		c.Line(at, Vec{at.X - p.Mark*f.sin, at.Y + p.Mark*f.cos}, p.Theme.AxisY)
	}
	if s := &v.Cur[slot]; p.Layers&Velocities != 0 && (s.VX != 0 || s.VY != 0) {
		const ahead = .25 // s
		c.Line(at, Vec{at.X + ahead*float64(s.VX), at.Y + ahead*float64(s.VY)}, p.Theme.Velocity)
	}
	if b := &v.Scene.Bodies[slot]; p.Layers&Names != 0 && b.Name != "" {
		c.Text(at, b.Name, p.Theme.Text)
	}
}
