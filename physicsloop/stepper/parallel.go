package stepper

import (
	"math"

	"github.com/ByteArena/box2d"
)

// limits say when a phase leaves the caller's goroutine, and in what pieces.
// What they compare is part of the world's state, so a run does not depend on
// chance even in its speed.
type limits struct {
	contacts int   // contacts in the world, for the narrow phase
	spread   int   // the same, when the solver used the workers in the last step
	work     int   // bodies, contacts and joints in islands, for the solver
	share    int   // the largest island's share of them, in hundredths
	chunk    int   // contacts in one piece of the narrow phase
	impacts  int   // contacts that may have a time of impact
	piece    int32 // bodies, contacts and joints in one piece of the solver
}

// Beyond these a worker saves more than it costs to wake and to fetch what it
// has written from its core's cache; docs/stepper.md has the figures.
var defaultLimits = limits{contacts: 6000, spread: 400, work: 400, share: 75, chunk: 64, impacts: 128, piece: 64}

// collideAhead computes the manifolds of awake contacts on all workers and
// reports whether it did.
//
// As long as no callback can run, a contact's update concerns nobody else but
// for waking its bodies, and is done at once. Otherwise the manifolds go to
// scratch: whether, when and with which callbacks they come into force is
// decided serially, in the order of the contacts.
func (s *Stepper) collideAhead() bool {
	refs := s.mirror.contacts
	least := s.limits.contacts
	if s.spread {
		least = s.limits.spread
	}
	if s.pool == nil || len(refs) < least {
		return false
	}
	n := &s.narrow
	n.state = grow(n.state, len(refs))
	ph := phaseUpdate
	if s.mayCallBack() {
		ph = phaseCompute
		n.manifolds = grow(n.manifolds, len(refs))
	}
	s.pool.run(s, ph, (len(refs)+s.limits.chunk-1)/s.limits.chunk)
	return true
}

// quiet reports whether no code of the user's can run during a step.
func (s *Stepper) quiet() bool {
	mgr := &s.world.M_contactManager
	switch mgr.M_contactFilter.(type) {
	case nil, *box2d.B2ContactFilter:
		return mgr.M_contactListener == nil
	}
	return false
}

// mayCallBack reports whether code of the user's may run during collide.
func (s *Stepper) mayCallBack() bool {
	if s.quiet() {
		return false
	}
	if s.world.M_contactManager.M_contactListener != nil {
		return true
	}
	for i := range s.mirror.contacts {
		if s.mirror.contacts[i].c.M_flags&contactFilter != 0 {
			return true
		}
	}
	return false
}

// chunkOf is one worker's piece of the contacts.
func (s *Stepper) chunkOf(piece int) (from, to int) {
	from = piece * s.limits.chunk
	return from, min(from+s.limits.chunk, len(s.mirror.contacts))
}

// plain reports whether a contact will be updated in this step and has
// nothing to it that must wait for its turn.
func (s *Stepper) plain(r *contactRef) bool {
	return (awake(r.bA) || awake(r.bB)) && r.c.M_flags&contactFilter == 0 &&
		!r.fA.M_isSensor && !r.fB.M_isSensor && s.boxesOverlap(r)
}

func (s *Stepper) updatePiece(piece int) {
	from, to := s.chunkOf(piece)
	for i := from; i < to; i++ {
		r := &s.mirror.contacts[i]
		if !s.plain(r) {
			s.narrow.state[i] = untouched
			continue
		}
		renew(r, r.m)
		flags := r.c.M_flags | contactEnabled
		was := flags&contactTouching != 0
		touching := r.m.PointCount > 0
		if touching {
			flags |= contactTouching
		} else {
			flags &^= contactTouching
		}
		r.c.M_flags = flags
		if s.islands.unseen {
			r.settle()
		}
		s.narrow.state[i] = updated
		if touching != was {
			s.narrow.state[i] = toggled
		}
	}
}

// samePlane compares two manifolds apart from their points.
func samePlane(a, b *box2d.B2Manifold) bool {
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return a.PointCount == b.PointCount && a.Type == b.Type &&
		same(a.LocalNormal.X, b.LocalNormal.X) && same(a.LocalNormal.Y, b.LocalNormal.Y) &&
		same(a.LocalPoint.X, b.LocalPoint.X) && same(a.LocalPoint.Y, b.LocalPoint.Y)
}

func (s *Stepper) computePiece(piece int) {
	from, to := s.chunkOf(piece)
	for i := from; i < to; i++ {
		r, next := &s.mirror.contacts[i], &s.narrow.manifolds[i]
		if !s.plain(r) {
			s.narrow.state[i] = untouched
			continue
		}
		*next = *r.m
		renew(r, next)
		s.narrow.state[i] = computed
		if next.PointCount == 0 && samePlane(next, r.m) {
			s.narrow.state[i] = unchanged
		}
	}
}

// solveAll solves the islands that have been built, on all workers where that
// pays, and then does in order what several islands share.
func (s *Stepper) solveAll() {
	is := &s.islands
	s.spread = s.pool != nil && s.cutIslands()
	if s.spread {
		s.pool.run(s, phaseIslands, len(is.pieces)-1)
		for i := range is.islands {
			if isl := &is.islands[i]; isl.shared {
				s.solveAlone(isl)
			}
		}
	} else {
		for i := range is.islands {
			isl := &is.islands[i]
			if isl.shared {
				s.solveAlone(isl)
			} else {
				s.solveFreely(isl)
			}
		}
	}
	for i := range is.islands {
		isl := &is.islands[i]
		s.finishStatic(isl)
		if s.listener != nil {
			s.report(isl)
			s.sleepIsland(isl)
		}
		s.sleepStatic(isl)
	}
}

// cutIslands groups islands into pieces of about equal work. It reports
// whether that is worth the workers' while.
func (s *Stepper) cutIslands() bool {
	is := &s.islands
	total := len(is.bodies) + len(is.contacts) + len(is.joints)
	if len(is.islands) < 2 || total < s.limits.work {
		return false
	}
	is.pieces = append(is.pieces[:0], 0)
	work := int32(0)
	for i := range is.islands {
		isl := &is.islands[i]
		own := isl.bodiesEnd - isl.bodies + isl.contactsEnd - isl.contacts + isl.jointsEnd - isl.joints
		if int(own)*100 > total*s.limits.share {
			return false
		}
		if work += own; work >= s.limits.piece || i == len(is.islands)-1 {
			is.pieces = append(is.pieces, int32(i+1))
			work = 0
		}
	}
	return true
}

func (s *Stepper) solvePiece(piece int) {
	is := &s.islands
	for i := is.pieces[piece]; i < is.pieces[piece+1]; i++ {
		if isl := &is.islands[i]; !isl.shared {
			s.solveFreely(isl)
		}
	}
}

// solveFreely solves an island that touches nothing outside itself.
func (s *Stepper) solveFreely(isl *island) {
	s.solveIsland(isl)
	if s.listener == nil {
		s.sleepIsland(isl)
	}
	if s.spread {
		s.boxIsland(isl)
	}
}

// solveAlone solves an island with joints of the library that look for their
// bodies' island indices, which static bodies have one of for many islands.
func (s *Stepper) solveAlone(isl *island) {
	for i, b := range s.islands.bodies[isl.bodies:isl.bodiesEnd] {
		b.M_islandIndex = i
	}
	s.solveFreely(isl)
}

// impactsAhead computes the first times of impact on the workers. As long as
// there has been no event, all bodies stand at the start of the step, so that
// one contact's does not depend on another's.
func (s *Stepper) impactsAhead() {
	n := len(s.toi.candidates)
	if s.spread && n >= s.limits.impacts && s.world.M_stepComplete {
		pieces := (n + s.limits.chunk - 1) / s.limits.chunk
		s.toi.ahead = grow(s.toi.ahead, pieces)
		s.pool.run(s, phaseImpacts, pieces)
	}
}

func (s *Stepper) impactPiece(piece int) {
	q := &s.toi.ahead[piece]
	candidates := s.toi.candidates[piece*s.limits.chunk:]
	for _, i := range candidates[:min(s.limits.chunk, len(candidates))] {
		r := &s.mirror.contacts[i]
		if r.c.M_flags&(contactEnabled|contactTOI) == contactEnabled {
			q.impact(r)
		}
	}
}

// boxIsland fits the boxes of an island's fixtures to their motion and notes
// which have left their fat boxes.
func (s *Stepper) boxIsland(isl *island) {
	is := &s.islands
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	for i := isl.bodies; i < isl.bodiesEnd; i++ {
		b := is.bodies[i]
		if b.M_type == staticBody {
			continue
		}
		place := is.places[i]
		for f := b.M_fixtureList; f != nil; f = f.M_next {
			for k := 0; k < f.M_proxyCount; k++ {
				p := &f.M_proxies[k]
				sweptBox(f, p, &is.starts[place], &b.M_xf)
				if !contains(&nodes[p.ProxyId].Aabb, &p.Aabb) {
					is.left[place] = true
				}
			}
		}
	}
}

// synchronizeAll moves the proxies of bodies that have moved, in the order of
// the world's list.
func (s *Stepper) synchronizeAll() {
	is := &s.islands
	bodies := s.mirror.bodies
	bp := &s.world.M_contactManager.M_broadPhase
	for i := len(bodies) - 1; i >= 0; i-- {
		if !is.marked[i] || is.static[i] {
			continue
		}
		if is.open {
			// A callback may have moved it.
			s.synchronizeSweep(bodies[i])
			continue
		}
		if !s.spread {
			s.synchronize(bodies[i], &is.starts[i])
			continue
		}
		if !is.left[i] {
			continue
		}
		b, start := bodies[i], &is.starts[i] // boxIsland has done the sums
		d := box2d.B2Vec2{X: b.M_xf.P.X - start.P.X, Y: b.M_xf.P.Y - start.P.Y}
		for f := b.M_fixtureList; f != nil; f = f.M_next {
			for k := 0; k < f.M_proxyCount; k++ {
				p := &f.M_proxies[k]
				if !contains(&bp.M_tree.M_nodes[p.ProxyId].Aabb, &p.Aabb) {
					bp.MoveProxy(p.ProxyId, p.Aabb, d)
				}
			}
		}
	}
}

// synchronizeSweep is synchronize for a body that has moved along its sweep.
func (s *Stepper) synchronizeSweep(b *box2d.B2Body) {
	var xf box2d.B2Transform
	w := &b.M_sweep
	xf.Q.Set(w.A0)
	xf.P.X = w.C0.X - (xf.Q.C*w.LocalCenter.X - xf.Q.S*w.LocalCenter.Y)
	xf.P.Y = w.C0.Y - (xf.Q.S*w.LocalCenter.X + xf.Q.C*w.LocalCenter.Y)
	s.synchronize(b, &xf)
}
