package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// Pins are revolute joints without a motor, limits or a spring. Most revolute joints are pins.
// The others are hinges.

// pinBatch is eight pins of a colour. The fields x and y are the impulse of the pin.
type pinBatch struct{ jointBatch }

func isPin(t *box2d.B2RevoluteJoint, x *box.JointExtra) bool {
	return !t.M_enableLimit && !t.M_enableMotor && !x.HasSpring() && (x == nil || x.ConstraintFrequency == 0)
}

// revolute returns joint n, which must be a revolute joint.
func (s *jointCopier) revolute(n int32) *box2d.B2RevoluteJoint {
	return s.set.Joints.All[n].J.(*box2d.B2RevoluteJoint)
}

func (b *pinBatch) kernel() jointKernel {
	return jointKernel{warmStartPinsAVX2, solvePinsAVX2, relaxPinsAVX2}
}

func (b *pinBatch) fill(s *jointCopier, k int, e entry) {
	t := s.revolute(e.slot)
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, t.M_impulse.X, t.M_impulse.Y)
}

func (b *pinBatch) store(s *jointCopier, k int, n int32) {
	k &= lanes - 1
	lastX, lastY, x, y := saturated(b.x[k]), saturated(b.y[k]), saturated(b.totalX[k]), saturated(b.totalY[k])
	p := pushed{last: [6]float32{lastX, lastY}, told: [6]float32{x, y}}
	if lastX != lastX || lastY != lastY || x != x || y != y {
		p = pushed{} // the next step cannot start with these impulses
	}
	s.joints.all[n].pushed = p
	t := s.revolute(n)
	t.M_impulse = box2d.B2Vec3{X: float64(x), Y: float64(y)}
	if t.M_motorImpulse != 0 {
		t.M_motorImpulse = 0 // write only if it is needed, because other workers read the same cache line
	}
}

func (b *pinBatch) warmStart(k int, sa, sb *state) {
	k &= lanes - 1
	b.push(k, sa, sb, b.grip(k, sa, sb), vec{b.x[k], b.y[k]})
}

func (b *pinBatch) solve(k int, sa, sb *state, in *jointPass, bias bool) {
	g := b.grip(k, sa, sb)
	b.solvePin(k, sa, sb, g, b.answers(k, &g), &in.soft, bias)
}

// solvePin solves the pin of joint k. Without bias the pin is rigid, and soft is ignored.
func (b *jointBatch) solvePin(k int, sa, sb *state, g grip, m pinMatrix, soft *softness, bias bool) {
	k &= lanes - 1
	v, old := g.speed(sa, sb), vec{b.x[k], b.y[k]}
	if bias {
		gap := b.gap(k, sa, &g)
		v = v.add(vec{soft.bias(gap.x), soft.bias(gap.y)})
	}
	more := m.impulse(v)
	next := old.sub(more)
	if bias {
		next = vec{softened(old.x, more.x, soft), softened(old.y, more.y, soft)}
	}
	b.x[k], b.y[k] = next.x, next.y
	b.push(k, sa, sb, g, next.sub(old))
}

// pinMatrix maps an impulse of a pin to a change of the pin's speed. The field inverse is 1
// divided by the determinant, and k12 is negated.
type pinMatrix struct{ k11, k12, k22, inverse float32 }

func (b *jointBatch) answers(k int, g *grip) (of pinMatrix) {
	k &= lanes - 1
	rA, rB, iA, iB := g.rA, g.rB, b.iA[k], b.iB[k]
	m := b.mA[k] + b.mB[k]
	of.k11 = (m + float32(float32(rA.y*rA.y)*iA)) + float32(float32(rB.y*rB.y)*iB)
	of.k12 = float32(float32(rA.y*rA.x)*iA) + float32(float32(rB.y*rB.x)*iB)
	of.k22 = (m + float32(float32(rA.x*rA.x)*iA)) + float32(float32(rB.x*rB.x)*iB)
	of.inverse = float32(of.k11*of.k22) - float32(of.k12*of.k12)
	if of.inverse != 0 {
		of.inverse = 1 / of.inverse
	}
	return of
}

// impulse returns the impulse that changes a pin's speed by v.
func (m *pinMatrix) impulse(v vec) vec {
	return vec{float32(m.inverse * (float32(m.k22*v.x) + float32(m.k12*v.y))), float32(m.inverse * (float32(m.k11*v.y) + float32(m.k12*v.x)))}
}
