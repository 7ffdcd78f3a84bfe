package soft

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// state is what the solver changes of a body in a step. Eight of them make a
// batch of the kernel, so the layout is fixed: 32 bytes.
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
	extent float32 // the greatest distance of a point of its shapes from the centre of mass
	flags  uint32
}

// Flags of a pose.
const (
	poseAwake    = 1 << iota // awake, active, and not static
	poseDynamic              // has mass, and is awake and active
	poseFast                 // moved so far in the last step that it may pass through something
	poseMoving               // kinematic, and has a velocity
	poseStatic               // of the static type
	poseBullet               //
	poseSleeping             // dynamic, active and asleep
	poseInWay                // a kinematic body may pass through it in this step
	poseEdited               // somebody has edited it, or it woke in the middle of a step
	poseChanged              // it was edited or has woken: its contacts are read anew
	posePushed               // a force or torque acts on it
	poseUpright              // dynamic, under gravity, and hardly turns; see turns
)

// mass is what the solver needs of a body's mass.
type mass struct{ m, i float32 } // inverse mass, inverse inertia

// motion is what changes a body's velocity in every sub-step.
type motion struct {
	v                         vec // at the start of the step
	w                         float32
	dv                        vec // by gravity and forces
	dw                        float32
	linearScale, angularScale float32 // by damping
}

// body is what is remembered of one of the library's bodies from step to step.
type body struct {
	b           *box2d.B2Body
	localCenter box2d.B2Vec2 // as last seen
	first       int32        // its first shape, -1 for none
	count       int32        // of its fixtures
	minExtent   float32      // the least distance of the edge of a shape from its centroid
	fixed       bool         // not dynamic, as last seen
	active      bool         // likewise
	replaced    bool         // a fixture has another shape than was loaded

	mass, inertia float64 // as last seen

	// What was written to the body after the last step, to notice what others write.
	x, y, a float64
}

// isNew reports whether no step has seen the body, though there may be an entry for it.
func (e *body) isNew() bool {
	return e.count < 0 && e.a != e.a && e.mass == 0 && e.inertia == 0 && !e.replaced
}

// shapesChanged reports whether the shapes of a body are others than those that
// were loaded, or lie otherwise about its centre of mass.
func (s *Stepper) shapesChanged(e *body) bool {
	b := e.b
	if int32(b.M_fixtureCount) != e.count || b.M_sweep.LocalCenter != e.localCenter || isActive(b) != e.active {
		return true
	}
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		// A body that is switched off and on gets new proxies, often the old ones in
		// reverse.
		if n := f.M_proxyCount; n > 0 && !(s.isLoaded(f, 0) && s.isLoaded(f, n-1)) {
			return true
		}
	}
	return false
}

func isActive(b *box2d.B2Body) bool { return b.M_flags&b2.BodyActive != 0 }

// isLoaded reports whether a child shape is what its proxy has in the table.
func (s *Stepper) isLoaded(f *box2d.B2Fixture, child int) bool {
	p := f.M_proxies[child].ProxyId
	if p >= len(s.shapes) {
		return false
	}
	sh := &s.shapes[p]
	return sh.f == f && sh.of == f.M_shape && sh.child == int32(child)
}

// shapesReplaced reports whether a fixture of a body has got another shape.
func (s *Stepper) shapesReplaced(e *body) bool {
	for f := e.b.M_fixtureList; f != nil; f = f.M_next {
		if f.M_proxyCount > 0 {
			if p := f.M_proxies[0].ProxyId; p < len(s.shapes) && s.shapes[p].f == f && s.shapes[p].of != f.M_shape {
				return true
			}
		}
	}
	return false
}

// checkMass computes the mass anew if somebody else has written it.
func (e *body) checkMass() {
	if b := e.b; b.M_mass != e.mass || b.M_I != e.inertia || b.M_sweep.LocalCenter != e.localCenter {
		canonicalMass(b)
		e.mass, e.inertia = b.M_mass, b.M_I
	}
}

// bodyTables have an entry for each body.
type bodyTables struct {
	bodies   []body
	poses    []pose
	masses   []mass
	motions  []motion
	stateOf  []int32 // of those that are awake, in this step
	regionOf []uint8 // likewise

	// What the motions were loaded with, and whether all are to be loaded anew.
	loadedGravity box2d.B2Vec2
	loadedH       float32
	reload        bool
}

// followBodies brings the tables in line with the bodies that have come, gone or been
// edited.
func (s *Stepper) followBodies() {
	s.growBodies()
	for _, i := range s.set.Changed {
		s.replaceBody(i)
		s.poses[i].flags |= poseEdited
	}
}

func (s *Stepper) growBodies() {
	n := len(s.set.Body)
	s.bodies, s.poses = growTo(s.bodies, n), growTo(s.poses, n)
	s.masses, s.motions, s.stateOf = growTo(s.masses, n), growTo(s.motions, n), growTo(s.stateOf, n)
	s.regionOf = growTo(s.regionOf, n)
}

// replaceBody gives the entry of a number to the body that has it now.
func (s *Stepper) replaceBody(i int32) {
	e := &s.bodies[i]
	if b := s.set.Body[i].B; e.b != b {
		if e.b != nil {
			s.forgetShapes(e)
		}
		*e, s.poses[i] = body{b: b, first: -1, count: -1, a: math.NaN()}, pose{}
	}
}

// numberOf returns the number of a body that a step has seen, or -1.
func (s *Stepper) numberOf(b *box2d.B2Body) int32 {
	if k := s.set.Number(b); k >= 0 && int(k) < len(s.bodies) && s.bodies[k].b == b {
		return k
	}
	return -1
}

// growTo returns s with a length of at least n.
func growTo[T any](s []T, n int) []T {
	if n > cap(s) {
		s = append(emptyFor(s, n), s...)
	}
	return s[:max(n, len(s))]
}

// sizeTo returns s with a length of n, whatever is in it.
func sizeTo[T any](s []T, n int) []T {
	if n > cap(s) {
		s = emptyFor(s, n)
	}
	return s[:n]
}

// emptyFor returns what takes the place of s where n elements have no room. It is at
// least twice as large, so that a table that grows is seldom copied.
func emptyFor[T any](s []T, n int) []T {
	return make([]T, 0, max(n+n/4+16, 2*cap(s)))
}
