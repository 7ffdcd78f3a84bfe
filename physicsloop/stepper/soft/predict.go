package soft

// predict looks whether two shapes that are apart will touch at the end of this
// step if nothing stops them, or halfway, and gives their contact the points that
// it has then. Without it fast bodies are noticed when they already lie deep in each
// other, or sweep stops them in front of a static shape and takes away the rest of
// their way.
func (s *Stepper) predict(m *manifold, c *contact, a, b *pose, d vec) {
	wayA, turnA := s.wayOf(c.bodyA)
	wayB, turnB := s.wayOf(c.bodyB)
	way := wayB.sub(wayA)
	// Most pairs stay apart. The larger one sees the smaller one come.
	turn, extent := turnA, b.extent
	if a.extent < extent {
		turn, extent = turnB, a.extent
	}
	nearer := float32(abs(turnB-turnA)*extent) - dot(a.q.apply(m.normal), way.sub(left(turn, d)))
	if m.apart > speculative+nearer {
		return
	}
	swept := s.bodies[c.bodyA].fixed || s.bodies[c.bodyB].fixed
	ga, gb := &s.geometries[c.shapeA], &s.geometries[c.shapeB]
	for _, t := range [...]float32{1, 0.5} {
		qA, qB := a.q.then(smallRotation(float32(t*turnA))), b.q.then(smallRotation(float32(t*turnB)))
		offset := d.plus(t, way)
		collide(m, ga, gb, qB.from(qA), qA.undo(offset))
		if swept && m.count == 2 {
			// Of two points that meet it in the same sub-step one is a little ahead, and
			// what is then left of the step is too little to take out the spin that this
			// brings. Sweep stops the body in front, so that they get all of the next.
			apart := abs(m.points[0].separation - m.points[1].separation)
			if float32(apart*float32(s.opts.SubSteps)) < abs(dot(qA.apply(m.normal), way)) {
				break
			}
		}
		if m.count > 0 && c.setAhead(m, a, b, qA, qB, d, offset) {
			c.keep(m, ga, gb)
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

// isFastPair reports whether two bodies, of which one is fast, may come closer to each
// other in this step than the margin in which shapes get points anyway. Those that fall
// side by side do not.
func (s *Stepper) isFastPair(c *contact, a, b *pose, d vec) bool {
	wayA, turnA := s.wayOf(c.bodyA)
	wayB, turnB := s.wayOf(c.bodyB)
	way := wayB.sub(wayA).sub(left(turnA, d))
	most := float32(speculative) - float32(abs(turnB-turnA)*b.extent)
	return !(most > 0 && dot(way, way) < most*most)
}

// wayOf returns how far a body goes and turns in this step if nothing stops it.
func (s *Stepper) wayOf(i int32) (vec, float32) {
	if s.poses[i].flags&poseAwake == 0 {
		return vec{}, 0
	}
	m := &s.motions[i]
	return m.v.times(s.dt), clamp(float32(m.w*s.dt), -mostTurn, mostTurn)
}

const mostTurn = 1.5 // rad: what smallRotation takes
