package engine

import (
	"iter"

	"halfstep/buffer/body2d"
	"halfstep/internal/geometry"
	"halfstep/internal/owner"
	"halfstep/internal/privateapi"
	"halfstep/internal/query"
	"halfstep/renderloop/scene"
	"halfstep/world"
)

// picture has the methods of Engine and Reader about what the last frame of the Engine, or the last
// update of the Reader, shows.
type picture struct {
	view   *scene.View[body2d.State]
	refuse func(complaint string) // panics if the caller is a function that physics calls; nil except in race builds
}

// mustNotBeInCallback panics in race builds if the caller is a function that physics calls, because
// the goroutine that draws may be changing the picture.
func (p *picture) mustNotBeInCallback() {
	if p.refuse != nil {
		p.refuse("the picture of the engine was asked in a function that physics runs: ask the *World that it is given")
	}
}

// View returns the picture of the last frame of an Engine, or of the last update of
// a Reader.
func (p *picture) View() *scene.View[body2d.State] { return p.view }

// Shown returns a Query about the picture of View: rays, casts and overlaps find shapes at their
// drawn places, so a click hits the shape that the player sees. The Query answers at once, without
// physics. The questions of Commands (RayCast and so on) ask the world, and are answered later.
//
// A picture between two steps shows a state that the world never had. If the picture shows exactly
// a tick, Shown and the world give the same answer up to the precision of the picture, which is 0.1
// mm within 1,000 m of the origin for bodies of usual size.
//
// The first question about a picture sorts its shapes. After the first pictures, questions
// allocate no memory. A Query that a program keeps always asks about the newest picture.
func (p *picture) Shown(f world.QueryFilter) world.Query { return private.NewQuery((*shown)(p), f) }

// shown makes a picture a query.Space, so that world.Query can search the picture.
type shown picture

// index returns the index of the picture's shapes. The first call for a picture builds the index.
func (s *shown) index() query.Space { return privateapi.Index(s.view) }

func (s *shown) Begin() *query.Question { return s.index().Begin() }

func (s *shown) Search(q *query.Question) { s.index().Search(q) }

func (s *shown) Has(shape uint64) bool { return s.index().Has(shape) }

func (s *shown) Part(shape uint64, part int, to *geometry.Shape) (body uint64) {
	return s.index().Part(shape, part, to)
}

// Pick returns the topmost drawn body with a shape that contains the point (x, y) of the world, in
// m. It returns false if there is no such body. Static bodies are below all other bodies.
func (p *picture) Pick(x, y float64) (world.Body, bool) {
	slot, ok := scene.Pick(p.view, x, y)
	if !ok {
		return 0, false
	}
	return world.Body(p.view.Scene.Bodies[slot].Handle), true
}

// ShownBody is the picture's data about a body, except its Pose.
type ShownBody struct {
	Name string
	Kind world.BodyKind
	Mass float64 // in kg, with the precision of float32; 0 unless the body is Dynamic
}

// Body returns the name, kind and mass of a body, in kg. It returns false if the body is not in the
// picture.
func (p *picture) Body(b world.Body) (ShownBody, bool) {
	if owner.Checked {
		p.mustNotBeInCallback()
	}
	slot, ok := p.view.Scene.Slot(uint64(b))
	if !ok {
		return ShownBody{}, false
	}
	body := &p.view.Scene.Bodies[slot]
	return ShownBody{body.Name, world.BodyKind(body.Type), float64(body.Mass)}, true
}

// Pose is the place at which a body is shown.
type Pose struct {
	X, Y             float64 // the body's origin, in m
	CentreX, CentreY float64 // the centre of mass, in m
	Angle            float64 // in rad; full turns are added, so the angle does not jump from pi to -pi
}

// WorldPoint converts a point from the body's frame to the world, in m.
func (p Pose) WorldPoint(local world.Vec) world.Vec {
	return world.Vec{X: p.X, Y: p.Y}.Add(local.Rotate(p.Angle))
}

// LocalPoint converts a point from the world to the body's frame, in m.
func (p Pose) LocalPoint(point world.Vec) world.Vec {
	return point.Sub(world.Vec{X: p.X, Y: p.Y}).Rotate(-p.Angle)
}

// Pose returns the pose in which a body is shown. Pose returns false if the body is not in the
// picture: the body is not created yet, or does not exist any more.
func (p *picture) Pose(b world.Body) (Pose, bool) {
	if owner.Checked {
		p.mustNotBeInCallback()
	}
	slot, ok := p.view.Scene.Slot(uint64(b))
	if !ok {
		return Pose{}, false
	}
	return p.poseOf(slot)
}

// poseOf returns the Pose of the body at an index of the picture's lists. It returns false if there
// is no body.
func (p *picture) poseOf(slot int) (Pose, bool) {
	at, ok := scene.PoseOf(p.view, slot)
	if !ok {
		return Pose{}, false
	}
	body := &p.view.Scene.Bodies[slot]
	x, y := at.Origin(body.LocalX, body.LocalY)
	return Pose{X: x, Y: y, CentreX: float64(at.X), CentreY: float64(at.Y), Angle: at.Unwrapped()}, true
}

// Poses yields every body that is shown, with its pose. The order
// of the bodies means nothing.
func (p *picture) Poses() iter.Seq2[world.Body, Pose] {
	return func(yield func(world.Body, Pose) bool) { p.eachPose(yield) } // this closure is small enough to be inlined, so a loop over Poses allocates nothing
}

func (p *picture) eachPose(yield func(world.Body, Pose) bool) {
	bodies := p.view.Scene.Bodies
	for slot := range bodies {
		if pose, ok := p.poseOf(slot); ok && !yield(world.Body(bodies[slot].Handle), pose) {
			return
		}
	}
}

// Find returns a body of the picture with the given name. It returns false if there is no such
// body.
func (p *picture) Find(name string) (world.Body, bool) {
	for i := range p.view.Scene.Bodies {
		if b := &p.view.Scene.Bodies[i]; b.Exists && b.Name == name {
			return world.Body(b.Handle), true
		}
	}
	return 0, false
}

// States returns a body's states at the two ticks around the instant of the picture, for programs
// that blend states themselves. View().Alpha is the place of the instant between the two ticks,
// from 0 to 1, and View().Dt is the time between the ticks in seconds. For a body that was
// teleported at the second tick, both states are the state at the second tick, so a blend shows the
// body only at its new place. For a body that was created at the second tick, the first state is
// the second state, moved back along the body's velocity. States returns false if the body is not
// in the picture.
//
// Blend the centre of mass and the unwrapped angle, as Pose does, because the origin of a body
// that turns does not move on a straight line.
func (p *picture) States(b world.Body) (previous, current body2d.State, ok bool) {
	v := p.view
	slot, ok := v.Scene.Slot(uint64(b))
	if !ok || slot >= len(v.Cur) || v.Cur[slot].Flags()&body2d.Alive == 0 {
		return body2d.State{}, body2d.State{}, false
	}
	current = v.Cur[slot]
	if slot < len(v.Prev) {
		previous = v.Prev[slot]
	}
	if current.Flags()&body2d.Jump != 0 || previous.Flags()&body2d.Alive == 0 || previous.Generation() != current.Generation() {
		linear := current
		linear.SetBits(current.Flags().WithSmoothing(body2d.Interpolate), current.Generation())
		at := scene.Blend(&previous, &linear, 0, float32(v.Dt), body2d.Interpolate, v.LateVelocity)
		previous = current
		if previous.X, previous.Y = at.X, at.Y; at.Angle != current.Angle {
			previous.SetAngle(at.Unwrapped())
		}
	}
	return previous, current, true
}
