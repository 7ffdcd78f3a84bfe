package main

import (
	"math"

	"halfstep/buffer/body2d"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// create makes a dynamic body at a point.
func (v *viewer) create(name string, at world.Vec, shape world.ShapeDef) {
	shape.Density, shape.Friction = 1, .5
	v.edit("create "+name, func(e *player) {
		e.CreateBody(world.BodyDef{Name: name, Kind: world.Dynamic, Position: at, Shapes: []world.ShapeDef{shape}})
	})
}

// deleteBody deletes a body of a half, with its nails.
func (v *viewer) deleteBody(of *player, b world.Body) {
	if b != 0 {
		v.destroy("delete", append(nailsOf(of, b), b))
	}
}

func (v *viewer) destroy(what string, all []world.Body) {
	v.edit(what, func(e *player) {
		for _, b := range all {
			e.DestroyBody(b)
		}
	})
}

// pinBody hangs a body on a point of the world, around which it turns.
func (v *viewer) pinBody(b world.Body, at world.Vec) {
	v.edit("pin", func(e *player) {
		p, ok := e.pose(b)
		if !ok {
			return
		}
		nail := e.CreateBody(world.BodyDef{Name: nailName, Position: at})
		e.CreateJoint(world.JointDef{Kind: world.RevoluteJoint, A: nail, B: b, AnchorB: p.LocalPoint(at)})
	})
}

// nailName is the name of the bodies that others are pinned to.
const nailName = "nail"

// isNail reports whether a joint pins a body to the world.
func isNail(s *scene.Scene, j *scene.Joint) bool {
	return j.SlotA >= 0 && j.SlotB >= 0 && world.BodyKind(s.Bodies[j.SlotA].Type) == world.Static && s.Bodies[j.SlotA].Name == nailName
}

// nailsOf are what a body is pinned with.
func nailsOf(e *player, b world.Body) (nails []world.Body) {
	s := e.View().Scene
	slot, ok := s.Slot(uint64(b))
	for i := range s.Joints {
		if j := &s.Joints[i]; ok && isNail(s, j) && int(j.SlotB) == slot {
			nails = append(nails, world.Body(s.Bodies[j.SlotA].Handle))
		}
	}
	return nails
}

func (v *viewer) unpinBody(of *player, b world.Body) { v.destroy("unpin", nailsOf(of, b)) }

// copyBody makes a body with the shapes of one that a player shows beside it.
func (v *viewer) copyBody(e *player, b world.Body) {
	all := e.View().Scene
	slot, ok := all.Slot(uint64(b))
	p, shown := e.pose(b)
	if !ok || !shown {
		return
	}
	of := &all.Bodies[slot]
	d := world.BodyDef{Name: of.Name, Kind: world.BodyKind(of.Type), Angle: p.Angle}
	left, right := math.Inf(1), math.Inf(-1)
	for g := range all.ShapesOf(slot) {
		n := int(g.N)
		if g.Kind == body2d.Disc {
			n = 1
		}
		var points []world.Vec
		for _, q := range g.Points[:n] {
			points = append(points, world.Vec{X: float64(q[0]), Y: float64(q[1])})
			left, right = min(left, float64(q[0]-g.Radius)), max(right, float64(q[0]+g.Radius))
		}
		var shape world.ShapeDef
		switch {
		case g.Kind == body2d.Disc:
			shape = world.CircleAt(points[0].X, points[0].Y, float64(g.Radius))
		case g.Kind == body2d.Polyline:
			shape = world.Chain(points...)
		case len(points) == 2:
			shape = world.Capsule(points[0], points[1], float64(g.Radius))
		default:
			shape = world.Polygon(points...)
			shape.Radius = float64(g.Radius)
		}
		shape.Density, shape.Friction, shape.Colour, shape.Filter = 1, .5, g.Colour, world.Filter(g.Filter)
		d.Shapes = append(d.Shapes, shape)
	}
	d.Position = world.Vec{X: p.X + max(right-left, 0) + .1, Y: p.Y}
	if math.IsInf(left, 0) {
		d.Position.X = p.X + 1
	}
	v.edit("copy", func(e *player) { e.CreateBody(d) })
}
