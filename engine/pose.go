package engine

import (
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Pose is where a body is shown in this frame.
type Pose struct {
	X, Y             float64 // the body's origin, m
	CentreX, CentreY float64 // its centre of mass, m
	Angle            float64 // rad, unwrapped
}

// Pose returns where a body is shown in this frame, false if it is not there
// (yet, or any more).
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

// Poses calls f with every body and its pose in this frame until f returns
// false.
func (e *Engine) Poses(f func(world.Body, Pose) bool) {
	for slot := range e.View().Scene.Bodies {
		if p, ok := e.poseOf(slot); ok && !f(world.Body(e.View().Scene.Bodies[slot].Handle), p) {
			return
		}
	}
}

// Find returns the first body with that name.
func (e *Engine) Find(name string) (world.Body, bool) {
	for i := range e.View().Scene.Bodies {
		if b := &e.View().Scene.Bodies[i]; b.Exists && b.Name == name {
			return world.Body(b.Handle), true
		}
	}
	return 0, false
}

// Pick returns the topmost body whose shape, as it is shown in this frame,
// contains the point of the world (in m). Static bodies are found only if no
// other is.
func (e *Engine) Pick(x, y float64) (world.Body, bool) {
	slot, ok := scene.Pick(e.View(), x, y)
	if !ok {
		return 0, false
	}
	return world.Body(e.View().Scene.Bodies[slot].Handle), true
}
