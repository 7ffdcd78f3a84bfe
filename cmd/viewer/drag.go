package main

import (
	"math"

	"halfstep/engine"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// drag is a body that the mouse holds with a mouse joint.
type drag struct {
	body   world.Body // 0: none
	joint  world.Joint
	target world.Vec // as last sent, m
}

// The joint is a spring of 5 Hz that hardly oscillates. Its force has a limit
// per square metre of the body: about 200 times its weight at 1 kg/m².
const (
	dragFrequency = 5
	dragDamping   = 0.7
	dragForce     = 2000 // N/m²
)

// grab takes hold of the body that is shown at a point, if it is dynamic.
func (d *drag) grab(e *engine.Engine, at world.Vec) bool {
	b, ok := e.Pick(at.X, at.Y)
	return ok && d.hold(e, b, at)
}

// hold takes hold of a body at a point, if the body is dynamic.
func (d *drag) hold(e *engine.Engine, b world.Body, at world.Vec) bool {
	all := e.View().Scene
	slot, ok := all.Slot(uint64(b))
	if !ok || world.BodyKind(all.Bodies[slot].Type) != world.Dynamic {
		return false
	}
	*d = drag{
		body: b, target: at,
		joint: e.CreateJoint(world.JointDef{
			Kind: world.MouseJoint, B: b, Target: at,
			MaxForce: dragForce * math.Max(area(all, slot), 1e-3), Frequency: dragFrequency, Damping: dragDamping,
		}),
	}
	return true
}

// move pulls the body towards a point.
func (d *drag) move(e *engine.Engine, to world.Vec) {
	if d.body != 0 && to != d.target {
		d.target = to
		e.SetTarget(d.joint, to)
	}
}

func (d *drag) release(e *engine.Engine) {
	if d.body != 0 {
		e.DestroyJoint(d.joint)
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
