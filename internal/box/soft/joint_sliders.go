package soft

import "github.com/ByteArena/box2d"

// slideBatch is the part of a batch of joints whose bodies slide along an axis of A.
type slideBatch struct {
	jointBatch
	freeBatch
	axisX, axisY lane8 // the axis in the world at the start of the step; it turns with A
}

// setAxis sets the axis of lane k. The parameter is an axis in the frame of A.
func (s *jointCopier) setAxis(b *slideBatch, k int, n int32, axis box2d.B2Vec2) {
	k &= lanes - 1
	x := s.bodies.direction(s.joints.all[n].bodyA, axis)
	b.axisX[k], b.axisY[k] = x.x, x.y
}

// direction returns the axis of joint k.
func (b *slideBatch) direction(k int, sa *state) vec {
	k &= lanes - 1
	return sa.q.apply(vec{b.axisX[k], b.axisY[k]})
}

// slide returns the axes across and along the direction of sliding, and the offset of the joint
// along each of them.
func (b *slideBatch) slide(k int, sa, sb *state) (across, along axis, off, at float32) {
	g, n := b.grip(k, sa, sb), b.direction(k, sa)
	gap := b.gap(k, sa, &g)
	across, along = g.axis(vec{0 - n.y, n.x}), g.axis(n)
	return across, along, dot(across.n, gap), dot(n, gap)
}

// directions returns the axis of joint k at the end of the step, and the direction across it.
func (s *jointCopier) directions(b *slideBatch, k int) (along, across box2d.B2Vec2) {
	k &= lanes - 1
	n := b.direction(k, at(s.regions.states, b.a[k]))
	return toB2(n), toB2(vec{-n.y, n.x})
}

func (b *slideBatch) sumUp(k int) {
	b.jointBatch.sumUp(k)
	b.freeBatch.sumUp(k)
}

// warmStartWith applies the impulses across and along the axis, and an angular impulse.
func (b *slideBatch) warmStartWith(k int, sa, sb *state, along, turn float32) {
	k &= lanes - 1
	n := b.direction(k, sa)
	b.turn(k, sa, sb, turn)
	b.push(k, sa, sb, b.grip(k, sa, sb), vec{float32(n.x*along) - float32(n.y*b.x[k]), float32(n.y*along) + float32(n.x*b.x[k])})
}

// sliderBatch is eight sliders of a colour. They slide along an axis of A, with motors, limits and
// springs. The field x is the impulse across the axis, and y is the impulse of the angle.
type sliderBatch struct {
	slideBatch
	angle lane8 // angle is the error of B's angle at the start of the step, in rad.
}

func (s *jointCopier) slider(n int32) *box2d.B2PrismaticJoint {
	return s.set.Joints.All[n].J.(*box2d.B2PrismaticJoint)
}

func (b *sliderBatch) kernel() jointKernel {
	return jointKernel{warmStartSlidersAVX2, solveSlidersAVX2, relaxSlidersAVX2}
}

func (b *sliderBatch) fill(s *jointCopier, k int, e entry) {
	k &= lanes - 1
	j, t, x := &s.joints.all[e.slot], s.slider(e.slot), s.set.Joints.All[e.slot].Extra
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, t.M_impulse.X, t.M_impulse.Y)
	f, p := s.stride.freeAxis(axisOf{
		t.M_enableLimit, t.M_enableMotor, t.M_lowerTranslation, t.M_upperTranslation,
		t.M_motorSpeed, t.M_maxMotorForce, s.stride.topSpeed, t.M_motorImpulse, t.M_impulse.Z,
	}, 0, x, &j.pushed)
	b.put(k, &f, p, s.softness(e.slot))
	s.setAxis(&b.slideBatch, k, e.slot, t.M_localXAxisA)
	b.angle[k] = float32(s.bodies.angleBetween(j.bodyA, j.bodyB) - t.M_referenceAngle)
}

func (b *sliderBatch) store(s *jointCopier, k int, n int32) {
	k &= lanes - 1
	last, total := impulsesOf(&b.jointBatch, &b.freeBatch, k)
	p, t := s.joints.keepPushed(n, &last, &total), s.slider(n)
	t.M_impulse = box2d.B2Vec3{X: p[0], Y: p[1], Z: p[ofLower]}
	t.M_motorImpulse = p[ofMotor]
	t.M_axis, t.M_perp = s.directions(&b.slideBatch, k)
}

func (b *sliderBatch) warmStart(k int, sa, sb *state) {
	k &= lanes - 1
	b.warmStartWith(k, sa, sb, b.allFree(k), b.y[k])
}

// solve first solves the axis, and then the two other rows. If takesAlone is true, the axis is
// solved while these two rows are held.
func (b *sliderBatch) solve(k int, sa, sb *state, in *jointPass, bias bool) {
	k &= lanes - 1
	across, x, off, at := b.slide(k, sa, sb)
	m, soft := b.stiffness(k, &across), b.soft[one(!bias)].at(k)
	speed := b.reachable(k, at, in.invH)
	var withX, withY float32
	if b.takesAlone(k, speed) {
		iA, iB := b.iA[k], b.iB[k]
		withX, withY = m.impulse(
			0-(float32(float32(iA*x.armA)*across.armA)+float32(float32(iB*x.armB)*across.armB)),
			0-(float32(iA*x.armA)+float32(iB*x.armB)))
		x.n = x.n.plus(withX, across.n)
		x.armA += float32(withX*across.armA) + withY
		x.armB += float32(withX*across.armB) + withY
	}
	r := b.along(k, sa, sb, &x)
	b.solveFree(k, &r, at, speed, in.invH, &soft)
	b.pushAlong(k, sa, sb, &x, r.sum)
	oldX, oldY := b.x[k]+float32(withX*r.sum), b.y[k]+float32(withY*r.sum)
	shift, turn := m.impulse(across.speed(sa, sb)+soft.bias(off), (sb.w-sa.w)+soft.bias(b.angle[k]+(sb.da-sa.da)))
	b.x[k], b.y[k] = softened(oldX, shift, &soft), softened(oldY, turn, &soft)
	b.pushAlong(k, sa, sb, &across, b.x[k]-oldX)
	b.turn(k, sa, sb, b.y[k]-oldY)
}

// slideMatrix maps impulses to changes of two speeds: the speed across the axis, and the speed of
// the angle. The field both is the change of the first speed by a unit angular impulse. The field
// perTurn is the effective mass of the angle. The field perShift is the effective mass across while
// the bodies turn as one.
type slideMatrix struct{ both, perTurn, perShift float32 }

func (b *sliderBatch) stiffness(k int, across *axis) (m slideMatrix) {
	k &= lanes - 1
	iA, iB := b.iA[k], b.iB[k]
	m.both = float32(iA*across.armA) + float32(iB*across.armB)
	m.perTurn = overPositive(iA + iB)
	arm := across.armB - across.armA
	m.perShift = overPositive((b.mA[k] + b.mB[k]) + float32(float32(float32(iA*iB)*m.perTurn)*float32(arm*arm)))
	return m
}

// impulse returns the impulses that change the speed across by v and the speed of the angle by w.
func (m *slideMatrix) impulse(v, w float32) (shift, turn float32) {
	turn = float32(m.perTurn * w)
	shift = float32(m.perShift * (v - float32(m.both*turn)))
	return shift, turn - float32(m.perTurn*float32(m.both*shift))
}
