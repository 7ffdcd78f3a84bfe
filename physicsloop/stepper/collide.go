package stepper

import "github.com/ByteArena/box2d"

// narrowPhase is the scratch of collide.
type narrowPhase struct {
	state     []contactState     // by contact, if workers ran
	manifolds []box2d.B2Manifold // by contact, where the state is computed
}

// contactState is what a worker has done for a contact before collide comes to
// it.
type contactState uint8

const (
	untouched contactState = iota // nothing
	computed                      // the new manifold is in narrowPhase.manifolds
	unchanged                     // the new manifold is the present one
	updated                       // everything
	toggled                       // everything but waking the bodies: touching has changed
)

// The library's flags. There they are variables, here constants.
const (
	contactIsland   = 0x0001
	contactTouching = 0x0002
	contactEnabled  = 0x0004
	contactFilter   = 0x0008
	contactTOI      = 0x0020

	bodyIsland    = 0x0001
	bodyAwake     = 0x0002
	bodyAutoSleep = 0x0004
	bodyBullet    = 0x0008
	bodyActive    = 0x0020

	staticBody  = 0
	dynamicBody = 2
)

// collide is B2ContactManager.Collide: it updates the contacts of awake bodies
// and destroys those whose fat AABBs no longer overlap.
func (s *Stepper) collide() {
	mgr := &s.world.M_contactManager
	refs := s.mirror.contacts
	parallel := s.collideParallel()
	destroyed := false
	for i := len(refs) - 1; i >= 0; i-- {
		r, done := &refs[i], untouched
		if parallel {
			done = s.narrow.state[i]
			if done == updated {
				continue
			}
			if done == toggled {
				wake(r.bA)
				wake(r.bB)
				continue
			}
		}
		if r.c.M_flags&contactFilter != 0 {
			if !ShouldCollide(r.bB, r.bA) ||
				mgr.M_contactFilter != nil && !mgr.M_contactFilter.ShouldCollide(r.fA, r.fB) {
				s.destroyContact(r)
				destroyed = true
				continue
			}
			r.c.M_flags &^= contactFilter
		}
		if !awake(r.bA) && !awake(r.bB) {
			if s.mode.callbacks == callbacksNone {
				r.resetFlags()
			}
			continue
		}
		if !s.testOverlap(r) {
			s.destroyContact(r)
			destroyed = true
			continue
		}
		var next *box2d.B2Manifold
		if done == computed {
			next = &s.narrow.manifolds[i]
		} else if done == unchanged {
			next = r.manifold
		}
		s.updateContact(r, mgr.M_contactListener, next)
		if s.mode.callbacks == callbacksNone {
			r.resetFlags()
		}
	}
	if destroyed {
		s.mirror.removeDestroyed()
	}
}

// resetFlags computes r.solid and clears the contact's TOI state for the solver,
// while the contact is in the cache.
func (r *contactRef) resetFlags() {
	r.solid = isSolid(r)
	clearTOI(r.c)
}

// destroyContact destroys a contact. removeDestroyed must follow.
func (s *Stepper) destroyContact(r *contactRef) {
	s.world.M_contactManager.Destroy(r.iface)
	s.ended = true
	s.mirror.contactPairs.Remove(r.pair())
	r.c = nil
}

// removeDestroyed removes destroyed contacts from the mirror.
func (m *mirror) removeDestroyed() {
	k, indexed := 0, 0
	for i := range m.contacts {
		if m.contacts[i].c == nil {
			continue
		}
		if i < m.indexed {
			indexed++
		}
		if i != k {
			m.contacts[k] = m.contacts[i]
		}
		k++
	}
	clear(m.contacts[k:])
	m.contacts = m.contacts[:k]
	m.indexed = indexed
}

// awake reports whether a body is awake and not static. A contact is updated if
// one of its bodies is.
func awake(b *box2d.B2Body) bool {
	return b.M_flags&bodyAwake != 0 && b.M_type != staticBody
}

func wake(b *box2d.B2Body) {
	b.M_flags |= bodyAwake
	b.M_sleepTime = 0
}

// testOverlap is B2BroadPhase.TestOverlap: it tests the fat AABBs.
func (s *Stepper) testOverlap(r *contactRef) bool {
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	a, b := &nodes[r.proxyA].Aabb, &nodes[r.proxyB].Aabb
	return testOverlap(a, b)
}

func testOverlap(a, b *box2d.B2AABB) bool {
	return !(b.LowerBound.X-a.UpperBound.X > 0 || b.LowerBound.Y-a.UpperBound.Y > 0 ||
		a.LowerBound.X-b.UpperBound.X > 0 || a.LowerBound.Y-b.UpperBound.Y > 0)
}

// ShouldCollide is B2Body.ShouldCollide: one of the bodies is dynamic and no
// joint between them prevents collision. Both bodies list such a joint, so the
// search ends with the shorter list.
func ShouldCollide(a, b *box2d.B2Body) bool {
	if a.M_type != dynamicBody && b.M_type != dynamicBody {
		return false
	}
	for e, f := a.M_jointList, b.M_jointList; e != nil && f != nil; e, f = e.Next, f.Next {
		if e.Other == b && !BaseJoint(e.Joint).M_collideConnected ||
			f.Other == a && !BaseJoint(f.Joint).M_collideConnected {
			return false
		}
	}
	return true
}

// updateContact is B2ContactUpdate: it computes a contact's manifold, keeps the
// impulses of points that persist, and calls the listener. next is the new
// manifold if a worker has computed it, or nil. It is not used if a callback has
// made one of the fixtures a sensor since.
func (s *Stepper) updateContact(r *contactRef, listener box2d.B2ContactListenerInterface, next *box2d.B2Manifold) {
	c, m := r.c, r.manifold
	c.M_flags |= contactEnabled
	was := c.M_flags&contactTouching != 0
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
			wake(r.bA)
			wake(r.bB)
		}
	}

	if touching {
		c.M_flags |= contactTouching
	} else {
		c.M_flags &^= contactTouching
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

// updateManifold replaces a contact's manifold by that of the present transforms.
func updateManifold(r *contactRef, m *box2d.B2Manifold) {
	var old [2]box2d.B2ManifoldPoint
	count := m.PointCount
	if count > 0 {
		old = m.Points
	}
	evaluate(r, m)
	copyImpulses(m, &old, count)
}

// copyImpulses gives every point the impulses of the old point with the same id,
// or none, to warm-start the solver.
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

// evaluate is B2Contact.Evaluate. m must hold the manifold before, because like
// the library it does not write everything: not the ids of circle contacts, nor
// the rest of a manifold without points.
func evaluate(r *contactRef, m *box2d.B2Manifold) {
	a, b := r.fA.M_shape, r.fB.M_shape
	switch r.kind {
	case polygons:
		collidePolygons(r, m, a.(*box2d.B2PolygonShape), b.(*box2d.B2PolygonShape))
	case circles:
		box2d.B2CollideCircles(m, a.(*box2d.B2CircleShape), r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case polygonCircle:
		box2d.B2CollidePolygonAndCircle(m, a.(*box2d.B2PolygonShape), r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case edgeCircle:
		box2d.B2CollideEdgeAndCircle(m, a.(*box2d.B2EdgeShape), r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case edgePolygon:
		box2d.B2CollideEdgeAndPolygon(m, a.(*box2d.B2EdgeShape), r.bA.M_xf, b.(*box2d.B2PolygonShape), r.bB.M_xf)
	case chainCircle:
		edge := chainEdge(a.(*box2d.B2ChainShape), r.c.M_indexA)
		box2d.B2CollideEdgeAndCircle(m, &edge, r.bA.M_xf, b.(*box2d.B2CircleShape), r.bB.M_xf)
	case chainPolygon:
		edge := chainEdge(a.(*box2d.B2ChainShape), r.c.M_indexA)
		box2d.B2CollideEdgeAndPolygon(m, &edge, r.bA.M_xf, b.(*box2d.B2PolygonShape), r.bB.M_xf)
	}
}

func chainEdge(chain *box2d.B2ChainShape, index int) box2d.B2EdgeShape {
	edge := box2d.MakeB2EdgeShape()
	chain.GetChildEdge(&edge, index)
	return edge
}
