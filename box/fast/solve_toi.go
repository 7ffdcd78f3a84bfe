package fast

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/reslice"
)

// toiSolver is the scratch of solveTOI.
type toiSolver struct {
	toiInput
	workerInputs []toiInput // by piece of computeTOIsParallel

	candidates []int32 // contacts that may have a time-of-impact event: indices in mirror.contacts, the oldest first
	scanned    int     // the number of contacts that were searched for candidates
	bullets    []bool  // by body: whether it was a bullet at the last search for candidates
	queue      toiQueue
	links      toiLinks

	bodies   []*box2d.B2Body // bodies in the island of an event
	contacts []contactRef
	solver   constraintSolver
}

// solveTOI is B2World.SolveTOI. It finds and solves time-of-impact (TOI) events in the order of
// time.
//
// The library checks all contacts of the world for every event. This package checks only the
// candidates: contacts with a bullet or with a body that is not dynamic. No other contact can have
// an event. After an event it checks only the candidates of bodies that the event has moved or
// woken. The order of the checks is the library's.
//
// With sub-stepping, a step ends after each event. M_stepComplete is false until the last event, and
// the times of impact stay valid until then.
func (s *Stepper) solveTOI() {
	w := s.world
	watch := s.opts.Watch
	watch.continuous.Store(true)
	defer watch.continuous.Store(false)
	s.listen()
	s.mirror.indexFrom(s.mirror.indexed) // adds the bodies of the contacts that are newer than collide
	if w.M_stepComplete {
		for _, list := range [...][]*box2d.B2Body{s.mirror.bodies, s.mirror.retiredBodies} {
			for _, b := range list {
				b.M_flags &^= b2.BodyIsland
				if b.M_sweep.Alpha0 != 0 {
					b.M_sweep.Alpha0 = 0
					s.mirror.owner.Bodies.Mark(b) // a body that was active may have lost its last contact
				}
			}
		}
		for _, c := range s.mirror.retiredContacts {
			clearTOI(c)
			s.mirror.owner.Contacts.MarkLibrary(c) // reports that the contact has changed
		}
		s.mirror.retire()
		contacts := s.mirror.contacts
		if s.mode.callbacks == callbacksNone {
			contacts = contacts[s.mirror.indexed:] // collide has done this for all older contacts
		}
		for i := range contacts {
			clearTOI(contacts[i].c)
		}
	}
	s.findTOICandidates()
	s.computeTOIsParallel()

	s.computeAllTOIs()
	if err := watch.Interrupted(); err != nil {
		panic(err)
	}
	if first, _ := s.toi.queue.first(); first < 0 {
		w.M_stepComplete = true
		return
	}
	s.solveTOIEvents()
}

// solveTOIEvents solves all events of a step. After each event it checks the candidates that the
// event may have changed. If callbacks may have changed other candidates, it checks all.
func (s *Stepper) solveTOIEvents() {
	w, t := s.world, &s.toi
	local := s.callbacksStayLocal()
	s.linkTOIs()
	for {
		if err := s.opts.Watch.Interrupted(); err != nil {
			panic(err)
		}
		first, minAlpha := t.queue.first()
		if first < 0 {
			w.M_stepComplete = true
			return
		}
		solved := s.solveTOIEvent(first, minAlpha)
		if solved && w.M_subStepping {
			w.M_stepComplete = false
			return
		}
		if local {
			s.addTOICandidates()
			s.computeDirtyTOIs()
		} else {
			s.mirror.extend(callbacksMayWrite) // callbacksMayWrite does not change flags
			s.updateTOICandidates()
			s.computeAllTOIs()
		}
	}
}

// clearTOI clears the time of impact of the last step in a contact.
func clearTOI(c *box2d.B2Contact) {
	if c.M_flags&(b2.ContactTOI|b2.ContactIsland) != 0 {
		c.M_flags &^= b2.ContactTOI | b2.ContactIsland
	}
	if c.M_toiCount != 0 {
		c.M_toiCount = 0
	}
	if c.M_toi != 1 {
		c.M_toi = 1
	}
}

// computeTOI computes the time of impact of a contact, and stores it in the contact. It returns
// false if the contact cannot have a time of impact.
func (in *toiInput) computeTOI(r *contactRef) bool {
	if r.fA.M_isSensor || r.fB.M_isSensor {
		return false
	}
	bA, bB := r.bA, r.bB
	box2d.B2Assert(bA.M_type == b2.DynamicBody || bB.M_type == b2.DynamicBody)
	if !awake(bA) && !awake(bB) {
		return false
	}
	if bA.M_type == b2.DynamicBody && bB.M_type == b2.DynamicBody && (bA.M_flags|bB.M_flags)&b2.BodyBullet == 0 {
		return false
	}
	// let both sweeps begin at the same time
	alpha0 := bA.M_sweep.Alpha0
	if bA.M_sweep.Alpha0 < bB.M_sweep.Alpha0 {
		alpha0 = bB.M_sweep.Alpha0
		bA.M_sweep.Advance(alpha0)
	} else if bB.M_sweep.Alpha0 < bA.M_sweep.Alpha0 {
		bB.M_sweep.Advance(alpha0)
	}
	box2d.B2Assert(alpha0 < 1)

	in.setProxies(r)
	alpha := 1.0
	if beta, touching := in.timeOfImpact(&bA.M_sweep, &bB.M_sweep); touching {
		alpha = min(alpha0+(1-alpha0)*beta, 1.0)
	}
	r.c.M_toi = alpha
	r.c.M_flags |= b2.ContactTOI
	return true
}

// solveTOIEvent moves two bodies to their time of impact, builds the island of these bodies and
// solves it. It returns false if the bodies do not touch.
func (s *Stepper) solveTOIEvent(first int32, minAlpha float64) bool {
	mgr := &s.world.M_contactManager
	t, owner := &s.toi, s.mirror.owner
	r := &s.mirror.contacts[t.candidates[first]]
	bA, bB := r.bA, r.bB
	backupA, backupB := bA.M_sweep, bB.M_sweep
	bA.Advance(minAlpha)
	bB.Advance(minAlpha)

	s.updateContact(r, mgr.M_contactListener, nil) // nil: no worker has computed the manifold
	r.c.M_flags &^= b2.ContactTOI
	r.c.M_toiCount++
	if !isTouching(r.c) {
		r.c.M_flags &^= b2.ContactEnabled
		bA.M_sweep, bB.M_sweep = backupA, backupB
		bA.SynchronizeTransform()
		bB.SynchronizeTransform()
		t.queue.dirty = append(t.queue.dirty, first)
		s.wokenTOI(bA)
		s.wokenTOI(bB)
		return false
	}
	s.wakeBoth(r)

	t.bodies, t.contacts = append(t.bodies[:0], bA, bB), append(t.contacts[:0], *r)
	// outside of solve, a body's M_islandIndex is its number in the owner
	owner.Bodies.All[bA.M_islandIndex].Island, owner.Bodies.All[bB.M_islandIndex].Island = 0, 1
	bA.M_flags |= b2.BodyIsland
	bB.M_flags |= b2.BodyIsland
	r.c.M_flags |= b2.ContactIsland
	s.addTOIContacts(bA, minAlpha)
	s.addTOIContacts(bB, minAlpha)

	s.solveTOIIsland((1 - minAlpha) * s.step.Dt)

	for _, body := range t.bodies {
		body.M_flags &^= b2.BodyIsland
		s.wokenTOI(body)
		if body.M_type != b2.DynamicBody {
			continue
		}
		s.movedTOI(body)
		s.synchronizeFixtures(body)
		for e := body.M_contactList; e != nil; e = e.Next {
			b2.BaseContact(e.Contact).M_flags &^= b2.ContactTOI | b2.ContactIsland
		}
	}
	s.findNewContacts()
	return true
}

// isTouching reports whether a contact is enabled and touching.
func isTouching(c *box2d.B2Contact) bool {
	const both = b2.ContactEnabled | b2.ContactTouching
	return c.M_flags&both == both
}

// addTOIContacts adds the contacts of a body to the island of an event. If the body is no bullet,
// addTOIContacts adds only the contacts with bullets and with bodies that are not dynamic.
func (s *Stepper) addTOIContacts(body *box2d.B2Body, minAlpha float64) {
	if body.M_type != b2.DynamicBody {
		return
	}
	t, owner := &s.toi, s.mirror.owner
	for e := body.M_contactList; e != nil; e = e.Next {
		if len(t.bodies) == 2*box2d.B2_maxTOIContacts || len(t.contacts) == box2d.B2_maxTOIContacts {
			return
		}
		c, other := b2.BaseContact(e.Contact), e.Other
		if c.M_flags&b2.ContactIsland != 0 || b2.IsSensor(c) ||
			other.M_type == b2.DynamicBody && (body.M_flags|other.M_flags)&b2.BodyBullet == 0 {
			continue
		}
		backup := other.M_sweep
		if other.M_flags&b2.BodyIsland == 0 {
			other.Advance(minAlpha)
		}
		r := makeContactRef(owner, owner.Contacts.NumberOf(c))
		s.updateContact(&r, s.world.M_contactManager.M_contactListener, nil)
		s.wokenTOI(other)
		if !isTouching(c) {
			other.M_sweep = backup
			other.SynchronizeTransform()
			continue
		}
		c.M_flags |= b2.ContactIsland
		t.contacts = append(t.contacts, r)
		if other.M_flags&b2.BodyIsland != 0 {
			continue
		}
		other.M_flags |= b2.BodyIsland
		if other.M_type != b2.StaticBody {
			b2.Wake(other)
			owner.Wake(int32(other.M_islandIndex))
		}
		owner.Bodies.All[other.M_islandIndex].Island = len(t.bodies)
		t.bodies = append(t.bodies, other)
	}
}

// solveTOIIsland is B2Island.SolveTOI. It moves the two bodies of the event apart until they no
// longer overlap. Then it moves the whole island over the rest of the step, which is h, in s.
func (s *Stepper) solveTOIIsland(h float64) {
	t, body := &s.toi, s.mirror.owner.Bodies.All
	cs := &t.solver
	cs.bodies, cs.bounceSpeed, cs.held = len(t.bodies), s.mirror.owner.Rules.BounceSpeed, cs.held[:0]
	cs.positions = reslice.ResizeDirty(cs.positions, len(t.bodies))
	cs.velocities = reslice.ResizeDirty(cs.velocities, len(t.bodies))
	cs.rotations = reslice.ResizeDirty(cs.rotations, len(t.bodies))
	cs.velocityConstraints = reslice.ResizeDirty(cs.velocityConstraints, len(t.contacts))
	cs.positionConstraints = reslice.ResizeDirty(cs.positionConstraints, len(t.contacts))
	for i, b := range t.bodies {
		cs.positions[i] = box2d.B2Position{C: b.M_sweep.C, A: b.M_sweep.A}
		cs.velocities[i] = box2d.B2Velocity{V: cs.hold(b, i, b.M_linearVelocity), W: b.M_angularVelocity}
		cs.rotations[i] = rotation{b.M_sweep.A, b.M_xf.Q.S, b.M_xf.Q.C}
	}
	for i := range t.contacts {
		r := &t.contacts[i]
		a, b := int32(body[r.bA.M_islandIndex].Island), int32(body[r.bB.M_islandIndex].Island)
		cs.initializeConstraint(i, r, a, b)
		cs.velocityConstraints[i].loadImpulses(r.manifold, false, 0) // the first impulses are 0
	}
	for n := 0; n < 20; n++ {
		solved := cs.solvePositionConstraints(true) // solve the positions at a time of impact
		if cs.holdPositions(); solved {
			break
		}
	}
	for i, b := range t.bodies[:2] {
		b.M_sweep.C0, b.M_sweep.A0 = cs.positions[i].C, cs.positions[i].A
	}
	for i := range t.contacts {
		cs.initializeVelocityConstraint(i, t.contacts[i].c.M_restitution)
	}
	for n := s.step.VelocityIterations; n > 0; n-- {
		cs.solveVelocityConstraints()
		cs.holdVelocities()
	}
	// the next step does not start with these impulses, because they can be very large
	integratePositions(cs, h)
	for i, b := range t.bodies {
		cs.writeBack(b, i)
	}
	if s.listener == nil {
		return
	}
	for i := range t.contacts {
		s.postSolve(&t.contacts[i], &cs.velocityConstraints[i])
	}
}
