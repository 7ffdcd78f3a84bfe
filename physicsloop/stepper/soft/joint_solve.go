package soft

import "github.com/ByteArena/box2d"

// warmStart applies the impulses of the last sub-step.
func (c *jointConstraint) warmStart(states []state) {
	a, b := &states[c.a], &states[c.b]
	rA, rB := a.q.apply(c.rA), b.q.apply(c.rB)
	p := &c.impulses
	switch c.kind {
	case revolute:
		c.pushPoint(a, b, rA, rB, vec{p[0], p[1]})
		if turn := p[2] + p[3] - p[4]; turn != 0 {
			c.push(&turning, a, b, turn)
		}
	case weld, friction, motor:
		c.pushPoint(a, b, rA, rB, vec{p[0], p[1]})
		c.push(&turning, a, b, p[2])
	case mouse:
		c.pushPoint(a, b, vec{}, rB, vec{p[0], p[1]})
	case prismatic:
		d, perp, axis := c.slide(a, b, rA, rB)
		_ = d
		c.push(&perp, a, b, p[0])
		c.push(&turning, a, b, p[1])
		c.push(&axis, a, b, p[2]+p[3]-p[4])
	case wheel:
		_, perp, axis := c.slide(a, b, rA, rB)
		c.push(&perp, a, b, p[0])
		c.push(&axis, a, b, p[1])
		c.push(&turning, a, b, p[2])
	case distance, rope:
		r, _ := c.span(a, b, rA, rB)
		c.push(&r, a, b, p[0])
	case pulley:
		r, _ := c.ropes(a, b, rA, rB)
		c.push(&r, a, b, p[0])
	case gear:
		one, two := c.gearRows()
		c.pushGear(states, &one, &two, p[0])
	}
}

// between returns the way from anchor A to anchor B.
func (c *jointConstraint) between(a, b *state, rA, rB vec) vec {
	return b.d.sub(a.d).add(rB.sub(rA)).add(c.centres)
}

// slide returns the way from A's anchor to B's, and the rows across and along
// the axis.
func (c *jointConstraint) slide(a, b *state, rA, rB vec) (d vec, perp, axis row) {
	d = c.between(a, b, rA, rB)
	n := a.q.apply(c.axis)
	arm := rA.add(d) // A pushes where B's anchor is
	return d, along(vec{-n.y, n.x}, arm, rB), along(n, arm, rB)
}

// span returns the row along the way between the anchors, and its length.
func (c *jointConstraint) span(a, b *state, rA, rB vec) (row, float32) {
	n, l := normalize(c.between(a, b, rA, rB))
	return along(n, rA, rB), l
}

// ropes returns the row of both ropes of a pulley, and how much too short they
// are.
func (c *jointConstraint) ropes(a, b *state, rA, rB vec) (row, float32) {
	nA, lA := normalize(c.centres.add(a.d).add(rA))
	nB, lB := normalize(c.offset.add(b.d).add(rB))
	k := c.ratio
	nB = nB.times(k)
	return row{vec{-nA.x, -nA.y}, vec{-nB.x, -nB.y}, -cross(rA, nA), -cross(rB, nB)}, c.length - lA - float32(k*lB)
}

// solve is one pass over the joint: with bias it also takes out errors of
// position.
func (c *jointConstraint) solve(states []state, s *Stepper, bias bool) {
	if c.kind == gear {
		c.solveGear(states, bias)
		return
	}
	a, b := &states[c.a], &states[c.b]
	rA, rB := a.q.apply(c.rA), b.q.apply(c.rB)
	soft := rigid
	if bias {
		soft = c.soft
	}
	turn := c.angle + (b.da - a.da)
	switch c.kind {
	case revolute:
		if c.motor {
			c.drive(2, &turning, a, b, c.speed, c.most)
		}
		if c.limit {
			c.stop(3, &turning, a, b, turn-c.lower, s.invH, soft)
			back := turning.flipped()
			c.stop(4, &back, a, b, c.upper-turn, s.invH, soft)
		}
		c.point(0, a, b, rA, rB, c.between(a, b, rA, rB), soft, 0)
	case weld:
		angular := soft
		if c.hasSpring {
			angular = c.spring
		}
		c.hold(2, &turning, a, b, turn, angular)
		c.point(0, a, b, rA, rB, c.between(a, b, rA, rB), soft, 0)
	case friction:
		c.drive(2, &turning, a, b, 0, c.most2)
		if c.most > 0 {
			c.point(0, a, b, rA, rB, vec{}, rigid, c.most)
		}
	case motor:
		c.drive(2, &turning, a, b, -float32(c.correction*turn), c.most2)
		if c.most > 0 {
			err := c.between(a, b, rA, rB).sub(a.q.apply(c.offset))
			c.point(0, a, b, rA, rB, err, softness{c.correction, 1, 0}, c.most)
		}
	case mouse:
		if c.most > 0 {
			c.point(0, a, b, vec{}, rB, b.d.add(c.centres).add(rB), c.spring, c.most)
		}
	case prismatic:
		d, perp, axis := c.slide(a, b, rA, rB)
		at := dot(axis.jB, d)
		if c.motor {
			c.drive(2, &axis, a, b, c.speed, c.most)
		}
		if c.limit {
			c.stop(3, &axis, a, b, at-c.lower, s.invH, soft)
			back := axis.flipped()
			c.stop(4, &back, a, b, c.upper-at, s.invH, soft)
		}
		c.hold(1, &turning, a, b, turn, soft)
		c.hold(0, &perp, a, b, dot(perp.jB, d), soft)
	case wheel:
		d, perp, axis := c.slide(a, b, rA, rB)
		if c.motor {
			c.drive(2, &turning, a, b, c.speed, c.most)
		}
		if c.hasSpring {
			c.hold(1, &axis, a, b, dot(axis.jB, d), c.spring)
		}
		c.hold(0, &perp, a, b, dot(perp.jB, d), soft)
	case distance:
		r, l := c.span(a, b, rA, rB)
		if c.hasSpring {
			soft = c.spring
		}
		c.hold(0, &r, a, b, l-c.length, soft)
	case rope:
		r, l := c.span(a, b, rA, rB)
		r = r.flipped()
		c.impulses[0] = -c.impulses[0]
		c.stop(0, &r, a, b, c.length-l, s.invH, soft)
		c.impulses[0] = -c.impulses[0]
	case pulley:
		r, short := c.ropes(a, b, rA, rB)
		c.hold(0, &r, a, b, short, soft)
	}
}

// storeJoints copies the impulses of the whole step back to the library's joints.
func (s *Stepper) storeJoints() {
	for i := range s.joined {
		c := &s.joined[i]
		j, t := &s.joints[c.joint], &c.total
		for k := range t {
			t[k], c.impulses[k] = saturated(t[k]), saturated(c.impulses[k])
		}
		up := t[3] - t[4] // by the lower limit, or down by the upper one
		j.pushed = pushed{c.impulses, [5]float32{t[0], t[1], t[2], greater(up, 0), greater(-up, 0)}}
		if !j.pushed.isFinite() {
			j.pushed = pushed{} // there is nothing to start from
		}
		p := [4]float64{float64(t[0]), float64(t[1]), float64(t[2]), float64(up)}
		switch t := s.set.Joint[c.joint].J.(type) {
		case *box2d.B2RevoluteJoint:
			t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[3]}
			t.M_motorImpulse = p[2]
		case *box2d.B2PrismaticJoint:
			t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[3]}
			t.M_motorImpulse = p[2]
			x := s.states[c.a].q.apply(c.axis)
			t.M_axis, t.M_perp = toB2(x), toB2(vec{-x.y, x.x})
		case *box2d.B2DistanceJoint:
			t.M_impulse = p[0]
			t.M_u = s.spanOf(c)
		case *box2d.B2RopeJoint:
			t.M_impulse = p[0]
			t.M_u = s.spanOf(c)
		case *box2d.B2WeldJoint:
			t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[2]}
		case *box2d.B2WheelJoint:
			t.M_impulse, t.M_springImpulse, t.M_motorImpulse = p[0], p[1], p[2]
			x := s.states[c.a].q.apply(c.axis)
			t.M_ax, t.M_ay = toB2(x), toB2(vec{-x.y, x.x})
		case *box2d.B2FrictionJoint:
			t.M_linearImpulse, t.M_angularImpulse = box2d.B2Vec2{X: p[0], Y: p[1]}, p[2]
		case *box2d.B2MotorJoint:
			t.M_linearImpulse, t.M_angularImpulse = box2d.B2Vec2{X: p[0], Y: p[1]}, p[2]
		case *box2d.B2MouseJoint:
			t.M_impulse = box2d.B2Vec2{X: p[0], Y: p[1]}
		case *box2d.B2PulleyJoint:
			t.M_impulse = p[0]
			a, b := &s.states[c.a], &s.states[c.b]
			r, _ := c.ropes(a, b, a.q.apply(c.rA), b.q.apply(c.rB))
			t.M_uA, t.M_uB = toB2(vec{-r.jA.x, -r.jA.y}), toB2(vec{-r.jB.x, -r.jB.y}.times(1/c.ratio))
		case *box2d.B2GearJoint:
			t.M_impulse = p[0]
			one, two := c.gearRows()
			t.M_JvAC, t.M_JwA, t.M_JwC = toB2(one.jB), float64(one.wB), -float64(one.wA)
			t.M_JvBD, t.M_JwB, t.M_JwD = toB2(two.jB), float64(two.wB), -float64(two.wA)
		}
	}
}

func (s *Stepper) spanOf(c *jointConstraint) box2d.B2Vec2 {
	a, b := &s.states[c.a], &s.states[c.b]
	r, _ := c.span(a, b, a.q.apply(c.rA), b.q.apply(c.rB))
	return toB2(r.jB)
}
