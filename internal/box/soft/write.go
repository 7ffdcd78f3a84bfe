package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// writeManifold writes where a contact's shapes touch to the library's manifold.
// What it had is gone: no snapshot holds it.
func (s *Stepper) writeManifold(slot int32) {
	c, lc := &s.contacts[slot], s.set.Contact[slot].C
	m := lc.M_manifold
	*m = box2d.B2Manifold{PointCount: int(c.count)}
	if c.count == 0 {
		return
	}
	a, b := &s.poses[c.bodyA], &s.poses[c.bodyB]
	fA, fB := lc.M_fixtureA, lc.M_fixtureB
	radiusA, radiusB := fA.M_shape.GetRadius(), fB.M_shape.GetRadius()
	lcA, lcB := s.bodies[c.bodyA].localCenter, s.bodies[c.bodyB].localCenter
	n := c.normal
	if k := &c.kept; c.flags&(ahead|flipped) == 0 {
		n = a.q.apply(k.normal) // it may not have turned yet
	} else if c.flags&ahead == 0 {
		n = b.q.from(k.turn).apply(k.normal)
	}
	m.Type = box2d.B2Manifold_Type.E_faceA
	// The library's manifold has a face of one body and points of the other.
	ref, inc, refLC, incLC := a, b, lcA, lcB
	if c.flags&flipped != 0 {
		ref, inc, refLC, incLC = b, a, lcB, lcA
		n = vec{-n.x, -n.y}
		radiusA, radiusB = radiusB, radiusA
		m.Type = box2d.B2Manifold_Type.E_faceB
	}
	m.LocalNormal = toB2(ref.q.undo(n))
	for i := range int(c.count) {
		p := &c.points[i]
		rRef, rInc := p.rA, p.rB
		if c.flags&flipped != 0 {
			rRef, rInc = p.rB, p.rA
		}
		// The surfaces are separation apart; the library subtracts its radii, and adds how
		// far the ends of the arms are apart.
		way := rInc.sub(rRef).add(vec{float32(inc.x - ref.x), float32(inc.y - ref.y)})
		half := float32(0.5 * (p.separation - dot(way, n)))
		if i == 0 {
			v := ref.q.undo(rRef.plus(-half-float32(radiusA), n))
			m.LocalPoint = box2d.B2Vec2{X: refLC.X + float64(v.x), Y: refLC.Y + float64(v.y)}
		}
		v := inc.q.undo(rInc.plus(half+float32(radiusB), n))
		mp := &m.Points[i]
		mp.LocalPoint = box2d.B2Vec2{X: incLC.X + float64(v.x), Y: incLC.Y + float64(v.y)}
		mp.NormalImpulse = float64(p.total)
		mp.TangentImpulse = float64(p.totalTangent)
		mp.Id.IndexA, mp.Id.IndexB = uint8(p.id), uint8(p.id>>8)
	}
}

func toB2(v vec) box2d.B2Vec2 { return box2d.B2Vec2{X: float64(v.x), Y: float64(v.y)} }

// Refresh writes to the library's contacts what the steps since the last Refresh
// have found out about them: where shapes touch and with which impulses. Step
// itself writes that only for the contacts that it passes to the listener. Which
// contacts there are, and which of them touch, is always right.
func (s *Stepper) Refresh() {
	if s.fresh {
		return
	}
	s.fresh = true
	s.eachContact(func(_ *box2d.B2Contact, slot int32) {
		if slot >= 0 {
			s.writeManifold(slot)
		}
	})
}

// eachContact calls f with each contact of the world, newest first, and with its
// number, or -1 where no step has seen it yet. It can be called between two steps:
// since the last one contacts may have been destroyed, and others made.
func (s *Stepper) eachContact(f func(c *box2d.B2Contact, slot int32)) {
	for i := s.world.M_contactManager.M_contactList; i != nil; {
		c := b2.BaseContact(i)
		n := s.set.NumberOf(c)
		if n >= 0 && !s.set.Contact[n].Known {
			n = -1
		}
		f(c, n)
		i = c.M_next
	}
}

// MaxOverlap returns how deep the deepest pair of touching shapes lay in each
// other when the last step began, m, and 0 if none did.
func (s *Stepper) MaxOverlap() float64 {
	deepest := float32(0)
	for n := range s.contacts {
		if s.set.Contact[n].C == nil {
			continue
		}
		c := &s.contacts[n]
		for _, p := range c.points[:c.count] {
			deepest = greater(deepest, -p.separation)
		}
	}
	return float64(deepest)
}
