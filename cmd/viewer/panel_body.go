package main

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/ui"
	"halfstep/world"
)

// layBody is the page about the chosen body.
func (v *viewer) layBody(c *ui.Context, area ui.Rect) {
	n := &v.inspect
	c.BeginScroll(&v.panel.scroll[bodyPage], area)
	defer c.EndScroll()
	v.layTools(c)
	c.Space(3)
	view := v.inspected().View()
	slot, ok := view.Scene.Slot(uint64(n.body))
	if n.body == 0 || !ok {
		v.layParts(c, max(c.Rest()-50, 100))
		c.Say(c.Next(20), ui.Start, ui.Dim, "Click on a body to look into it.")
		return
	}
	v.layParts(c, min(max(area.H/6, 60), 120))
	b := &view.Scene.Bodies[slot]
	row := c.Next(20)
	if c.Button("close body", row.Right(24), ui.Cross, "", false) {
		n.choose(0)
		return
	}
	c.Tip("choose no body", "")
	t := v.figures.line().str(label(view, slot))
	switch {
	case v.right == nil:
	case n.right:
		t = t.str(", right half")
	default:
		t = t.str(", left half")
	}
	if c.Sees(row) {
		c.Print(row, ui.Strong, ui.Start, ui.Ink, t.s())
	}
	c.Space(4)
	row = c.Next(24)
	if c.Button("pin", row.Column(0, 3, ui.Gap), ui.NoIcon, "Keep", n.pinned) {
		n.pinned = !n.pinned
		v.count("pin")
	}
	c.Tip("clicks choose no other body", "")
	if c.Button("path", row.Column(1, 3, ui.Gap), ui.NoIcon, "Path", n.path) {
		n.path = !n.path
		n.trailed = 0
		v.count("path")
	}
	c.Tip("draw where it was", "")
	follows := v.camera.follow == n.body
	if c.Button("follow", row.Column(2, 3, ui.Gap), ui.NoIcon, "Follow", follows) {
		v.camera.after(n.body)
		if follows {
			v.camera.after(0)
		}
		v.count("follow")
	}
	c.Tip("keep the camera on it", v.keys.first("follow"))
	c.Space(6)
	v.bodyState(c, world.BodyKind(b.Type).String())
	v.layPlot(c)
	if n.info.known {
		v.layChange(c, world.BodyKind(b.Type))
		v.bodyReport(c, &n.info)
	} else {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Faint, "asking the world…")
	}
}

// bodyState writes the values of the shown states, in every frame.
func (v *viewer) bodyState(c *ui.Context, kind string) {
	n := &v.inspect
	pair := func(name string, t text) { c.Pair(c.Next(ui.LineHeight), name, t.s()) }
	line := v.figures.line
	s := body2d.State{}
	e := v.inspected()
	slot, ok := e.View().Scene.Slot(uint64(n.body))
	if states := e.View().Cur; ok && slot < len(states) {
		s = states[slot]
	}
	state := kind
	switch f := s.Flags(); {
	case f&body2d.Alive == 0:
	case f&body2d.Disabled != 0:
		state += ", disabled"
	case f&body2d.Awake != 0:
		state += ", awake"
	default:
		state += ", asleep"
	}
	if n.info.bullet {
		state += ", bullet"
	}
	pair("kind", line().str(state))
	p, _ := e.pose(n.body)
	pair("position", line().pair(p.X, p.Y).str(" m"))
	pair("centre of mass", line().pair(p.CentreX, p.CentreY).str(" m"))
	pair("angle", line().num(math.Remainder(p.Angle, 2*math.Pi)*180/math.Pi, 1).str("°"))
	pair("velocity", line().pair(float64(s.VX), float64(s.VY)).str(" m/s"))
	pair("turning", line().num(float64(s.Omega), 2).str(" rad/s"))
}

// bodyReport writes the world's answer.
func (v *viewer) bodyReport(c *ui.Context, r *bodyReport) {
	pair := func(name string, t text) { c.Pair(c.Next(ui.LineHeight), name, t.s()) }
	line := v.figures.line
	if r.body.Mass > 0 {
		pair("inertia", line().num(r.body.Inertia, 3).str(" kg·m²"))
		pair("energy", line().num(r.body.KineticEnergy(), 2).str(" J"))
	}
	if r.body.SleepSpeed != 0 || r.body.SleepSpin != 0 {
		pair("sleeps below", line().num(r.body.SleepSpeed, 3).str(" m/s, ").num(r.body.SleepSpin, 3).str(" rad/s"))
	}
	pair("handle", line().str(v.inspect.body.String()))
	pair("as of tick", line().int(int64(r.tick)))

	c.Space(4)
	heading(c, "Shapes", len(r.shapes))
	for i := range r.shapes {
		s := &r.shapes[i]
		name := s.Kind.String()
		if s.Sensor {
			name += ", sensor"
		}
		pair(name, line().str("friction ").num(s.Friction, 2).str(", bounce ").num(s.Restitution, 2))
		if s.Material != 0 || s.RollingResistance != 0 {
			pair("", line().str("material ").int(int64(s.Material)).str(", rolling ").num(s.RollingResistance, 2))
		}
	}
	c.Space(4)
	heading(c, "Contacts", r.nContacts)
	for i := range r.contacts {
		t := &r.contacts[i]
		b := line().num(t.impulse, 2).str(" N·s")
		if t.tangent != 0 {
			b = b.str(", friction ").num(math.Abs(t.tangent), 2)
		}
		pair(bodyName(t.name, t.with), b)
	}
	if r.nContacts > len(r.contacts) {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Faint, "and more")
	}
	c.Space(4)
	heading(c, "Joints", len(r.joints))
	for i := range r.joints {
		j := &r.joints[i]
		b := line().num(math.Hypot(j.force.X, j.force.Y), 1).str(" N")
		if j.torque != 0 {
			b = b.str(", ").num(j.torque, 1).str(" N·m")
		}
		pair(j.kind.String(), b)
	}
}

func heading(c *ui.Context, text string, n int) {
	if n == 0 {
		text = "No " + map[string]string{"Shapes": "shapes", "Contacts": "contacts", "Joints": "joints"}[text]
	}
	c.Heading(c.Next(20), text)
}

// bodyName is the name of a body, or its handle.
func bodyName(name string, b world.Body) string {
	if name == "" {
		return b.String()
	}
	return printable(name)
}
