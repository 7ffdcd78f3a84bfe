package soft

import "slices"

// predict looks whether two shapes that are apart will touch at the end of this
// step if nothing stops them, or halfway, and gives their contact the points that
// it has then. Without it fast bodies are noticed when they already lie deep in each
// other, or sweep stops them in front of a static shape and takes away the rest of
// their way. d is the way from A's centre of mass to B's.
func (s *narrowPhase) predict(m *manifold, c *contact, a, b *pose, d vec) {
	wayA, turnA := s.bodies.wayOf(c.bodyA)
	wayB, turnB := s.bodies.wayOf(c.bodyB)
	way := wayB.sub(wayA)
	// Most pairs stay apart by more than nearer, the most by which they can come closer: it is
	// computed in the frame of the larger body, where the other one turns less.
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
			// If two points meet a static shape in the same sub-step, one is a little ahead,
			// and the rest of the step is too short to take out the spin that this brings.
			// Without them sweep stops the body in front, and the whole next step is theirs.
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

// setAhead sets the points of a contact to those of a manifold that it will have
// when the bodies have turned to qA and qB and lie by offset apart. The points move
// with the bodies. It refuses a normal along which the shapes overlap already, which
// would push them through each other. It also refuses what the next step will find
// in time, with a better normal: a box that slides over a floor of planks must not
// run into the side of the next one.
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

// isFastPair reports whether two bodies, one of them fast, may move against each other in this
// step by more than the distance at which shapes get points anyway. Bodies that fall side by
// side do not.
func (s *narrowPhase) isFastPair(c *contact, b *pose, d vec) bool {
	wayA, turnA := s.bodies.wayOf(c.bodyA)
	wayB, turnB := s.bodies.wayOf(c.bodyB)
	way := wayB.sub(wayA).sub(left(turnA, d))
	most := float32(speculative) - float32(abs(turnB-turnA)*b.extent)
	return !(most > 0 && dot(way, way) < most*most)
}

// passesBy reports whether a round shape or a corner will pass the other shape without touching
// it. Its points would turn it aside, because their normal is that of the place where the two
// are nearest now. The last relax of a step looks a sub-step further, and so does passesBy.
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

// comesTogether reports whether the shapes of a contact, which are apart, come so close in
// so many steps, if nothing stops them, that one pushes the other.
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

// sameTime is how far one of two shapes may move against the other between two times that count
// as equal, m.
const sameTime = 0.02 * linearSlop

// isBetween reports whether something stops one of the shapes of a contact before it meets
// the other one: a wall, a lift or another body, in whatever way it moves itself in this
// step. Then the contact gets no points, or an impulse would pass through what is between
// (Jondolf/avian 990). Where the filter or the listener is to be asked, only who is alone may
// ask.
func (s *narrowPhase) isBetween(c *contact, n int, r *narrowed) bool {
	a, b := s.bodies.planned(c.bodyA, 1), s.bodies.planned(c.bodyB, 1)
	t, _ := a.advanceTo(s.shapes.geometry(c.shapeA), &b, s.shapes.geometry(c.shapeB), 0, sameTime)
	// What has all but reached a wall meets it, whatever lies on it and moves more slowly.
	atWall := (s.bodies.all[c.bodyA].fixed || s.bodies.all[c.bodyB].fixed) && c.flags&ahead == 0 && c.isWithin(n, sweepTarget+closeEnough)
	return s.isStopped(c.shapeA, c.shapeB, &a, t, atWall, r) || s.isStopped(c.shapeB, c.shapeA, &b, t, atWall, r)
}

// isWithin reports whether one of the n points of a contact is closer than that, m.
func (c *contact) isWithin(n int, distance float32) bool {
	for _, p := range c.points[:n] {
		if p.separation < distance {
			return true
		}
	}
	return false
}

// isStopped reports whether shape k, whose body goes a course, is stopped before time t by
// a shape that is neither of its body nor the other one. With atWall set a dynamic one that it lies on
// does not count.
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
	slices.Sort(r.near) // the tree's order depends on what was before
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

// passage is how a shape goes until a time. It extends so far, and may go so deep into another one.
type passage struct {
	shape        int32
	course       *course
	until        float32
	extent, deep float32
	atWall       bool // a dynamic body that it lies on does not stop it
}

// doubt is a shape that may stop another one, if that takes more to tell than where it ends.
type doubt struct {
	shape int32
	from  nearness
}

// isStoppedBy reports whether shape x stops a shape before the end of its passage. It may be in
// doubt.
func (s *narrowPhase) isStoppedBy(x int32, p *passage, r *narrowed) bool {
	own, g, c := p.course, s.shapes.geometry(p.shape), s.bodies.planned(s.shapes.all[x].body, 1)
	q, at := c.at(0, c.q, c.to(own), own)
	// This is the most by which advanceTo sees them come closer.
	rel, turn := own.d.sub(c.d), abs(c.da)
	long := sqrt(dot(rel, rel))
	turning := float32(abs(own.da-c.da) * p.extent)
	if turn != 0 {
		turning += float32(turn * (long + long + float32((1+turn)*(sqrt(dot(at, at))+long))))
	}
	if s.shapes.geometry(x).isBeyond(at, c.q.undo(rel.times(p.until)), p.extent+float32(p.until*turning)) { // most are too far away
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
		// What it lies on does not stop it, unless it goes deeper into it than it lies.
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

// isStoppedOnItsWay is isStoppedBy for a shape that is in doubt.
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
