package soft

import "slices"

// predict checks whether two shapes that are apart will touch at the end of this step, or halfway,
// if no other shape stops them. If so, it gives their contact the points that the contact has at
// that time. Without predict, fast bodies would first get points when they are deep in each other,
// or sweep would stop them in front of a static shape and lose the rest of their motion. The vector
// d is from A's centre of mass to B's.
func (s *narrowPhase) predict(m *manifold, c *contact, a, b *pose, d vec) {
	wayA, turnA := s.bodies.wayOf(c.bodyA)
	wayB, turnB := s.bodies.wayOf(c.bodyB)
	way := wayB.sub(wayA)
	// Most pairs stay apart by more than nearer, the greatest distance by which they can approach. It
	// is computed in the frame of the larger body, because the other body turns less in that frame.
	turn, extent := turnA, b.extent
	if a.extent < extent {
		turn, extent = turnB, a.extent
	}
	nearer := float32(abs(turnB-turnA)*extent) - dot(a.q.apply(m.normal), way.sub(left(turn, d)))
	if m.apart > speculative+nearer {
		return
	}
	swept := s.bodies.all[c.bodyA].fixed || s.bodies.all[c.bodyB].fixed
	ga, gb := s.shapes.geometry(c.shapeA), s.shapes.geometry(c.shapeB)
	for _, t := range [...]float32{1, 0.5} {
		qA, qB := a.q.then(smallRotation(float32(t*turnA))), b.q.then(smallRotation(float32(t*turnB)))
		offset := d.plus(t, way)
		collide(m, ga, gb, qB.from(qA), qA.undo(offset))
		if swept && m.count == 2 {
			// If two points meet a static shape in the same sub-step, one point meets it a little earlier, and
			// the rest of the step is too short to remove the spin that this causes. Without points, sweep
			// stops the body in front of the shape, and both points have the whole next step.
			apart := abs(m.points[0].separation - m.points[1].separation)
			if float32(apart*float32(s.stride.subSteps)) < abs(dot(qA.apply(m.normal), way)) {
				break
			}
		}
		if m.count > 0 && c.setAhead(m, a, b, qA, qB, d, offset) {
			c.keep(m)
			c.kept.turn, c.kept.offset = qB.from(qA), qA.undo(offset)
			return
		}
	}
	m.count = 0
}

// setAhead sets the points of a contact to those of a manifold at a later time. At that time the
// bodies have the rotations qA and qB, and offset is the vector between them. The points move with
// the bodies. The method refuses a normal along which the shapes already overlap, because this
// would push the shapes through each other. It also refuses points that the next step will find
// early enough, with a better normal. For example, a box that slides over a floor of planks must
// not run into the side of the next plank.
func (c *contact) setAhead(m *manifold, a, b *pose, qA, qB rot, d, offset vec) bool {
	n, deepest := qA.apply(m.normal), float32(0)
	for i := range m.count {
		p, mp := &c.points[i], &m.points[i]
		rA := a.q.apply(mp.p)
		rB := b.q.apply(qB.undo(qA.apply(mp.p).sub(offset)))
		*p = point{rA: rA, rB: rB, base: mp.separation, id: mp.id}
		p.separation = p.base + dot(rB.sub(rA).add(d), n)
		if p.separation < 0 {
			return false
		}
		deepest = lesser(deepest, mp.separation)
	}
	if deepest > -speculative {
		return false
	}
	c.normal = n
	c.flags |= ahead
	return true
}

// isFastPair reports whether two bodies may move relative to each other in this step by more than
// speculative, the distance at which shapes get points anyway. One of the bodies is fast. Bodies
// that fall side by side do not move that far relative to each other.
func (s *narrowPhase) isFastPair(c *contact, b *pose, d vec) bool {
	wayA, turnA := s.bodies.wayOf(c.bodyA)
	wayB, turnB := s.bodies.wayOf(c.bodyB)
	way := wayB.sub(wayA).sub(left(turnA, d))
	most := float32(speculative) - float32(abs(turnB-turnA)*b.extent)
	return !(most > 0 && dot(way, way) < most*most)
}

// passesBy reports whether a round shape or a corner will pass the other shape without touching it.
// The points of the contact would deflect the shape, because their normal is that of the place
// where the two shapes are nearest now. The last relax pass of a step looks one sub-step further
// ahead, and passesBy does the same.
func (s *narrowPhase) passesBy(c *contact, n int) bool {
	if c.flags&(round|cornered) == 0 {
		return false
	}
	steps := 1 + 1/float32(s.stride.subSteps)
	if !s.comesTogether(c, n, steps) {
		return false
	}
	a, b := s.bodies.planned(c.bodyA, steps), s.bodies.planned(c.bodyB, steps)
	g := s.shapes.geometry(c.shapeB)
	if a.endsIn(s.shapes.geometry(c.shapeA), 1, 0, &b, g) {
		return false
	}
	_, met := a.advanceTo(s.shapes.geometry(c.shapeA), &b, g, 0, sameTime)
	return !met
}

// comesTogether reports whether the shapes of a contact come so close to each other in a number of
// steps that one pushes the other. The shapes are apart, and no other shape is assumed to stop
// them.
func (s *narrowPhase) comesTogether(c *contact, n int, steps float32) bool {
	if c.flags&ahead != 0 {
		return true
	}
	for i := range n {
		if c.points[i&1].separation <= sameTime {
			return false
		}
	}
	wayA, turnA := s.bodies.wayOf(c.bodyA)
	wayB, turnB := s.bodies.wayOf(c.bodyB)
	way, closes := wayB.sub(wayA), false
	for i := range n {
		p := &c.points[i&1]
		closing := dot(way.add(left(turnB, p.rB)).sub(left(turnA, p.rA)), c.normal)
		closes = closes || p.separation+float32(steps*closing) < 0
	}
	return closes
}

// sameTime is a distance in m. Two times count as equal if one of two shapes moves by less than
// this distance relative to the other between these times.
const sameTime = 0.02 * linearSlop

// isBetween reports whether another shape stops one of the shapes of a contact before the two meet.
// The other shape can be a wall, a lift or another body, which may itself move in this step. The
// contact then gets no points, because an impulse would pass through the shape between the two
// (Jondolf/avian issue 990). Only a call that runs alone may ask the filter or the listener.
func (s *narrowPhase) isBetween(c *contact, n int, r *narrowed) bool {
	a, b := s.bodies.planned(c.bodyA, 1), s.bodies.planned(c.bodyB, 1)
	t, _ := a.advanceTo(s.shapes.geometry(c.shapeA), &b, s.shapes.geometry(c.shapeB), 0, sameTime)
	// A shape that has almost reached a wall meets the wall, even if a slower body lies on the shape.
	atWall := (s.bodies.all[c.bodyA].fixed || s.bodies.all[c.bodyB].fixed) && c.flags&ahead == 0 && c.isWithin(n, sweepTarget+closeEnough)
	return s.isStopped(c.shapeA, c.shapeB, &a, t, atWall, r) || s.isStopped(c.shapeB, c.shapeA, &b, t, atWall, r)
}

// isWithin reports whether one of the n points of a contact is closer than distance, in m.
func (c *contact) isWithin(n int, distance float32) bool {
	for _, p := range c.points[:n] {
		if p.separation < distance {
			return true
		}
	}
	return false
}

// isStopped reports whether a shape stops shape k on the course of its body before time t. It
// ignores shapes of the same body and the shape other. If atWall is true, it also ignores a dynamic
// shape on which k lies.
func (s *narrowPhase) isStopped(k, other int32, own *course, t float32, atWall bool, r *narrowed) bool {
	if own.d == (vec{}) && own.da == 0 || t <= 0 {
		return false
	}
	i, g := s.shapes.all[k].body, s.shapes.geometry(k)
	extent, _ := g.extents()
	p := passage{k, own, t, extent, lesser(linearSlop, float32(0.5*s.bodies.all[i].minExtent)), atWall}
	part := *own
	part.d, part.da = own.d.times(t), float32(t*own.da)
	way := part.bounds(g)
	asks, stopped := s.rules.filter != nil || s.rules.tellsPreSolve, false
	r.near, r.doubtful = r.near[:0], r.doubtful[:0]
	r.stack = s.pairs.visit(&way, r.stack, func(x int32) bool {
		switch {
		case x == other || s.shapes.all[x].body == i || s.shapes.sensors[x]:
		case asks:
			r.near = append(r.near, x)
		default:
			stopped = s.isStoppedBy(x, &p, r)
		}
		return !stopped
	})
	slices.Sort(r.near) // the order of the tree depends on earlier steps
	for _, x := range r.near {
		if s.isStoppedBy(x, &p, r) {
			return true
		}
	}
	if stopped {
		return true
	}
	for k := range r.doubtful {
		if s.isStoppedOnItsWay(&r.doubtful[k], &p) {
			return true
		}
	}
	return false
}

// passage is the motion of a shape until a time. The field extent is the shape's extent, and deep is
// the depth to which the shape may enter another shape.
type passage struct {
	shape        int32
	course       *course
	until        float32
	extent, deep float32
	atWall       bool // atWall says that a dynamic body on which the shape lies does not stop the shape.
}

// doubt is a shape that may stop another shape. The position at the end does not decide whether it
// does.
type doubt struct {
	shape int32
	from  nearness
}

// isStoppedBy reports whether shape x stops a shape before the end of the shape's passage. In doubt
// it adds x to r.doubtful and returns false.
func (s *narrowPhase) isStoppedBy(x int32, p *passage, r *narrowed) bool {
	own, g, c := p.course, s.shapes.geometry(p.shape), s.bodies.planned(s.shapes.all[x].body, 1)
	q, at := c.at(0, c.q, c.to(own), own)
	// an upper bound of the distance by which advanceTo finds that the shapes approach
	rel, turn := own.d.sub(c.d), abs(c.da)
	long := sqrt(dot(rel, rel))
	turning := float32(abs(own.da-c.da) * p.extent)
	if turn != 0 {
		turning += float32(turn * (long + long + float32((1+turn)*(sqrt(dot(at, at))+long))))
	}
	if s.shapes.geometry(x).isBeyond(at, c.q.undo(rel.times(p.until)), p.extent+float32(p.until*turning)) { // most shapes are too far away
		return false
	}
	start, n := gap(s.shapes.geometry(x), g, q, at)
	from := nearness{start, n, at}
	closing := from.closing(own, p.extent-g.radius, &c, c.q)
	depth, by := p.deep, lesser(p.until, 1)
	if start > sameTime {
		if from.ends(closing, 0, by) || from.ends(closing, -p.deep, 1) {
			return false
		}
	} else {
		// A body on which the shape lies does not stop the shape, unless the shape goes deeper into that
		// body than it lies now.
		if p.atWall && !s.bodies.all[s.shapes.all[x].body].fixed || from.ends(closing, start-p.deep, 1) {
			return false
		}
		depth, by = p.deep-start, 1
	}
	if !c.endsIn(s.shapes.geometry(x), by, depth, own, g) {
		r.doubtful = append(r.doubtful, doubt{x, from})
		return false
	}
	stops, _ := s.stops.mayStop(p.shape, x, rel, true)
	return stops
}

// isStoppedOnItsWay does the work of isStoppedBy for a shape that is in doubt.
func (s *narrowPhase) isStoppedOnItsWay(by *doubt, p *passage) bool {
	own, g, c := p.course, s.shapes.geometry(p.shape), s.bodies.planned(s.shapes.all[by.shape].body, 1)
	target := by.from.distance
	if target > sameTime {
		target = 0
		if _, met := c.advanceFrom(s.shapes.geometry(by.shape), by.from, own, g, p.extent, 0, sameTime, lesser(p.until, 1)); !met {
			return false
		}
	}
	if _, met := c.advanceFrom(s.shapes.geometry(by.shape), by.from, own, g, p.extent, target-p.deep, sameTime, 1); !met {
		return false
	}
	stops, _ := s.stops.mayStop(p.shape, by.shape, own.d.sub(c.d), true)
	return stops
}
