package engine

import (
	"iter"

	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Pose is where a body is shown in this frame.
type Pose struct {
	X, Y             float64 // the body's origin, m
	CentreX, CentreY float64 // its centre of mass, m
	Angle            float64 // rad, unwrapped
}

// Pose returns where a body is shown in this frame. It reports false if the body
// is not in the picture: it has not been created yet, or it is gone.
func (e *Engine) Pose(b world.Body) (Pose, bool) {
	slot, ok := e.View().Scene.Slot(uint64(b))
	if !ok {
		return Pose{}, false
	}
	return e.poseOf(slot)
}

func (e *Engine) poseOf(slot int) (Pose, bool) {
	p, ok := scene.PoseOf(e.View(), slot)
	if !ok {
		return Pose{}, false
	}
	body := &e.View().Scene.Bodies[slot]
	x, y := p.Origin(body.LocalX, body.LocalY)
	return Pose{X: x, Y: y, CentreX: float64(p.X), CentreY: float64(p.Y), Angle: p.Unwrapped()}, true
}

// Poses yields every body that is there in this frame, with its pose. The order
// of the bodies means nothing.
func (e *Engine) Poses() iter.Seq2[world.Body, Pose] {
	return func(yield func(world.Body, Pose) bool) { e.eachPose(yield) } // inlined, as Events is
}

func (e *Engine) eachPose(yield func(world.Body, Pose) bool) {
	bodies := e.View().Scene.Bodies
	for slot := range bodies {
		if p, ok := e.poseOf(slot); ok && !yield(world.Body(bodies[slot].Handle), p) {
			return
		}
	}
}

// Find returns a body with that name that is in this frame, and false if there is
// none.
func (e *Engine) Find(name string) (world.Body, bool) {
	for i := range e.View().Scene.Bodies {
		if b := &e.View().Scene.Bodies[i]; b.Exists && b.Name == name {
			return world.Body(b.Handle), true
		}
	}
	return 0, false
}
