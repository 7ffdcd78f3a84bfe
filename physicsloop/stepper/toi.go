package stepper

import "github.com/ByteArena/box2d"

// toiSolver is the scratch of solveTOI.
type toiSolver struct {
	query
	ahead []query // by piece of impactsAhead

	candidates []int32 // indices into mirror.contacts, oldest first
	scanned    int     // contacts that have been looked at for candidates
	bullets    []bool  // by body, as of the last look

	bodies   []*box2d.B2Body // of the island at an impact
	contacts []contactRef
	cs       constraints
}

// solveTOI stops fast bodies at what they would pass through, one event after
// the other in the order of time.
//
// The library looks through all contacts of the world for every event. A
// contact can only have one if a body of it is a bullet or not dynamic, which
// is few of them: only those are looked through here, in the same order.
func (s *Stepper) solveTOI() {
	w := s.world
	watch := s.opts.Watch
	watch.continuous.Store(true)
	defer watch.continuous.Store(false)
	s.listen()
	if w.M_stepComplete {
		for _, b := range s.mirror.bodies {
			b.M_flags &^= bodyIsland
			b.M_sweep.Alpha0 = 0
		}
		contacts := s.mirror.contacts
		if s.islands.unseen {
			contacts = contacts[s.mirror.resolved:] // for the others collide has done it
		}
		for i := range contacts {
			clearImpact(contacts[i].c)
		}
	}
	s.findCandidates()
	s.impactsAhead()

	for {
		if watch.interrupted.Load() {
			panic(ErrInterrupted)
		}
		first, alpha := s.firstImpact()
		if first < 0 {
			w.M_stepComplete = true
			return
		}
		hit := s.impactIsland(&s.mirror.contacts[first], alpha)
		if hit && w.M_subStepping {
			w.M_stepComplete = false
			return
		}
		s.moreCandidates()
	}
}

// clearImpact forgets what was found out about a contact in the last step.
func clearImpact(c *box2d.B2Contact) {
	if c.M_flags&(contactTOI|contactIsland) != 0 {
		c.M_flags &^= contactTOI | contactIsland
	}
	if c.M_toiCount != 0 {
		c.M_toiCount = 0
	}
	if c.M_toi != 1 {
		c.M_toi = 1
	}
}

// findCandidates lists the contacts that may have a time of impact.
func (s *Stepper) findCandidates() {
	t := &s.toi
	t.candidates, t.scanned = t.candidates[:0], 0
	if s.listener != nil || s.world.M_contactManager.M_contactListener != nil {
		t.bullets = grow(t.bullets, len(s.mirror.bodies))
		for i, b := range s.mirror.bodies {
			t.bullets[i] = b.M_flags&bodyBullet != 0
		}
	}
	s.scanCandidates()
}

func (s *Stepper) scanCandidates() {
	t := &s.toi
	refs := s.mirror.contacts
	if s.islands.unseen && t.scanned == 0 {
		for i, e := range s.islands.ends[:s.mirror.resolved] {
			if s.islands.impacts[e.a] || s.islands.impacts[e.b] {
				t.candidates = append(t.candidates, int32(i))
			}
		}
		t.scanned = s.mirror.resolved
	}
	for i := t.scanned; i < len(refs); i++ {
		r := &refs[i]
		if r.bA.M_type != dynamicBody || r.bB.M_type != dynamicBody ||
			(r.bA.M_flags|r.bB.M_flags)&bodyBullet != 0 || r.c.M_flags&contactTOI != 0 {
			t.candidates = append(t.candidates, int32(i))
		}
	}
	t.scanned = len(refs)
}

// moreCandidates adds the contacts that an event has created. A callback may
// also have made a bullet of some body, and candidates of its contacts.
func (s *Stepper) moreCandidates() {
	t := &s.toi
	if s.listener != nil || s.world.M_contactManager.M_contactListener != nil {
		if len(t.bullets) != len(s.mirror.bodies) {
			s.findCandidates()
			return
		}
		for i, b := range s.mirror.bodies {
			if t.bullets[i] != (b.M_flags&bodyBullet != 0) {
				s.findCandidates()
				return
			}
		}
	}
	s.scanCandidates()
}

// firstImpact finds the contact with the earliest time of impact, the newest
// of equals; -1 if there is none before the end of the step.
func (s *Stepper) firstImpact() (first int, alpha float64) {
	refs := s.mirror.contacts
	first, alpha = -1, 1
	for k := len(s.toi.candidates) - 1; k >= 0; k-- {
		i := s.toi.candidates[k]
		c := refs[i].c
		if c.M_flags&contactEnabled == 0 || c.M_toiCount > box2d.B2_maxSubSteps {
			continue
		}
		if c.M_flags&contactTOI == 0 && !s.toi.impact(&refs[i]) {
			continue
		}
		if c.M_toi < alpha {
			first, alpha = int(i), c.M_toi
		}
	}
	return first, alpha
}

// impact computes and caches a contact's time of impact. It reports false if
// the contact can have none.
func (t *query) impact(r *contactRef) bool {
	if r.fA.M_isSensor || r.fB.M_isSensor {
		return false
	}
	a, b := r.bA, r.bB
	box2d.B2Assert(a.M_type == dynamicBody || b.M_type == dynamicBody)
	if !awake(a) && !awake(b) {
		return false
	}
	if a.M_type == dynamicBody && b.M_type == dynamicBody && (a.M_flags|b.M_flags)&bodyBullet == 0 {
		return false
	}
	// Put the sweeps on the same interval of time.
	alpha0 := a.M_sweep.Alpha0
	if a.M_sweep.Alpha0 < b.M_sweep.Alpha0 {
		alpha0 = b.M_sweep.Alpha0
		a.M_sweep.Advance(alpha0)
	} else if b.M_sweep.Alpha0 < a.M_sweep.Alpha0 {
		b.M_sweep.Advance(alpha0)
	}
	box2d.B2Assert(alpha0 < 1)

	t.set(r)
	alpha := 1.0
	if beta, touching := t.timeOfImpact(&a.M_sweep, &b.M_sweep); touching {
		alpha = min(alpha0+(1-alpha0)*beta, 1.0)
	}
	r.c.M_toi = alpha
	r.c.M_flags |= contactTOI
	return true
}

// impactIsland advances two bodies to their impact and solves the contacts
// they have there. It reports false if there turns out to be no impact.
func (s *Stepper) impactIsland(r *contactRef, alpha float64) bool {
	mgr := &s.world.M_contactManager
	a, b := r.bA, r.bB
	backupA, backupB := a.M_sweep, b.M_sweep
	a.Advance(alpha)
	b.Advance(alpha)

	s.update(r, mgr.M_contactListener, nil)
	r.c.M_flags &^= contactTOI
	r.c.M_toiCount++
	if !touchesNow(r.c) {
		r.c.M_flags &^= contactEnabled
		a.M_sweep, b.M_sweep = backupA, backupB
		a.SynchronizeTransform()
		b.SynchronizeTransform()
		return false
	}
	wake(a)
	wake(b)

	t := &s.toi
	t.bodies, t.contacts = append(t.bodies[:0], a, b), append(t.contacts[:0], *r)
	a.M_islandIndex, b.M_islandIndex = 0, 1
	a.M_flags |= bodyIsland
	b.M_flags |= bodyIsland
	r.c.M_flags |= contactIsland
	s.gather(a, alpha)
	s.gather(b, alpha)

	s.solveImpact((1 - alpha) * s.step.Dt)

	for _, body := range t.bodies {
		body.M_flags &^= bodyIsland
		if body.M_type != dynamicBody {
			continue
		}
		s.synchronizeSweep(body)
		for e := body.M_contactList; e != nil; e = e.Next {
			c, _ := unwrap(e.Contact)
			c.M_flags &^= contactTOI | contactIsland
		}
	}
	s.findNewContacts()
	return true
}

func touchesNow(c *box2d.B2Contact) bool {
	const both = contactEnabled | contactTouching
	return c.M_flags&both == both
}

// gather adds to an impact's island what the body touches at that time:
// static, kinematic and bullet bodies.
func (s *Stepper) gather(body *box2d.B2Body, alpha float64) {
	if body.M_type != dynamicBody {
		return
	}
	t := &s.toi
	for e := body.M_contactList; e != nil; e = e.Next {
		if len(t.bodies) == 2*box2d.B2_maxTOIContacts || len(t.contacts) == box2d.B2_maxTOIContacts {
			return
		}
		c, _ := unwrap(e.Contact)
		if c.M_flags&contactIsland != 0 {
			continue
		}
		other := e.Other
		if other.M_type == dynamicBody && (body.M_flags|other.M_flags)&bodyBullet == 0 {
			continue
		}
		if c.M_fixtureA.M_isSensor || c.M_fixtureB.M_isSensor {
			continue
		}
		backup := other.M_sweep
		if other.M_flags&bodyIsland == 0 {
			other.Advance(alpha)
		}
		r := refer(e.Contact)
		s.update(&r, s.world.M_contactManager.M_contactListener, nil)
		if !touchesNow(c) {
			other.M_sweep = backup
			other.SynchronizeTransform()
			continue
		}
		c.M_flags |= contactIsland
		t.contacts = append(t.contacts, r)
		if other.M_flags&bodyIsland != 0 {
			continue
		}
		other.M_flags |= bodyIsland
		if other.M_type != staticBody {
			wake(other)
		}
		other.M_islandIndex = len(t.bodies)
		t.bodies = append(t.bodies, other)
	}
}

// solveImpact moves an impact's island to where its first two bodies no longer
// overlap anything, and over the h seconds that are left of the step.
func (s *Stepper) solveImpact(h float64) {
	t := &s.toi
	cs := &t.cs
	cs.bodies = len(t.bodies)
	cs.positions = grow(cs.positions, len(t.bodies))
	cs.velocities = grow(cs.velocities, len(t.bodies))
	cs.turns = grow(cs.turns, len(t.bodies))
	cs.velocity = grow(cs.velocity, len(t.contacts))
	cs.position = grow(cs.position, len(t.contacts))
	for i, b := range t.bodies {
		cs.positions[i] = box2d.B2Position{C: b.M_sweep.C, A: b.M_sweep.A}
		cs.velocities[i] = box2d.B2Velocity{V: b.M_linearVelocity, W: b.M_angularVelocity}
		cs.turns[i] = turn{b.M_sweep.A, b.M_xf.Q.S, b.M_xf.Q.C}
	}
	for i := range t.contacts {
		r := &t.contacts[i]
		a, b := int32(r.bA.M_islandIndex), int32(r.bB.M_islandIndex)
		cs.set(i, r, a, b)
		cs.velocity[i].impulses(r.m, false, 0)
	}
	for n := 0; n < 20; n++ {
		if cs.solveTOIPositions(0, 1) {
			break
		}
	}
	for i, b := range t.bodies[:2] {
		b.M_sweep.C0, b.M_sweep.A0 = cs.positions[i].C, cs.positions[i].A
	}
	for i := range t.contacts {
		cs.prepare(i, t.contacts[i].c.M_restitution)
	}
	for n := s.step.VelocityIterations; n > 0; n-- {
		cs.solveVelocities()
	}
	// The impulses are not kept: they can be very large.
	integratePositions(cs, h)
	for i, b := range t.bodies {
		cs.writeBack(b, i)
	}
	if s.listener == nil {
		return
	}
	for i := range t.contacts {
		s.postSolve(&t.contacts[i], &cs.velocity[i])
	}
}
