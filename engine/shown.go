package engine

import (
	"iter"

	"halfstep/buffer/body2d"
	"halfstep/internal/query"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// Shown returns questions about what this frame shows: rays, casts and overlaps
// find shapes where the picture has them, and are answered at once, without
// physics. What the player sees is what the player clicks. The questions of
// Commands (RayCast and so on) ask the world instead, and are answered later.
//
// Between two steps the world never was what is shown. At an instant that is a
// tick, both have the same answer, but for the float32 of what is shown: within
// 1,000 m of the origin, 0.1 mm for bodies of usual size.
//
// The first question about a picture sorts its shapes, the others search; none
// allocates memory in the long run. A Query that is kept asks about the frame of
// the moment.
func (e *Engine) Shown(f world.QueryFilter) world.Query { return world.NewQuery((*shown)(e), f) }

// shown is the Engine as questions see it.
type shown Engine

func (s *shown) index() *scene.Index { return scene.IndexOf((*Engine)(s).View()) }

// Begin returns the question of the picture.
func (s *shown) Begin() *query.Question { return s.index().Begin() }

// Search offers q the shapes of the picture.
func (s *shown) Search(q *query.Question) { s.index().Search(q) }

// Has reports that what was found is still shown.
func (s *shown) Has(shape uint64) bool { return s.index().Has(shape) }

// Pick returns the topmost body with a shape that contains the point (m, in the
// world) as this frame shows it, and false if there is none. It returns a static
// body only if no other contains the point.
func (e *Engine) Pick(x, y float64) (world.Body, bool) {
	slot, ok := scene.Pick(e.View(), x, y)
	if !ok {
		return 0, false
	}
	return world.Body(e.View().Scene.Bodies[slot].Handle), true
}

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

// States returns a body's states at the two ticks that this frame lies between,
// for programs that blend themselves. View().Alpha says how far between them the
// frame lies, from 0 to 1, and View().Dt how many seconds lie between them. For a
// body that was created or teleported at the second tick both are the state at
// that tick, so that a blend draws no streak. States reports false if the body is
// not in the picture.
//
// Blend the centre of mass and the unwrapped angle, as Pose does; the origin of a
// body that turns does not move on a straight line.
func (e *Engine) States(b world.Body) (previous, current body2d.State, ok bool) {
	v := e.View()
	slot, ok := v.Scene.Slot(uint64(b))
	if !ok || slot >= len(v.Cur) || v.Cur[slot].Flags()&body2d.Alive == 0 {
		return body2d.State{}, body2d.State{}, false
	}
	current = v.Cur[slot]
	if slot < len(v.Prev) {
		previous = v.Prev[slot]
	}
	if current.Flags()&body2d.Jump != 0 || previous.Flags()&body2d.Alive == 0 || previous.Generation() != current.Generation() {
		previous = current
	}
	return previous, current, true
}
