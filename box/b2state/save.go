package b2state

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// Leave says what is in a State and in the world alike when one of them is written
// over the other. It is left alone.
type Leave struct {
	Fixtures bool // with their shapes, and which proxies they have

	// Manifolds of contacts, and the numbers that bodies and joints have for a step:
	// whoever steps the world makes them from what it keeps.
	Manifolds bool
}

// Save takes the state of a world. It fails where the world is locked, or holds
// contacts, joints or shapes of types that are not the library's own; then the
// State is empty. shapes is shared by all States of the world, and so is past, or nil.
func (s *State) Save(w *box2d.B2World, shapes *Shapes, past *Past, leave Leave) (err error) {
	defer func() {
		if err != nil {
			s.Forget()
		}
	}()
	if w.IsLocked() {
		return ErrLocked
	}
	if past != nil && !past.Walks && pastOf(past).set.Current() {
		return pastOf(past).save(s, w)
	}
	if s.Shares() {
		pagesOf(s).drop()
		leave.Fixtures = false // the State has none
	}
	s.saveBodies(w, past, leave.Manifolds)
	if !leave.Fixtures {
		if err := s.saveFixtures(shapes); err != nil {
			return err
		}
	}
	s.saveProxies()
	if err := s.saveContacts(w, leave.Manifolds); err != nil {
		return err
	}
	if err := s.saveJoints(w, leave.Manifolds); err != nil {
		return err
	}
	s.saveWorld(w)
	s.saveTree(&w.M_contactManager.M_broadPhase)
	return nil
}

func (s *State) saveWorld(w *box2d.B2World) {
	m := &w.M_contactManager
	t := &m.M_broadPhase.M_tree
	s.world = worldValues{
		flags: w.M_flags, gravity: w.M_gravity, allowSleep: w.M_allowSleep, invDt0: w.M_inv_dt0,
		warmStarting: w.M_warmStarting, continuous: w.M_continuousPhysics,
		sub: w.M_subStepping, isComplete: w.M_stepComplete,
		knowsCalls: true, destruction: w.M_destructionListener, filter: m.M_contactFilter, listener: m.M_contactListener,
		proxyCount: m.M_broadPhase.M_proxyCount,
		root:       t.M_root, nodeCount: t.M_nodeCount, freeList: t.M_freeList, path: t.M_path, insertCount: t.M_insertionCount,
	}
}

// saveBodies writes what the library would have in M_islandIndex, or 0.
func (s *State) saveBodies(w *box2d.B2World, past *Past, leaveNumbers bool) {
	s.bodies = resized(s.bodies, w.M_bodyCount)
	i := 0
	for b := w.M_bodyList; b != nil; b = b.M_next {
		s.bodies[i] = savedBody{b, *b}
		switch {
		case leaveNumbers:
			s.bodies[i].value.M_islandIndex = 0
		case past != nil:
			s.bodies[i].value.M_islandIndex = pastOf(past).set.IslandIndex(b)
		}
		i++
	}
}

func (s *State) saveFixtures(shapes *Shapes) error {
	fixtures, proxies := 0, 0
	for i := range s.bodies {
		fixtures += s.bodies[i].value.M_fixtureCount
	}
	s.fixtures = resized(s.fixtures, fixtures)
	i := 0
	for k := range s.bodies {
		for f := s.bodies[k].b.M_fixtureList; f != nil; f = f.M_next {
			copied, err := shapes.copyOf(f.M_shape)
			if err != nil {
				return err
			}
			s.fixtures[i] = savedFixture{f: f, value: *f, shape: copied}
			proxies += len(f.M_proxies)
			i++
		}
	}
	shapes.swept(fixtures)
	s.proxies = resized(s.proxies, proxies)
	return nil
}

// saveProxies leaves out the boxes of those that are in no tree. They mean nothing,
// and may be NaN.
func (s *State) saveProxies() {
	i := 0
	for k := range s.fixtures {
		f := &s.fixtures[k].value
		for _, p := range f.M_proxies {
			s.proxies[i] = savedProxy{p.Aabb, int32(p.ProxyId), int32(p.ChildIndex)}
			if f.M_proxyCount == 0 {
				s.proxies[i].aabb = box2d.B2AABB{}
			}
			i++
		}
	}
}

func (s *State) saveContacts(w *box2d.B2World, leaveManifolds bool) error {
	s.contacts = resized(s.contacts, w.M_contactManager.M_contactCount)
	s.surfaces, s.manifolds = s.surfaces[:0], resized(s.manifolds, 0)
	i := 0
	for c := w.M_contactManager.M_contactList; c != nil; i++ {
		base := b2.BaseContact(c)
		if base == nil {
			return errUnknown("contact", c)
		}
		to := &s.contacts[i]
		to.c = c
		to.ends, to.child = endsOf(base)
		to.flags = base.M_flags
		if k, now := len(s.surfaces), surfaceOf(base); k == 0 || s.surfaces[k-1] != now {
			s.surfaces = append(s.surfaces, now)
		}
		to.surface = int32(len(s.surfaces) - 1)
		to.manifold = -1
		if !leaveManifolds && !isBlank(base.M_manifold) {
			to.manifold = int32(len(s.manifolds))
			s.manifolds = append(s.manifolds, *base.M_manifold)
		}
		c = base.M_next
	}
	return nil
}

func surfaceOf(c *box2d.B2Contact) surface {
	return surface{
		int32(c.M_toiCount), math.Float64bits(c.M_toi),
		math.Float64bits(c.M_friction), math.Float64bits(c.M_restitution), math.Float64bits(c.M_tangentSpeed),
	}
}

// isOf is s == surfaceOf(c).
func (s *surface) isOf(c *box2d.B2Contact) bool {
	return s.toiCount == int32(c.M_toiCount) && s.toi == math.Float64bits(c.M_toi) &&
		s.friction == math.Float64bits(c.M_friction) && s.restitution == math.Float64bits(c.M_restitution) &&
		s.tangentSpeed == math.Float64bits(c.M_tangentSpeed)
}

// isBlank reports whether all bits of a manifold are 0. Shapes whose boxes
// overlap, but which have never touched, have such manifolds.
func isBlank(m *box2d.B2Manifold) bool {
	if m.PointCount != 0 || m.Type != 0 {
		return false
	}
	bits := vecBits(m.LocalNormal) | vecBits(m.LocalPoint)
	for i := range m.Points {
		p := &m.Points[i]
		if p.Id != (box2d.B2ContactID{}) {
			return false
		}
		bits |= vecBits(p.LocalPoint) | math.Float64bits(p.NormalImpulse) | math.Float64bits(p.TangentImpulse)
	}
	return bits == 0
}

func vecBits(v box2d.B2Vec2) uint64 { return math.Float64bits(v.X) | math.Float64bits(v.Y) }

// saveTree leaves out the boxes of free nodes, for the same reason.
func (s *State) saveTree(bp *box2d.B2BroadPhase) {
	nodes := bp.M_tree.M_nodes
	s.nodes = resized(s.nodes, len(nodes))
	for i := range nodes {
		s.nodes[i] = saveNode(&nodes[i])
	}
	s.saveMoves(bp)
}

func saveNode(n *box2d.B2TreeNode) savedNode {
	to := savedNode{n.Aabb, int32(n.Parent), int32(n.Next), int32(n.Child1), int32(n.Child2), int32(n.Height)}
	if n.Height < 0 {
		to.aabb = box2d.B2AABB{}
	}
	return to
}

func (s *State) saveMoves(bp *box2d.B2BroadPhase) {
	s.moves = resized(s.moves, bp.M_moveCount)
	for i := range s.moves {
		s.moves[i] = int32(bp.M_moveBuffer[i])
	}
}
