package soft

import (
	"slices"

	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
)

const (
	// sweepTarget is the distance, in m, at which a fast shape stops in front of another shape. A round
	// shape may overlap the other shape by this distance, because the ground must not stop a wheel that
	// rolls.
	sweepTarget = linearSlop

	// coreFraction is the size of a shape's core relative to the shape. The centre of the core is the
	// shape's centroid. The core must not pass through another shape, even if the shapes already touch.
	coreFraction = 0.25

	mostSweepRounds = 24

	closeEnough = 0.25 * linearSlop // closeEnough is the tolerance of sweepTarget in m.
)

// courseOf returns the course of a body other than the swept body. For a bullet that has not been
// swept yet, it is the course that the solver has computed.
func (s *sweeper) courseOf(i int32) course {
	e, p := &s.bodies.all[i], &s.bodies.poses[i]
	switch {
	case p.flags&poseAwake == 0:
		return course{x: p.x, y: p.y, q: p.q}
	case p.flags&poseLate != 0:
		return s.regions.ownCourse(i)
	}
	w := &e.b.M_sweep
	sin, cos := trig.SinCos(w.A0)
	return course{
		x: w.C0.X, y: w.C0.Y, q: rot{float32(sin), float32(cos)},
		d: vec{float32(p.x - w.C0.X), float32(p.y - w.C0.Y)}, da: float32(e.a - w.A0),
	}
}

// stop says where a fast body stops on its course.
type stop struct {
	t      float32 // t is the time, from 0 to 1.
	other  int32   // other is the shape that stops the body.
	inside bool    // inside says that the shapes touched before, so that only the core is stopped.
	out    vec     // out is a correction of the body's displacement that keeps its core from coming too close. The body then does not stop, but slides.
}

// sweep returns where a fast body stops in this step. This is where it first meets a shape of a
// body that is not dynamic. If one of the two bodies is a bullet, the shape may belong to any body.
// The result is false if the world's filter must be asked, which is allowed only if alone is true.
func (s *sweeper) sweep(i int32, r *finished, alone bool) (first stop, known bool) {
	r.touching = sweepTarget
	first, known = s.sweepUpTo(i, r, alone, sweepTarget)
	if known && first.inside && first.t > 0 && r.touching < sweepTarget {
		// The core may come as close to other shapes as it is to the shape that it already touches. It then
		// slides over the corners of a chain.
		return s.sweepUpTo(i, r, alone, r.touching-sameTime)
	}
	return first, known
}

// sweepUpTo does the work of sweep. The core must not come closer to a shape than apart, in m.
func (s *sweeper) sweepUpTo(i int32, r *finished, alone bool, apart float32) (first stop, known bool) {
	e, p := &s.bodies.all[i], &s.bodies.poses[i]
	own := s.regions.ownCourse(i)
	first = stop{t: 1, other: -1}
	unasked := s.rules.filter == nil && !s.rules.tellsPreSolve
	around := own.around(p.extent)
	if r.courseOf >= 0 && !s.bodies.all[r.courseOf].fixed {
		r.courseOf = -1 // the body courseOf may move in the meantime
	}
	for k := e.first; k >= 0; k = s.shapes.all[k].next {
		if s.shapes.sensors[k] {
			continue
		}
		var way aabb // most shapes do not need this
		near, wayKnown := s.staticsAt(&around, r, r.near[:0]), len(s.regions.bullets) > 0
		if wayKnown {
			way = own.bounds(s.shapes.geometry(k))
			near = s.dynamicsAt(&way, p.flags&poseBullet != 0, r, near)
		}
		slices.Sort(near) // the order of the tree depends on earlier steps
		r.near = near
		for _, other := range near {
			if o := s.shapes.all[other].body; o != r.courseOf {
				r.course, r.courseOf = s.courseOf(o), o
			}
			c := &r.course
			stands := s.bodies.poses[r.courseOf].flags&poseStopped != 0
			if unasked && !stands && c.isFar(s.shapes.geometry(other), &own, p.extent) {
				continue
			}
			if !wayKnown {
				way, wayKnown = own.bounds(s.shapes.geometry(k)), true
			}
			stops, known := s.isInWay(i, k, other, c, &way, alone)
			if !known {
				return first, false
			}
			if stops {
				m, met := stop{}, false
				if stands {
					m, met = s.meetStopped(i, k, other, &own, c, apart, r)
				} else {
					m, met = s.meet(i, k, other, 0, &own, c, 1, apart, r)
				}
				if met && m.t < first.t {
					first = m
				}
			}
		}
	}
	return first, true
}

// dynamicsAt adds shapes of dynamic bodies that may pass through a box to the list near. For a
// bullet these are the shapes of all dynamic bodies. For other bodies they are the shapes of
// bullets.
func (s *sweeper) dynamicsAt(b *aabb, bullet bool, r *finished, near []int32) []int32 {
	add := func(k int32) bool {
		// other goroutines may write the flags of bodies that are not bullets
		o := s.shapes.all[k].body
		if e := &s.bodies.all[o]; !e.fixed && (bullet || e.b.M_flags&b2.BodyBullet != 0 && s.bodies.poses[o].flags&poseBullet != 0) {
			near = append(near, k)
		}
		return true
	}
	is := b.toB2()
	r.stack = s.set.Shapes.Tree.Visit(&is, r.stack, add)
	for _, k := range s.runners {
		add(k)
	}
	return near
}

// mostBesides is the greatest number of leaves of the static tree that staticsAt keeps for the next
// body.
const mostBesides = 8

// staticsAt adds the shapes of the static tree whose boxes meet b to the list near. It searches a
// larger box, because the next body is often close (the next limb of a ragdoll, for example). If
// the larger box has too many leaves, a new search takes less time for the next body.
func (s *sweeper) staticsAt(b *aabb, r *finished, near []int32) []int32 {
	t := &s.shapes.statics
	if len(r.besides) > mostBesides || !r.around.contains(b) {
		x, y := b.ux-b.lx, b.uy-b.ly
		r.around, r.besides = aabb{b.lx - x, b.ly - y, b.ux + x, b.uy + y}, r.besides[:0]
		is := r.around.toB2()
		r.stack = t.Visit(&is, r.stack, func(k int32) bool {
			r.besides = append(r.besides, k)
			return true
		})
	}
	for _, k := range r.besides {
		if of := boxOf(t.Box(k)); of.overlaps(b) {
			near = append(near, k)
		}
	}
	return near
}

// slide corrects the displacement of a body so that it does not lead further into the shape that
// the body has met. It then sweeps the body again.
func (s *sweeper) slide(i int32, at stop, r *finished, alone bool) (stop, bool) {
	st := s.regions.stateAt(i)
	st.d = s.bodies.poses[i].alongFree(st.d.add(at.out))
	if s.bodies.all[s.shapes.all[at.other].body].fixed {
		st.w *= 0.5 // see halt
	}
	return s.sweep(i, r, alone)
}

// halt returns the displacement and the angle of a fast body that was stopped. If a kinematic body
// stops it, the kinematic body carries it along for the rest of the step.
func (s *sweeper) halt(i int32, at stop) (vec, float32) {
	st := s.regions.stateAt(i)
	if at.inside {
		// The points of the contact move away as fast as the body spins into the other body, so that the
		// solver finds nothing to correct. The body must spin less.
		st.w *= 0.5
	}
	o := s.shapes.all[at.other].body
	c := s.courseOf(o)
	// A dynamic body would carry a bullet through the wall that stops both of them.
	if !s.bodies.all[o].fixed || c.d == (vec{}) && c.da == 0 {
		return st.d.times(at.t), float32(at.t * st.da)
	}
	own := s.regions.ownCourse(i)
	base := c.to(&own)
	_, rel := c.at(at.t, c.turned(at.t), base, &own)
	d := c.turned(1).apply(rel).add(c.d).sub(base)
	da := float32(at.t * st.da)
	if s.bodies.masses[i].i != 0 { // with an inverse inertia of 0 nothing turns the body
		da += float32((1 - at.t) * c.da)
	}
	return d, da
}

// isInWay reports whether shape other, whose body has course c, can stop shape k of the fast body
// i. The box way contains the motion of shape k. The second result is false if the world's filter
// must be asked first, which is allowed only if alone is true.
func (s *sweeper) isInWay(i, k, other int32, c *course, way *aabb, alone bool) (stops, known bool) {
	o := s.shapes.all[other].body
	flags := s.bodies.poses[o].flags
	if o == i || s.shapes.sensors[other] {
		return false, true
	}
	around := s.shapes.fatBoxes[other]
	if flags&poseAwake != 0 {
		around = c.bounds(s.shapes.geometry(other))
	}
	if !around.overlaps(way) {
		return false, true
	}
	return s.stops.mayStop(k, other, s.regions.stateAt(i).d.sub(c.d), alone)
}

// meet returns where a shape of a fast body on course own meets another shape, whose body has course c.
// The courses cover the step from the time from to the time to. For a whole step these are 0 and 1. For
// the parameter apart see sweepUpTo.
func (s *sweeper) meet(i, k, other int32, from float32, own, c *course, to, apart float32, r *finished) (stop, bool) {
	g := s.shapes.geometry(k)
	target := float32(sweepTarget)
	if g.radius > 2*sweepTarget {
		target = -sweepTarget
	}
	t, met := c.advanceTo(s.shapes.geometry(other), own, g, target, closeEnough)
	when := from + float32((to-from)*t)
	if !met || to == 1 && c.inTime(s.shapes.geometry(other), own, g, s.bodies.all[i].minExtent) {
		return stop{}, false
	}
	if when > 0 && !s.stops.touch(k, other) {
		return stop{t: when, other: other}, true
	}
	// The solver has kept the shapes apart, or they already touch. At least the core must then stay on
	// its side.
	core := geometry{kind: b2.CircleShape, polygon: polygon{count: 1, radius: coreFraction * s.bodies.all[i].minExtent}}
	core.v[0] = g.centroid
	base := c.to(own)
	q, begin := c.at(0, c.q, base, own)
	distance, n := gap(s.shapes.geometry(other), &core, q, begin)
	// a core whose centre is in the other shape has no side
	if extent, _ := core.extents(); distance <= -0.9*core.radius || c.isFar(s.shapes.geometry(other), own, extent) {
		return stop{}, false
	}
	r.touching = lesser(r.touching, distance)
	turned, end := c.at(1, c.turned(1), base, own)
	out := begin.add(q.apply(core.v[0])).sub(end.add(turned.apply(core.v[0]))) // the direction opposite to the displacement of the core's centre
	target, within := lesser(sweepTarget, 0.5*distance), float32(closeEnough)
	if distance <= target+within {
		// The motion begins with contact, which stops only motion further into the shape.
		in := dot(n, out)
		return stop{t: from, other: other, inside: true, out: c.q.apply(n).times(in + sameTime)}, in > 0
	}
	if apart < target {
		target, within = greater(apart, -coreFraction*core.radius), sameTime
	}
	if t, met = c.advanceTo(s.shapes.geometry(other), own, &core, target, within); !met {
		return stop{}, false
	}
	at := stop{t: from + float32((to-from)*t), other: other, inside: true}
	if !s.bodies.all[s.shapes.all[other].body].fixed { // if the first shape stood still, the other shape would move on through it
		in := dot(n, out) - (distance - target)
		at.out = c.q.apply(n).times(in + sameTime)
		return at, in > 0
	}
	return at, true
}

// meetStopped does the work of meet for another body that was stopped on its course c. That body
// moves faster before it stops, and then stands still.
func (s *sweeper) meetStopped(i, k, other int32, own, c *course, apart float32, r *finished) (stop, bool) {
	t := s.stopped[s.shapes.all[other].body]
	first := own.part(0, t)
	if m, met := s.meet(i, k, other, 0, &first, c, t, apart, r); met {
		return m, true
	}
	rest, stands := own.part(t, 1), c.part(1, 1)
	return s.meet(i, k, other, t, &rest, &stands, 1, apart, r)
}
