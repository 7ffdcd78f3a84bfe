package panel

import (
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/world"
)

// layName lays out a field in which the user can change the name of the chosen body. Stage.EachPlayer
// sends each change to both halves of a comparison, because handles and commands are the same in both.
func (v *bodyPane) layName(c *ui.Context, row ui.Rect, name string, slot int) {
	n := v.session.Inspect
	if v.session.Stage.Shown.Watched() {
		c.Heading(row, v.picture.Figures.Line().Str("#").Int(int64(slot)).Str(" ").Str(words.Printable(name)).S())
		return
	}
	if !c.Held("change name") { // while the user types, the field has its own text
		n.Name = words.Printable(name)
	}
	text, entered := c.Field("change name", row, v.picture.Figures.Line().Str("#").Int(int64(slot)).Str(", without a name").S(), noKey, n.Name)
	c.Tip("the name of the body: click to change it", noKey)
	if text != n.Name {
		if n.Name = text; v.session.Changes.BeginBodyChange("change name") {
			v.session.Stage.EachPlayer(func(e *play.Player) { e.SetName(n.Body, text) })
		}
	}
	if entered {
		c.Leave()
	}
}

// layChange lays out the controls that change the chosen joint, the chosen shape, or the chosen body with
// all its shapes. In a watched scene there are no such controls.
func (v *bodyPane) layChange(c *ui.Context) {
	if v.session.Stage.Shown.Watched() {
		return
	}
	n, edit := v.session.Inspect, v.session.Edit
	r := &n.Info
	switch {
	case n.Joint != 0:
		v.changeHeading(c, "Change the joint")
		if r.Joint.Handle == n.Joint {
			layFields(c, v, play.JointFields, &r.Joint.Def, edit.SetJoint)
		}
		c.Space(4)
		return
	case n.Shape != 0:
		v.changeHeading(c, "Change the shape")
	default:
		v.changeHeading(c, "Change the body")
		set := func(f *play.Field[world.BodyDef], x float64, _ string) { edit.SetBody(f, x) }
		layFields(c, v, play.BodyFields[:1], &r.Def, set) // the kind decides which other fields exist
		v.layMass(c)
		layFields(c, v, play.BodyFields[1:], &r.Def, set)
	}
	if shapes := n.Shapes(); len(shapes) > 0 {
		if len(shapes) > 1 {
			c.Heading(c.Next(20), "Change all its shapes")
		} else if n.Shape == 0 {
			c.Heading(c.Next(20), "Change its shape")
		}
		layFields(c, v, n.ShapeFieldsShown(), &r.Def.Shapes[shapes[0]], edit.SetShape)
	}
	c.Space(4)
}

// changeHeading lays out a heading and the button that shows all values.
func (v *bodyPane) changeHeading(c *ui.Context, text string) {
	row := c.Next(22)
	all := row.Right(70)
	c.Heading(ui.Rect{X: row.X, Y: row.Y, W: row.W - 6, H: row.H}, text)
	if c.Button("all values", all, ui.NoIcon, "All values", v.All) {
		v.All = !v.All
		v.session.Uses.Count("all values")
	}
	c.Tip("the rarely changed values too", noKey)
}

// layMass lays out the mass of the chosen body, which is computed from the densities of its shapes.
func (v *bodyPane) layMass(c *ui.Context) {
	r := &v.session.Inspect.Info
	if r.Body.Mass <= 0 {
		return
	}
	massRange.Default = r.Body.Mass
	if x, changed, _ := c.Slider("change mass", c.Next(ui.SliderHeight), "mass", noKey, r.Body.Mass, &massRange); changed {
		v.session.Edit.SetMass(x)
	}
}

var massRange = ui.Range{Min: .01, Max: 1000, Default: 1, Log: true, Unit: "kg", TypedMin: 1e-6, TypedMax: 1e9}

// layFields lays out the values of a definition. When the user changes a value, layFields calls set
// with the new value. Rarely used values are included if the user wants all values.
func layFields[D any](c *ui.Context, v *bodyPane, fields []play.Field[D], d *D, set func(f *play.Field[D], x float64, text string)) {
	for i := range fields {
		f := &fields[i]
		if !f.In(d) || f.Advanced && !v.All {
			continue
		}
		switch f.Is {
		case play.Truth:
			if on := f.Get(d) != 0; c.Toggle(f.Control(), c.Next(ui.RowHeight), f.Name, noKey, on) {
				x := 1.
				if on {
					x = 0
				}
				set(f, x, "")
			}
		case play.Choice:
			if x, changed := c.Choice(f.Control(), c.Next(ui.RowHeight), f.Name, noKey, f.Words, int(f.Get(d))); changed {
				set(f, float64(x), "")
			}
		case play.Text:
			row := c.Next(ui.RowHeight)
			c.Print(row.Column(0, 2, ui.Gap), ui.Plain, ui.Start, ui.Dim, " "+f.Name)
			now := f.Text(d)
			if c.Held(f.Control()) { // while the user types, the field has its own text
				now = v.typed
			}
			text, entered := c.Field(f.Control(), row.Column(1, 2, ui.Gap), "", noKey, now)
			if entered {
				c.Leave()
				set(f, 0, text)
			}
			if c.Held(f.Control()) {
				v.typed = text
			}
		default:
			x := f.Get(d)
			g := ui.Range{Min: f.Min, Max: f.Max, Step: f.Step, Log: f.Log, Unit: f.Unit, Default: x, TypedMin: f.Least, TypedMax: f.Most}
			if x, changed, _ := c.Slider(f.Control(), c.Next(ui.SliderHeight), f.Name, noKey, x, &g); changed {
				set(f, x, "")
			}
		}
	}
}
