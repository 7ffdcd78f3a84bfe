package play

import (
	"fmt"
	"math"

	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Builder creates, copies, joins and deletes bodies. Each is a change that can be undone.
type Builder struct {
	stage   *Stage
	host    Host
	changes *Changes
	inspect *Inspector
}

// Create makes a dynamic body at a point, in each half. It gets a name that no other body has, so that
// a program which loads the saved scene can find it.
func (m *Builder) Create(kind string, at world.Vec, shape world.ShapeDef) {
	shape.Density, shape.Friction = 1, .5
	m.changes.ChangeWorld("create "+kind, func(e *Player) {
		name := kind
		for n := 2; e.Has(name); n++ {
			name = fmt.Sprint(kind, " ", n)
		}
		b := e.CreateBody(world.BodyDef{Name: name, Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{shape}})
		if !m.inspect.Pinned {
			m.inspect.awaited = b // choose it when it is there
		}
	})
}

// DeleteBody deletes a body, with the nails (see nailName) that pin it in the half of.
func (m *Builder) DeleteBody(of *Player, b world.Body) {
	if b != 0 {
		m.destroy("delete", append(NailsOf(of, b, AnyJoint), b))
	}
}

// destroy destroys bodies as one change, which can be undone under the name what.
func (m *Builder) destroy(what string, all []world.Body) {
	m.changes.ChangeWorld(what, func(e *Player) {
		for _, b := range all {
			e.DestroyBody(b)
		}
	})
}

// PinBody pins a body to a point of the world, about which it then turns.
func (m *Builder) PinBody(b world.Body, at world.Vec) {
	m.Join("pin", world.JointDef{Kind: world.RevoluteJoint}, b, theWorld, at, at)
}

// A nail is a static body to which the viewer pins another one; nailName is its name.
const nailName = "nail"

// IsNail reports whether a joint pins a body to the world.
func IsNail(s *scene.Scene, j *scene.Joint) bool {
	return j.SlotA >= 0 && j.SlotB >= 0 && world.BodyKind(s.Bodies[j.SlotA].Type) == world.Static && s.Bodies[j.SlotA].Name == nailName
}

// AnyJoint in place of a joint is none in particular.
const AnyJoint = 0

// NailsOf returns the nails of a body, and the nail of a joint. Either may be 0.
func NailsOf(e *Player, b world.Body, joint world.Joint) (nails []world.Body) {
	s := e.View().Scene
	slot, ok := s.Slot(uint64(b))
	for i := range s.Joints {
		if j := &s.Joints[i]; IsNail(s, j) && (ok && int(j.SlotB) == slot || world.Joint(j.Handle) == joint) {
			nails = append(nails, world.Body(s.Bodies[j.SlotA].Handle))
		}
	}
	return nails
}

func (m *Builder) UnpinBody(of *Player, b world.Body) { m.destroy("unpin", NailsOf(of, b, AnyJoint)) }

// CopyBody copies a body with all its settings, and puts the copy beside it. The half of describes it.
func (m *Builder) CopyBody(of *Player, b world.Body) {
	type answer struct {
		def world.BodyDef
		err error
	}
	world.Ask(of.Commands, func(w *world.World) (a answer) {
		a.def, a.err = w.BodyDef(b)
		return a
	}, func(_ uint64, a answer) {
		if a.err != nil {
			return // it has been removed meanwhile
		}
		a.def.Position.X += width(&a.def) + .1
		a.def.Asleep = false // or the copy might hang in the air
		m.changes.ChangeWorld("copy", func(e *Player) { e.CreateBody(a.def) })
	})
}

// width is how wide a body is as it lies, m.
func width(d *world.BodyDef) float64 {
	left, right := math.Inf(1), math.Inf(-1)
	sin, cos := math.Sincos(d.Angle)
	for i := range d.Shapes {
		s := &d.Shapes[i]
		for _, p := range s.Points {
			x := cos*p.X - sin*p.Y
			left, right = min(left, x-s.Radius), max(right, x+s.Radius)
		}
	}
	return max(right-left, 0)
}

// DeleteChosen deletes the joint, the shape or the body that is chosen.
func (m *Builder) DeleteChosen() {
	n := m.inspect
	switch {
	case n.Joint != 0:
		nails := NailsOf(m.inspect.Inspected(), noBody, n.Joint)
		if len(nails) > 0 { // removing a nail removes its joint
			m.destroy("delete joint", nails)
		} else {
			m.changes.ChangeWorld("delete joint", func(e *Player) { e.DestroyJoint(n.Joint) })
		}
	case n.Shape != 0:
		m.changes.ChangeWorld("delete shape", func(e *Player) { e.DestroyShape(n.Shape) })
	default:
		m.DeleteBody(m.inspect.Inspected(), n.Body)
	}
	n.Shape, n.Joint = 0, 0
}

// noBody in place of a body is none.
const noBody = 0
