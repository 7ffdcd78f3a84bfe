package panel

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/cmd/viewer/internal/picture"
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/world"
)

// bodyPane is the page Body: tools, the list of bodies, and the data of the chosen body.
type bodyPane struct {
	panel   *Panel
	session *play.Session
	picture *picture.Picture

	Parts   partList // Parts is the list of bodies, shapes and joints.
	All     bool     // All says that all values can be changed, and not only the usual ones.
	repeats bool     // repeats says that the row of copies is laid out.
	typed   string   // typed is the text of the value that the user is typing.
}

// layBody lays out the page Body of the panel: the tools, the list of bodies, and the data of the
// chosen body. The play.Inspector has the chosen body. Its field Info has the newest report of
// the physics goroutine about that body.
func (v *bodyPane) layBody(c *ui.Context, area ui.Rect) {
	n := v.session.Inspect
	c.BeginScroll(&v.panel.scroll[BodyPage], area)
	defer c.EndScroll()
	v.layTools(c)
	c.Space(3)
	view := v.session.Inspect.Inspected().View()
	slot, ok := view.Scene.Slot(uint64(n.Body))
	if n.Body == 0 || !ok {
		v.layParts(c, max(c.Rest()-50, 100))
		c.Say(c.Next(20), ui.Start, ui.Dim, "Click on a body to look into it.")
		return
	}
	v.layParts(c, min(max(area.H/7, 60), 120))
	b := &view.Scene.Bodies[slot]
	row := c.Next(20)
	if c.Button("close body", row.Right(24), ui.Cross, noText, notChosen) {
		n.Choose(0)
		return
	}
	c.Tip("choose no body", noKey)
	if v.session.Stage.Right != nil {
		half := "left half"
		if n.Right {
			half = "right half"
		}
		c.Print(row.Right(70), ui.Plain, ui.End, ui.Dim, half)
	}
	v.layName(c, row, b.Name, slot)
	c.Space(4)
	if n := len(n.More); n > 0 {
		c.Say(c.Next(20), ui.Start, ui.Accent, v.picture.Figures.Line().Str("and ").Int(int64(n)).Str(" more: a change is made to all").S())
	}
	row = c.Next(24)
	if c.Button("pin", row.Column(0, 5, ui.Gap), ui.NoIcon, "Keep", n.Pinned) {
		n.Pinned = !n.Pinned
		v.session.Uses.Count("pin")
	}
	c.Tip("clicks choose no other body", noKey)
	if c.Button("path", row.Column(1, 5, ui.Gap), ui.NoIcon, "Path", n.Path) {
		n.Path = !n.Path
		n.PathAdded = 0
		v.session.Uses.Count("path")
	}
	c.Tip("draw where it was", noKey)
	follows := v.picture.Camera.Follow == n.Body // whether the camera follows the body, so that the button ends that
	if c.Button("follow", row.Column(2, 5, ui.Gap), ui.NoIcon, "Follow", follows) {
		v.picture.Camera.After(n.Body)
		if follows {
			v.picture.Camera.After(0)
		}
		v.session.Uses.Count("follow")
	}
	c.Tip("keep the camera on it", v.panel.Keys.First("follow"))
	if !v.session.Stage.Shown.Watched() {
		v.layCopies(c, row)
	}
	c.Space(6)
	part := n.Joint != 0 || n.Shape != 0
	if part && n.Info.Known {
		v.layChange(c) // the user has chosen the body, and so can change it
	}
	v.bodyState(c, world.BodyKind(b.Type).String())
	v.layPlot(c)
	if n.Info.Known {
		if !part {
			v.layChange(c)
		}
		v.bodyReport(c, &n.Info)
	} else {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Faint, "asking the world…")
	}
}

// layCopies lays out the buttons that copy the chosen bodies, and the settings for a row of copies.
func (v *bodyPane) layCopies(c *ui.Context, row ui.Rect) {
	v.panel.actionButton("duplicate", row.Column(3, 5, ui.Gap), ui.NoIcon, "Copy", "copy it beside, with the joints between what is chosen and to static bodies", notChosen)
	if c.Button("row of copies", row.Column(4, 5, ui.Gap), ui.NoIcon, "Row", v.repeats) {
		v.repeats = !v.repeats
		v.session.Uses.Count("row of copies")
	}
	c.Tip("a row of copies: how many, how far apart, joined or not", noKey)
	if v.repeats {
		c.Space(6)
		v.layRepeat(c)
	}
}

// bodyState writes the body's kind, position and velocity, as shown in the picture.
func (v *bodyPane) bodyState(c *ui.Context, kind string) {
	n := v.session.Inspect
	pair := func(name string, t words.Line) { c.Pair(c.Next(ui.LineHeight), name, t.S()) }
	line := v.picture.Figures.Line
	s := body2d.State{}
	e := v.session.Inspect.Inspected()
	slot, ok := e.View().Scene.Slot(uint64(n.Body))
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
	if n.Info.Def.Bullet {
		state += ", bullet"
	}
	pair("kind", line().Str(state))
	p, _ := e.Pose(n.Body)
	pair("position", line().Pair(p.X, p.Y).Str(" m"))
	pair("centre of mass", line().Pair(p.CentreX, p.CentreY).Str(" m"))
	pair("angle", line().Num(math.Remainder(p.Angle, 2*math.Pi)*180/math.Pi, 1).Str("°"))
	pair("velocity", line().Pair(float64(s.VX), float64(s.VY)).Str(" m/s"))
	pair("turning", line().Num(float64(s.Omega), 2).Str(" rad/s"))
}

// bodyReport writes the data that only the world has, as of the tick of the last report.
func (v *bodyPane) bodyReport(c *ui.Context, r *play.BodyReport) {
	pair := func(name string, t words.Line) { c.Pair(c.Next(ui.LineHeight), name, t.S()) }
	line := v.picture.Figures.Line
	if r.Body.Mass > 0 {
		pair("inertia", line().Num(r.Body.Inertia, 3).Str(" kg·m²"))
		pair("energy", line().Num(r.Body.KineticEnergy(), 2).Str(" J"))
	}
	if r.Body.SleepSpeed != 0 || r.Body.SleepSpin != 0 {
		pair("sleeps below", line().Num(r.Body.SleepSpeed, 3).Str(" m/s, ").Num(r.Body.SleepSpin, 3).Str(" rad/s"))
	}
	if d := &r.Def; d.FixedX || d.FixedY || d.FixedRotation {
		t := line()
		for _, f := range [...]struct {
			is   bool
			what string
		}{{d.FixedX, " x"}, {d.FixedY, " y"}, {d.FixedRotation, " rotation"}} {
			if f.is {
				t = t.Str(f.what)
			}
		}
		pair("fixed", t)
	}
	pair("handle", line().Str(v.session.Inspect.Body.String()))
	pair("as of tick", line().Int(int64(r.Tick)))

	c.Space(4)
	heading(c, "Shapes", len(r.Def.Shapes))
	for i := range min(len(r.Def.Shapes), mostShapes) {
		s := &r.Def.Shapes[i]
		name := s.Kind.String()
		if s.Sensor {
			name += ", sensor"
		}
		if s.OneWay != (world.Vec{}) {
			name += ", one-way"
		}
		pair(name, sizeOf(line(), s))
		pair("", line().Str("friction ").Num(s.Friction, 2).Str(", bounce ").Num(s.Restitution, 2))
		if s.Material != 0 || s.RollingResistance != 0 {
			pair("", line().Str("material ").Int(int64(s.Material)).Str(", rolling ").Num(s.RollingResistance, 2))
		}
		if s.SurfaceSpeed != 0 {
			pair("", line().Str("surface ").Num(s.SurfaceSpeed, 2).Str(" m/s"))
		}
	}
	if len(r.Def.Shapes) > mostShapes {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Faint, "and more")
	}
	c.Space(4)
	heading(c, "Contacts", r.NContacts)
	for i := range r.Contacts {
		t := &r.Contacts[i]
		b := line().Num(t.Impulse, 2).Str(" N·s")
		if t.Tangent != 0 {
			b = b.Str(", friction ").Num(math.Abs(t.Tangent), 2)
		}
		pair(play.BodyName(t.Name, t.With), b)
	}
	if r.NContacts > len(r.Contacts) {
		c.Say(c.Next(ui.LineHeight), ui.Start, ui.Faint, "and more")
	}
	c.Space(4)
	heading(c, "Joints", len(r.Joints))
	for i := range r.Joints {
		j := &r.Joints[i]
		t := line().Num(math.Hypot(j.Force.X, j.Force.Y), 1).Str(" N")
		if j.Torque != 0 {
			t = t.Str(", ").Num(j.Torque, 1).Str(" N·m")
		}
		pair(j.Name, t)
		v.jointReport(c, &j.JointInfo)
	}
}

const mostShapes = 12 // the greatest number of shapes that are listed

// sizeOf writes the size of a shape.
func sizeOf(t words.Line, s *world.ShapeDef) words.Line {
	switch s.Kind {
	case world.CircleShape:
		return t.Str("radius ").Num(s.Radius, 2).Str(" m")
	case world.CapsuleShape:
		return t.Str("length ").Num(s.Points[1].Sub(s.Points[0]).Len(), 2).Str(", radius ").Num(s.Radius, 2).Str(" m")
	case world.EdgeShape:
		return t.Str("length ").Num(s.Points[1].Sub(s.Points[0]).Len(), 2).Str(" m")
	case world.PolygonShape:
		low, high := s.Points[0], s.Points[0]
		for _, p := range s.Points {
			low = world.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}
			high = world.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
		}
		if s.Radius == 0 {
			t = t.Int(int64(len(s.Points))).Str(" corners, ")
		}
		t = t.Num(high.X-low.X+2*s.Radius, 2).Str(" × ").Num(high.Y-low.Y+2*s.Radius, 2).Str(" m")
		if s.Radius > 0 {
			t = t.Str(", round ").Num(s.Radius, 2)
		}
		return t
	}
	return t.Int(int64(len(s.Points))).Str(" points")
}

// jointReport writes the position of a joint, its limits, motor and spring, and its reaction
// forces.
func (v *bodyPane) jointReport(c *ui.Context, j *world.JointInfo) {
	pair := func(name string, t words.Line) { c.Pair(c.Next(ui.LineHeight), name, t.S()) }
	line, d := v.picture.Figures.Line, &j.Def
	turns := j.Kind == world.RevoluteJoint || j.Kind == world.WeldJoint
	at := func(t words.Line, x float64) words.Line {
		if turns {
			return t.Num(x*180/math.Pi, 1).Str("°")
		}
		return t.Num(x, 2).Str(" m")
	}
	// the function most writes a limit; Box2D's largest number means that there is no limit
	most := func(t words.Line, x float64, unit string) words.Line {
		if x >= math.MaxFloat32 {
			return t.Str("any")
		}
		return t.Num(x, 1).Str(unit)
	}
	switch j.Kind {
	case world.RevoluteJoint, world.WeldJoint:
		pair("  angle", at(line(), j.Angle).Str(", ").Num(j.AngularSpeed, 2).Str(" rad/s"))
	case world.PrismaticJoint, world.WheelJoint:
		pair("  translation", at(line(), j.Translation).Str(", ").Num(j.Speed, 2).Str(" m/s"))
	case world.DistanceJoint, world.RopeJoint, world.PulleyJoint:
		pair("  length", at(line(), j.Length))
	}
	if d.EnableLimit {
		pair("  limits", at(at(line(), d.Lower).Str(" to "), d.Upper))
	}
	if d.EnableMotor {
		speed, unit := " rad/s, ", " N·m"
		if j.Kind == world.PrismaticJoint {
			speed, unit = " m/s, ", " N"
		}
		pair("  motor", most(line().Num(d.MotorSpeed, 2).Str(speed).Num(j.MotorForce, 1).Str(" of "), d.MaxMotorForce, unit))
	}
	if d.Frequency > 0 {
		t := line().Num(d.Frequency, 2).Str(" Hz, damping ").Num(d.Damping, 2)
		if d.SpringTarget != 0 {
			t = at(t.Str(", to "), d.SpringTarget)
		}
		pair("  spring", t)
	}
	if d.MaxForce > 0 || d.MaxTorque > 0 {
		pair("  at most", most(most(line(), d.MaxForce, " N").Str(", "), d.MaxTorque, " N·m"))
	}
	if d.BreakForce > 0 || d.BreakTorque > 0 {
		pair("  breaks at", line().Num(d.BreakForce, 1).Str(" N, ").Num(d.BreakTorque, 1).Str(" N·m"))
	}
}

// heading writes the heading of a list of n entries, such as "Joints" or "No joints".
func heading(c *ui.Context, text string, n int) {
	if n == 0 {
		text = "No " + map[string]string{"Shapes": "shapes", "Contacts": "contacts", "Joints": "joints"}[text]
	}
	c.Heading(c.Next(20), text)
}
