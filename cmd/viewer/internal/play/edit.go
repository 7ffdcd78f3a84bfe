package play

import (
	"halfstep/world"
)

// Editor changes the values of the chosen body, of its shapes, and of the chosen joint. All changes that
// a control makes while it is held count as one change.
type Editor struct {
	stage   *Stage
	host    Host
	changes *Changes
	inspect *Inspector
}

// SetBody changes a value of the chosen bodies.
func (e *Editor) SetBody(f *Field[world.BodyDef], x float64) {
	n := e.inspect
	if n.Body == 0 || !n.Info.Known || !e.changes.BeginBodyChange(f.Control()) {
		return
	}
	n.stale() // answers to earlier questions to physics are now out of date
	change := func(b world.Body, d *world.BodyDef) {
		if f.In(d) {
			f.set(d, x)
			e.stage.EachPlayer(func(p *Player) { f.send(p, uint64(b), d) })
		}
	}
	change(n.Body, &n.Info.Def)
	for i := range n.Info.More {
		change(n.Info.More[i].Body, &n.Info.More[i].Def)
	}
}

// SetShape changes a value of the chosen shape. If no shape is chosen, it changes all shapes of the chosen
// bodies. The new value is text if the field is of the kind Text, and x otherwise.
func (e *Editor) SetShape(f *Field[world.ShapeDef], x float64, text string) {
	n := e.inspect
	if n.Body == 0 || !n.Info.Known {
		return
	}
	if f.Is == Text {
		if wrong := f.parse(&world.ShapeDef{}, text); wrong != "" {
			e.host.Say(wrong)
			return
		}
	}
	if !e.changes.BeginBodyChange(f.Control()) {
		return
	}
	n.stale()
	change := func(h world.Shape, d *world.ShapeDef) {
		if !f.In(d) {
			return
		}
		f.change(d, x, text)
		e.stage.EachPlayer(func(p *Player) { f.send(p, uint64(h), d) })
	}
	for _, i := range n.Shapes() {
		change(n.Info.Handles[i], &n.Info.Def.Shapes[i])
	}
	for i := range n.Info.More {
		if m := &n.Info.More[i]; n.Shape == 0 { // if a shape is chosen, only that shape is changed
			for k, h := range m.Handles {
				change(h, &m.Def.Shapes[k])
			}
		}
	}
}

// SetMass gives each of the chosen bodies a mass, in kg, by changing the densities of the body's shapes.
func (e *Editor) SetMass(x float64) {
	n := e.inspect
	if n.Info.Body.Mass <= 0 || !e.changes.BeginBodyChange("change mass") {
		return
	}
	n.stale()
	change := func(mass *float64, d *world.BodyDef, handles []world.Shape) {
		if *mass <= 0 { // the body is not dynamic
			return
		}
		for i, h := range handles {
			density := &d.Shapes[i].Density
			*density *= x / *mass
			e.stage.EachPlayer(func(p *Player) { p.SetDensity(h, *density) })
		}
		*mass = x
	}
	change(&n.Info.Body.Mass, &n.Info.Def, n.Info.Handles)
	for i := range n.Info.More {
		m := &n.Info.More[i]
		change(&m.Mass, &m.Def, m.Handles)
	}
}

// SetJoint changes a value of the chosen joint. The parameter text is the value of a Text. Some values
// cannot be changed by a command in a running world. For these the joint is replaced by a new joint, which
// is then chosen.
func (e *Editor) SetJoint(f *Field[world.JointDef], x float64, text string) {
	n := e.inspect
	j := &n.Info.Joint
	if n.Joint == 0 || j.Handle != n.Joint || !e.changes.BeginBodyChange(f.Control()) {
		return
	}
	n.stale()
	f.change(&j.Def, x, text)
	d := j.Def
	if f.send != nil {
		e.stage.EachPlayer(func(p *Player) { f.send(p, uint64(n.Joint), &d) })
		return
	}
	was := n.Joint
	e.stage.EachPlayer(func(p *Player) {
		p.DestroyJoint(was)
		n.Joint = p.CreateJoint(d)
		for _, g := range j.gears { // gears are replaced together with the joints that they couple
			if g.Joint1 == was {
				g.Joint1 = n.Joint
			}
			if g.Joint2 == was {
				g.Joint2 = n.Joint
			}
			p.CreateJoint(g)
		}
	})
	j.Handle = n.Joint
}
