package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper"
)

const (
	// A fast shape is stopped when it is this close to another, m. What is round
	// may lie as deep in it: a wheel that rolls must not be stopped by its ground.
	sweepTarget = linearSlop

	// coreFraction is the part of a shape, about its centroid, that must not pass
	// through another shape even if the shapes touch already.
	coreFraction = 0.25

	mostSweepRounds = 24
)

// sweep returns which fraction of its motion in this step a fast body can make
// before it meets a static shape or, if it is a bullet, any other.
func (s *Stepper) sweep(i int32, r *finished) float32 {
	e, p, st := &s.bodies[i], &s.poses[i], s.stateAt(i)
	end := p.q.then(st.q)
	bullet := p.flags&poseBullet != 0
	fraction := float32(1)
	t := &s.world.M_contactManager.M_broadPhase.M_tree
	for k := e.first; k >= 0; k = s.shapes[k].next {
		if s.sensors[k] {
			continue
		}
		g := &s.geometries[k]
		from, to := g.bounds(p.x, p.y, p.q, linearSlop), g.bounds(p.x+float64(st.d.x), p.y+float64(st.d.y), end, linearSlop)
		way := box{min(from.lx, to.lx), min(from.ly, to.ly), max(from.ux, to.ux), max(from.uy, to.uy)}
		if !bullet {
			s.statics.visit(&way, func(id int32) {
				if s.stops(i, k, id, false) {
					fraction = s.meet(i, k, id, fraction)
				}
			})
			continue
		}
		r.stack = visit(t, &way, r.stack, func(id int32) {
			if s.stops(i, k, id, true) {
				fraction = s.meet(i, k, id, fraction)
			}
		})
	}
	return fraction
}

// stops reports whether shape other stops shape k of the fast body i.
func (s *Stepper) stops(i, k, other int32, bullet bool) bool {
	o := s.shapes[other].body
	po := &s.poses[o]
	if o == i || s.sensors[other] || po.flags&poseBullet != 0 || !bullet && po.flags&poseStatic == 0 {
		return false
	}
	a, b := s.shapes[k].f, s.shapes[other].f
	if !passes(&a.M_filter, &b.M_filter) || !stepper.ShouldCollide(s.bodies[i].b, s.bodies[o].b) {
		return false
	}
	return !s.tellsPreSolve || s.solid(i, o, a, b)
}

// solid reports whether shape a of the fast body i may not pass shape b of body o:
// what PreSolve has said of their contact, or what the listener says if there is
// none yet.
func (s *Stepper) solid(i, o int32, a, b *box2d.B2Fixture) bool {
	for e := a.M_body.M_contactList; e != nil; e = e.Next {
		if e.Other != b.M_body {
			continue
		}
		c := stepper.BaseContact(e.Contact)
		if (c.M_fixtureA != a || c.M_fixtureB != b) && (c.M_fixtureA != b || c.M_fixtureB != a) {
			continue
		}
		if c.M_flags&contactTouching != 0 {
			return c.M_flags&contactEnabled != 0
		}
	}
	if s.asked == nil {
		return true
	}
	way := s.stateAt(i).d
	if s.poses[o].flags&poseStatic == 0 {
		way = way.plus(-s.dt, s.stateAt(o).v)
	}
	return s.asked.Stops(a, b, toB2(way))
}

// passes reports whether two filters allow a contact.
func passes(a, b *box2d.B2Filter) bool {
	if a.GroupIndex == b.GroupIndex && a.GroupIndex != 0 {
		return a.GroupIndex > 0
	}
	return a.MaskBits&b.CategoryBits != 0 && a.CategoryBits&b.MaskBits != 0
}

// meet returns the fraction of its motion at which a shape of a fast body meets
// another shape, if that is less than the one given.
func (s *Stepper) meet(i, k, other int32, most float32) float32 {
	g := s.geometries[k]
	target := float32(sweepTarget)
	if g.radius > 2*sweepTarget {
		target = -sweepTarget
	}
	if f, met := s.advanceTo(i, &g, other, most, target); !met || f > 0 && !s.touch(i, k, other) {
		return f
	}
	// The solver has held them apart, or they touch already. Then at least the core
	// must stay on its side.
	core := geometry{kind: circleShape, count: 1, radius: coreFraction * s.bodies[i].minExtent}
	core.points[0].v = g.centroid
	p, o := &s.poses[i], &s.poses[s.shapes[other].body]
	d := vec{float32(p.x - o.x), float32(p.y - o.y)}
	distance, _ := gap(&s.geometries[other], &core, p.q.from(o.q), o.q.undo(d))
	if distance <= 0 {
		return most
	}
	f, met := s.advanceTo(i, &core, other, most, lesser(sweepTarget, 0.5*distance))
	if met {
		// The points of its contact turn away as fast as it spins into the other, so
		// that the solver sees nothing to do. It must spin less.
		s.stateAt(i).w *= 0.5
	}
	return f
}

// touch reports whether a shape of the fast body i has a contact with another shape
// that was solved in this step.
func (s *Stepper) touch(i, k, other int32) bool {
	a, b := s.shapes[k].f, s.shapes[other].f
	for e := s.bodies[i].b.M_contactList; e != nil; e = e.Next {
		c := stepper.BaseContact(e.Contact)
		if c.M_flags&(contactTouching|contactEnabled) == contactTouching|contactEnabled &&
			(c.M_fixtureA == a && c.M_fixtureB == b || c.M_fixtureA == b && c.M_fixtureB == a) {
			return true
		}
	}
	return false
}

// advanceTo moves a shape of a fast body along its motion, each time as far as it
// certainly can without coming closer to the other than target, until it is
// close. It returns most if it never is. It is conservative advancement (Brian
// Mirtich) with separating axes.
func (s *Stepper) advanceTo(i int32, g *geometry, other int32, most, target float32) (float32, bool) {
	p, st := &s.poses[i], s.stateAt(i)
	o := &s.poses[s.shapes[other].body]
	base := vec{float32(p.x - o.x), float32(p.y - o.y)}
	extent, _ := g.extents()
	extent -= g.radius // what is round about a point turns about it unseen
	t := float32(0)
	for range mostSweepRounds {
		q := p.q.then(smallRotation(float32(t * st.da))).from(o.q)
		distance, n := gap(&s.geometries[other], g, q, o.q.undo(base.plus(t, st.d)))
		if distance <= target+0.25*linearSlop {
			return t, true
		}
		closing := float32(abs(st.da)*extent) - dot(o.q.apply(n), st.d)
		if closing <= 0 {
			return most, false
		}
		t += (distance - target) / closing
		if t >= most {
			return most, false
		}
	}
	return t, true
}
