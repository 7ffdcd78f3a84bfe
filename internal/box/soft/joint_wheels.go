package soft

import "github.com/ByteArena/box2d"

// wheelBatch is eight wheels of a colour. B turns, and also slides along an axis of A, where it may
// have a spring and limits. A motor may turn B. The fields speed and most and the first free impulse
// belong to the motor. The field x is the impulse across the axis.
type wheelBatch struct{ slideBatch }

func (s *jointCopier) wheel(n int32) *box2d.B2WheelJoint {
	return s.set.Joints.All[n].J.(*box2d.B2WheelJoint)
}

func (b *wheelBatch) kernel() jointKernel {
	return jointKernel{warmStartWheelsAVX2, solveWheelsAVX2, relaxWheelsAVX2}
}

func (b *wheelBatch) fill(s *jointCopier, k int, e entry) {
	j, t, x := &s.joints.all[e.slot], s.wheel(e.slot), s.set.Joints.All[e.slot].Extra
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, t.M_impulse, 0)
	var f freeAxis
	var p freeImpulses
	if t.M_enableMotor {
		f.speed, f.most = clamp(float32(t.M_motorSpeed), -s.stride.topSpin, s.stride.topSpin), s.stride.h*float32(t.M_maxMotorTorque)
		p[0] = s.stride.startWith(&j.pushed, ofMotor, t.M_motorImpulse)
	}
	s.stride.extraLimits(&f, &p, x, &j.pushed)
	if t.M_frequencyHz > 0 {
		f.spring = s.stride.soften(float32(t.M_frequencyHz), float32(t.M_dampingRatio))
		p[3] = s.stride.startWith(&j.pushed, 1, t.M_springImpulse)
	}
	b.put(k, &f, p, s.softness(e.slot))
	s.setAxis(&b.slideBatch, k, e.slot, t.M_localXAxisA)
}

func (b *wheelBatch) store(s *jointCopier, k int, n int32) {
	k &= lanes - 1
	p := s.joints.keepPushed(n,
		&[6]float32{b.x[k], b.free[3][k], b.free[0][k], b.free[1][k], b.free[2][k]},
		&[6]float32{b.totalX[k], b.total[3][k], b.total[0][k], b.total[1][k], b.total[2][k]})
	t := s.wheel(n)
	t.M_impulse, t.M_springImpulse, t.M_motorImpulse = p[0], p[1], p[ofMotor]
	t.M_ax, t.M_ay = s.directions(&b.slideBatch, k)
}

func (b *wheelBatch) warmStart(k int, sa, sb *state) {
	k &= lanes - 1
	b.warmStartWith(k, sa, sb, b.heldFree(k), b.free[0][k])
}

func (b *wheelBatch) solve(k int, sa, sb *state, in *jointPass, bias bool) {
	k &= lanes - 1
	across, x, off, at := b.slide(k, sa, sb)
	soft, spring := b.soft[one(!bias)].at(k), b.spring.at(k)
	r := b.turning(k, sa, sb)
	r.drive(&b.free[0][k], b.speed[k], b.most[k])
	b.turn(k, sa, sb, r.sum)
	r = b.along(k, sa, sb, &x)
	r.spring(&b.free[3][k], at-b.target[k], &spring)
	b.stops(k, &r, at, in.invH, &soft)
	b.pushAlong(k, sa, sb, &x, r.sum)
	r = b.along(k, sa, sb, &across)
	r.spring(&b.x[k], off, &soft)
	b.pushAlong(k, sa, sb, &across, r.sum)
}
