package main

import (
	"fmt"
	"math"

	"halfstep/renderloop/scene"
	"halfstep/world"
)

// create makes a dynamic body at a point. No other body has its name, so that a program finds it.
func (v *viewer) create(kind string, at world.Vec, shape world.ShapeDef) {
	shape.Density, shape.Friction = 1, .5
	v.changeWorld("create "+kind, func(e *player) {
		name := kind
		for n := 2; e.has(name); n++ {
			name = fmt.Sprint(kind, " ", n)
		}
		b := e.CreateBody(world.BodyDef{Name: name, Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{shape}})
		if !v.inspect.pinned {
			v.inspect.awaited = b
		}
	})
}

// deleteBody deletes a body of a half, with its nails.
func (v *viewer) deleteBody(of *player, b world.Body) {
	if b != 0 {
		v.destroy("delete", append(nailsOf(of, b, 0), b))
	}
}

// destroy destroys bodies as one change, which can be undone under the name what.
func (v *viewer) destroy(what string, all []world.Body) {
	v.changeWorld(what, func(e *player) {
		for _, b := range all {
			e.DestroyBody(b)
		}
	})
}

// pinBody hangs a body on a point of the world, around which it turns.
func (v *viewer) pinBody(b world.Body, at world.Vec) {
	v.join("pin", world.JointDef{Kind: world.RevoluteJoint}, b, 0, at, at)
}

// nailName is the name of the bodies that others are pinned to.
const nailName = "nail"

// isNail reports whether a joint pins a body to the world.
func isNail(s *scene.Scene, j *scene.Joint) bool {
	return j.SlotA >= 0 && j.SlotB >= 0 && world.BodyKind(s.Bodies[j.SlotA].Type) == world.Static && s.Bodies[j.SlotA].Name == nailName
}

// nailsOf are what a body is pinned with, or what a joint pins with.
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

func (v *viewer) unpinBody(of *player, b world.Body) { v.destroy("unpin", nailsOf(of, b, 0)) }

// copyBody copies a body of a half with all its settings, and puts the copy beside it.
func (v *viewer) copyBody(of *player, b world.Body) {
	type answer struct {
		def world.BodyDef
		err error
	}
	world.Ask(of.Commands, func(w *world.World) (a answer) {
		a.def, a.err = w.BodyDef(b)
		return a
	}, func(_ uint64, a answer) {
		if a.err != nil {
			return // it has gone meanwhile
		}
		a.def.Position.X += width(&a.def) + .1
		a.def.Asleep = false // it might hang in the air
		v.changeWorld("copy", func(e *player) { e.CreateBody(a.def) })
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
