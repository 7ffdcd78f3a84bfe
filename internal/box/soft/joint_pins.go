package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// Pins are revolute joints without motor, limits and springs, as most are. They are solved like
// contacts: by colours, eight at once. The others are hinges.

// pinBatch is eight pins of a colour. The kernel reads it, so the layout is fixed.
type pinBatch struct {
	mA, iA, mB, iB lane8
	ax, ay, bx, by lane8        // anchors from the centres of mass, at the start of the step
	cx, cy         lane8        // from A's centre of mass to B's, at the start of the step
	x, y           lane8        // impulse of this sub-step
	totalX, totalY lane8        // impulse of all sub-steps
	a, b           [lanes]int32 // offsets of the two bodies' states, in bytes
	used           int64        // how many lanes are used
	_              [3]int64
}

func isPin(t *box2d.B2RevoluteJoint, x *box.JointExtra) bool {
	return !t.M_enableLimit && !t.M_enableMotor && !x.HasSpring() && (x == nil || x.ConstraintFrequency == 0)
}

// revolute is joint n, which must be a revolute one.
func (s *jointSolver) revolute(n int32) *box2d.B2RevoluteJoint {
	return s.set.Joints.All[n].J.(*box2d.B2RevoluteJoint)
}

func (b *pinBatch) empty(idle int32) {
	*b = pinBatch{}
	for k := range b.a {
		b.a[k], b.b[k] = idle*stateSize, idle*stateSize
	}
}

// preparePin fills lane k of a batch.
func (s *jointSolver) preparePin(b *pinBatch, k int, e entry) {
	k &= lanes - 1
	j, t := &s.joints.all[e.slot], s.revolute(e.slot)
	b.used = int64(k + 1)
	b.a[k], b.b[k] = e.a*stateSize, e.b*stateSize
	var ma, mb mass
	if int(e.a) < s.regions.copies {
		ma = s.bodies.masses[j.bodyA]
	}
	if int(e.b) < s.regions.copies {
		mb = s.bodies.masses[j.bodyB]
	}
	b.mA[k], b.iA[k], b.mB[k], b.iB[k] = ma.m, ma.i, mb.m, mb.i
	rA, rB := s.bodies.local(j.bodyA, t.M_localAnchorA), s.bodies.local(j.bodyB, t.M_localAnchorB)
	b.ax[k], b.ay[k], b.bx[k], b.by[k] = rA.x, rA.y, rB.x, rB.y
	centres := s.bodies.centres(j.bodyA, j.bodyB)
	b.cx[k], b.cy[k] = centres.x, centres.y
	b.x[k], b.y[k] = s.stride.startWith(&j.pushed, 0, t.M_impulse.X), s.stride.startWith(&j.pushed, 1, t.M_impulse.Y)
	b.totalX[k], b.totalY[k] = 0, 0
}

// storePin writes the impulses of the whole step to the library's joint.
func (s *jointSolver) storePin(b *pinBatch, k int, n int32) {
	k &= lanes - 1
	lastX, lastY, x, y := saturated(b.x[k]), saturated(b.y[k]), saturated(b.totalX[k]), saturated(b.totalY[k])
	p := pushed{last: [6]float32{lastX, lastY}, told: [6]float32{x, y}}
	if lastX != lastX || lastY != lastY || x != x || y != y {
		p = pushed{} // the next step cannot start from them
	}
	s.joints.all[n].pushed = p
	t := s.revolute(n)
	t.M_impulse = box2d.B2Vec3{X: float64(x), Y: float64(y)}
	if t.M_motorImpulse != 0 {
		t.M_motorImpulse = 0 // not written in vain: other workers read the same cache line
	}
}

// The plain versions of the kernel.

// warmStartPinsPlain applies the impulses of the last sub-step.
func warmStartPinsPlain(batches []pinBatch, states []state) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			g := b.grip(k, sa, sb)
			b.push(k, sa, sb, g, vec{b.x[k], b.y[k]})
		}
	}
}

// solvePinsPlain is one pass over pins: with bias it takes out errors of position,
// softly; without (relax) it takes out the velocity that this has caused.
func solvePinsPlain(batches []pinBatch, states []state, soft softness, bias bool) {
	for i := range batches {
		b := &batches[i]
		for k := range int(b.used) {
			k &= lanes - 1
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			g := b.grip(k, sa, sb)
			b.solve(k, sa, sb, g, b.answers(k, &g), soft, bias)
			if !bias {
				b.totalX[k] += b.x[k]
				b.totalY[k] += b.y[k]
			}
		}
	}
}

// solve solves pin k; without bias rigidly, whatever soft is.
func (b *pinBatch) solve(k int, sa, sb *state, g grip, m pinMatrix, soft softness, bias bool) {
	k &= lanes - 1
	v, old := g.speed(sa, sb), vec{b.x[k], b.y[k]}
	if bias {
		gap := g.rA.sub(sa.q.apply(vec{b.ax[k], b.ay[k]}))
		v = v.add(vec{soft.bias(gap.x), soft.bias(gap.y)})
	}
	more := m.impulse(v)
	next := old.sub(more)
	if bias {
		next = old.sub(more.times(soft.massScale)).sub(old.times(soft.impulseScale))
	}
	b.x[k], b.y[k] = next.x, next.y
	b.push(k, sa, sb, g, next.sub(old))
}

// pinMatrix tells how a pin's speed changes with an impulse; inverse is 1 over its determinant,
// and k12 is negated.
type pinMatrix struct{ k11, k12, k22, inverse float32 }

func (b *pinBatch) answers(k int, g *grip) (of pinMatrix) {
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

// grip returns the grip of pin k; its gap is not set.
func (b *pinBatch) grip(k int, sa, sb *state) (g grip) {
	k &= lanes - 1
	g.rB = sb.q.apply(vec{b.bx[k], b.by[k]})
	g.rA = sb.d.sub(sa.d).add(g.rB).add(vec{b.cx[k], b.cy[k]})
	return g
}

func (b *pinBatch) push(k int, sa, sb *state, g grip, p vec) {
	k &= lanes - 1
	sa.v = sa.v.sub(p.times(b.mA[k]))
	sa.w -= float32(b.iA[k] * cross(g.rA, p))
	sb.v = sb.v.add(p.times(b.mB[k]))
	sb.w += float32(b.iB[k] * cross(g.rB, p))
}
