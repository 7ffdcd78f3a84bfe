// Package box owns a Box2D world and knows which part of it a step has to look at.
//
// The lists of a Box2D world hold all objects, and most of a large world sleeps. A
// [World] lists the bodies that are awake, and the contacts and joints of these, in the order
// of the world's lists. So the cost of a step follows from the number of bodies that move.
//
// Between two steps the library's objects are changed by the methods of the World, each of
// which notes what it has changed. Other code that has changed a body calls [World.Edit] and
// its like. Code that may have changed anything calls [World.LookAtAll]; the next step then
// looks at the whole world.
//
// Between two steps a body's M_islandIndex is its number in the World, and a joint's
// M_index is the joint's.
package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// World is the owner of a Box2D world: it numbers the world's bodies, contacts and joints, and
// lists those that are active. It must be created with [New]. Each of its parts owns its tables.
// Verbs that are about more than one part are the World's.
type World struct {
	Bodies   Bodies
	Contacts Contacts
	Joints   Joints
	Shapes   Shapes  // with Soft
	Proxies  Proxies // without

	Rules Rules

	// Edited, if it is not nil, is called with each body that is edited between two steps.
	Edited func(*box2d.B2Body)

	world     *box2d.B2World
	sight     sight
	last      heads      // of the world's lists after the last step, if nobody tells of edits
	sleepers  []sleeper  // see ListSleepers
	worked    bool       // a step has changed the active objects, which are not yet stamped
	sweep     bool       // contacts and joints may be listed that are no longer active
	sweepLate bool       // some may be after the next step
	flags     flags      // scratch
	aside     []int32    // scratch of Merge
	extra     JointExtra // scratch of CreateJoint
}

// Rules are what steppers ask. Several goroutines call the functions in a step.
type Rules struct {
	// BounceSpeed is the closing speed, m/s, below which restitution does not count.
	BounceSpeed float64
	// LocksSliders has the fast stepper hold a slider whose limits are less than 1 cm apart within
	// them. The library takes it to where its anchors meet.
	LocksSliders bool
	// Rolling returns a contact's rolling resistance, in m: the torque for each newton of normal
	// force. It is nil if no contact has any.
	Rolling func(Contact) float64
	// RestSpeeds returns up to which speeds a body counts as at rest, in m/s and rad/s; 0, and a nil
	// RestSpeeds, stand for the stepper's default.
	RestSpeeds func(*box2d.B2Body) (speed, spin float64)
	// Calm is told by the soft stepper of each dynamic body that it has moved, that nobody has edited, pushed
	// or woken, and whose velocity has changed by less than CalmSpeed, m/s, and CalmSpin, rad/s. It reports
	// whether nothing is left to be done about the body after the step, if that does not fall asleep. It may
	// be nil.
	Calm                func(body int32) (done bool)
	CalmSpeed, CalmSpin float64
}

// heads are the first elements of the world's lists, and how many there are.
type heads struct {
	body                     *box2d.B2Body
	contact                  box2d.B2ContactInterface
	joint                    box2d.B2JointInterface
	bodies, contacts, joints int
}

// New returns the owner of a library's world, of which it knows nothing yet. If told is
// false, others change the world without telling the owner, so each step looks at everything.
func New(world *box2d.B2World, told bool) *World {
	s := &World{world: world, Rules: Rules{BounceSpeed: box2d.B2_velocityThreshold}, sight: sight{numbers, told, false}}
	s.Shapes.world, s.Proxies.of, s.Contacts.manager = world, &world.M_contactManager.M_broadPhase, &world.M_contactManager
	return s
}

// GoSoft is called by the soft stepper, which knows the manifolds. Then a sleeper is woken by an awake
// body that touches it, and not already by a new contact, whose boxes overlap. Positions that are set
// have the same bits on every machine. The contacts and the tree of shapes are the World's own, and the
// library's list of contacts and its tree are empty.
func (s *World) GoSoft(m Manifolds) { s.Contacts.own, s.Contacts.Manifolds = true, m }

// Soft reports whether GoSoft was called.
func (s *World) Soft() bool { return s.Contacts.own }

// Leaves returns the tree of the shapes.
func (s *World) Leaves() Leaves {
	if s.Soft() {
		return &s.Shapes
	}
	return &s.Proxies
}

// Configure sets how the world is stepped. It keeps the library from clearing forces after a
// step: Settle does so for the bodies that the step has worked on.
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

// heads returns the present ones.
func (s *World) heads() heads {
	w, m := s.world, &s.world.M_contactManager
	return heads{w.M_bodyList, m.M_contactList, w.M_jointList, w.M_bodyCount, m.M_contactCount, w.M_jointCount}
}

// GiveBack is called after End. If nobody tells of edits, the library's own step may come
// next, so GiveBack puts the library's values back into M_islandIndex.
func (s *World) GiveBack() {
	if !s.sight.told {
		for n := range s.Bodies.All {
			if e := &s.Bodies.All[n]; e.B != nil {
				e.B.M_islandIndex = e.Island
			}
		}
	}
}

// flag has a contact filtered anew.
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

// JointMade follows the creation of a joint.
func (s *World) JointMade(j box2d.B2JointInterface) {
	base := b2.BaseJoint(j)
	s.edit(base.M_bodyA, 0)
	s.edit(base.M_bodyB, 0)
	if s.sight.isBlind() {
		return
	}
	s.Joints.List(s.Joints.add(j, base)) // for one step at least
	s.sweep = true
}

// JointGoes comes before a joint is destroyed, which wakes its bodies.
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
		s.sweep = true
	}
}

// Wake lists a body that is awake now, or will be before the step ends, with its
// contacts and joints.
func (s *World) Wake(n int32) {
	e := &s.Bodies.All[n]
	if e.Listed || e.Static || e.B == nil || e.B.M_flags&b2.BodyActive == 0 {
		return
	}
	e.Listed, s.Bodies.slept = true, true
	s.Bodies.Active = append(s.Bodies.Active, n)
	s.Bodies.See(n)
	s.listAround(e)
}

// Begin comes before a step. It returns false if the world holds a contact or
// joint of a type that is not the library's.
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
	b.slept = b.slept || len(b.edited) > 0 || stay
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

// look looks at a body that may have changed.
func (s *World) look(n int32) {
	e := &s.Bodies.All[n]
	was := e.Static
	e.Static = e.B.M_type == b2.StaticBody
	switch {
	case e.Listed && was && !e.Static: // PutAll may have listed it alone
		s.listAround(e)
	case !e.Listed && b2.IsAwake(e.B):
		s.Wake(n)
	}
}

// leave takes objects that are no longer active out of the lists. With stay what is there stays for
// one step.
func (s *World) leave(stay bool) {
	if s.Bodies.leaveAsleep(stay) {
		s.sweep = true
	}
	if s.sweep || len(s.Contacts.destroyed) > 0 {
		s.sweep = false
		if s.Contacts.sweep(&s.Bodies, stay) {
			s.sweepLate = true
		}
		s.Joints.sweep(&s.Bodies, stay)
	}
}

// Merge sorts the elements that were added to the lists since the last Merge into their places,
// and takes out destroyed contacts.
func (s *World) Merge() {
	s.Contacts.leaveDestroyed(&s.Bodies.Stamps, &s.flags)
	bodies, contacts, joints := s.Bodies.All, s.Contacts.All, s.Joints.All
	s.Bodies.merge(&s.aside, func(a, b int32) bool { return bodies[a].seq < bodies[b].seq })
	s.Contacts.merge(&s.aside, func(a, b int32) bool { return contacts[a].Seq < contacts[b].Seq })
	s.Joints.merge(&s.aside, func(a, b int32) bool { return joints[a].seq < joints[b].seq })
}
