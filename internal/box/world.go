// Package box owns a Box2D world and knows at which part of the world a step must look.
//
// The lists of a Box2D world contain all objects, but most bodies of a large world sleep. A [World]
// lists the bodies that are awake, and their contacts and joints, in the order of the world's
// lists. So the cost of a step depends on the number of bodies that move.
//
// Between two steps, methods of the World change the library's objects and record the changes.
// Other code that has changed a body calls [World.Edit] or [World.Touch]. Code that may have
// changed any object calls [World.LookAtAll], and the next step then looks at the whole world.
//
// Between two steps a body's M_islandIndex is its number in the World, and a joint's M_index is the
// joint's number.
package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// World is the owner of a Box2D world: it numbers the world's bodies, contacts and joints, and lists the
// active objects. It must be created with [New]. Each of its parts owns its tables. A method that uses
// several parts is a method of World.
type World struct {
	Bodies   Bodies
	Contacts Contacts
	Joints   Joints
	Shapes   Shapes  // used if Soft
	Proxies  Proxies // used if not Soft

	Rules Rules

	// Edited is called with each body that is edited between two steps. Edited may be nil.
	Edited func(*box2d.B2Body)

	world       *box2d.B2World
	sight       sight
	last        heads      // the heads after the last step; used if other code does not report its changes
	sleepers    []sleeper  // see ListSleepers
	worked      bool       // a step has changed the active objects since the last call of Stamp
	sweep       bool       // the lists may contain contacts and joints that are no longer active
	sweepJoints bool       // joints may be listed that are no longer active
	sweepLate   bool       // the lists may contain such contacts and joints after the next step
	flags       flags      // scratch memory
	aside       []int32    // scratch memory of Merge
	extra       JointExtra // scratch memory of CreateJoint
}

// Rules are settings that steppers read. Several goroutines call the functions at the same time.
type Rules struct {
	// BounceSpeed is the closing speed below which a contact has no restitution, in m/s.
	BounceSpeed float64
	// LocksSliders makes the fast stepper keep a slider inside its limits even if these are less than 1 cm
	// apart. The library would move such a slider to the place where its anchors meet.
	LocksSliders bool
	// Rolling returns the rolling resistance of a contact, in m. It is the torque in N·m for each newton of
	// normal force. Rolling is nil if no contact has a rolling resistance.
	Rolling func(Contact) float64
	// RestSpeeds returns the greatest speeds of a body at rest, in m/s and rad/s. 0 means the stepper's
	// default speed. If RestSpeeds is nil, both speeds are the defaults.
	RestSpeeds func(*box2d.B2Body) (speed, spin float64)
	// The soft stepper calls Calm for each dynamic body that it has moved with almost the same velocity as
	// before: the change is less than CalmSpeed, in m/s, and CalmSpin, in rad/s. It does not call Calm for a
	// body that was edited, pushed or woken. If Calm returns true, the body needs no more work after the
	// step, unless it falls asleep. Calm may be nil.
	Calm                func(body int32) (done bool)
	CalmSpeed, CalmSpin float64
}

// heads are the first elements of the world's lists, and the numbers of elements.
type heads struct {
	body                     *box2d.B2Body
	contact                  box2d.B2ContactInterface
	joint                    box2d.B2JointInterface
	bodies, contacts, joints int
}

// New returns the owner of a library's world. The owner does not know any of the world's objects yet. If
// told is false, other code changes the world without a report, and each step looks at everything.
func New(world *box2d.B2World, told bool) *World {
	s := &World{world: world, Rules: Rules{BounceSpeed: box2d.B2_velocityThreshold}, sight: sight{numbers, told, false}}
	s.Shapes.world, s.Proxies.of, s.Contacts.manager = world, &world.M_contactManager.M_broadPhase, &world.M_contactManager
	return s
}

// GoSoft makes a World that is Soft. The soft stepper calls it and passes its manifolds. A Soft World
// keeps the contacts and the tree of shapes itself, and the library's list of contacts and tree are
// empty. A sleeping body wakes when an awake body touches it, and not when a contact is made before
// that. Positions that are set have the same bits on every machine.
func (s *World) GoSoft(m Manifolds) { s.Contacts.own, s.Contacts.Manifolds = true, m }

// Soft reports whether GoSoft was called.
func (s *World) Soft() bool { return s.Contacts.own }

// Leaves returns the leaves of the tree of shapes.
func (s *World) Leaves() Leaves {
	if s.Soft() {
		return &s.Shapes
	}
	return &s.Proxies
}

// Configure sets the options of the steps. It also stops the library from clearing forces after a step,
// because Settle clears the forces.
func (s *World) Configure(sleeps, warmStarts, continuous, subSteps bool) {
	w := s.world
	w.SetAutoClearForces(false)
	w.SetAllowSleeping(sleeps)
	w.M_warmStarting, w.M_continuousPhysics, w.M_subStepping = warmStarts, continuous, subSteps
}

// End is called after a step.
func (s *World) End() {
	s.worked, s.Contacts.ended = true, s.Contacts.age
	s.Shapes.update()
	s.Bodies.Changed = s.Bodies.Changed[:0]
	if !s.sight.told {
		s.last = s.heads()
	}
}

func (s *World) heads() heads {
	w, m := s.world, &s.world.M_contactManager
	return heads{w.M_bodyList, m.M_contactList, w.M_jointList, w.M_bodyCount, m.M_contactCount, w.M_jointCount}
}

// GiveBack is called after End. If other code does not report its changes, GiveBack restores the
// library's values of M_islandIndex, because the library's own step may come next.
func (s *World) GiveBack() {
	if !s.sight.told {
		for n := range s.Bodies.All {
			if e := &s.Bodies.All[n]; e.B != nil {
				e.B.M_islandIndex = e.Island
			}
		}
	}
}

// flag makes the next step ask the filters about a contact again.
func (s *World) flag(c Contact) {
	*c.Flags() |= b2.ContactFilter
	if s.sight.isBlind() {
		return
	}
	if n := s.Contacts.number(c); n >= 0 {
		s.Contacts.Stamps.Mark(n)
		s.Contacts.list(n)
		s.sweep = true
	}
}

// JointMade gives a number to a joint that was just created.
func (s *World) JointMade(j box2d.B2JointInterface) {
	base := b2.BaseJoint(j)
	s.edit(base.M_bodyA, 0)
	s.edit(base.M_bodyB, 0)
	if s.sight.isBlind() {
		return
	}
	s.Joints.List(s.Joints.add(j, base)) // the joint is listed for at least one step
	s.sweepJoints = true
}

// JointGoes is called before a joint is destroyed. The removal wakes the joint's bodies.
func (s *World) JointGoes(j box2d.B2JointInterface) {
	base := b2.BaseJoint(j)
	s.edit(base.M_bodyA, 0)
	s.edit(base.M_bodyB, 0)
	if s.sight.isBlind() {
		return
	}
	s.Joints.markAround(base)
	if n := s.Joints.Number(base); n >= 0 {
		s.Joints.drop(n)
		s.sweepJoints = true
	}
}

// Wake lists a body that is awake, or will be awake before the step ends. It also lists the body's
// contacts and joints.
func (s *World) Wake(n int32) {
	e := &s.Bodies.All[n]
	if e.Listed || e.Static || e.B == nil || e.B.M_flags&b2.BodyActive == 0 {
		return
	}
	e.Listed = true
	s.Bodies.dozing = append(s.Bodies.dozing, n)
	s.Bodies.Active = append(s.Bodies.Active, n)
	s.Bodies.See(n)
	s.listAround(e)
}

// Begin is called before a step. It returns false if a contact or joint has a type that is not the
// library's.
func (s *World) Begin() bool {
	s.worked = true
	s.Proxies.forgetMoves()
	s.Bodies.forget()
	blind := s.sight.isBlind()
	if blind && !s.lookAtAll() {
		return false
	}
	stay := s.sight.begin()
	b := &s.Bodies
	b.slept = b.slept || stay
	b.dozing = append(b.dozing, b.edited...)
	for _, n := range b.edited {
		e := &b.All[n]
		e.edited = false
		b.See(n)
		if !blind || e.B == nil {
			b.Changed = append(b.Changed, n)
		}
		if e.B != nil {
			s.look(n)
		}
	}
	b.edited = b.edited[:0]
	s.leave(stay)
	s.Merge()
	s.sweep, s.sweepLate = s.sweep || s.sweepLate, false
	s.Contacts.made.BeginRound()
	return true
}

// look lists a body that may have changed, if the body is now awake.
func (s *World) look(n int32) {
	e := &s.Bodies.All[n]
	was := e.Static
	e.Static = e.B.M_type == b2.StaticBody
	switch {
	case e.Listed && was && !e.Static: // PutAll may have listed the body without the body's contacts
		s.listAround(e)
	case !e.Listed && b2.IsAwake(e.B):
		s.Wake(n)
	}
}

// leave removes objects that are no longer active from the lists. If stay is true, existing objects
// remain for one step.
func (s *World) leave(stay bool) {
	if s.Bodies.leaveAsleep(stay) {
		s.sweep = true
	}
	if s.sweep {
		s.sweep, s.sweepJoints = false, true
		if s.Contacts.sweep(&s.Bodies, stay) {
			s.sweepLate = true
		}
	}
	if s.sweepJoints {
		s.sweepJoints = false
		s.Joints.sweep(&s.Bodies, stay)
	}
}

// Merge sorts the elements that were added to the lists since the last call of Merge. It also removes
// destroyed contacts.
func (s *World) Merge() {
	s.Contacts.leaveDestroyed(&s.Bodies.Stamps, &s.flags)
	bodies, contacts, joints := s.Bodies.All, s.Contacts.All, s.Joints.All
	s.Bodies.merge(&s.aside, func(a, b int32) bool { return bodies[a].seq < bodies[b].seq })
	s.Contacts.merge(&s.aside, func(a, b int32) bool { return contacts[a].Seq < contacts[b].Seq })
	s.Joints.merge(&s.aside, func(a, b int32) bool { return joints[a].seq < joints[b].seq })
}
