package play

import (
	"slices"

	"halfstep/world"
)

// Builder creates, copies, joins and deletes bodies. Each of these changes can be undone. A body is pinned by
// a joint to a nail, which is a static body. The nail is copied and deleted together with the pinned body.
type Builder struct {
	stage   *Stage
	host    Host
	changes *Changes
	inspect *Inspector
	clip    clip // the copied bodies

	Grid    Grid       // Grid is the grid for drawing, moving and pasting.
	Repeats Repetition // Repeats has the settings for the button Repeat of the page Body.
}

// Create makes a dynamic body at a point, in each half. The body gets a name that no other body has,
// so that a program that loads the saved scene can find it.
func (m *Builder) Create(kind string, at world.Vec, shape world.ShapeDef) {
	shape.Density, shape.Friction = 1, .5
	m.changes.ChangeWorld("create "+kind, func(p *Player) {
		b := p.CreateBody(world.BodyDef{Name: freshNames{}.like(p, kind), Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{shape}})
		m.await([]world.Body{b}, m.inspect.Right)
	})
}

// DeleteBody deletes a body with its nails. If the body is one of the chosen bodies, it deletes all chosen
// bodies. The parameter of is the player of the half in which they were chosen.
func (m *Builder) DeleteBody(of *Player, b world.Body) {
	all := []world.Body{b}
	if m.inspect.Has(b) {
		all = m.inspect.Bodies()
	}
	if all = withNails(of, all); b != 0 {
		slices.Reverse(all) // nails are destroyed before the bodies that are pinned to them
		m.destroy("delete", all)
	}
}

// destroy destroys bodies as one change. The parameter what is the name of the change for undo.
func (m *Builder) destroy(what string, all []world.Body) {
	m.changes.ChangeWorld(what, func(p *Player) {
		for _, b := range all {
			p.DestroyBody(b)
		}
	})
}

// PinBody pins a body to a point of the world. The body can then only turn about this point.
func (m *Builder) PinBody(b world.Body, at world.Vec) {
	m.Join("pin", world.JointDef{Kind: world.RevoluteJoint}, b, theWorld, at, at)
}

// UnpinBody removes the nails of a body, together with the joints of the nails.
func (m *Builder) UnpinBody(of *Player, b world.Body) { m.destroy("unpin", NailsOf(of, b)) }

// CopyBody copies a body with its nails. If the body is one of the chosen bodies, it copies all
// chosen bodies. It puts the copies beside them.
func (m *Builder) CopyBody(of *Player, b world.Body) {
	all := []world.Body{b}
	if m.inspect.Has(b) {
		all = m.inspect.Bodies()
	}
	m.copyBeside(of, all)
}

// DeleteChosen deletes the chosen joint, the chosen shape, or the chosen bodies.
func (m *Builder) DeleteChosen() {
	n := m.inspect
	switch {
	case n.Joint != 0:
		if nail, ok := nailOf(n.Inspected(), n.Joint); ok { // deleting the nail also deletes its joint
			m.destroy("delete joint", []world.Body{nail})
		} else {
			m.changes.ChangeWorld("delete joint", func(p *Player) { p.DestroyJoint(n.Joint) })
		}
	case n.Shape != 0:
		m.changes.ChangeWorld("delete shape", func(p *Player) { p.DestroyShape(n.Shape) })
	default:
		m.DeleteBody(n.Inspected(), n.Body)
	}
	n.Shape, n.Joint = 0, 0
}
