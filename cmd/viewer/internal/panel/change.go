package panel

import (
	"halfstep/cmd/viewer/internal/play"
	"halfstep/cmd/viewer/internal/words"
	"halfstep/cmd/viewer/ui"
	"halfstep/world"
)

// layName lays out a field with the name of the chosen body, in which it can be changed. Handles and
// commands are the same in both halves of a comparison, so Stage.Engines gives each change to both.
func (v *bodyPane) layName(c *ui.Context, row ui.Rect, name string, slot int) {
	n := v.session.Inspect
	if !c.Held("change name") { // while it is typed into, the field has its own text
		n.Name = words.Printable(name)
	}
	text, entered := c.Field("change name", row, v.picture.Figures.Line().Str("#").Int(int64(slot)).Str(", without a name").S(), noKey, n.Name)
	c.Tip("the name of the body: click to change it", noKey)
	if text != n.Name {
		if n.Name = text; v.session.Changes.BeginBodyChange("change name") {
			v.session.Stage.Engines(func(e *play.Player) { e.SetName(n.Body, text) })
		}
	}
	if entered {
		c.Leave()
	}
}

// layChange lays out the controls that change the chosen body: kind, mass, friction and velocity.
func (v *bodyPane) layChange(c *ui.Context, kind world.BodyKind) {
	r, b := &v.session.Inspect.Info, v.session.Inspect.Body
	c.Heading(c.Next(20), "Change")
	if i, changed := c.Choice("change kind", c.Next(ui.RowHeight), "kind", noKey, bodyKinds, int(kind)); changed {
		v.session.Changes.ChangeWorld("change kind", func(e *play.Player) { e.SetKind(b, world.BodyKind(i)) })
	}
	slider := func(name, text string, x float64, g *ui.Range, set func(e *play.Player, x float64)) {
		if y, changed, _ := c.Slider(name, c.Next(ui.SliderHeight), text, noKey, x, g); changed && v.session.Changes.BeginBodyChange(name) {
			v.session.Stage.Engines(func(e *play.Player) { set(e, y) })
		}
	}
	if kind == world.Dynamic && r.Body.Mass > 0 && r.NShapes == len(r.Handles) { // all its shapes are known
		massRange.Default = r.Body.Mass
		slider("change mass", "mass", r.Body.Mass, &massRange, func(e *play.Player, x float64) {
			for i, h := range r.Handles {
				e.SetDensity(h, r.Def.Shapes[i].Density*x/r.Body.Mass)
			}
		})
	} else if r.Body.Mass > 0 {
		c.Pair(c.Next(ui.LineHeight), "mass", v.picture.Figures.Line().Num(r.Body.Mass, 3).Str(" kg").S())
	}
	if len(r.Handles) > 0 {
		slider("change friction", "friction", r.Def.Shapes[0].Friction, &frictionRange, func(e *play.Player, x float64) {
			for i, h := range r.Handles {
				r.Def.Shapes[i].Friction = x // shown until the world's next answer has it
				e.SetFriction(h, x)
			}
		})
	}
	if kind != world.Static {
		at := r.Body.Velocity
		slider("change velocity x", "velocity to the right", at.X, &velocityRange, func(e *play.Player, x float64) { e.SetVelocity(b, world.Vec{X: x, Y: at.Y}) })
		slider("change velocity y", "velocity upwards", at.Y, &velocityRange, func(e *play.Player, y float64) { e.SetVelocity(b, world.Vec{X: at.X, Y: y}) })
	}
	c.Space(4)
}

var (
	bodyKinds     = []string{world.Static.String(), world.Kinematic.String(), world.Dynamic.String()}
	massRange     = ui.Range{Min: .01, Max: 1000, Default: 1, Log: true, Unit: "kg", TypedMin: 1e-6, TypedMax: 1e9}
	frictionRange = ui.Range{Max: 2, Default: .2, Step: .05, TypedMax: 100}
	velocityRange = ui.Range{Min: -20, Max: 20, Step: .1, Unit: "m/s", TypedMin: -120, TypedMax: 120}
)
