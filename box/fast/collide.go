package fast

import (
	"cmp"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// narrowPhase is the scratch of collide.
type narrowPhase struct {
	state        []contactState     // by contact; used if the workers compute manifolds
	manifolds    []box2d.B2Manifold // by contact; valid where the state is computed
	woken        []int32            // contacts that became active during the update, oldest first
	withInactive []int32            // numbers of the contacts that have an inactive body
}

// contactState says what a worker has done for a contact before collide comes to it.
type contactState uint8

const (
	untouched contactState = iota // nothing
	computed                      // the new manifold is in narrowPhase.manifolds
	unchanged                     // the new manifold is the same as the present one
	updated                       // the contact is updated
	toggled                       // the contact is updated and has begun or ceased to touch; its bodies are not yet woken
)

// collide is B2ContactManager.Collide. It updates the contacts of awake bodies, newest first, and
// destroys the contacts whose fat AABBs no longer overlap. If it wakes a body, it also updates the
// body's contacts that are older than the present contact.
func (s *Stepper) collide() {
	m := &s.mirror
	parallel := s.collideParallel()
	n := &s.narrow
	n.woken, n.withInactive = n.woken[:0], n.withInactive[:0]
	listed, bodies := len(m.contacts), int32(m.activeCount) // m.bodies[:bodies] are active
	first := listed                                         // the contacts from this index on become active in collide
	mgr, none := &s.world.M_contactManager, s.mode.callbacks == callbacksNone
	for i := listed - 1; i >= 0 || len(n.woken) > 0; {
		next, done := i, untouched
		if k := len(n.woken); k > 0 && (i < 0 || m.creationOrder(int(n.woken[k-1])) > m.creationOrder(i)) {
			next, n.woken = int(n.woken[k-1]), n.woken[:k-1]
		} else {
			if i&(prefetchBatch-1) == prefetchBatch-1 {
				prefetchFlags(m.contacts[i+1-prefetchBatch : i+1])
			}
			i--
			if parallel {
				done = n.state[next]
			}
		}
		r := &m.contacts[next]
		if r.indexA >= bodies || r.indexB >= bodies {
			n.withInactive = append(n.withInactive, r.slot)
		}
		switch {
		case done == updated: // the worker has done all the work
		case done == toggled:
			s.wakeBoth(r)
		case r.c.M_flags&b2.ContactFilter != 0 && !s.mayCollide(r):
			s.destroyContact(r)
		case !awake(r.bA) && !awake(r.bB):
			if none {
				r.resetFlags()
			}
		case !s.testOverlap(r):
			s.destroyContact(r)
		default:
			var manifold *box2d.B2Manifold
			if done == computed {
				manifold = &n.manifolds[next]
			} else if done == unchanged {
				manifold = r.manifold
			}
			s.updateContact(r, mgr.M_contactListener, manifold)
			if none {
				r.resetFlags()
			}
		}
		if len(m.contacts) < len(m.owner.Contacts.Active) {
			m.extend(s.mode.callbacks)
			for ; listed < len(m.contacts); listed++ {
				if m.creationOrder(listed) < m.creationOrder(next) {
					s.wokenContact(int32(listed))
				}
			}
		}
	}
	m.owner.Reach(n.withInactive, first) // lists the sleeping bodies that will be in an island with an awake body
	m.owner.Merge()
	m.follow(s.mode.callbacks)
}

// mayCollide asks the filters and joints whether the bodies of a contact may still collide. The
// contact's flag ContactFilter is set.
func (s *Stepper) mayCollide(r *contactRef) bool {
	if !b2.MayCollide(&s.world.M_contactManager, r.fA, r.fB) {
		return false
	}
	r.c.M_flags &^= b2.ContactFilter
	return true
}

// wokenContact adds a contact to the list woken, which is in the order of age.
func (s *Stepper) wokenContact(k int32) {
	n, m := &s.narrow, &s.mirror
	at, _ := slices.BinarySearchFunc(n.woken, m.creationOrder(int(k)), func(i int32, age uint64) int { return cmp.Compare(m.creationOrder(int(i)), age) })
	n.woken = slices.Insert(n.woken, at, k)
}

// wakeBoth wakes the bodies of a contact, and lists them with their contacts and joints.
func (s *Stepper) wakeBoth(r *contactRef) {
	b2.Wake(r.bA)
	b2.Wake(r.bB)
	e := &s.mirror.owner.Contacts.All[r.slot]
	s.mirror.owner.Wake(e.A)
	s.mirror.owner.Wake(e.B)
}

// resetFlags computes r.solid. It also resets the contact's time of impact for the solver, while
// the contact is in the processor's cache.
func (r *contactRef) resetFlags() {
	r.solid = isSolid(r)
	clearTOI(r.c)
}

// destroyContact destroys a contact. If its bodies touched, they wake, and destroyContact lists
// them with their contacts and joints.
func (s *Stepper) destroyContact(r *contactRef) {
	owner := s.mirror.owner
	e := owner.Contacts.All[r.slot]
	owner.Contacts.Destroy(r.slot, &owner.Bodies)
	s.ended = true
	r.c = nil
	for _, n := range [...]int32{e.A, e.B} {
		if awake(owner.Bodies.All[n].B) {
			owner.Wake(n)
		}
	}
}

// awake reports whether a body is awake and not static. A contact is updated if this is true of
// one of its bodies.
func awake(b *box2d.B2Body) bool {
	return b.M_flags&b2.BodyAwake != 0 && b.M_type != b2.StaticBody
}

// testOverlap is B2BroadPhase.TestOverlap. It compares the fat AABBs of a contact.
func (s *Stepper) testOverlap(r *contactRef) bool {
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	a, b := &nodes[r.proxyA].Aabb, &nodes[r.proxyB].Aabb
	return b2.TestOverlap(a, b)
}

// updateContact is B2ContactUpdate. It computes a contact's manifold, keeps the impulses of points
// that persist, and calls the listener. If a worker has computed the manifold, the parameter next
// points to it, and otherwise next is nil. A manifold in next is not used if a callback has made a
// fixture of the contact a sensor meanwhile.
func (s *Stepper) updateContact(r *contactRef, listener box2d.B2ContactListenerInterface, next *box2d.B2Manifold) {
	c, m := r.c, r.manifold
	c.M_flags |= b2.ContactEnabled
	was := c.M_flags&b2.ContactTouching != 0
	sensor := r.fA.M_isSensor || r.fB.M_isSensor

	var before box2d.B2Manifold
	var touching bool
	if sensor {
		touching = s.toi.testOverlap(r)
		m.PointCount = 0
	} else {
		if listener != nil {
			before = *m
		}
		if next == nil {
			updateManifold(r, m)
		} else if next != m {
			*m = *next
		}
		touching = m.PointCount > 0
		if touching != was {
			s.wakeBoth(r)
		}
	}

	if touching {
		c.M_flags |= b2.ContactTouching
	} else {
		c.M_flags &^= b2.ContactTouching
	}
	if listener == nil {
		return
	}
	if !was && touching {
		listener.BeginContact(r.iface)
	}
	if was && !touching {
		listener.EndContact(r.iface)
	}
	if !sensor && touching {
		listener.PreSolve(r.iface, before)
	}
}

// updateManifold recomputes a contact's manifold for the present transforms.
func updateManifold(r *contactRef, m *box2d.B2Manifold) {
	var old [2]box2d.B2ManifoldPoint
	count := m.PointCount
	if count > 0 {
		old = m.Points
	}
	evaluate(r, m)
	copyImpulses(m, &old, count)
}

// copyImpulses gives each point the impulses of the old point with the same id, or 0. The solver
// starts with these impulses.
func copyImpulses(m *box2d.B2Manifold, old *[2]box2d.B2ManifoldPoint, count int) {
	for i := 0; i < m.PointCount; i++ {
		p := &m.Points[i]
		p.NormalImpulse, p.TangentImpulse = 0, 0
		for j := 0; j < count; j++ {
			if old[j].Id == p.Id {
				p.NormalImpulse, p.TangentImpulse = old[j].NormalImpulse, old[j].TangentImpulse
				break
			}
		}
	}
}

// evaluate is B2Contact.Evaluate. Before the call, m must contain the contact's last manifold,
// because evaluate does not write all of m: it leaves the ids of circle contacts, and it writes
// nothing if there are no points. The library does the same.
func evaluate(r *contactRef, m *box2d.B2Manifold) {
	a, b := r.fA.M_shape, r.fB.M_shape
	switch r.kind {
	case b2.Polygons:
		collidePolygons(r, m, a.(*box2d.B2PolygonShape), b.(*box2d.B2PolygonShape))
	case b2.Circles:
		box2d.B2CollideCircles(m, a.(*box2d.B2CircleShape), r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case b2.PolygonCircle:
		box2d.B2CollidePolygonAndCircle(m, a.(*box2d.B2PolygonShape), r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case b2.EdgeCircle:
		box2d.B2CollideEdgeAndCircle(m, a.(*box2d.B2EdgeShape), r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case b2.EdgePolygon:
		box2d.B2CollideEdgeAndPolygon(m, a.(*box2d.B2EdgeShape), r.bA.M_xf, b.(*box2d.B2PolygonShape), r.bB.M_xf)
	case b2.ChainCircle:
		edge := chainEdge(a.(*box2d.B2ChainShape), r.c.M_indexA)
		box2d.B2CollideEdgeAndCircle(m, &edge, r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case b2.ChainPolygon:
		edge := chainEdge(a.(*box2d.B2ChainShape), r.c.M_indexA)
		box2d.B2CollideEdgeAndPolygon(m, &edge, r.bA.M_xf, b.(*box2d.B2PolygonShape), r.bB.M_xf)
	case b2.Rounds:
		b2.EvaluateRound(m, r.c)
	}
}

// chainEdge is a segment of a chain with the vertices next to the segment.
func chainEdge(chain *box2d.B2ChainShape, index int) box2d.B2EdgeShape {
	edge := box2d.MakeB2EdgeShape()
	chain.GetChildEdge(&edge, index)
	return edge
}
