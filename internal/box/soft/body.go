package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// state is the part of a body that the solver changes in a step. The kernel loads eight states at a
// time, so the layout is fixed, with 32 bytes.
type state struct {
	v  vec     // velocity, m/s
	w  float32 // angular velocity, rad/s
	da float32 // da is the angle since the start of the step in rad.
	d  vec     // d is the displacement of the centre of mass since the start of the step in m.
	q  rot     // the rotation by da
}

var atRest = state{q: rot{0, 1}}

// pose is the position and rotation of a body at the start of a step.
type pose struct {
	x, y   float64 // centre of mass
	q      rot
	extent float32 // extent is the greatest distance of a point of the body's shapes from the centre of mass. For a body without shapes see shapes.copy.
	flags  uint32
}

// Flags of a pose.
const (
	poseAwake    = 1 << iota // poseAwake: the body is awake, active, and not static.
	poseDynamic              // poseDynamic: the body has mass, and is awake and active.
	poseFast                 // poseFast: the body moved so far in the last step that it may pass through a shape.
	poseMoving               // poseMoving: the body is kinematic and has a velocity.
	poseStatic               // poseStatic: the body is of the static type.
	poseBullet               // poseBullet: the body is a bullet and is awake.
	poseSleeping             // dynamic, active and asleep
	poseInWay                // poseInWay: a kinematic body may pass through this body in this step.
	poseEdited               // poseEdited: other code has edited the body since the last step, or the body woke in the middle of a step.
	poseChanged              // poseChanged: the body was edited or has woken, so its contacts are read again.
	posePushed               // posePushed: a force or torque acts on the body.
	poseUpright              // poseUpright: the body is dynamic, gravity acts on it, and it has almost no spin (see turns).
	poseFixedX               // poseFixedX: the body is dynamic and keeps its x.
	poseFixedY               // or its y
	poseLate                 // poseLate: the body is a bullet that has not moved yet in this step.
	poseStopped              // poseStopped: the body is dynamic, and sweep has stopped it in this step.
	poseStirred              // poseStirred: wake was called for the body in this step while it was awake, so its time at rest restarts.
	poseDone                 // poseDone: the body is dynamic, and is not in sweeper.rest.
	poseListed               // poseListed: the body is in loader.list.
)

type mass struct{ m, i float32 } // inverse mass, inverse inertia

// motion has a body's velocity at the start of the step, and how it changes in every sub-step.
type motion struct {
	v                         vec
	w                         float32
	dv                        vec // dv is the change of velocity by gravity and forces.
	dw                        float32
	linearScale, angularScale float32 // the factors by which damping reduces the velocities
}

// plan is the displacement and rotation of a body in this step if no shape stops the body. It is
// zero for a body that is not awake.
type plan struct {
	d  vec
	da float32
}

// plan computes the plan of a body that is awake.
func (s *bodies) plan(i int32) {
	m := &s.motions[i]
	s.plans[i] = plan{m.v.times(s.stride.dt), clamp(float32(m.w*s.stride.dt), -mostTurn, mostTurn)}
}

const mostTurn = 1.5 // mostTurn is the limit of smallRotation in rad.

// body has the stepper's data about one of the library's bodies. The data are kept from step to
// step. A field that the library's body also has contains the value that the last step read.
type body struct {
	b           *box2d.B2Body
	localCenter box2d.B2Vec2
	first       int32   // first is the number of the body's first shape, or -1 if there is none.
	count       int32   // count is the number of the body's fixtures, or -1 if its shapes must be loaded.
	minExtent   float32 // minExtent is the least distance between the edge of a shape and the shape's centroid.
	fixed       bool    // not dynamic
	active      bool
	seen        bool       // seen says that a step has seen the body.
	change      box.Change // change has the edits since the last step.

	mass, inertia float64
	a             float64 // the angle, in rad
}

const heeded = box.Placed | box.Reshaped | box.Reboxed | box.Resurfaced

func isActive(b *box2d.B2Body) bool { return b.M_flags&b2.BodyActive != 0 }

// bodies have an entry for each body. The masses and motions of a body depend on its mass, forces,
// damping and velocity, and on the world's gravity and the step. The method loadBody reads them
// again when the body was edited or pushed, or when the world's values have changed. The time at
// rest of a body is the library's M_sleepTime, which the methods of box.World reset when they wake
// the body.
type bodies struct {
	all     []body
	poses   []pose
	masses  []mass
	motions []motion
	plans   []plan
	shaped  []uint64 // by body: the stamp in box.Bodies.Shaped at the time when its shapes were loaded
	touched []int32  // by body: the contact that contacts.touch found last; the contact may have ended since then

	// passing are bodies whose rows are valid for only one step, so that the next step loads them. They
	// were edited or pushed before the step, or woke up or fell asleep during the step.
	passing []int32
	linked  bool // linked says that a body with joints was loaded since the last call of joints.follow.

	woken    []int32 // woken are the bodies that have woken since the narrow phase began.
	sleepers bool    // sleepers says that a contact or joint of an awake body may have a sleeping body.
	hammers  bool    // hammers says that the world has had a hammer (see isHammer).

	set    *box.World
	stride *stride

	// These are the gravity, the sub-step and the step for which the motions and plans were loaded.
	loadedGravity box2d.B2Vec2
	loadedH       float32
	loadedDt      float32
	reload        bool // reload says that all motions must be loaded again.
}

func (s *bodies) grow() {
	n := len(s.set.Bodies.All)
	s.all, s.poses = growTo(s.all, n), growTo(s.poses, n)
	s.masses, s.motions, s.plans = growTo(s.masses, n), growTo(s.motions, n), growTo(s.plans, n)
	s.shaped, s.touched = growTo(s.shaped, n), growTo(s.touched, n)
}

// numberOf returns the number of a body that a step has seen, or -1.
func (s *bodies) numberOf(b *box2d.B2Body) int32 {
	if k := s.set.Bodies.Number(b); k >= 0 && int(k) < len(s.all) && s.all[k].b == b {
		return k
	}
	return -1
}

// velocity returns a body's velocity before the solver changes it.
func (s *bodies) velocity(i int32) (v vec, w float32) {
	if s.poses[i].flags&(poseDynamic|poseMoving) != 0 {
		v, w = s.motions[i].v, s.motions[i].w
	}
	return v, w
}

// pullOn returns the acceleration of a body by gravity and forces in this step, in m/s².
func (s *bodies) pullOn(i int32) vec {
	if s.poses[i].flags&poseDynamic == 0 {
		return vec{}
	}
	return s.motions[i].dv.times(s.stride.invH)
}

// local converts a point of a body to the vector from the body's centre of mass, in world
// coordinates.
func (s *bodies) local(body int32, p box2d.B2Vec2) vec {
	lc := s.all[body].localCenter
	return s.poses[body].q.apply(vec{float32(p.X - lc.X), float32(p.Y - lc.Y)})
}

// centres returns the vector from one body's centre of mass to that of another.
func (s *bodies) centres(a, b int32) vec {
	pa, pb := &s.poses[a], &s.poses[b]
	return vec{float32(pb.x - pa.x), float32(pb.y - pa.y)}
}

func (s *bodies) angleBetween(a, b int32) float64 {
	return s.all[b].a - s.all[a].a
}

// direction converts a direction in a body's frame to world coordinates.
func (s *bodies) direction(body int32, d box2d.B2Vec2) vec {
	n, _ := normalize(vec{float32(d.X), float32(d.Y)})
	return s.poses[body].q.apply(n)
}

// load sets the data that depend on the body's type and on whether it is awake.
func (s *bodies) load(i int32) {
	p, b := &s.poses[i], s.all[i].b
	switch {
	case b.M_type == b2.StaticBody:
		p.flags |= poseStatic
		s.masses[i] = mass{}
	case b.M_flags&b2.BodyActive == 0:
	case b.M_flags&b2.BodyAwake != 0:
		s.loadAwake(i)
		return
	case b.M_type == b2.DynamicBody:
		p.flags |= poseSleeping
	}
	s.plans[i] = plan{}
}

// loadAwake sets the flags, the motion and the mass of an awake body.
func (s *bodies) loadAwake(i int32) {
	p, b := &s.poses[i], s.all[i].b
	p.flags = p.flags&^poseSleeping | poseAwake
	m := &s.motions[i]
	*m = motion{linearScale: 1, angularScale: 1}
	m.v, m.w = vec{float32(b.M_linearVelocity.X), float32(b.M_linearVelocity.Y)}, float32(b.M_angularVelocity)
	if b.M_type == b2.KinematicBody {
		s.masses[i] = mass{}
		if m.v != (vec{}) || m.w != 0 {
			p.flags |= poseMoving
		}
		s.plan(i)
		return
	}
	p.flags |= poseDynamic
	s.noteTurn(p, m.w)
	if b.M_force != (box2d.B2Vec2{}) || b.M_torque != 0 {
		p.flags |= posePushed
	}
	if b.M_flags&b2.BodyBullet != 0 {
		p.flags |= poseBullet
	}
	if b.M_flags&b2.BodyFixedX != 0 {
		p.flags |= poseFixedX
	}
	if b.M_flags&b2.BodyFixedY != 0 {
		p.flags |= poseFixedY
	}
	m.v = p.alongFree(m.v)
	s.plan(i)
	s.masses[i] = mass{float32(b.M_invMass), float32(b.M_invI)}
	h, g := float64(s.stride.h), b.M_gravityScale
	m.dv.x = float32(h * (float64(g*s.stride.gravity.X) + float64(b.M_invMass*b.M_force.X)))
	m.dv.y = float32(h * (float64(g*s.stride.gravity.Y) + float64(b.M_invMass*b.M_force.Y)))
	m.dw = float32(h * b.M_invI * b.M_torque)
	if b.M_linearDamping != 0 {
		m.linearScale = 1 / (1 + float32(s.stride.h*float32(b.M_linearDamping)))
	}
	if b.M_angularDamping != 0 {
		m.angularScale = 1 / (1 + float32(s.stride.h*float32(b.M_angularDamping)))
	}
}

// alongFree removes the components of v along the fixed axes of the body, as b2.AlongFree does.
func (p *pose) alongFree(v vec) vec {
	if p.flags&poseFixedX != 0 {
		v.x = 0
	}
	if p.flags&poseFixedY != 0 {
		v.y = 0
	}
	return v
}

// noteTurn sets poseUpright if there is gravity and the spin w, in rad/s, moves no point of the
// body faster than propSpeed.
func (s *bodies) noteTurn(p *pose, w float32) {
	if p.flags &^= poseUpright; s.stride.gravity != (box2d.B2Vec2{}) && !(float32(abs(w)*p.extent) > propSpeed) {
		p.flags |= poseUpright
	}
}

// place calls b2.Place for a body that other code has moved, and copies the pose of the body.
func (s *bodies) place(i int32) {
	e, p := &s.all[i], &s.poses[i]
	b := e.b
	b2.Place(b)
	p.x, p.y = b.M_sweep.C.X, b.M_sweep.C.Y
	p.q = rot{float32(b.M_xf.Q.S), float32(b.M_xf.Q.C)}
	e.a = b.M_sweep.A
}

// wake wakes a sleeping body in the middle of a step. For an awake body it makes checkRest restart
// the time at rest.
func (s *bodies) wake(i int32) {
	if p := &s.poses[i]; p.flags&poseAwake != 0 && s.stride.dt > 0 {
		p.flags |= poseStirred
		return
	}
	b2.Wake(s.all[i].b)
	s.set.Wake(i)
	s.loadWoken(i)
}

// loadWoken loads a body that was woken in the middle of a step.
func (s *bodies) loadWoken(i int32) {
	p := &s.poses[i]
	if p.flags&poseAwake == 0 && s.set.Bodies.All[i].Listed {
		s.passing = append(s.passing, i)
		s.linked = s.linked || s.all[i].b.M_jointList != nil
	}
	if p.flags&poseSleeping != 0 {
		s.loadAwake(i)
		p.flags |= poseEdited | poseChanged
		s.woken, s.sleepers = append(s.woken, i), true
	}
}

func (s *bodies) clearForces(_, from, to int) {
	for _, i := range s.set.Bodies.Seen[from:to] {
		if b := s.all[i].b; b != nil && (b.M_force != (box2d.B2Vec2{}) || b.M_torque != 0) {
			b.M_force, b.M_torque = box2d.B2Vec2{}, 0
		}
	}
}

// wayOf returns the displacement and rotation of a body in this step if no shape stops the body.
func (s *bodies) wayOf(i int32) (vec, float32) { return s.plans[i].d, s.plans[i].da }

// planned returns the course of a body over a number of steps if no shape stops the body.
func (s *bodies) planned(i int32, steps float32) course {
	p := &s.poses[i]
	d, da := s.wayOf(i)
	return course{p.x, p.y, p.q, d.times(steps), clamp(float32(steps*da), -mostTurn, mostTurn)}
}

// sleeperOf returns the sleeping one of two bodies if the other body is an awake dynamic body or a
// moving kinematic body. Otherwise it returns -1.
func (s *bodies) sleeperOf(a, b int32) int32 {
	fa, fb := s.poses[a].flags, s.poses[b].flags
	const wakes = poseDynamic | poseMoving
	switch {
	case fa&poseSleeping != 0 && fb&wakes != 0:
		return a
	case fb&poseSleeping != 0 && fa&wakes != 0:
		return b
	}
	return -1
}
