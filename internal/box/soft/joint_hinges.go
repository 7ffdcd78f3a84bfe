package soft

import "github.com/ByteArena/box2d"

// Hinges are revolute joints with a motor, limits of their angle, a spring, or a softness of
// their own.

// hingeBatch is eight hinges of a colour: a pin and, in rad, the angle.
type hingeBatch struct {
	jointBatch
	freeBatch
}

func (s *jointCopier) fillHinge(b *hingeBatch, k int, e entry) {
	j, t, x := &s.joints.all[e.slot], s.revolute(e.slot), s.set.Joints.All[e.slot].Extra
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, t.M_impulse.X, t.M_impulse.Y)
	angle := s.bodies.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle
	f, p := s.stride.freeAxis(axisOf{
		t.M_enableLimit, t.M_enableMotor, t.M_lowerAngle, t.M_upperAngle,
		t.M_motorSpeed, t.M_maxMotorTorque, s.stride.topSpin, t.M_motorImpulse, t.M_impulse.Z,
	}, angle, x, &j.pushed)
	b.put(k, &f, p, s.softness(e.slot))
}

func (s *jointCopier) storeHinge(b *hingeBatch, k int, n int32) {
	last, total := b.pushed(k)
	p, t := s.joints.keepPushed(n, &last, &total), s.revolute(n)
	t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[ofLower]}
	t.M_motorImpulse = p[ofMotor]
}

// pushed returns the impulses of hinge k in the last sub-step, and the sums of all.
func (b *hingeBatch) pushed(k int) (last, total [6]float32) {
	k &= lanes - 1
	return [6]float32{b.x[k], b.y[k], b.free[0][k], b.free[1][k], b.free[2][k], b.free[3][k]},
		[6]float32{b.totalX[k], b.totalY[k], b.total[0][k], b.total[1][k], b.total[2][k], b.total[3][k]}
}

func (b *hingeBatch) sumUp(k int) {
	b.jointBatch.sumUp(k)
	b.freeBatch.sumUp(k)
}

func (b *hingeBatch) warmStart(k int, sa, sb *state) {
	k &= lanes - 1
	p := b.impulses(k)
	b.turn(k, sa, sb, p.sum())
	b.push(k, sa, sb, b.grip(k, sa, sb), vec{b.x[k], b.y[k]})
}

// solve solves first the angle and then the pin. If takesAlone says so, each unit of the angle's
// impulse comes with an impulse of the pin, so that the pin's speed stays. A door turns about its
// hinge, and not about its centre of mass: that inertia is what a spring, or a motor at a limit,
// has to move. Rows solved one after the other would undo each other.
func (b *hingeBatch) solve(k int, sa, sb *state, in *jointPass, bias bool) {
	k &= lanes - 1
	f, soft := b.axis(k), b.soft[one(!bias)].at(k)
	g := b.grip(k, sa, sb)
	m := b.answers(k, &g)
	angle := sb.da - sa.da
	speed := f.reachable(angle, in.invH)
	iA, iB := b.iA[k], b.iB[k]
	var with vec
	if f.takesAlone(speed) {
		with = m.impulse(vec{
			float32(iA*g.rA.y) + float32(iB*g.rB.y),
			0 - (float32(iA*g.rA.x) + float32(iB*g.rB.x)),
		})
	}
	r := axis{with, 1 + cross(g.rA, with), 1 + cross(g.rB, with)}
	p := b.impulses(k)
	sum := f.solve(&p, angle, r.speed(sa, sb), b.yields(k, &r), speed, in.invH, soft)
	b.keep(k, &p)
	b.x[k] += float32(with.x * sum)
	b.y[k] += float32(with.y * sum)
	b.pushAlong(k, sa, sb, &r, sum)
	b.solvePin(k, sa, sb, g, m, soft, true) // with bias: soft is rigid when relaxing
}
