package soft

import "github.com/ByteArena/box2d"

// Hinges are revolute joints with a motor, limits of their angle, a spring, or a softness of
// their own.

// hingeBatch is eight hinges of a colour. The kernel reads it, so the layout is fixed.
type hingeBatch struct {
	pinBatch
	lower, upper lane8 // limits, rad, from the angle at the start of the step
	speed, most  lane8 // of the motor: rad/s, and its greatest impulse in a sub-step
	target       lane8 // of the spring, rad, from the angle at the start of the step
	spring       softness8
	soft         [2]softness8 // of the pin and the limits: when solving, and when relaxing
	free, total  [4]lane8     // freeImpulses of this sub-step, and of all
}

// softness8 is a softness of each of eight joints.
type softness8 struct{ biasRate, massScale, impulseScale, most lane8 }

func (s *softness8) set(k int, to softness) {
	s.biasRate[k], s.massScale[k], s.impulseScale[k], s.most[k] = to.biasRate, to.massScale, to.impulseScale, to.most
}

func (s *softness8) at(k int) softness {
	return softness{s.biasRate[k], s.massScale[k], s.impulseScale[k], s.most[k]}
}

func (b *hingeBatch) empty(idle int32) {
	*b = hingeBatch{}
	b.pinBatch.empty(idle)
}

// prepareHinge fills lane k of a batch.
func (s *jointSolver) prepareHinge(b *hingeBatch, k int, e entry) {
	s.preparePin(&b.pinBatch, k, e)
	k &= lanes - 1
	j, t, x := &s.joints.all[e.slot], s.revolute(e.slot), s.set.Joints.All[e.slot].Extra
	angle := s.bodies.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle
	f, p := s.stride.freeAxis(axisOf{
		t.M_enableLimit, t.M_enableMotor, t.M_lowerAngle, t.M_upperAngle,
		t.M_motorSpeed, t.M_maxMotorTorque, s.stride.topSpin, t.M_motorImpulse, t.M_impulse.Z,
	}, angle, x, &j.pushed)
	b.lower[k], b.upper[k], b.speed[k], b.most[k], b.target[k] = f.lower, f.upper, f.speed, f.most, f.target
	b.spring.set(k, f.spring)
	soft, set := s.stride.softnessOf(x)
	if b.soft[0].set(k, soft); !set {
		soft = rigid
	}
	b.soft[1].set(k, soft)
	for i := range p {
		b.free[i][k], b.total[i][k] = p[i], 0
	}
}

// storeHinge writes the impulses of the whole step to the library's joint.
func (s *jointSolver) storeHinge(b *hingeBatch, k int, n int32) {
	k &= lanes - 1
	last := [6]float32{b.x[k], b.y[k], b.free[0][k], b.free[1][k], b.free[2][k], b.free[3][k]}
	total := [6]float32{b.totalX[k], b.totalY[k], b.total[0][k], b.total[1][k], b.total[2][k], b.total[3][k]}
	p, t := s.keepPushed(n, &last, &total), s.revolute(n)
	t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[ofLower]}
	t.M_motorImpulse = p[ofMotor]
}

// The plain versions of the kernel.

// warmStartHingesPlain applies the impulses of the last sub-step.
func warmStartHingesPlain(batches []hingeBatch, states []state) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			p := b.freeImpulses(k)
			turn := p.sum()
			sa.w -= float32(b.iA[k] * turn)
			sb.w += float32(b.iB[k] * turn)
			b.push(k, sa, sb, b.grip(k, sa, sb), vec{b.x[k], b.y[k]})
		}
	}
}

// solveHingesPlain is one pass over hinges, with bias or without (relax): first over the
// angle, and then over the pin.
func solveHingesPlain(batches []hingeBatch, states []state, invH float32, bias bool) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			soft := b.soft[one(!bias)].at(k)
			g := b.grip(k, sa, sb)
			m := b.answers(k, &g)
			b.turn(k, sa, sb, &g, &m, invH, soft)
			b.solve(k, sa, sb, g, m, soft, true) // with bias: soft is rigid when relaxing
			if !bias {
				b.totalX[k] += b.x[k]
				b.totalY[k] += b.y[k]
				for i := range b.free {
					b.total[i][k] += b.free[i][k]
				}
			}
		}
	}
}

func (b *hingeBatch) freeImpulses(k int) freeImpulses {
	k &= lanes - 1
	return freeImpulses{b.free[0][k], b.free[1][k], b.free[2][k], b.free[3][k]}
}

// turn solves motor, limits and spring of hinge k. If takesAlone says so, each unit of their
// impulse comes with the impulse with of the pin, so that the pin's speed stays; see
// jointConstraint.alone.
func (b *hingeBatch) turn(k int, sa, sb *state, g *grip, m *pinMatrix, invH float32, soft softness) {
	k &= lanes - 1
	f := freeAxis{b.lower[k], b.upper[k], b.speed[k], b.most[k], b.target[k], b.spring.at(k)}
	angle := sb.da - sa.da
	speed := f.reachable(angle, invH)
	mA, iA, mB, iB := b.mA[k], b.iA[k], b.mB[k], b.iB[k]
	var with vec
	if f.takesAlone(speed) {
		with = m.impulse(vec{
			float32(iA*g.rA.y) + float32(iB*g.rB.y),
			0 - (float32(iA*g.rA.x) + float32(iB*g.rB.x)),
		})
	}
	turnA, turnB := 1+cross(g.rA, with), 1+cross(g.rB, with)
	v := dot(with, sb.v.sub(sa.v)) + (float32(turnB*sb.w) - float32(turnA*sa.w))
	answers := (float32((mA+mB)*dot(with, with)) + float32(float32(iA*turnA)*turnA)) + float32(float32(iB*turnB)*turnB)
	p := b.freeImpulses(k)
	sum := f.solve(&p, angle, v, answers, speed, invH, soft)
	for i := range p {
		b.free[i][k] = p[i]
	}
	push := with.times(sum)
	b.x[k] += push.x
	b.y[k] += push.y
	sa.v = sa.v.sub(push.times(mA))
	sa.w -= float32(iA * float32(turnA*sum))
	sb.v = sb.v.add(push.times(mB))
	sb.w += float32(iB * float32(turnB*sum))
}
