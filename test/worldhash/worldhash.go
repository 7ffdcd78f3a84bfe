// Package worldhash reduces the state of a Box2D world to one number.
//
// Two worlds that were built and stepped alike have the same hash if and only
// if every body, contact, joint reaction and tree node has the same bits,
// apart from collisions of hashes. The hash leaves out the solver's scratch
// values, such as a body's island index, and the times of the profile.
package worldhash

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/statehash"
)

func manifold(h *statehash.Hash, m *box2d.B2Manifold) {
	h.Int(m.PointCount)
	h.Int(int(m.Type))
	h.Floats(m.LocalNormal.X, m.LocalNormal.Y, m.LocalPoint.X, m.LocalPoint.Y)
	for i := range m.Points {
		p := &m.Points[i]
		h.Floats(p.LocalPoint.X, p.LocalPoint.Y, p.NormalImpulse, p.TangentImpulse)
		h.Word(uint64(p.Id.IndexA) | uint64(p.Id.IndexB)<<8 | uint64(p.Id.TypeA)<<16 | uint64(p.Id.TypeB)<<24)
	}
}

// World returns the hash. Bodies, contacts and joints count in the order of
// the world's lists. No other goroutine may step the world during the call.
func World(w *box2d.B2World) uint64 { return hash(w, true) }

// Objects returns the hash without the tree, because the library has no tree
// with the soft stepper.
func Objects(w *box2d.B2World) uint64 { return hash(w, false) }

func hash(w *box2d.B2World, withTree bool) uint64 {
	h := statehash.Hash(14695981039346656037)
	h.Int(w.M_flags)
	h.Int(w.M_bodyCount)
	h.Int(w.M_jointCount)
	h.Bool(w.M_stepComplete)
	h.Floats(w.M_inv_dt0)
	ids := make(map[*box2d.B2Body]int, w.M_bodyCount)
	for b := w.M_bodyList; b != nil; b = b.M_next {
		ids[b] = len(ids)
		h.Int(int(b.M_type))
		h.Word(uint64(b.M_flags))
		h.Floats(b.M_xf.P.X, b.M_xf.P.Y, b.M_xf.Q.S, b.M_xf.Q.C, b.M_sweep.LocalCenter.X, b.M_sweep.LocalCenter.Y)
		h.Floats(b.M_sweep.C0.X, b.M_sweep.C0.Y, b.M_sweep.C.X, b.M_sweep.C.Y, b.M_sweep.A0, b.M_sweep.A, b.M_sweep.Alpha0)
		h.Floats(b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity, b.M_force.X, b.M_force.Y, b.M_torque)
		h.Floats(b.M_sleepTime)
		for f := b.M_fixtureList; withTree && f != nil; f = f.M_next {
			for i := 0; i < f.M_proxyCount; i++ {
				h.Int(f.M_proxies[i].ProxyId)
				h.Floats(f.M_proxies[i].Aabb.LowerBound.X, f.M_proxies[i].Aabb.LowerBound.Y)
				h.Floats(f.M_proxies[i].Aabb.UpperBound.X, f.M_proxies[i].Aabb.UpperBound.Y)
			}
		}
	}
	for b := w.M_bodyList; b != nil; b = b.M_next {
		for e := b.M_contactList; e != nil; e = e.Next {
			h.Int(ids[e.Other])
			h.Int(e.Contact.GetChildIndexA())
			h.Int(e.Contact.GetChildIndexB())
		}
	}
	contacts(&h, w, ids)
	for j := w.M_jointList; j != nil; j = j.GetNext() {
		h.Int(int(j.GetType()))
		h.Bool(j.GetIslandFlag())
		joint(&h, j)
	}
	if withTree {
		tree(&h, w)
	}
	return uint64(h)
}

func contacts(h *statehash.Hash, w *box2d.B2World, ids map[*box2d.B2Body]int) {
	h.Int(w.M_contactManager.M_contactCount)
	for c := w.M_contactManager.M_contactList; c != nil; c = c.GetNext() {
		h.Word(uint64(c.GetFlags()))
		h.Int(ids[c.GetFixtureA().M_body])
		h.Int(ids[c.GetFixtureB().M_body])
		h.Int(c.GetTOICount())
		h.Floats(c.GetTOI(), c.GetFriction(), c.GetRestitution(), c.GetTangentSpeed())
		manifold(h, c.GetManifold())
	}
}

func joint(h *statehash.Hash, j box2d.B2JointInterface) {
	type reaction interface {
		GetReactionForce(invDt float64) box2d.B2Vec2
		GetReactionTorque(invDt float64) float64
	}
	if r, ok := j.(reaction); ok {
		f := r.GetReactionForce(1)
		h.Floats(f.X, f.Y, r.GetReactionTorque(1))
	}
	switch j := j.(type) {
	case *box2d.B2RevoluteJoint:
		h.Floats(j.M_motorImpulse, j.M_impulse.Z)
		h.Int(int(j.M_limitState))
	case *box2d.B2PrismaticJoint:
		h.Floats(j.M_motorImpulse)
	}
}

func tree(h *statehash.Hash, w *box2d.B2World) {
	bp := &w.M_contactManager.M_broadPhase
	t := &bp.M_tree
	h.Int(bp.M_proxyCount)
	h.Int(bp.M_moveCount)
	for i := 0; i < bp.M_moveCount; i++ {
		h.Int(bp.M_moveBuffer[i])
	}
	h.Int(t.M_root)
	h.Int(t.M_nodeCount)
	h.Int(t.M_freeList)
	h.Int(t.M_insertionCount)
	for i := range t.M_nodes {
		n := &t.M_nodes[i]
		h.Int(n.Height)
		if n.Height < 0 {
			h.Int(n.Next)
			continue
		}
		h.Int(n.Parent)
		h.Int(n.Child1)
		h.Int(n.Child2)
		h.Floats(n.Aabb.LowerBound.X, n.Aabb.LowerBound.Y, n.Aabb.UpperBound.X, n.Aabb.UpperBound.Y)
	}
}
