package main

import (
	"math"

	"halfstep/engine"
	"halfstep/renderloop"
)

// drag is a body held with the mouse, by a mouse joint.
type drag struct {
	body   engine.Body // 0: none
	joint  engine.Joint
	target engine.Vec // as last sent, m
}

// The joint pulls as a spring of 5 Hz that hardly rings. Its force is limited
// to this much per square metre of the body: 200 g at a density of 1 kg/m².
const (
	dragFrequency = 5
	dragDamping   = 0.7
	dragForce     = 2000 // N/m²
)

// grab takes hold of the body shown under a point of the world, if it can move.
func (d *drag) grab(e *engine.Engine, at engine.Vec) bool {
	b, ok := e.Pick(at.X, at.Y)
	return ok && d.hold(e, b, at)
}

// hold takes hold of a body at a point of the world, if it can move.
func (d *drag) hold(e *engine.Engine, b engine.Body, at engine.Vec) bool {
	scene := e.View().Scene
	slot, ok := scene.Slot(uint64(b))
	if !ok || engine.BodyKind(scene.Bodies[slot].Type) != engine.Dynamic {
		return false
	}
	*d = drag{
		body: b, target: at,
		joint: e.CreateJoint(engine.JointDef{
			Kind: engine.MouseJoint, B: b, Target: at,
			MaxForce: dragForce * math.Max(area(scene, slot), 1e-3), Frequency: dragFrequency, Damping: dragDamping,
		}),
	}
	return true
}

// move pulls towards a point of the world.
func (d *drag) move(e *engine.Engine, to engine.Vec) {
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

// removed forgets a body that is gone, and its joint with it.
func (d *drag) removed(b engine.Body) {
	if d.body == b {
		*d = drag{}
	}
}

// area of a body's shapes, m².
func area(s *renderloop.Scene, slot int) float64 {
	sum := 0.0
	s.ShapesOf(slot, func(g *renderloop.SceneShape) bool {
		r := float64(g.Radius)
		sum += math.Pi * r * r // a disc, or the corners of a rounded polygon
		n := int(g.N)
		for i := range n {
			a, b := g.Points[i], g.Points[(i+1)%n]
			sum += float64(a[0]*b[1]-b[0]*a[1]) / 2
		}
		return true
	})
	return sum
}
