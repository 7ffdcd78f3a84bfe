package b2state

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// Restore puts the world back into the state. It is the world that the state
// was taken of, or a new one for a state that was read. The world must not be
// locked. past is that of the world, or nil. It returns false if all that differed is
// back and the box.World knows it: back was called with each body that may be another
// than before. It returns true if anything may be other than it knows.
func (s *State) Restore(w *box2d.B2World, past *Past, leave Leave, back func(*box2d.B2Body)) (all bool) {
	s.changed = s.changed[:0]
	if s.Shares() {
		if p := pagesOf(s).of; p == pastOf(past) && p.set.Current() && !p.set.Dirty.All {
			p.restore(s, w, back)
			return false
		}
		flat := s.flat()
		flat.Restore(w, past, Leave{Manifolds: leave.Manifolds}, back)
		s.changed = flat.changed
		return true
	}
	if past != nil {
		pastOf(past).set.Dirty.All = true
	}
	s.restoreTree(&w.M_contactManager.M_broadPhase)
	s.restoreBodies(w)
	if leave.Fixtures {
		s.restoreProxies()
	} else {
		s.restoreFixtures(w.M_contactManager.M_broadPhase.M_tree.M_nodes)
	}
	s.restoreContacts(w, leave.Manifolds)
	s.restoreJoints(w)
	s.restoreWorld(w)
	return true
}

// looksOther reports whether a fixture is shown otherwise than the saved one.
func (f *savedFixture) looksOther() bool {
	return f.f.M_isSensor != f.value.M_isSensor || f.f.M_filter != f.value.M_filter
}

// Changed calls f once for every fixture that looked different before the last
// Restore: its shape or its filter was another, or it was a sensor.
func (s *State) Changed(f func(*box2d.B2Fixture)) {
	for _, fixture := range s.changed {
		f(fixture)
	}
	s.changed = s.changed[:0]
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
	s.restoreBroadPhase(bp, len(s.nodes))
	for i := range s.nodes {
		s.nodes[i].restore(&bp.M_tree.M_nodes[i])
	}
}

func (n *savedNode) restore(to *box2d.B2TreeNode) {
	to.Aabb, to.Parent, to.Next = n.aabb, int(n.parent), int(n.next)
	to.Child1, to.Child2, to.Height = int(n.child1), int(n.child2), int(n.height)
}

// restoreBroadPhase leaves alone what is in the nodes of the tree.
func (s *State) restoreBroadPhase(bp *box2d.B2BroadPhase, nodes int) {
	v, t := &s.world, &bp.M_tree
	bp.M_proxyCount = v.proxyCount
	t.M_root, t.M_nodeCount, t.M_freeList = v.root, v.nodeCount, v.freeList
	t.M_path, t.M_insertionCount = v.path, v.insertCount
	t.M_nodes = resized(t.M_nodes, nodes)
	t.M_nodeCapacity = nodes
	bp.M_moveBuffer = resized(bp.M_moveBuffer, max(len(bp.M_moveBuffer), len(s.moves)))
	bp.M_moveCapacity, bp.M_moveCount = len(bp.M_moveBuffer), len(s.moves)
	for i, id := range s.moves {
		bp.M_moveBuffer[i] = int(id)
	}
}

func (s *State) restoreBodies(w *box2d.B2World) {
	w.M_bodyCount = len(s.bodies)
	var last *box2d.B2Body
	next := &w.M_bodyList
	for i := range s.bodies {
		b := s.bodies[i].b
		fixtures := b.M_fixtureList // which a state that was read does not have
		*b = s.bodies[i].value
		b.M_world, b.M_prev, b.M_fixtureList = w, last, fixtures
		b.M_contactList, b.M_jointList = nil, nil
		*next = b
		last, next = b, &b.M_next
	}
	*next = nil
}

// restoreFixtures also tells the leaves of the tree their proxies.
func (s *State) restoreFixtures(nodes []box2d.B2TreeNode) {
	for i := range nodes {
		nodes[i].UserData = nil
	}
	fixtures, proxies := s.fixtures, s.proxies
	for i := range s.bodies {
		b := s.bodies[i].b
		nextFixture := &b.M_fixtureList
		for k := range fixtures[:b.M_fixtureCount] {
			saved := &fixtures[k]
			f := saved.f
			if saved.restoreShape() || saved.looksOther() {
				s.changed = append(s.changed, f)
			}
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
}

// restoreProxies restores what a step changes of the proxies.
func (s *State) restoreProxies() {
	i := 0
	for k := range s.fixtures {
		proxies := s.fixtures[k].value.M_proxies
		for j := range proxies {
			proxies[j].Aabb = s.proxies[i].aabb
			i++
		}
	}
}

// restoreContacts links the contacts oldest first, as they were created.
func (s *State) restoreContacts(w *box2d.B2World, leaveManifolds bool) {
	w.M_contactManager.M_contactCount = len(s.contacts)
	var head box2d.B2ContactInterface
	var headBase *box2d.B2Contact
	for i := len(s.contacts) - 1; i >= 0; i-- {
		from := &s.contacts[i]
		c := b2.BaseContact(from.c)
		from.ends.restore(c, from.child)
		c.M_flags = from.flags
		s.surfaces[from.surface].restore(c)
		switch {
		case leaveManifolds:
		case from.manifold >= 0:
			*c.M_manifold = s.manifolds[from.manifold]
		case !isBlank(c.M_manifold):
			*c.M_manifold = box2d.B2Manifold{}
		}
		a, b := c.M_fixtureA.M_body, c.M_fixtureB.M_body
		b2.LinkEdge(c.M_nodeA, from.c, a, b)
		b2.LinkEdge(c.M_nodeB, from.c, b, a)
		c.M_next, c.M_prev = head, nil
		if headBase != nil {
			headBase.M_prev = from.c
		}
		head, headBase = from.c, c
	}
	w.M_contactManager.M_contactList = head
}

func (s *surface) restore(c *box2d.B2Contact) {
	c.M_toiCount, c.M_toi = int(s.toiCount), math.Float64frombits(s.toi)
	c.M_friction, c.M_restitution = math.Float64frombits(s.friction), math.Float64frombits(s.restitution)
	c.M_tangentSpeed = math.Float64frombits(s.tangentSpeed)
}
