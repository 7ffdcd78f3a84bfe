package soft

import "github.com/ByteArena/box2d"

// Hinges are revolute joints that have a motor, limits of their angle, a spring, or a softness
// of their own.

// hingeBatch is eight hinges of a colour. A hinge is a pin, and an angle in rad.
type hingeBatch struct {
	jointBatch
	freeBatch
}

func (b *hingeBatch) kernel() jointKernel {
	return jointKernel{warmStartHingesAVX2, solveHingesAVX2, relaxHingesAVX2}
}

func (b *hingeBatch) fill(s *jointCopier, k int, e entry) {
	j, t, x := &s.joints.all[e.slot], s.revolute(e.slot), s.set.Joints.All[e.slot].Extra
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, t.M_impulse.X, t.M_impulse.Y)
	angle := s.bodies.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle
	f, p := s.stride.freeAxis(axisOf{
		t.M_enableLimit, t.M_enableMotor, t.M_lowerAngle, t.M_upperAngle,
		t.M_motorSpeed, t.M_maxMotorTorque, s.stride.topSpin, t.M_motorImpulse, t.M_impulse.Z,
	}, angle, x, &j.pushed)
	b.put(k, &f, p, s.softness(e.slot))
}

func (b *hingeBatch) store(s *jointCopier, k int, n int32) {
	last, total := impulsesOf(&b.jointBatch, &b.freeBatch, k)
	p, t := s.joints.keepPushed(n, &last, &total), s.revolute(n)
	t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[ofLower]}
	t.M_motorImpulse = p[ofMotor]
}

func (b *hingeBatch) sumUp(k int) {
	b.jointBatch.sumUp(k)
	b.freeBatch.sumUp(k)
}

func (b *hingeBatch) warmStart(k int, sa, sb *state) {
	k &= lanes - 1
	b.turn(k, sa, sb, b.allFree(k))
	b.push(k, sa, sb, b.grip(k, sa, sb), vec{b.x[k], b.y[k]})
}

// solve first solves the angle and then the pin. If takesAlone is true, each unit of the angle's
// impulse comes with an impulse of the pin that leaves the pin's speed unchanged.
func (b *hingeBatch) solve(k int, sa, sb *state, in *jointPass, bias bool) {
	k &= lanes - 1
	soft := b.soft[one(!bias)].at(k)
	g := b.grip(k, sa, sb)
	m := b.answers(k, &g)
	angle := sb.da - sa.da
	speed := b.reachable(k, angle, in.invH)
	var with vec
	if b.takesAlone(k, speed) {
		way := b.turned(k, &g)
		with = m.impulse(vec{way.y, 0 - way.x})
	}
	x := axis{with, 1 + cross(g.rA, with), 1 + cross(g.rB, with)}
	r := b.along(k, sa, sb, &x)
	b.solveFree(k, &r, angle, speed, in.invH, &soft)
	b.x[k] += float32(with.x * r.sum)
	b.y[k] += float32(with.y * r.sum)
	b.pushAlong(k, sa, sb, &x, r.sum)
	b.solvePin(k, sa, sb, g, m, &soft, true) // bias is true here, because in a relax pass soft is rigid
}
