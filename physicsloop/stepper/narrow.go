package stepper

import "github.com/ByteArena/box2d"

// narrowPhase is the scratch of collide.
type narrowPhase struct {
	state     []ahead            // by contact
	manifolds []box2d.B2Manifold // by contact, where the state is computed
}

// ahead is what a worker has already done about a contact.
type ahead uint8

const (
	untouched ahead = iota
	computed        // the manifold to come stands in scratch
	unchanged       // the manifold to come is the present one
	updated         // all is done
	toggled         // all is done but waking the bodies: touching has changed
)

// Flags, as variables of the library they cannot be constants there.
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

// collide updates the contacts of awake bodies and destroys those that ended.
func (s *Stepper) collide() {
	mgr := &s.world.M_contactManager
	refs := s.mirror.contacts
	shared := s.collideAhead()
	gaps := false
	for i := len(refs) - 1; i >= 0; i-- {
		r, done := &refs[i], untouched
		if shared {
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
			if !bodiesCollide(r.bB, r.bA) ||
				mgr.M_contactFilter != nil && !mgr.M_contactFilter.ShouldCollide(r.fA, r.fB) {
				s.destroy(r)
				gaps = true
				continue
			}
			r.c.M_flags &^= contactFilter
		}
		if !awake(r.bA) && !awake(r.bB) {
			if s.islands.unseen {
				r.settle()
			}
			continue
		}
		if !s.boxesOverlap(r) {
			s.destroy(r)
			gaps = true
			continue
		}
		var next *box2d.B2Manifold
		if done == computed {
			next = &s.narrow.manifolds[i]
		} else if done == unchanged {
			next = r.m
		}
		s.update(r, mgr.M_contactListener, next)
		if s.islands.unseen {
			r.settle()
		}
	}
	if gaps {
		s.mirror.compact()
	}
}

// settle does what the solver would have to come back for, while the contact
// is at hand.
func (r *contactRef) settle() {
	r.solid = isSolid(r)
	clearImpact(r.c)
}

// destroy ends a contact and leaves a gap in the mirror.
func (s *Stepper) destroy(r *contactRef) {
	s.world.M_contactManager.Destroy(r.iface)
	s.ended = true
	s.mirror.pairs.remove(r.pair())
	r.c = nil
}

// compact closes the gaps that destroyed contacts left.
func (m *mirror) compact() {
	k, resolved := 0, 0
	for i := range m.contacts {
		if m.contacts[i].c == nil {
			continue
		}
		if i < m.resolved {
			resolved++
		}
		if i != k {
			m.contacts[k] = m.contacts[i]
		}
		k++
	}
	clear(m.contacts[k:])
	m.contacts = m.contacts[:k]
	m.resolved = resolved
}

// awake reports whether a body can bring a contact to life.
func awake(b *box2d.B2Body) bool {
	return b.M_flags&bodyAwake != 0 && b.M_type != staticBody
}

func wake(b *box2d.B2Body) {
	b.M_flags |= bodyAwake
	b.M_sleepTime = 0
}

// boxesOverlap tests the fat boxes of the broad phase.
func (s *Stepper) boxesOverlap(r *contactRef) bool {
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	a, b := &nodes[r.proxyA].Aabb, &nodes[r.proxyB].Aabb
	return overlap(a, b)
}

func overlap(a, b *box2d.B2AABB) bool {
	return !(b.LowerBound.X-a.UpperBound.X > 0 || b.LowerBound.Y-a.UpperBound.Y > 0 ||
		a.LowerBound.X-b.UpperBound.X > 0 || a.LowerBound.Y-b.UpperBound.Y > 0)
}

// bodiesCollide tells whether two bodies may touch at all: one is dynamic and
// no joint keeps them from it.
func bodiesCollide(b, other *box2d.B2Body) bool {
	if b.M_type != dynamicBody && other.M_type != dynamicBody {
		return false
	}
	for e := b.M_jointList; e != nil; e = e.Next {
		if e.Other == other && !baseJoint(e.Joint).M_collideConnected {
			return false
		}
	}
	return true
}

// update computes a contact's manifold anew, keeps the impulses of points
// that persist, and tells the listener. next is the manifold if a worker has
// computed it, or nil. (It is not used where a callback has made a sensor of
// the contact since.)
func (s *Stepper) update(r *contactRef, listener box2d.B2ContactListenerInterface, next *box2d.B2Manifold) {
	c, m := r.c, r.m
	c.M_flags |= contactEnabled
	was := c.M_flags&contactTouching != 0
	sensor := r.fA.M_isSensor || r.fB.M_isSensor

	var before box2d.B2Manifold
	var touching bool
	if sensor {
		touching = s.toi.sensorOverlap(r)
		m.PointCount = 0
	} else {
		if listener != nil {
			before = *m
		}
		if next == nil {
			renew(r, m)
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

// renew computes a manifold in place of the one before.
func renew(r *contactRef, m *box2d.B2Manifold) {
	var old [2]box2d.B2ManifoldPoint
	count := m.PointCount
	if count > 0 {
		old = m.Points
	}
	evaluate(r, m)
	matchImpulses(m, &old, count)
}

// matchImpulses gives every point the impulses of the old point with its
// feature, or none, to warm-start the solver.
func matchImpulses(m *box2d.B2Manifold, old *[2]box2d.B2ManifoldPoint, count int) {
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

// evaluate writes the manifold of a contact that is no sensor. It leaves
// alone what the library leaves alone (ids of circle contacts, the rest of a
// manifold without points), so m must hold the manifold before.
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
