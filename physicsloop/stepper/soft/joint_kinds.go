package soft

import "github.com/ByteArena/box2d"

const (
	revolute = iota
	prismatic
	distance
	pulley
	mouse
	gear
	wheel
	weld
	friction
	rope
	motor
)

// local turns a point of a body into a vector from its centre of mass, in the
// world's directions.
func (s *Stepper) local(body int32, p box2d.B2Vec2) vec {
	lc := s.bodies[body].localCenter
	return s.poses[body].q.apply(vec{float32(p.X - lc.X), float32(p.Y - lc.Y)})
}

func (s *Stepper) angleBetween(a, b int32) float64 {
	return s.bodies[b].a - s.bodies[a].a
}

// unit returns a direction in a body's frame as one of the world.
func (s *Stepper) direction(body int32, d box2d.B2Vec2) vec {
	n, _ := normalize(vec{float32(d.X), float32(d.Y)})
	return s.poses[body].q.apply(n)
}

// prepareJoint copies what the step needs of a joint, and the impulses that it
// starts with.
func (s *Stepper) prepareJoint(c *jointConstraint, of box2d.B2JointInterface, j *joint) {
	a, b := j.bodyA, j.bodyB
	pa, pb := &s.poses[a], &s.poses[b]
	c.centres = vec{float32(pb.x - pa.x), float32(pb.y - pa.y)}
	c.soft = s.jointSoft
	switch t := of.(type) {
	case *box2d.B2RevoluteJoint:
		c.kind = revolute
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.limit, c.motor = t.M_enableLimit, t.M_enableMotor
		if !c.limit && !c.motor { // as most are
			c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y)
			break
		}
		c.angle = float32(s.angleBetween(a, b) - t.M_referenceAngle)
		c.lower, c.upper = float32(t.M_lowerAngle), float32(t.M_upperAngle)
		c.speed, c.most = float32(t.M_motorSpeed), s.h*float32(t.M_maxMotorTorque)
		c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y, t.M_motorImpulse, max(t.M_impulse.Z, 0), max(-t.M_impulse.Z, 0))
		c.dropUnused()
	case *box2d.B2PrismaticJoint:
		c.kind = prismatic
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.axis = s.direction(a, t.M_localXAxisA)
		c.limit, c.motor = t.M_enableLimit, t.M_enableMotor
		c.angle = float32(s.angleBetween(a, b) - t.M_referenceAngle)
		c.lower, c.upper = float32(t.M_lowerTranslation), float32(t.M_upperTranslation)
		c.speed, c.most = float32(t.M_motorSpeed), s.h*float32(t.M_maxMotorForce)
		c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y, t.M_motorImpulse, max(t.M_impulse.Z, 0), max(-t.M_impulse.Z, 0))
		c.dropUnused()
	case *box2d.B2DistanceJoint:
		c.kind = distance
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.length = float32(t.M_length)
		c.setSpring(s, t.M_frequencyHz, t.M_dampingRatio)
		c.start(s, &j.pushed, t.M_impulse)
	case *box2d.B2RopeJoint:
		c.kind = rope
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.length = float32(t.M_maxLength)
		c.start(s, &j.pushed, t.M_impulse)
	case *box2d.B2WeldJoint:
		c.kind = weld
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.angle = float32(s.angleBetween(a, b) - t.M_referenceAngle)
		c.setSpring(s, t.M_frequencyHz, t.M_dampingRatio)
		c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y, t.M_impulse.Z)
	case *box2d.B2WheelJoint:
		c.kind = wheel
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.axis = s.direction(a, t.M_localXAxisA)
		c.motor = t.M_enableMotor
		c.speed, c.most = float32(t.M_motorSpeed), s.h*float32(t.M_maxMotorTorque)
		c.setSpring(s, t.M_frequencyHz, t.M_dampingRatio)
		c.start(s, &j.pushed, t.M_impulse, t.M_springImpulse, t.M_motorImpulse)
		if !c.hasSpring {
			c.impulses[1] = 0
		}
		if !c.motor {
			c.impulses[2] = 0
		}
	case *box2d.B2FrictionJoint:
		c.kind = friction
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.most, c.most2 = s.h*float32(t.M_maxForce), s.h*float32(t.M_maxTorque)
		c.start(s, &j.pushed, t.M_linearImpulse.X, t.M_linearImpulse.Y, t.M_angularImpulse)
		c.dropForce()
	case *box2d.B2MotorJoint:
		c.kind = motor
		c.rA = s.local(a, box2d.B2Vec2{})
		c.rB = s.local(b, box2d.B2Vec2{})
		c.offset = pa.q.apply(vec{float32(t.M_linearOffset.X), float32(t.M_linearOffset.Y)})
		c.angle = float32(s.angleBetween(a, b) - t.M_angularOffset)
		c.most, c.most2 = s.h*float32(t.M_maxForce), s.h*float32(t.M_maxTorque)
		c.correction = float32(t.M_correctionFactor) / s.dt
		c.start(s, &j.pushed, t.M_linearImpulse.X, t.M_linearImpulse.Y, t.M_angularImpulse)
		c.dropForce()
	case *box2d.B2MouseJoint:
		c.kind = mouse
		c.rB = s.local(b, t.M_localAnchorB)
		// Body A does not matter: the target is a point of the world.
		c.mA = mass{}
		c.centres = vec{float32(pb.x - t.M_targetA.X), float32(pb.y - t.M_targetA.Y)}
		c.most = s.h * float32(t.M_maxForce)
		c.spring = soften(float32(t.M_frequencyHz), float32(t.M_dampingRatio), s.h)
		c.start(s, &j.pushed, t.M_impulse.X, t.M_impulse.Y)
		c.dropForce()
	case *box2d.B2PulleyJoint:
		c.kind = pulley
		c.anchors(s, a, b, t.M_localAnchorA, t.M_localAnchorB)
		c.centres = vec{float32(pa.x - t.M_groundAnchorA.X), float32(pa.y - t.M_groundAnchorA.Y)}
		c.offset = vec{float32(pb.x - t.M_groundAnchorB.X), float32(pb.y - t.M_groundAnchorB.Y)}
		c.length, c.ratio = float32(t.M_constant), float32(t.M_ratio)
		c.start(s, &j.pushed, t.M_impulse)
	case *box2d.B2GearJoint:
		c.kind = gear
		s.prepareGear(c, j, t)
	}
}

func (c *jointConstraint) anchors(s *Stepper, a, b int32, la, lb box2d.B2Vec2) {
	c.rA, c.rB = s.local(a, la), s.local(b, lb)
}

func (c *jointConstraint) setSpring(s *Stepper, hertz, damping float64) {
	if hertz > 0 {
		c.hasSpring, c.spring = true, soften(float32(hertz), float32(damping), s.h)
	}
}

// start sets the impulses that the constraint starts with, given what the library's
// joint says that it has pushed with in the last step.
func (c *jointConstraint) start(s *Stepper, was *pushed, impulses ...float64) {
	for i, p := range impulses {
		if p == float64(was.told[i]) {
			c.impulses[i] = float32(was.last[i] * s.warmScale)
		} else {
			c.impulses[i] = float32(p * float64(s.warmScale) / float64(s.subSteps))
		}
	}
}

// dropUnused forgets what a motor or limit that is off has pushed with.
func (c *jointConstraint) dropUnused() {
	if !c.motor {
		c.impulses[2] = 0
	}
	if !c.limit {
		c.impulses[3], c.impulses[4] = 0, 0
	}
}

// dropForce forgets what a joint without force has pushed with.
func (c *jointConstraint) dropForce() {
	if !(c.most > 0) {
		c.impulses[0], c.impulses[1] = 0, 0
	}
}

// gearSide is one of the two joints that a gear connects.
type gearSide struct {
	turning bool
	axis    vec // of a prismatic joint, in the world
	rA, rC  vec
	at      float32 // coordinate at the start of the step
}

// side describes the joint between body c (its A) and body a (its B).
func (s *Stepper) side(j box2d.B2JointInterface, a, c int32) gearSide {
	switch t := j.(type) {
	case *box2d.B2PrismaticJoint:
		g := gearSide{axis: s.direction(c, t.M_localXAxisA)}
		g.rC, g.rA = s.local(c, t.M_localAnchorA), s.local(a, t.M_localAnchorB)
		pa, pc := &s.poses[a], &s.poses[c]
		d := vec{float32(pa.x - pc.x), float32(pa.y - pc.y)}.add(g.rA).sub(g.rC)
		g.at = dot(g.axis, d)
		return g
	case *box2d.B2RevoluteJoint:
		return gearSide{turning: true, at: float32(s.angleBetween(c, a) - t.M_referenceAngle)}
	}
	return gearSide{turning: true}
}

// prepareGear makes a gear's two rows: its impulse acts on A and C, and times the
// ratio on B and D.
func (s *Stepper) prepareGear(c *jointConstraint, j *joint, t *box2d.B2GearJoint) {
	one, two := s.side(t.M_joint1, j.bodyA, j.gear[0]), s.side(t.M_joint2, j.bodyB, j.gear[1])
	c.ratio = float32(t.M_ratio)
	c.angle = one.at + float32(c.ratio*two.at) - float32(t.M_constant)
	c.motor, c.limit = one.turning, two.turning
	c.axis, c.rA, c.centres = one.axis, one.rA, one.rC
	c.offset, c.rB = two.axis, two.rA
	c.lower, c.upper = two.rC.x, two.rC.y
	c.start(s, &j.pushed, t.M_impulse)
}

// gearRows returns the rows of A against C and of B against D.
func (c *jointConstraint) gearRows() (one, two row) {
	one, two = turning, turning
	if !c.motor {
		one = along(c.axis, c.centres, c.rA)
	}
	if !c.limit {
		two = along(c.offset, vec{c.lower, c.upper}, c.rB)
	}
	k := c.ratio
	two = row{two.jA.times(k), two.jB.times(k), k * two.wA, k * two.wB}
	return one, two
}

func (c *jointConstraint) solveGear(states []state, bias bool) {
	a, b, cc, d := &states[c.a], &states[c.b], &states[c.c], &states[c.d]
	one, two := c.gearRows()
	k := float32(c.mC.m*dot(one.jA, one.jA)) + float32(c.mA.m*dot(one.jB, one.jB)) +
		float32(float32(c.mC.i*one.wA)*one.wA) + float32(float32(c.mA.i*one.wB)*one.wB) +
		float32(c.mD.m*dot(two.jA, two.jA)) + float32(c.mB.m*dot(two.jB, two.jB)) +
		float32(float32(c.mD.i*two.wA)*two.wA) + float32(float32(c.mB.i*two.wB)*two.wB)
	if !(k > 0) {
		return
	}
	soft := rigid
	err := float32(0)
	if bias {
		soft = c.soft
		err = c.angle +
			dot(one.jA, cc.d) + dot(one.jB, a.d) + float32(one.wA*cc.da) + float32(one.wB*a.da) +
			dot(two.jA, d.d) + dot(two.jB, b.d) + float32(two.wA*d.da) + float32(two.wB*b.da)
	}
	cdot := one.speed(cc, a) + two.speed(d, b)
	old := c.impulses[0]
	impulse := -float32(soft.massScale*float32((cdot+float32(soft.biasRate*err))/k)) - float32(soft.impulseScale*old)
	c.impulses[0] = old + impulse
	c.pushGear(states, &one, &two, impulse)
}

func (c *jointConstraint) pushGear(states []state, one, two *row, impulse float32) {
	x := jointConstraint{mA: c.mC, mB: c.mA}
	x.push(one, &states[c.c], &states[c.a], impulse)
	x = jointConstraint{mA: c.mD, mB: c.mB}
	x.push(two, &states[c.d], &states[c.b], impulse)
}
