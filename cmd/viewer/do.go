package main

import (
	"math"
	"slices"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/ui"
	"halfstep/renderloop/glrender"
	"halfstep/world"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// What the user does to the world is commands, which a recording keeps. Each change
// begins with a snapshot, another command, and undo restores it: the world goes back to
// the moment before the change.

// undoable is a change that can be taken back.
type undoable struct {
	what   string
	number int // of the snapshot
	saved  savedControls
	chosen world.Body // in the inspector, of the right half or not
	right  bool
}

// mostUndo is how many changes can be taken back. Their snapshots follow viewerSnapshot.
const mostUndo = 8

// edit makes a change that can be taken back, in both halves. It says why it cannot.
func (s *session) edit(what string, f func(*player)) bool {
	if s.isPast() {
		return false
	}
	s.letGo() // or undo would bring back what pulls
	number := viewerSnapshot + 1 + s.changes%mostUndo
	s.changes++
	s.undos = append(s.undos, undoable{what, number, s.controls(), s.inspect.body, s.inspect.right})
	if len(s.undos) > mostUndo {
		s.undos = s.undos[1:]
	}
	s.engines(func(e *player) {
		if e.engine != nil {
			e.KeepSnapshot(number)
		}
		f(e)
	})
	s.count(what)
	return true
}

// undo takes the last change back, with all that has happened since.
func (s *session) undo() {
	n := len(s.undos) - 1
	switch {
	case s.isPast():
		return
	case n < 0:
		s.say("nothing to undo")
		return
	case s.player.engine == nil || s.right != nil && s.right.player.engine == nil:
		s.say("only the engine's own loop takes changes back")
		return
	}
	u := s.undos[n]
	s.undos = s.undos[:n]
	s.letGo()
	s.engines(func(e *player) {
		if e.engine != nil {
			e.RestoreSnapshot(u.number)
		}
	})
	s.restoreControls(&u.saved)
	if s.inspect.body == 0 {
		s.inspect.awaited, s.inspect.right = u.chosen, u.right
	}
	s.say("undone: " + u.what)
}

// menu is what a right click offers for a body or a place.
type menu struct {
	open bool
	undo bool    // there is something to undo
	x, y float32 // its corner, units
	of   *player // the half
	body world.Body
	at   world.Vec
}

// Sizes of the menu.
const (
	menuWide = 168
	menuRow  = 22
)

// menuItem is a row of the menu.
type menuItem struct {
	name string // of its control
	text string
	do   func(v *viewer, m menu)
}

var bodyMenu = []menuItem{
	{"menu copy", "Copy", func(v *viewer, m menu) { v.copyBody(m.of, m.body) }},
	{"menu delete", "Delete", func(v *viewer, m menu) { v.deleteBody(m.body) }},
	{"menu pin", "Pin here, to the world", func(v *viewer, m menu) { v.pinBody(m.body, m.at) }},
	{"menu undo", "Undo", func(v *viewer, _ menu) { v.undo() }},
}

var placeMenu = []menuItem{
	{"menu box", "New box", func(v *viewer, m menu) { v.create("box", m.at, world.Box(.5, .5)) }},
	{"menu ball", "New ball", func(v *viewer, m menu) { v.create("ball", m.at, bouncy(world.Circle(.5))) }},
	{"menu plank", "New plank", func(v *viewer, m menu) { v.create("plank", m.at, world.Box(2, .12)) }},
	{"menu undo", "Undo", func(v *viewer, _ menu) { v.undo() }},
}

func bouncy(s world.ShapeDef) world.ShapeDef {
	s.Restitution = .6
	return s
}

func (m *menu) items() []menuItem {
	items := placeMenu
	if m.body != 0 {
		items = bodyMenu
	}
	if !m.undo {
		items = items[:len(items)-1]
	}
	return items
}

func (m *menu) rect() ui.Rect {
	return ui.Rect{X: m.x, Y: m.y, W: menuWide, H: float32(len(m.items())*menuRow + 8)}
}

// openMenu opens the menu for what is under the cursor.
func (v *viewer) openMenu() {
	at := v.camera.world(v.half())
	body, _ := v.picked().pick(at)
	unit := float32(glrender.Unit(v.surface.scale))
	x := v.camera.x
	if v.overRight() {
		x += float64(v.half().w)
	}
	m := menu{open: true, undo: len(v.undos) > 0, of: v.picked(), body: body, at: at, x: float32(x) / unit, y: float32(v.camera.y) / unit}
	r := m.rect()
	m.x = max(0, min(m.x, float32(v.surface.w)/unit-r.W))
	m.y = max(0, min(m.y, float32(v.surface.h)/unit-r.H))
	if v.menu = m; body != 0 && !v.inspect.pinned {
		v.inspect.chooseIn(body, v.overRight())
	}
}

// layMenu lays out the menu over everything.
func (v *viewer) layMenu(c *ui.Context) {
	m := v.menu
	if !m.open {
		return
	}
	r := m.rect()
	c.Box(ui.Rect{X: r.X - 1, Y: r.Y - 1, W: r.W + 2, H: r.H + 2}, 5, ui.Edge)
	c.Box(r, 4, ui.Colour(helpColour))
	in := r.Inset(4)
	items := m.items()
	for i := range items {
		if c.Item(items[i].name, in.Top(menuRow), items[i].text, false) {
			v.menu.open = false
			items[i].do(v, m)
		}
	}
}

// create makes a dynamic body at a point.
func (v *viewer) create(name string, at world.Vec, shape world.ShapeDef) {
	shape.Density, shape.Friction = 1, .5
	v.edit("create "+name, func(e *player) {
		e.CreateBody(world.BodyDef{Name: name, Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{shape}})
	})
}

func (v *viewer) deleteBody(b world.Body) {
	if b != 0 {
		v.edit("delete", func(e *player) { e.DestroyBody(b) })
	}
}

// pinBody hangs a body on a point of the world, around which it turns.
func (v *viewer) pinBody(b world.Body, at world.Vec) {
	v.edit("pin", func(e *player) {
		p, ok := e.pose(b)
		if !ok {
			return
		}
		sin, cos := math.Sincos(p.Angle)
		x, y := at.X-p.X, at.Y-p.Y
		nail := e.CreateBody(world.BodyDef{Name: "nail", Position: at})
		e.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: nail, B: b, AnchorB: world.Vec{X: cos*x + sin*y, Y: cos*y - sin*x}})
	})
}

// copyBody makes a body with the shapes of one that a player shows beside it.
func (v *viewer) copyBody(e *player, b world.Body) {
	all := e.View().Scene
	slot, ok := all.Slot(uint64(b))
	p, shown := e.pose(b)
	if !ok || !shown {
		return
	}
	of := &all.Bodies[slot]
	d := world.BodyDef{Name: of.Name, Kind: world.BodyKind(of.Type), Angle: p.Angle}
	left, right := math.Inf(1), math.Inf(-1)
	for g := range all.ShapesOf(slot) {
		n := int(g.N)
		if g.Kind == body2d.Disc {
			n = 1
		}
		var points []world.Vec
		for _, q := range g.Points[:n] {
			points = append(points, world.Vec{X: float64(q[0]), Y: float64(q[1])})
			left, right = min(left, float64(q[0]-g.Radius)), max(right, float64(q[0]+g.Radius))
		}
		var shape world.ShapeDef
		switch {
		case g.Kind == body2d.Disc:
			shape = world.CircleAt(points[0].X, points[0].Y, float64(g.Radius))
		case g.Kind == body2d.Polyline:
			shape = world.Chain(points...)
		default:
			shape = world.Polygon(points...)
		}
		shape.Density, shape.Friction, shape.Colour, shape.Filter = 1, .5, g.Colour, world.Filter(g.Filter)
		d.Shapes = append(d.Shapes, shape)
	}
	d.Position = world.Vec{X: p.X + max(right-left, 0) + .1, Y: p.Y}
	if math.IsInf(left, 0) {
		d.Position.X = p.X + 1
	}
	v.edit("copy", func(e *player) { e.CreateBody(d) })
}

// drive gives the arrow keys to a driven scene. It reports whether it has taken the key.
func (v *viewer) drive(key glfw.Key, down bool) bool {
	if !v.scenes[v.current].driven || v.playedRecording() != nil {
		return false
	}
	at := slices.Index([]glfw.Key{glfw.KeyLeft, glfw.KeyRight, glfw.KeyDown, glfw.KeyUp}, key)
	if at < 0 {
		return false
	}
	arrows := v.arrows
	if arrows[at] = down; arrows != v.arrows {
		v.steer(arrows)
		v.handled = true
		v.count("drive")
	}
	return true
}

// steer tells a driven scene which arrow keys are held: left, right, down, up.
func (s *session) steer(arrows [4]bool) {
	s.arrows = arrows
	way := func(minus, plus bool) (x float64) {
		if plus {
			x++
		}
		if minus {
			x--
		}
		return x
	}
	x, y := way(arrows[0], arrows[1]), way(arrows[2], arrows[3])
	s.engines(func(e *player) { e.DoNamed(driveCommand, x, y) })
}

// layChange lays out what of the chosen body can be changed.
func (v *viewer) layChange(c *ui.Context, kind world.BodyKind) {
	n, r := &v.inspect, &v.inspect.info
	b := n.body
	c.Heading(c.Next(20), "Change")
	if i, changed := c.Choice("change kind", c.Next(ui.RowHeight), "kind", "", bodyKinds, int(kind)); changed {
		v.edit("change kind", func(e *player) { e.SetKind(b, world.BodyKind(i)) })
	}
	slider := func(name, text string, x float64, g *ui.Range, set func(e *player, x float64)) {
		y, changed, done := c.Slider(name, c.Next(ui.SliderHeight), text, "", x, g)
		if changed {
			if n.changing != name {
				v.edit(name, func(e *player) { set(e, y) })
				n.changing = name
			} else {
				v.engines(func(e *player) { set(e, y) })
			}
		}
		if done || n.changing == name && !c.Held(name) {
			n.changing = ""
		}
	}
	if kind == world.Dynamic && r.body.Mass > 0 && r.nShapes == len(r.shapes) {
		massRange.Default = r.body.Mass
		slider("change mass", "mass", r.body.Mass, &massRange, func(e *player, x float64) {
			for i, h := range r.handles {
				e.SetDensity(h, r.shapes[i].Density*x/r.body.Mass)
			}
		})
	} else if r.body.Mass > 0 {
		c.PairBytes(c.Next(ui.LineHeight), "mass", v.figures.line().num(r.body.Mass, 3).str(" kg"))
	}
	if len(r.shapes) > 0 {
		slider("change friction", "friction", r.shapes[0].Friction, &frictionRange, func(e *player, x float64) {
			for i, h := range r.handles {
				r.shapes[i].Friction = x // until the world says so
				e.SetFriction(h, x)
			}
		})
	}
	if kind != world.Static {
		at := r.body.Velocity
		slider("change velocity x", "velocity to the right", at.X, &velocityRange, func(e *player, x float64) { e.SetVelocity(b, world.Vec{X: x, Y: at.Y}) })
		slider("change velocity y", "velocity upwards", at.Y, &velocityRange, func(e *player, y float64) { e.SetVelocity(b, world.Vec{X: at.X, Y: y}) })
	}
	c.Space(4)
}

var (
	bodyKinds     = []string{world.Static.String(), world.Kinematic.String(), world.Dynamic.String()}
	massRange     = ui.Range{Min: .01, Max: 1000, Default: 1, Log: true, Unit: "kg", TypedMin: 1e-6, TypedMax: 1e9}
	frictionRange = ui.Range{Max: 2, Default: .2, Step: .05, TypedMax: 100}
	velocityRange = ui.Range{Min: -20, Max: 20, Step: .1, Unit: "m/s", TypedMin: -120, TypedMax: 120}
)

// plot has what the chosen body did, by tick: a ring that the past fills again.
type plot struct {
	what   int // of plotted
	ticks  [plotLong]uint64
	values [plotLong][len(plotted)]float32
}

const (
	plotLong = 360 // ticks
	mostHole = 30  // ticks that a line of the plot leads over
)

var plotted = [...]string{"speed, m/s", "height, m", "energy, J"}

// note keeps the values of a tick.
func (p *plot) note(tick uint64, values [len(plotted)]float32) {
	p.ticks[tick%plotLong], p.values[tick%plotLong] = tick, values
}

// follow takes the values of the two ticks that a frame shows.
func (p *plot) follow(e *player, n *inspector) {
	view := e.View()
	slot, there := view.Scene.Slot(uint64(n.body))
	if !there || slot >= len(view.Cur) {
		return
	}
	cur := &view.Cur[slot]
	if slot < len(view.Prev) && view.Tick > 0 {
		if prev := &view.Prev[slot]; prev.Flags()&body2d.Alive != 0 && prev.Generation() == cur.Generation() {
			p.note(view.Tick-1, n.values(prev))
		}
	}
	p.note(view.Tick, n.values(cur))
}

// values are those of plotted.
func (n *inspector) values(s *body2d.State) [len(plotted)]float32 {
	v2, w := float64(s.VX*s.VX+s.VY*s.VY), float64(s.Omega)
	energy := 0.0
	if n.info.known {
		energy = (n.info.body.Mass*v2 + n.info.body.Inertia*w*w) / 2
	}
	return [...]float32{float32(math.Sqrt(v2)), s.Y, float32(energy)}
}

// layPlot draws the last seconds up to the tick that is shown.
func (v *viewer) layPlot(c *ui.Context) {
	p := &v.inspect.plot
	if i, changed := c.Choice("plot", c.Next(ui.RowHeight), "plot", "", plotted[:], p.what); changed {
		p.what = i
	}
	const tall = 56
	r := c.Next(tall + 20)
	if !c.Sees(r) {
		return
	}
	box := r.Top(tall)
	c.Box(box, 3, ui.Edge)
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	now := v.inspected().View().Tick
	has := func(back uint64) (x float32, ok bool) {
		if back > now || p.ticks[(now-back)%plotLong] != now-back {
			return 0, false
		}
		return p.values[(now-back)%plotLong][p.what], true
	}
	for back := range uint64(plotLong) {
		if x, ok := has(back); ok {
			low, high = min(low, x), max(high, x)
		}
	}
	if low > high {
		return
	}
	span := max(high-low, 1e-3)
	place := func(back uint64, x float32) (float32, float32) {
		return box.X + box.W*(1-float32(back)/plotLong), box.Y + 3 + (box.H-6)*(1-(x-low)/span)
	}
	// A frame that shows several steps leaves ticks out: a line leads over these.
	last, x0, y0 := uint64(plotLong), float32(0), float32(0)
	for back := range uint64(plotLong) {
		x, ok := has(back)
		if !ok || back == last+1 { // half as many lines will do
			continue
		}
		x1, y1 := place(back, x)
		if last < back && back-last <= mostHole {
			c.Line(x0, y0, x1, y1, 1.3, ui.Accent)
		}
		last, x0, y0 = back, x1, y1
	}
	f := v.figures.line
	c.PairBytes(r, "in the last 360 ticks", f().num(float64(low), 2).str(" … ").num(float64(high), 2))
}
