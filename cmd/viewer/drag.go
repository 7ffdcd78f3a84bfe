package main

import (
	"math"

	"halfstep/renderloop/scene"
	"halfstep/world"
)

// drag is a body that the mouse holds with a mouse joint.
type drag struct {
	body   world.Body  // 0: none
	joint  world.Joint // 0: it does not pull yet
	grip   world.Vec   // in the body's frame, m
	force  float64     // of the joint, at most, N
	target world.Vec   // as last sent, m
}

// The joint is a spring of 5 Hz that hardly oscillates. Its force has a limit
// per square metre of the body: about 200 times its weight at 1 kg/m².
const (
	dragFrequency = 5
	dragDamping   = 0.7
	dragForce     = 2000 // N/m²
)

// grab takes hold of the body that is shown at a point, if it is dynamic.
func (d *drag) grab(e *player, at world.Vec) bool {
	b, ok := e.pick(at)
	return ok && d.hold(e, b, at)
}

// hold takes hold of a body at a point, if the body is dynamic. It does not pull
// before move is called: a click changes nothing in the world.
func (d *drag) hold(e *player, b world.Body, at world.Vec) bool {
	all := e.View().Scene
	slot, ok := all.Slot(uint64(b))
	if !ok || world.BodyKind(all.Bodies[slot].Type) != world.Dynamic {
		return false
	}
	p, ok := e.pose(b)
	if !ok {
		return false
	}
	sin, cos := math.Sincos(p.Angle)
	x, y := at.X-p.X, at.Y-p.Y
	*d = drag{
		body: b, grip: world.Vec{X: cos*x + sin*y, Y: cos*y - sin*x},
		force: dragForce * math.Max(area(all, slot), 1e-3),
	}
	return true
}

// pull begins to pull, at the point of the body that was taken hold of.
func (d *drag) pull(e *player) {
	p, ok := e.pose(d.body)
	if !ok {
		return
	}
	sin, cos := math.Sincos(p.Angle)
	d.target = world.Vec{X: p.X + cos*d.grip.X - sin*d.grip.Y, Y: p.Y + sin*d.grip.X + cos*d.grip.Y}
	d.joint = e.CreateJoint(world.JointDef{
		Kind: world.MouseJoint, B: d.body, Target: d.target,
		MaxForce: d.force, Frequency: dragFrequency, Damping: dragDamping,
	})
}

// move pulls the body towards a point.
func (d *drag) move(e *player, to world.Vec) {
	if d.body != 0 && d.joint == 0 {
		d.pull(e)
	}
	if d.body != 0 && to != d.target {
		d.target = to
		e.SetTarget(d.joint, to)
	}
}

func (d *drag) release(e *player) {
	if d.body != 0 {
		if d.joint != 0 {
			e.DestroyJoint(d.joint)
		}
		*d = drag{}
	}
}

// removed forgets a body that was removed. Its joint went with it.
func (d *drag) removed(b world.Body) {
	if d.body == b {
		*d = drag{}
	}
}

// area is the area of a body's shapes, m².
func area(s *scene.Scene, slot int) float64 {
	sum := 0.0
	for g := range s.ShapesOf(slot) {
		r := float64(g.Radius)
		sum += math.Pi * r * r // a disc, or the corners of a rounded polygon
		n := int(g.N)
		for i := range n {
			a, b := g.Points[i], g.Points[(i+1)%n]
			sum += float64(a[0]*b[1]-b[0]*a[1]) / 2
		}
	}
	return sum
}
