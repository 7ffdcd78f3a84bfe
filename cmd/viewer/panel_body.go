package main

import (
	"math"
	"strconv"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/ui"
	"halfstep/world"
)

// layBody is the page about the chosen body.
func (v *viewer) layBody(c *ui.Context, area ui.Rect) error {
	n := &v.inspect
	if n.body == 0 {
		c.Print(area.Top(20), ui.Plain, ui.Start, ui.Dim, "Click on a body to look into it.")
		return nil
	}
	slot, ok := v.view.Scene.Slot(uint64(n.body))
	if !ok {
		return nil
	}
	b := &v.view.Scene.Bodies[slot]
	row := area.Top(20)
	if c.Button("close body", row.Right(24), ui.Cross, "", false) {
		n.choose(0)
		return nil
	}
	c.Tip("choose no body", "")
	c.Print(row, ui.Strong, ui.Start, ui.Ink, label(v.view, slot))
	area.Top(4)
	row = area.Top(24)
	if c.Button("pin", row.Column(0, 3, ui.Gap), ui.NoIcon, "Pin", n.pinned) {
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
		v.camera.follow = n.body
		if follows {
			v.camera.follow = 0
		}
		v.count("follow")
	}
	c.Tip("keep the camera on it", key("follow"))
	area.Top(6)

	c.BeginScroll(&v.panel.scroll[bodyPage], area)
	v.bodyState(c, world.BodyKind(b.Type).String())
	if n.info.known {
		v.bodyReport(c, &n.info)
	} else {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Faint, "asking the world…")
	}
	c.EndScroll()
	return nil
}

// bodyState writes what the shown states tell, in every frame.
func (v *viewer) bodyState(c *ui.Context, kind string) {
	n := &v.inspect
	pair := func(name string, b []byte) {
		c.PairBytes(c.Next(ui.LineHeight), name, b)
		v.panel.text = b
	}
	begin := func() []byte { return v.panel.text[:0] }
	pair("handle", append(begin(), n.body.String()...))
	s := body2d.State{}
	slot, ok := v.player.View().Scene.Slot(uint64(n.body))
	if states := v.player.View().Cur; ok && slot < len(states) {
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
	pair("kind", append(begin(), state...))
	p, _ := v.player.pose(n.body)
	pair("position", appendPair(begin(), p.X, p.Y, "m"))
	pair("centre", appendPair(begin(), p.CentreX, p.CentreY, "m"))
	pair("angle", appendUnit(begin(), p.Angle*180/math.Pi, 1, "°"))
	pair("velocity", appendPair(begin(), float64(s.VX), float64(s.VY), "m/s"))
	pair("turning", appendUnit(begin(), float64(s.Omega), 2, " rad/s"))
}

// bodyReport writes what the world has said.
func (v *viewer) bodyReport(c *ui.Context, r *bodyReport) {
	pair := func(name string, b []byte) {
		c.PairBytes(c.Next(ui.LineHeight), name, b)
		v.panel.text = b
	}
	begin := func() []byte { return v.panel.text[:0] }
	if r.body.Mass > 0 {
		pair("mass", appendUnit(begin(), r.body.Mass, 3, " kg"))
		pair("inertia", appendUnit(begin(), r.body.Inertia, 3, " kg·m²"))
		pair("energy", appendUnit(begin(), r.body.KineticEnergy(), 2, " J"))
	}
	pair("as of tick", strconv.AppendUint(begin(), r.tick, 10))

	c.Space(4)
	heading(c, "Shapes", len(r.shapes))
	for i := range r.shapes {
		s := &r.shapes[i]
		name := s.Kind.String()
		if s.Sensor {
			name += ", sensor"
		}
		pair(name, appendNumber(append(appendNumber(append(begin(), "friction "...), s.Friction, 2), ", bounce "...), s.Restitution, 2))
	}
	c.Space(4)
	heading(c, "Contacts", r.nContacts)
	for i := range r.contacts {
		t := &r.contacts[i]
		b := appendUnit(begin(), t.impulse, 2, " N·s")
		if t.tangent != 0 {
			b = append(b, ", friction "...)
			b = appendNumber(b, math.Abs(t.tangent), 2)
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
		b := appendUnit(begin(), math.Hypot(j.force.X, j.force.Y), 1, " N")
		if j.torque != 0 {
			b = append(b, ", "...)
			b = appendUnit(b, j.torque, 1, " N·m")
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

func appendPair(b []byte, x, y float64, unit string) []byte {
	b = appendNumber(b, x, 2)
	b = append(b, ", "...)
	return appendUnit(b, y, 2, " "+unit)
}

func appendUnit(b []byte, x float64, digits int, unit string) []byte {
	return append(appendNumber(b, x, digits), unit...)
}

// appendNumber writes a number without "-0".
func appendNumber(b []byte, x float64, digits int) []byte {
	scale := math.Pow10(digits)
	if r := math.Round(x*scale) / scale; !math.IsInf(r, 0) && !math.IsNaN(r) {
		x = r + 0
	}
	if math.Abs(x) >= 1e6 {
		return strconv.AppendFloat(b, x, 'g', 6, 64)
	}
	return strconv.AppendFloat(b, x, 'f', digits, 64)
}

// short is a number with as many digits as it needs.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
