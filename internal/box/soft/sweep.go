package soft

import (
	"slices"

	"halfstep/internal/box/b2"
	"halfstep/internal/trig"
)

const (
	// A fast shape is stopped when it is this close to another, m. A round one may lie as
	// deep in it: a wheel that rolls must not be stopped by its ground.
	sweepTarget = linearSlop

	// coreFraction is the part of a shape, about its centroid, that must not pass
	// through another shape even if the shapes touch already.
	coreFraction = 0.25

	mostSweepRounds = 24

	closeEnough = 0.25 * linearSlop // how exactly it is stopped there
)

// courseOf returns the course of another body than the one that is swept. Before a bullet has been
// swept, it is that which the solver has found.
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

// stop is where a fast body is stopped on its course.
type stop struct {
	t      float32 // when, from 0 to 1
	other  int32   // by which shape
	inside bool    // the shapes touched before, so only its core is stopped
	out    vec     // what the body's way needs, so that its core does not come too close: it is not stopped then, but goes aside
}

// sweep returns where a fast body is stopped in this step: where it first meets a
// shape of a body that is not dynamic, or of any body if one of the two is a bullet. It returns
// false if the world's filter is to be asked, which only who is alone may do.
func (s *sweeper) sweep(i int32, r *finished, alone bool) (first stop, known bool) {
	r.touching = sweepTarget
	first, known = s.sweepUpTo(i, r, alone, sweepTarget)
	if known && first.inside && first.t > 0 && r.touching < sweepTarget {
		// Its core may come as close to other shapes as it is to what it touches already: it goes over
		// the corners of a chain.
		return s.sweepUpTo(i, r, alone, r.touching-sameTime)
	}
	return first, known
}

// sweepUpTo is sweep for a core that must not come closer to a shape than apart, m.
func (s *sweeper) sweepUpTo(i int32, r *finished, alone bool, apart float32) (first stop, known bool) {
	e, p := &s.bodies.all[i], &s.bodies.poses[i]
	own := s.regions.ownCourse(i)
	first = stop{t: 1, other: -1}
	unasked := s.rules.filter == nil && !s.rules.tellsPreSolve
	around := own.around(p.extent)
	if r.courseOf >= 0 && !s.bodies.all[r.courseOf].fixed {
		r.courseOf = -1 // it may go on meanwhile
	}
	for k := e.first; k >= 0; k = s.shapes.all[k].next {
		if s.shapes.sensors[k] {
			continue
		}
		var way aabb // most shapes need not know
		near, wayKnown := s.staticsAt(&around, r, r.near[:0]), len(s.regions.bullets) > 0
		if wayKnown {
			way = own.bounds(s.shapes.geometry(k))
			near = s.dynamicsAt(&way, p.flags&poseBullet != 0, r, near)
		}
		slices.Sort(near) // the tree's order depends on what was before
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

// dynamicsAt adds to near the shapes of dynamic bodies that may go through a box: of all for a bullet,
// and for others of bullets.
func (s *sweeper) dynamicsAt(b *aabb, bullet bool, r *finished, near []int32) []int32 {
	add := func(k int32) bool {
		// Other goroutines may write the flags of bodies that are no bullets.
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

// mostBesides is how many leaves of the static tree staticsAt keeps for the next body.
const mostBesides = 8

// staticsAt adds to near the shapes of the static tree whose boxes meet b. It searches a larger
// box, because the next body is often close: the next limb of a ragdoll. After a fast body there
// may be so many leaves that a search of its own takes less time.
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

// slide changes the way of a body by what it needs not to lead further into what it has met, and
// sweeps again.
func (s *sweeper) slide(i int32, at stop, r *finished, alone bool) (stop, bool) {
	st := s.regions.stateAt(i)
	st.d = s.bodies.poses[i].alongFree(st.d.add(at.out))
	if s.bodies.all[s.shapes.all[at.other].body].fixed {
		st.w *= 0.5 // see halt
	}
	return s.sweep(i, r, alone)
}

// halt returns how far a fast body goes and turns that is stopped. A kinematic body that
// stops it carries it along for the rest of the step.
func (s *sweeper) halt(i int32, at stop) (vec, float32) {
	st := s.regions.stateAt(i)
	if at.inside {
		// The points of its contact turn away as fast as it spins into the other, so
		// that the solver sees nothing to do. It must spin less.
		st.w *= 0.5
	}
	o := s.shapes.all[at.other].body
	c := s.courseOf(o)
	// A dynamic one would carry a bullet through the wall that both are held by.
	if !s.bodies.all[o].fixed || c.d == (vec{}) && c.da == 0 {
		return st.d.times(at.t), float32(at.t * st.da)
	}
	own := s.regions.ownCourse(i)
	base := c.to(&own)
	_, rel := c.at(at.t, c.turned(at.t), base, &own)
	d := c.turned(1).apply(rel).add(c.d).sub(base)
	da := float32(at.t * st.da)
	if s.bodies.masses[i].i != 0 { // otherwise nothing turns it
		da += float32((1 - at.t) * c.da)
	}
	return d, da
}

// isInWay reports whether shape other, whose body goes course c, can stop shape k of the
// fast body i, which goes through the box way. The second result is false if the
// world's filter is to be asked first, which only who is alone may do.
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

// meet returns where a shape of a fast body that goes course own meets another shape, whose body
// goes course c. The courses are those from a time to another one, 0 to 1 for the whole step. For apart
// see sweepUpTo.
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
	// The solver has held them apart, or they touch already. Then at least the core
	// must stay on its side.
	core := geometry{kind: b2.CircleShape, polygon: polygon{count: 1, radius: coreFraction * s.bodies.all[i].minExtent}}
	core.v[0] = g.centroid
	base := c.to(own)
	q, begin := c.at(0, c.q, base, own)
	distance, n := gap(s.shapes.geometry(other), &core, q, begin)
	// A core whose centre is in the other shape has no side.
	if extent, _ := core.extents(); distance <= -0.9*core.radius || c.isFar(s.shapes.geometry(other), own, extent) {
		return stop{}, false
	}
	r.touching = lesser(r.touching, distance)
	turned, end := c.at(1, c.turned(1), base, own)
	out := begin.add(q.apply(core.v[0])).sub(end.add(turned.apply(core.v[0]))) // against the way of its centre
	target, within := lesser(sweepTarget, 0.5*distance), float32(closeEnough)
	if distance <= target+within {
		// It begins in touch, which stops only what goes further in.
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
	if !s.bodies.all[s.shapes.all[other].body].fixed { // if the first one stood still, the other would go on through it
		in := dot(n, out) - (distance - target)
		at.out = c.q.apply(n).times(in + sameTime)
		return at, in > 0
	}
	return at, true
}

// meetStopped is meet for another body that was stopped on its course c: it goes faster, and then it
// stands.
func (s *sweeper) meetStopped(i, k, other int32, own, c *course, apart float32, r *finished) (stop, bool) {
	t := s.stopped[s.shapes.all[other].body]
	first := own.part(0, t)
	if m, met := s.meet(i, k, other, 0, &first, c, t, apart, r); met {
		return m, true
	}
	rest, stands := own.part(t, 1), c.part(1, 1)
	return s.meet(i, k, other, t, &rest, &stands, 1, apart, r)
}
