package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/slab"
)

// state is the part of a body that the solver changes in a step. The kernel loads eight at a
// time, so the layout is fixed: 32 bytes.
type state struct {
	v  vec     // velocity, m/s
	w  float32 // angular velocity, rad/s
	da float32 // how far it has turned in this step
	d  vec     // how far the centre of mass has moved in this step
	q  rot     // the rotation by da
}

var atRest = state{q: rot{0, 1}}

// pose is where a body is at the start of a step.
type pose struct {
	x, y   float64 // centre of mass
	q      rot
	extent float32 // the greatest distance of a point of its shapes from the centre of mass; without shapes see copyShapes
	flags  uint32
}

// Flags of a pose.
const (
	poseAwake    = 1 << iota // awake, active, and not static
	poseDynamic              // has mass, and is awake and active
	poseFast                 // moved so far in the last step that it may pass through something
	poseMoving               // kinematic, and has a velocity
	poseStatic               // of the static type
	poseBullet               // a bullet that is awake
	poseSleeping             // dynamic, active and asleep
	poseInWay                // a kinematic body may pass through it in this step
	poseEdited               // others have edited it since the last step, or it woke in the middle of one
	poseChanged              // it was edited or has woken: its contacts are read anew
	posePushed               // a force or torque acts on it
	poseUpright              // dynamic, under gravity, and hardly turns; see turns
	poseFixedX               // dynamic, and keeps its x
	poseFixedY               // or its y
	poseLate                 // a bullet that has not moved yet in this step
	poseStopped              // dynamic, and sweep has stopped it in this step
)

type mass struct{ m, i float32 } // inverse mass, inverse inertia

// motion has a body's velocity at the start of the step, and how it changes in every sub-step.
type motion struct {
	v                         vec
	w                         float32
	dv                        vec // by gravity and forces
	dw                        float32
	linearScale, angularScale float32 // by damping
}

// plan is how far a body goes and turns in this step if nothing stops it. It is zero for a body
// that is not awake.
type plan struct {
	d  vec
	da float32
}

// plan sets the plan of a body that is awake.
func (s *bodies) plan(i int32) {
	m := &s.motions[i]
	s.plans[i] = plan{m.v.times(s.stride.dt), clamp(float32(m.w*s.stride.dt), -mostTurn, mostTurn)}
}

const mostTurn = 1.5 // rad, the limit of smallRotation

// body is what the stepper remembers of one of the library's bodies from step to step. Where
// the library's body has the same value, this is the value that the last step saw.
type body struct {
	b           *box2d.B2Body
	localCenter box2d.B2Vec2
	first       int32   // its first shape, -1 for none
	count       int32   // of its fixtures; -1 if its shapes are to be loaded
	minExtent   float32 // the least distance of the edge of a shape from its centroid
	fixed       bool    // not dynamic
	active      bool
	seen        bool       // a step has seen it
	change      box.Change // what others have done to it since the last step

	mass, inertia float64
	a             float64 // the angle, rad
}

// differs finds out what has changed in a body since the last step, when its editor did not
// say.
func (s *loader) differs(i int32) (what box.Change) {
	e, p := &s.bodies.all[i], &s.bodies.poses[i]
	b := e.b
	if b.M_sweep.A != e.a || b.M_sweep.C != (box2d.B2Vec2{X: p.x, Y: p.y}) {
		what |= box.Placed
	}
	if int32(b.M_fixtureCount) != e.count || b.M_sweep.LocalCenter != e.localCenter || b.M_mass != e.mass || b.M_I != e.inertia ||
		isActive(b) != e.active || (b.M_type != b2.DynamicBody) != e.fixed {
		what |= box.Reshaped
	}
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		// A body that is switched off and on gets other numbers for its shapes.
		for k := s.set.Shapes.Last(f); k >= 0; k = s.set.Shapes.All[k].Prev {
			if s.shapes.isLoaded(k) {
				continue
			}
			what |= box.Reshaped
			if int(k) < len(s.shapes.all) && s.shapes.all[k].f == f && s.shapes.all[k].of != f.M_shape {
				what |= box.Reboxed
			}
		}
	}
	return what
}

// changeOf is what others have done to a body since the last step, of the changes that a step
// heeds.
func (s *loader) changeOf(i int32) box.Change {
	what := s.set.ChangeOf(i)
	if what&box.Unknown != 0 {
		what |= s.differs(i)
	}
	return what & heeded
}

const heeded = box.Placed | box.Reshaped | box.Reboxed | box.Resurfaced

func isActive(b *box2d.B2Body) bool { return b.M_flags&b2.BodyActive != 0 }

// isLoaded reports whether a shape is in the table as it is.
func (s *shapes) isLoaded(k int32) bool {
	if int(k) >= len(s.all) {
		return false
	}
	sh, is := &s.all[k], &s.set.Shapes.All[k]
	return sh.f == is.F && sh.of == is.F.M_shape && sh.child == is.Child && s.sensors[k] == is.F.M_isSensor
}

// bodies have an entry for each body. Masses and motions of a body depend on its mass, forces,
// damping and velocity, and on the world's gravity and the step: loadBody reads them again when the
// body was edited or pushed, or the world's values have changed. The clock of a body's rest is the
// library's M_sleepTime, which the owner's verbs set back when they wake the body.
type bodies struct {
	all     []body
	poses   []pose
	masses  []mass
	motions []motion
	plans   []plan

	woken    bool // a body has woken since the narrow phase began
	sleepers bool // some contact or joint of a body that is awake may hold one that sleeps
	hammers  bool // there has been one; see isHammer

	set    *box.World
	stride *stride

	// The gravity, the sub-step and the step that the motions and plans were loaded for.
	loadedGravity box2d.B2Vec2
	loadedH       float32
	loadedDt      float32
	reload        bool // all motions are to be loaded anew
}

// followBodies brings the tables in line with bodies that were made, destroyed or edited.
func (s *loader) followBodies() {
	s.bodies.grow()
	for _, i := range s.set.Bodies.Changed {
		s.replaceBody(i)
		s.bodies.poses[i].flags |= poseEdited
		of := &s.set.Bodies.All[i]
		s.bodies.all[i].change |= of.Change // a body that was gone before a Restore is listed twice
		of.Change = 0
	}
}

func (s *bodies) grow() {
	n := len(s.set.Bodies.All)
	s.all, s.poses = growTo(s.all, n), growTo(s.poses, n)
	s.masses, s.motions, s.plans = growTo(s.masses, n), growTo(s.motions, n), growTo(s.plans, n)
}

// replaceBody empties entry i if its number belongs to another body by now.
func (s *loader) replaceBody(i int32) {
	e := &s.bodies.all[i]
	if b := s.set.Bodies.All[i].B; e.b != b {
		if e.b != nil {
			s.shapes.forget(e)
		}
		*e, s.bodies.poses[i] = body{b: b, first: -1, count: -1}, pose{}
	}
}

// numberOf returns the number of a body that a step has seen, or -1.
func (s *bodies) numberOf(b *box2d.B2Body) int32 {
	if k := s.set.Bodies.Number(b); k >= 0 && int(k) < len(s.all) && s.all[k].b == b {
		return k
	}
	return -1
}

// velocity is a body's velocity before the solver changes it.
func (s *bodies) velocity(i int32) (v vec, w float32) {
	if s.poses[i].flags&(poseDynamic|poseMoving) != 0 {
		v, w = s.motions[i].v, s.motions[i].w
	}
	return v, w
}

// pullOn is what gravity and forces accelerate a body by in this step, m/s².
func (s *bodies) pullOn(i int32) vec {
	if s.poses[i].flags&poseDynamic == 0 {
		return vec{}
	}
	return s.motions[i].dv.times(s.stride.invH)
}

// growTo returns s with a length of at least n.
func growTo[T any](s []T, n int) []T {
	if n > cap(s) {
		s = append(slab.Room(s, n), s...)
	}
	return s[:max(n, len(s))]
}

// local turns a point of a body into a vector from its centre of mass, in the
// world's directions.
func (s *bodies) local(body int32, p box2d.B2Vec2) vec {
	lc := s.all[body].localCenter
	return s.poses[body].q.apply(vec{float32(p.X - lc.X), float32(p.Y - lc.Y)})
}

// centres returns the way from one body's centre of mass to another's.
func (s *bodies) centres(a, b int32) vec {
	pa, pb := &s.poses[a], &s.poses[b]
	return vec{float32(pb.x - pa.x), float32(pb.y - pa.y)}
}

func (s *bodies) angleBetween(a, b int32) float64 {
	return s.all[b].a - s.all[a].a
}

// direction returns a direction in a body's frame as one of the world.
func (s *bodies) direction(body int32, d box2d.B2Vec2) vec {
	n, _ := normalize(vec{float32(d.X), float32(d.Y)})
	return s.poses[body].q.apply(n)
}
