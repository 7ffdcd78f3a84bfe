package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper"
)

// Restore puts the world back into the state. It is the world that the state
// was taken of, or a new one for a state that was read. The world must not be
// locked.
func (s *State) Restore(w *box2d.B2World) {
	s.restoreTree(&w.M_contactManager.M_broadPhase)
	s.restoreBodies(w)
	s.restoreContacts(w)
	s.restoreJoints(w)
	s.restoreWorld(w)
}

// Changed calls f for every fixture that looked different before the last
// Restore: its shape or its filter was another, or it was a sensor.
func (s *State) Changed(f func(*box2d.B2Fixture)) {
	for i := range s.fixtures {
		if s.fixtures[i].changed {
			f(s.fixtures[i].f)
		}
	}
}

func (s *State) restoreWorld(w *box2d.B2World) {
	v := &s.world
	w.M_flags, w.M_gravity, w.M_allowSleep, w.M_inv_dt0 = v.flags, v.gravity, v.allowSleep, v.invDt0
	w.M_warmStarting, w.M_continuousPhysics = v.warmStarting, v.continuous
	w.M_subStepping, w.M_stepComplete = v.sub, v.isComplete
	if v.knowsCalls {
		m := &w.M_contactManager
		w.M_destructionListener, m.M_contactFilter, m.M_contactListener = v.destruction, v.filter, v.listener
	}
}

func (s *State) restoreTree(bp *box2d.B2BroadPhase) {
	v, t := &s.world, &bp.M_tree
	bp.M_proxyCount = v.proxyCount
	t.M_root, t.M_nodeCount, t.M_freeList = v.root, v.nodeCount, v.freeList
	t.M_path, t.M_insertionCount = v.path, v.insertCount
	t.M_nodes = resized(t.M_nodes, len(s.nodes))
	t.M_nodeCapacity = len(s.nodes)
	for i := range s.nodes {
		n := &s.nodes[i]
		t.M_nodes[i] = box2d.B2TreeNode{
			Aabb: n.aabb, Parent: int(n.parent), Next: int(n.next),
			Child1: int(n.child1), Child2: int(n.child2), Height: int(n.height),
		}
	}
	bp.M_moveBuffer = resized(bp.M_moveBuffer, max(len(bp.M_moveBuffer), len(s.moves)))
	bp.M_moveCapacity, bp.M_moveCount = len(bp.M_moveBuffer), len(s.moves)
	for i, id := range s.moves {
		bp.M_moveBuffer[i] = int(id)
	}
}

func (s *State) restoreBodies(w *box2d.B2World) {
	nodes := w.M_contactManager.M_broadPhase.M_tree.M_nodes
	fixtures, proxies := s.fixtures, s.proxies
	w.M_bodyCount = len(s.bodies)
	var last *box2d.B2Body
	next := &w.M_bodyList
	for i := range s.bodies {
		b := s.bodies[i].b
		*b = s.bodies[i].value
		b.M_world, b.M_prev = w, last
		b.M_contactList, b.M_jointList = nil, nil
		*next = b
		last, next = b, &b.M_next

		nextFixture := &b.M_fixtureList
		for k := range fixtures[:b.M_fixtureCount] {
			saved := &fixtures[k]
			f := saved.f
			saved.changed = saved.restoreShape() || f.M_isSensor != saved.value.M_isSensor || f.M_filter != saved.value.M_filter
			*f = saved.value
			f.M_body = b
			*nextFixture = f
			nextFixture = &f.M_next
			for j := range f.M_proxies {
				p, from := &f.M_proxies[j], &proxies[j]
				*p = box2d.B2FixtureProxy{Aabb: from.aabb, Fixture: f, ChildIndex: int(from.child), ProxyId: int(from.id)}
				if j < f.M_proxyCount {
					nodes[p.ProxyId].UserData = p
				}
			}
			proxies = proxies[len(f.M_proxies):]
		}
		*nextFixture = nil
		fixtures = fixtures[b.M_fixtureCount:]
	}
	*next = nil
}

// restoreContacts links the contacts oldest first, as they were created.
func (s *State) restoreContacts(w *box2d.B2World) {
	w.M_contactManager.M_contactCount = len(s.contacts)
	var head box2d.B2ContactInterface
	var headBase *box2d.B2Contact
	for i := len(s.contacts) - 1; i >= 0; i-- {
		from := &s.contacts[i]
		c := stepper.BaseContact(from.c)
		c.M_flags, c.M_toiCount, c.M_toi = from.flags, int(from.toiCount), from.toi
		c.M_friction, c.M_restitution, c.M_tangentSpeed = from.friction, from.restitution, from.tangentSpeed
		if from.manifold >= 0 {
			*c.M_manifold = s.manifolds[from.manifold]
		} else if !isBlank(c.M_manifold) {
			*c.M_manifold = box2d.B2Manifold{}
		}
		a, b := c.M_fixtureA.M_body, c.M_fixtureB.M_body
		linkContact(c.M_nodeA, from.c, a, b)
		linkContact(c.M_nodeB, from.c, b, a)
		c.M_next, c.M_prev = head, nil
		if headBase != nil {
			headBase.M_prev = from.c
		}
		head, headBase = from.c, c
	}
	w.M_contactManager.M_contactList = head
}

func linkContact(e *box2d.B2ContactEdge, c box2d.B2ContactInterface, body, other *box2d.B2Body) {
	*e = box2d.B2ContactEdge{Other: other, Contact: c, Next: body.M_contactList}
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_contactList = e
}
