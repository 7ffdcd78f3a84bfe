package soft

import (
	"math"

	"github.com/ByteArena/box2d"
)

// The library's flags and types. There they are variables, here constants.
const (
	contactTouching = 0x0002
	contactEnabled  = 0x0004
	contactFilter   = 0x0008
	contactKnown    = 0x0400 // ours: the contact has a slot; package world has two below

	bodyAwake     = 0x0002
	bodyAutoSleep = 0x0004
	bodyBullet    = 0x0008
	bodyActive    = 0x0020

	staticBody    = 0
	kinematicBody = 1
	dynamicBody   = 2

	circleShape  = 0
	edgeShape    = 1
	polygonShape = 2
	chainShape   = 3
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
	poseFast                 // moved so far in the last step that manifolds are not reused
	poseMoving               // kinematic, and has a velocity
	poseStatic               // of the static type
	poseBullet               //
	poseSleeping             // dynamic, active and asleep
	poseInWay                // a kinematic body may pass through it in this step
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
	fixtures    *box2d.B2Fixture // the head of its list, as last seen
	count       int              // the length of that list
	localCenter box2d.B2Vec2     // as last seen
	first       int32            // its first shape, -1 for none
	fixed       bool             // not dynamic, as last seen
	active      uint32           // bodyActive, or 0
	minExtent   float32          // the least distance of the edge of a shape from its centroid
	replaced    bool             // a fixture has another shape than was loaded

	mass, inertia float64 // as last seen

	// What was written to the body after the last step, to notice what others write.
	x, y, a float64
}

// shapesChanged reports whether the shapes of a body are others than those that
// were loaded, or lie otherwise about its centre of mass.
func (s *Stepper) shapesChanged(e *body) bool {
	b := e.b
	if b.M_fixtureCount != e.count || b.M_fixtureList != e.fixtures || b.M_sweep.LocalCenter != e.localCenter || b.M_flags&bodyActive != e.active {
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

// listBodies brings s.bodies in line with the world's list: oldest first. What
// is known of bodies that go on is kept.
func (s *Stepper) listBodies() {
	w := s.world
	if s.bodyHead == w.M_bodyList && len(s.bodies) == w.M_bodyCount {
		return
	}
	old, n := s.bodies, w.M_bodyCount
	next := growTo(s.spareBodies[:0], n)[:n]
	poses := growTo(s.sparePoses[:0], n)[:n]
	i := n
	for b := w.M_bodyList; b != nil; b = b.M_next {
		i--
		if k := b.M_islandIndex; k >= 0 && k < len(old) && old[k].b == b {
			next[i], poses[i] = old[k], s.poses[k]
			old[k].b = nil
			continue
		}
		next[i], poses[i] = body{b: b, first: -1, count: -1, a: math.NaN()}, pose{}
	}
	for k := range old {
		if old[k].b != nil {
			s.forgetShapes(&old[k])
		}
	}
	clear(old)
	s.spareBodies, s.bodies = old, next
	s.sparePoses, s.poses = s.poses, poses
	s.bodyHead = w.M_bodyList
	for k := range next {
		next[k].b.M_islandIndex = k
		for p := next[k].first; p >= 0; p = s.shapes[p].next {
			s.shapes[p].body = int32(k)
		}
	}
	s.masses = growTo(s.masses, n)[:n]
	s.motions, s.stateOf = growTo(s.motions, n)[:n], growTo(s.stateOf, n)[:n]
	s.renumbered = true
}

// growTo returns s with a length of at least n.
func growTo[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n <= cap(s) {
		return s[:n]
	}
	t := make([]T, n, n+n/4+16)
	copy(t, s)
	return t
}
