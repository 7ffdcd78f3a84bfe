package b2state

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper"
)

// Save takes the state of a world. It fails where the world is locked, or holds
// contacts, joints or shapes of types that are not the library's own; then the
// State is empty. shapes is shared by all States of the world.
func (s *State) Save(w *box2d.B2World, shapes *Shapes) error {
	if w.IsLocked() {
		s.Forget()
		return ErrLocked
	}
	err := s.saveBodies(w, shapes)
	if err == nil {
		err = s.saveContacts(w)
	}
	if err == nil {
		err = s.saveJoints(w)
	}
	if err != nil {
		s.Forget()
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

func (s *State) saveBodies(w *box2d.B2World, shapes *Shapes) error {
	fixtures, proxies := 0, 0
	s.bodies = resized(s.bodies, w.M_bodyCount)
	i := 0
	for b := w.M_bodyList; b != nil; b = b.M_next {
		s.bodies[i] = savedBody{b, *b}
		fixtures += b.M_fixtureCount
		i++
	}
	s.fixtures = resized(s.fixtures, fixtures)
	i = 0
	for _, b := range s.bodies {
		for f := b.b.M_fixtureList; f != nil; f = f.M_next {
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
	i = 0
	for k := range s.fixtures {
		for _, p := range s.fixtures[k].value.M_proxies {
			s.proxies[i] = savedProxy{p.Aabb, int32(p.ProxyId), int32(p.ChildIndex)}
			i++
		}
	}
	return nil
}

func (s *State) saveContacts(w *box2d.B2World) error {
	s.contacts = resized(s.contacts, w.M_contactManager.M_contactCount)
	s.manifolds = s.manifolds[:0]
	i := 0
	for c := w.M_contactManager.M_contactList; c != nil; i++ {
		base := stepper.BaseContact(c)
		if base == nil {
			return errUnknown("contact", c)
		}
		to := &s.contacts[i]
		to.c = c
		to.flags, to.toiCount, to.toi = base.M_flags, int32(base.M_toiCount), base.M_toi
		to.friction, to.restitution, to.tangentSpeed = base.M_friction, base.M_restitution, base.M_tangentSpeed
		to.manifold = -1
		if !isBlank(base.M_manifold) {
			to.manifold = int32(len(s.manifolds))
			s.manifolds = append(s.manifolds, *base.M_manifold)
		}
		c = base.M_next
	}
	return nil
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

func (s *State) saveTree(bp *box2d.B2BroadPhase) {
	nodes := bp.M_tree.M_nodes
	s.nodes = resized(s.nodes, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		s.nodes[i] = savedNode{
			n.Aabb, int32(n.Parent), int32(n.Next), int32(n.Child1), int32(n.Child2), int32(n.Height),
		}
	}
	s.moves = resized(s.moves, bp.M_moveCount)
	for i := range s.moves {
		s.moves[i] = int32(bp.M_moveBuffer[i])
	}
}
