// Package worldhash reduces the state of a Box2D world to one number.
//
// Two worlds built and stepped alike have the same hash if and only if (up to
// hash collisions) every body, contact, joint reaction and tree node carries
// the same bits. Solver scratch that has no meaning between two steps (a
// body's island index) is left out, and so are the profile's times.
package worldhash

import (
	"math"

	"github.com/ByteArena/box2d"
)

type hasher uint64

func (h *hasher) word(x uint64) {
	v := uint64(*h) ^ x
	v *= 0x9E3779B97F4A7C15
	v ^= v >> 32
	*h = hasher(v)
}

func (h *hasher) int(x int) { h.word(uint64(x)) }

func (h *hasher) bool(x bool) {
	if x {
		h.word(1)
	} else {
		h.word(0)
	}
}

func (h *hasher) float(x float64) { h.word(Bits(x)) }

// Bits are those of a number, so that +0 and -0 differ; all NaNs are alike,
// since steppers may mix them in another order.
func Bits(x float64) uint64 {
	if x != x {
		return 0x7FF8000000000001
	}
	return math.Float64bits(x)
}

func (h *hasher) vec(v box2d.B2Vec2) {
	h.float(v.X)
	h.float(v.Y)
}

func (h *hasher) manifold(m *box2d.B2Manifold) {
	h.int(m.PointCount)
	h.int(int(m.Type))
	h.vec(m.LocalNormal)
	h.vec(m.LocalPoint)
	for i := range m.Points {
		p := &m.Points[i]
		h.vec(p.LocalPoint)
		h.float(p.NormalImpulse)
		h.float(p.TangentImpulse)
		h.word(uint64(p.Id.IndexA) | uint64(p.Id.IndexB)<<8 | uint64(p.Id.TypeA)<<16 | uint64(p.Id.TypeB)<<24)
	}
}

// World returns the hash. Bodies, contacts and joints count in the order of
// the world's lists. The world must not be stepped meanwhile.
func World(w *box2d.B2World) uint64 {
	h := hasher(14695981039346656037)
	h.int(w.M_flags)
	h.int(w.M_bodyCount)
	h.int(w.M_jointCount)
	h.bool(w.M_stepComplete)
	h.float(w.M_inv_dt0)
	ids := make(map[*box2d.B2Body]int, w.M_bodyCount)
	for b := w.M_bodyList; b != nil; b = b.M_next {
		ids[b] = len(ids)
		h.int(int(b.M_type))
		h.word(uint64(b.M_flags))
		h.vec(b.M_xf.P)
		h.float(b.M_xf.Q.S)
		h.float(b.M_xf.Q.C)
		h.vec(b.M_sweep.LocalCenter)
		h.vec(b.M_sweep.C0)
		h.vec(b.M_sweep.C)
		h.float(b.M_sweep.A0)
		h.float(b.M_sweep.A)
		h.float(b.M_sweep.Alpha0)
		h.vec(b.M_linearVelocity)
		h.float(b.M_angularVelocity)
		h.vec(b.M_force)
		h.float(b.M_torque)
		h.float(b.M_sleepTime)
		for f := b.M_fixtureList; f != nil; f = f.M_next {
			for i := 0; i < f.M_proxyCount; i++ {
				h.int(f.M_proxies[i].ProxyId)
				h.vec(f.M_proxies[i].Aabb.LowerBound)
				h.vec(f.M_proxies[i].Aabb.UpperBound)
			}
		}
	}
	for b := w.M_bodyList; b != nil; b = b.M_next {
		for e := b.M_contactList; e != nil; e = e.Next {
			h.int(ids[e.Other])
			h.int(e.Contact.GetChildIndexA())
			h.int(e.Contact.GetChildIndexB())
		}
	}
	contacts(&h, w, ids)
	for j := w.M_jointList; j != nil; j = j.GetNext() {
		h.int(int(j.GetType()))
		h.bool(j.GetIslandFlag())
		joint(&h, j)
	}
	tree(&h, w)
	return uint64(h)
}

func contacts(h *hasher, w *box2d.B2World, ids map[*box2d.B2Body]int) {
	h.int(w.M_contactManager.M_contactCount)
	for c := w.M_contactManager.M_contactList; c != nil; c = c.GetNext() {
		h.word(uint64(c.GetFlags()))
		h.int(ids[c.GetFixtureA().M_body])
		h.int(ids[c.GetFixtureB().M_body])
		h.int(c.GetTOICount())
		h.float(c.GetTOI())
		h.float(c.GetFriction())
		h.float(c.GetRestitution())
		h.float(c.GetTangentSpeed())
		h.manifold(c.GetManifold())
	}
}

func joint(h *hasher, j box2d.B2JointInterface) {
	type reaction interface {
		GetReactionForce(invDt float64) box2d.B2Vec2
		GetReactionTorque(invDt float64) float64
	}
	if r, ok := j.(reaction); ok {
		h.vec(r.GetReactionForce(1))
		h.float(r.GetReactionTorque(1))
	}
	switch j := j.(type) {
	case *box2d.B2RevoluteJoint:
		h.float(j.M_motorImpulse)
		h.float(j.M_impulse.Z)
		h.int(int(j.M_limitState))
	case *box2d.B2PrismaticJoint:
		h.float(j.M_motorImpulse)
	}
}

func tree(h *hasher, w *box2d.B2World) {
	bp := &w.M_contactManager.M_broadPhase
	t := &bp.M_tree
	h.int(bp.M_proxyCount)
	h.int(bp.M_moveCount)
	for i := 0; i < bp.M_moveCount; i++ {
		h.int(bp.M_moveBuffer[i])
	}
	h.int(t.M_root)
	h.int(t.M_nodeCount)
	h.int(t.M_freeList)
	h.int(t.M_insertionCount)
	for i := range t.M_nodes {
		n := &t.M_nodes[i]
		h.int(n.Height)
		if n.Height < 0 {
			h.int(n.Next)
			continue
		}
		h.int(n.Parent)
		h.int(n.Child1)
		h.int(n.Child2)
		h.vec(n.Aabb.LowerBound)
		h.vec(n.Aabb.UpperBound)
	}
}
