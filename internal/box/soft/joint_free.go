package soft

// freeAxis is what moves the one row that a revolute or a prismatic leaves free: a motor, two
// limits and a spring.
type freeAxis struct {
	motor, limit bool
	lower, upper float32
	speed        float32 // of the motor, in a second
	most         float32 // impulse of the motor in a sub-step
	spring       spring
	target       float32 // of the spring
}

// reachable is the motor's speed at a place, as far as the limits leave it.
func (f *freeAxis) reachable(at, invH float32) float32 {
	if !f.limit {
		return f.speed
	}
	return notBeyond(f.speed, at, f.lower, f.upper, invH)
}

// takesAlone reports whether the row is solved as it is while the joint holds the two others;
// see jointConstraint.alone. speed is reachable.
func (f *freeAxis) takesAlone(speed float32) bool {
	return f.spring.is || f.motor && speed != f.speed
}

// pushAlong solves spring, motor and limits of row r of a joint that is at a place. The
// first two impulses of the joint change by with times what is pushed along r.
func (f *freeAxis) pushAlong(c *jointConstraint, r *row, with vec, a, b *state, at, speed, invH float32, soft softness) {
	if speed != f.speed {
		c.cancel()
	}
	was := c.driven()
	r.mass = c.effectiveMass(r)
	if f.spring.is {
		c.hold(ofSpring, r, a, b, at-f.target, f.spring.softness)
	}
	if f.motor {
		c.drive(ofMotor, r, a, b, speed, f.most)
	}
	if f.limit {
		c.stops(r, a, b, at, f.lower, f.upper, invH, soft)
	}
	if with != (vec{}) {
		c.addBoth(with.times(c.driven() - was))
	}
}
