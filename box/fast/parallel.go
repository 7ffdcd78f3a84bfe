package fast

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/timing"

	"halfstep/internal/reslice"
)

// limits decide in which steps the workers do a task, and how the task is divided. They are compared
// only with the state of the world, so that every run of a program decides the same.
type limits struct {
	contacts              int   // for the narrow phase: the least number of contacts in the world
	contactsAfterParallel int   // the same limit after a step with solveParallel
	islandWork            int   // for islands: the least number of bodies, contacts and joints in all islands
	largestIsland         int   // for islands: the greatest share of all bodies, contacts and joints that one island may have, in percent
	chunk                 int   // the number of contacts in a piece of the narrow phase or of times of impact
	toiContacts           int   // for times of impact: the least number of contacts that may have one
	islandGroup           int32 // the number of bodies, contacts and joints in a group of islands
}

// defaultLimits are the sizes from which the workers save more time than they cost. The costs are
// the time to wake the workers and to fetch results from their caches. docs/stepper.md has the
// measurements.
var defaultLimits = limits{contacts: 6000, contactsAfterParallel: 400, islandWork: 400, largestIsland: 75, chunk: 64, toiContacts: 128, islandGroup: 64}

// task is a task for the workers, called once for each piece. It is a method expression, because a
// closure would be allocated in each step. No piece writes to memory of another piece, so the result
// does not depend on which worker does a piece.
type task func(s *Stepper, piece int)

// run makes the workers do the pieces 0 to n-1 of a task.
func (s *Stepper) run(t task, n int) {
	s.task = t
	s.pool.Wake()
	defer s.pool.Rest()
	s.pool.Run(n)
}

// collideParallel computes the manifolds of awake contacts on all workers. It returns false, and
// does nothing, if there are few contacts.
//
// If no callback can run, a worker updates the whole contact, and collide only wakes the bodies. If a
// callback can run, the worker stores the manifold, and collide updates the contacts one by one in
// the library's order.
func (s *Stepper) collideParallel() bool {
	refs := s.mirror.contacts
	minContacts := s.limits.contacts
	if s.mode.islands == solveParallel { // the islands of the last step were solved in parallel
		minContacts = s.limits.contactsAfterParallel
	}
	if s.pool == nil || len(refs) < minContacts {
		return false
	}
	n := &s.narrow
	n.state = reslice.ResizeDirty(n.state, len(refs))
	t := (*Stepper).updateChunk
	if s.mayCallBackInCollide() {
		t = (*Stepper).computeChunk
		n.manifolds = reslice.ResizeDirty(n.manifolds, len(refs))
	}
	s.run(t, (len(refs)+s.limits.chunk-1)/s.limits.chunk)
	return true
}

// runsNoCallbacks reports whether no code of the program can run during a step.
func (s *Stepper) runsNoCallbacks() bool {
	mgr := &s.world.M_contactManager
	switch mgr.M_contactFilter.(type) {
	case nil, *box2d.B2ContactFilter:
		return mgr.M_contactListener == nil
	}
	return false
}

// mayCallBackInCollide reports whether the narrow phase may call the program's listener or
// filter. The filter is called only for contacts with the flag ContactFilter.
func (s *Stepper) mayCallBackInCollide() bool {
	if s.runsNoCallbacks() {
		return false
	}
	if s.world.M_contactManager.M_contactListener != nil {
		return true
	}
	for i := range s.mirror.contacts {
		if s.mirror.contacts[i].c.M_flags&b2.ContactFilter != 0 {
			return true
		}
	}
	return false
}

// contactChunk returns the range of contacts in a piece of the narrow phase.
func (s *Stepper) contactChunk(piece int) (from, to int) {
	from = piece * s.limits.chunk
	return from, min(from+s.limits.chunk, len(s.mirror.contacts))
}

// updatesAlone reports whether a contact is updated in this step without a filter and without a
// sensor test. Only one goroutine may do these.
func (s *Stepper) updatesAlone(r *contactRef) bool {
	return (awake(r.bA) || awake(r.bB)) && r.c.M_flags&b2.ContactFilter == 0 &&
		!r.fA.M_isSensor && !r.fB.M_isSensor && s.testOverlap(r)
}

// updateChunk updates the contacts of a piece when no callback can run. It wakes no body, because
// contacts of several pieces may wake the same body. The function collide wakes the bodies later.
func (s *Stepper) updateChunk(piece int) {
	from, to := s.contactChunk(piece)
	for i := from; i < to; i++ {
		r := &s.mirror.contacts[i]
		if !s.updatesAlone(r) {
			s.narrow.state[i] = untouched
			continue
		}
		updateManifold(r, r.manifold)
		flags := r.c.M_flags | b2.ContactEnabled
		was := flags&b2.ContactTouching != 0
		touching := r.manifold.PointCount > 0
		if touching {
			flags |= b2.ContactTouching
		} else {
			flags &^= b2.ContactTouching
		}
		r.c.M_flags = flags
		if s.mode.callbacks == callbacksNone {
			r.resetFlags()
		}
		s.narrow.state[i] = updated
		if touching != was {
			s.narrow.state[i] = toggled
		}
	}
}

// sameManifoldPlane reports whether two manifolds are equal except for their points.
func sameManifoldPlane(a, b *box2d.B2Manifold) bool {
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return a.PointCount == b.PointCount && a.Type == b.Type &&
		same(a.LocalNormal.X, b.LocalNormal.X) && same(a.LocalNormal.Y, b.LocalNormal.Y) &&
		same(a.LocalPoint.X, b.LocalPoint.X) && same(a.LocalPoint.Y, b.LocalPoint.Y)
}

// computeChunk computes the new manifolds of a piece. Later, collide stores them in the contacts and
// calls the listener.
func (s *Stepper) computeChunk(piece int) {
	from, to := s.contactChunk(piece)
	for i := from; i < to; i++ {
		r, next := &s.mirror.contacts[i], &s.narrow.manifolds[i]
		if !s.updatesAlone(r) {
			s.narrow.state[i] = untouched
			continue
		}
		*next = *r.manifold
		updateManifold(r, next)
		s.narrow.state[i] = computed
		if next.PointCount == 0 && sameManifoldPlane(next, r.manifold) {
			s.narrow.state[i] = unchanged
		}
	}
}

// solveIslands solves the islands that were found, on all workers if that saves time. Then it
// finishes the islands in the order in which they were found.
func (s *Stepper) solveIslands() {
	is := &s.islands
	parallel := s.pool != nil && s.groupIslands()
	if parallel {
		s.mode.islands = solveParallel
		s.run((*Stepper).solveGroup, len(is.groups)-1)
	}
	for i := range is.islands {
		if isl := &is.islands[i]; !parallel || isl.readsStaticIndices {
			s.solveOneIsland(isl)
		}
	}
	s.phases.EnterStage(timing.Sleep)
	for i := range is.islands {
		s.finishIsland(&is.islands[i])
	}
}

// finishIsland finishes an island that was solved. It writes the data that islands share, and calls
// PostSolve. Bodies fall asleep after that call, because PostSolve may read them.
func (s *Stepper) finishIsland(isl *island) {
	s.writeBackStatic(isl)
	if s.listener != nil {
		s.report(isl)
		s.sleepIsland(isl)
	}
	s.sleepStatic(isl)
}

// groupIslands divides the islands into groups of about equal work. It reports whether the workers
// would save time.
func (s *Stepper) groupIslands() bool {
	is := &s.islands
	total := len(is.bodies) + len(is.contacts) + len(is.joints)
	if len(is.islands) < 2 || total < s.limits.islandWork {
		return false
	}
	is.groups = append(is.groups[:0], 0)
	work := int32(0)
	for i := range is.islands {
		isl := &is.islands[i]
		own := isl.bodiesEnd - isl.bodies + isl.contactsEnd - isl.contacts + isl.jointsEnd - isl.joints
		if int(own)*100 > total*s.limits.largestIsland {
			return false
		}
		if work += own; work >= s.limits.islandGroup || i == len(is.islands)-1 {
			is.groups = append(is.groups, int32(i+1))
			work = 0
		}
	}
	return true
}

// solveGroup solves a group of islands, except those that solveIslands must solve one at a time
// later.
func (s *Stepper) solveGroup(piece int) {
	is := &s.islands
	for i := is.groups[piece]; i < is.groups[piece+1]; i++ {
		if isl := &is.islands[i]; !isl.readsStaticIndices {
			s.solveOneIsland(isl)
		}
	}
}

// solveOneIsland solves an island, and writes only to the island's own data. An island whose joints
// read the island indices of static bodies must be solved alone: several islands share the one index
// of a static body, and solveOneIsland sets that index for this island.
func (s *Stepper) solveOneIsland(isl *island) {
	if isl.readsStaticIndices {
		for i, b := range s.islands.bodies[isl.bodies:isl.bodiesEnd] {
			b.M_islandIndex = i
		}
	}
	s.solveIsland(isl)
	if s.listener == nil {
		s.sleepIsland(isl)
	}
	if s.mode.islands == solveParallel {
		s.computeIslandAABBs(isl)
	}
}

// computeTOIsParallel computes the first times of impact on the workers. Before the first event no
// sweep has been advanced, so the time of impact of a contact does not depend on other contacts.
func (s *Stepper) computeTOIsParallel() {
	n := len(s.toi.candidates)
	if s.mode.islands == solveParallel && n >= s.limits.toiContacts && s.world.M_stepComplete {
		pieces := (n + s.limits.chunk - 1) / s.limits.chunk
		s.toi.workerInputs = reslice.ResizeDirty(s.toi.workerInputs, pieces)
		s.run((*Stepper).computeTOIChunk, pieces)
	}
}

// computeTOIChunk computes the times of impact of the enabled candidates in a piece. It leaves out
// the candidates whose time of impact is known.
func (s *Stepper) computeTOIChunk(piece int) {
	in := &s.toi.workerInputs[piece]
	candidates := s.toi.candidates[piece*s.limits.chunk:]
	for _, i := range candidates[:min(s.limits.chunk, len(candidates))] {
		r := &s.mirror.contacts[i]
		if r.c.M_flags&(b2.ContactEnabled|b2.ContactTOI) == b2.ContactEnabled {
			in.computeTOI(r)
		}
	}
}
