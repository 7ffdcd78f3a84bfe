package soft

import "github.com/ByteArena/box2d"

// weldBatch is eight welds of a colour. A weld holds a point and an angle.
type weldBatch struct {
	jointBatch
	z, totalZ lane8 // angular impulses
	angle     lane8 // angle is the error of B's angle at the start of the step, in rad.
	soft      [2]softness8
}

func (s *jointCopier) weld(n int32) *box2d.B2WeldJoint {
	return s.set.Joints.All[n].J.(*box2d.B2WeldJoint)
}

func (b *weldBatch) kernel() jointKernel {
	return jointKernel{warmStartWeldsAVX2, solveWeldsAVX2, relaxWeldsAVX2}
}

func (b *weldBatch) fill(s *jointCopier, k int, e entry) {
	k &= lanes - 1
	j, t := &s.joints.all[e.slot], s.weld(e.slot)
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, t.M_impulse.X, t.M_impulse.Y)
	b.z[k], b.totalZ[k] = s.stride.startWith(&j.pushed, 2, t.M_impulse.Z), 0
	b.angle[k] = float32(s.bodies.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle)
	for i, soft := range s.softness(e.slot) {
		b.soft[i].set(k, soft)
	}
}

func (b *weldBatch) store(s *jointCopier, k int, n int32) {
	k &= lanes - 1
	s.keepWeld(n, b.x[k], b.y[k], b.z[k], b.totalX[k], b.totalY[k], b.totalZ[k])
}

// keepWeld keeps the impulses of the last sub-step, and those of the step.
func (s *jointCopier) keepWeld(n int32, lastX, lastY, lastZ, x, y, z float32) {
	p := s.joints.keepPushed(n, &[6]float32{lastX, lastY, lastZ}, &[6]float32{x, y, z})
	s.weld(n).M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[2]}
}

func (b *weldBatch) sumUp(k int) {
	k &= lanes - 1
	b.jointBatch.sumUp(k)
	b.totalZ[k] += b.z[k]
}

func (b *weldBatch) warmStart(k int, sa, sb *state) {
	k &= lanes - 1
	b.turn(k, sa, sb, b.z[k])
	b.push(k, sa, sb, b.grip(k, sa, sb), vec{b.x[k], b.y[k]})
}

// solve solves the point and the angle together. If they were solved one after the other, they
// would undo each other, because an impulse at the end of a long arm turns a body of little
// inertia.
//
// The angle is solved first. Then the point is solved with the effective mass that it has while
// the bodies turn as one. This mass depends on the masses of the bodies, and on the vector
// between their centres of mass.
func (b *weldBatch) solve(k int, sa, sb *state, _ *jointPass, bias bool) {
	k &= lanes - 1
	soft, g := b.soft[one(!bias)].at(k), b.grip(k, sa, sb)
	gap, way, d := b.gap(k, sa, &g), b.turned(k, &g), g.rA.sub(g.rB)
	m, perTurn := b.mA[k]+b.mB[k], overPositive(b.iA[k]+b.iB[k])
	turn := float32(perTurn * ((sb.w - sa.w) + soft.bias(b.angle[k]+(sb.da-sa.da))))
	v := g.speed(sa, sb).add(vec{soft.bias(gap.x), soft.bias(gap.y)})
	v = vec{v.x + float32(turn*way.y), v.y - float32(turn*way.x)}
	i := float32(float32(b.iA[k]*b.iB[k]) * perTurn)
	bent := float32(float32(i*cross(d, v)) * overPositive(m+float32(i*dot(d, d))))
	perPush := overPositive(m)
	p := vec{float32(perPush * (v.x + float32(bent*d.y))), float32(perPush * (v.y - float32(bent*d.x)))}
	turn -= float32(perTurn * cross(way, p))
	x, y, z := b.x[k], b.y[k], b.z[k]
	b.x[k], b.y[k], b.z[k] = softened(x, p.x, &soft), softened(y, p.y, &soft), softened(z, turn, &soft)
	b.turn(k, sa, sb, b.z[k]-z)
	b.push(k, sa, sb, g, vec{b.x[k] - x, b.y[k] - y})
}

// springWeldBatch is eight welds whose angle is a spring. They are hinges with only a spring,
// which acts on the bodies' own inertia.
type springWeldBatch struct{ hingeBatch }

func (b *springWeldBatch) kernel() jointKernel {
	return jointKernel{warmStartHingesAVX2, solveSpringWeldsAVX2, relaxSpringWeldsAVX2}
}

func (b *springWeldBatch) fill(s *jointCopier, k int, e entry) {
	j, t := &s.joints.all[e.slot], s.weld(e.slot)
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, t.M_impulse.X, t.M_impulse.Y)
	f := freeAxis{
		spring: s.stride.soften(float32(t.M_frequencyHz), float32(t.M_dampingRatio)),
		target: float32(t.M_referenceAngle - s.bodies.angleBetween(j.bodyA, j.bodyB)),
	}
	b.put(k, &f, freeImpulses{3: s.stride.startWith(&j.pushed, 2, t.M_impulse.Z)}, s.softness(e.slot))
}

func (b *springWeldBatch) store(s *jointCopier, k int, n int32) {
	k &= lanes - 1
	s.keepWeld(n, b.x[k], b.y[k], b.free[3][k], b.totalX[k], b.totalY[k], b.total[3][k])
}

func (b *springWeldBatch) solve(k int, sa, sb *state, _ *jointPass, bias bool) {
	k &= lanes - 1
	g, soft, spring := b.grip(k, sa, sb), b.soft[one(!bias)].at(k), b.spring.at(k)
	r := b.turning(k, sa, sb)
	r.spring(&b.free[3][k], (sb.da-sa.da)-b.target[k], &spring)
	b.turn(k, sa, sb, r.sum)
	b.solvePin(k, sa, sb, g, b.answers(k, &g), &soft, true)
}
