package main

import (
	"fmt"
	"math"

	"halfstep/renderloop/scene"
	"halfstep/world"
)

// builder creates, copies, joins and deletes bodies. Each is a change that can be undone.
type builder struct {
	stage   *stage
	host    host
	changes *changes
	inspect *inspector
}

// create makes a dynamic body at a point, in each half. It gets a name that no other body has, so that
// a program which loads the saved scene can find it.
func (m *builder) create(kind string, at world.Vec, shape world.ShapeDef) {
	shape.Density, shape.Friction = 1, .5
	m.changes.changeWorld("create "+kind, func(e *player) {
		name := kind
		for n := 2; e.has(name); n++ {
			name = fmt.Sprint(kind, " ", n)
		}
		b := e.CreateBody(world.BodyDef{Name: name, Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{shape}})
		if !m.inspect.pinned {
			m.inspect.awaited = b // choose it when it is there
		}
	})
}

// deleteBody deletes a body, with the nails (see nailName) that pin it in the half of.
func (m *builder) deleteBody(of *player, b world.Body) {
	if b != 0 {
		m.destroy("delete", append(nailsOf(of, b, anyJoint), b))
	}
}

// destroy destroys bodies as one change, which can be undone under the name what.
func (m *builder) destroy(what string, all []world.Body) {
	m.changes.changeWorld(what, func(e *player) {
		for _, b := range all {
			e.DestroyBody(b)
		}
	})
}

// pinBody pins a body to a point of the world, about which it then turns.
func (m *builder) pinBody(b world.Body, at world.Vec) {
	m.join("pin", world.JointDef{Kind: world.RevoluteJoint}, b, theWorld, at, at)
}

// A nail is a static body to which the viewer pins another one; nailName is its name.
const nailName = "nail"

// isNail reports whether a joint pins a body to the world.
func isNail(s *scene.Scene, j *scene.Joint) bool {
	return j.SlotA >= 0 && j.SlotB >= 0 && world.BodyKind(s.Bodies[j.SlotA].Type) == world.Static && s.Bodies[j.SlotA].Name == nailName
}

// anyJoint in place of a joint is none in particular.
const anyJoint = 0

// nailsOf returns the nails of a body, and the nail of a joint. Either may be 0.
func nailsOf(e *player, b world.Body, joint world.Joint) (nails []world.Body) {
	s := e.View().Scene
	slot, ok := s.Slot(uint64(b))
	for i := range s.Joints {
		if j := &s.Joints[i]; isNail(s, j) && (ok && int(j.SlotB) == slot || world.Joint(j.Handle) == joint) {
			nails = append(nails, world.Body(s.Bodies[j.SlotA].Handle))
		}
	}
	return nails
}

func (m *builder) unpinBody(of *player, b world.Body) { m.destroy("unpin", nailsOf(of, b, anyJoint)) }

// copyBody copies a body with all its settings, and puts the copy beside it. The half of describes it.
func (m *builder) copyBody(of *player, b world.Body) {
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
		m.changes.changeWorld("copy", func(e *player) { e.CreateBody(a.def) })
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

// deleteChosen deletes the joint, the shape or the body that is chosen.
func (m *builder) deleteChosen() {
	n := m.inspect
	switch {
	case n.joint != 0:
		nails := nailsOf(m.inspect.inspected(), noBody, n.joint)
		if len(nails) > 0 { // removing a nail removes its joint
			m.destroy("delete joint", nails)
		} else {
			m.changes.changeWorld("delete joint", func(e *player) { e.DestroyJoint(n.joint) })
		}
	case n.shape != 0:
		m.changes.changeWorld("delete shape", func(e *player) { e.DestroyShape(n.shape) })
	default:
		m.deleteBody(m.inspect.inspected(), n.body)
	}
	n.shape, n.joint = 0, 0
}

// noBody in place of a body is none.
const noBody = 0
