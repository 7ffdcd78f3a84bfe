package soft

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
)

// Pins are revolute joints without motor, limits and springs, as most are. They are solved like
// contacts: by colours, eight at once.

// pinBatch is eight pins of a colour. The kernel reads it, so the layout is fixed.
type pinBatch struct {
	mA, iA, mB, iB lane8
	ax, ay, bx, by lane8        // anchors from the centres of mass, at the start of the step
	cx, cy         lane8        // from A's centre of mass to B's then
	x, y           lane8        // impulse of this sub-step
	totalX, totalY lane8        // of the sub-steps
	a, b           [lanes]int32 // states, in bytes from the first
	used           int64        // lanes
	_              [3]int64
}

// pinOf returns the joint if it is a pin.
func pinOf(e *box.Joint) (*box2d.B2RevoluteJoint, bool) {
	t, ok := e.J.(*box2d.B2RevoluteJoint)
	return t, ok && !t.M_enableLimit && !t.M_enableMotor && !e.Extra.HasSpring() && (e.Extra == nil || e.Extra.ConstraintFrequency == 0)
}

// preparePins gives every pin of a region a colour, and fills the batches.
func (s *Stepper) preparePins(k int) {
	r := &s.regions[k]
	for i := range r.pinColours {
		r.pinColours[i] = r.pinColours[i][:0]
	}
	if r.pinBatches = r.pinBatches[:0]; len(r.pins) == 0 {
		return
	}
	masks := s.masksOf(k, r.pins)
	for _, e := range r.pins {
		c := s.colourOf(masks, e)
		r.pinColours[c] = append(r.pinColours[c], e)
	}
	r.pinBatches = layOut(r.pinBatches, &r.pinColours, int32(s.idleState+k*colourCount), s.preparePin)
}

func (s *Stepper) preparePin(b *pinBatch, entries []entry, idle int32) {
	*b = pinBatch{used: int64(len(entries))}
	for k := len(entries); k < lanes; k++ {
		b.a[k], b.b[k] = idle*stateSize, idle*stateSize
	}
	for k, e := range entries {
		k &= lanes - 1
		j := &s.joints[e.slot]
		t, _ := pinOf(&s.set.Joint[e.slot])
		b.a[k], b.b[k] = e.a*stateSize, e.b*stateSize
		var ma, mb mass
		if int(e.a) < s.copies {
			ma = s.masses[j.bodyA]
		}
		if int(e.b) < s.copies {
			mb = s.masses[j.bodyB]
		}
		b.mA[k], b.iA[k], b.mB[k], b.iB[k] = ma.m, ma.i, mb.m, mb.i
		rA, rB := s.local(j.bodyA, t.M_localAnchorA), s.local(j.bodyB, t.M_localAnchorB)
		b.ax[k], b.ay[k], b.bx[k], b.by[k] = rA.x, rA.y, rB.x, rB.y
		centres := s.centres(j.bodyA, j.bodyB)
		b.cx[k], b.cy[k] = centres.x, centres.y
		b.x[k], b.y[k] = s.startWith(&j.pushed, 0, t.M_impulse.X), s.startWith(&j.pushed, 1, t.M_impulse.Y)
	}
}

// storePins copies the impulses of the whole step back to the library's joints.
func (s *Stepper) storePins(r *region) {
	rest := r.pinBatches
	for c, entries := range &r.pinColours {
		for i := range batchCount(entries, c) {
			b := &rest[0]
			rest = rest[1:]
			for l, e := range entriesOf(entries, c, i) {
				l &= lanes - 1
				x, y := saturated(b.totalX[l]), saturated(b.totalY[l])
				p := pushed{last: [6]float32{saturated(b.x[l]), saturated(b.y[l])}, told: [6]float32{x, y}}
				if !p.isFinite() {
					p = pushed{} // there is nothing to start from
				}
				s.joints[e.slot].pushed = p
				t, _ := pinOf(&s.set.Joint[e.slot])
				t.M_impulse = box2d.B2Vec3{X: float64(x), Y: float64(y)}
				if t.M_motorImpulse != 0 {
					t.M_motorImpulse = 0 // beside it is what another worker reads
				}
			}
		}
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
			rA, rB := g.rA, g.rB
			mA, iA, mB, iB := b.mA[k], b.iA[k], b.mB[k], b.iB[k]
			v := sb.v.add(left(sb.w, rB)).sub(sa.v.add(left(sa.w, rA)))
			m := mA + mB
			k11 := (m + float32(float32(rA.y*rA.y)*iA)) + float32(float32(rB.y*rB.y)*iB)
			k12 := float32(float32(rA.y*rA.x)*iA) + float32(float32(rB.y*rB.x)*iB) // negative
			k22 := (m + float32(float32(rA.x*rA.x)*iA)) + float32(float32(rB.x*rB.x)*iB)
			det := float32(k11*k22) - float32(k12*k12)
			if det != 0 {
				det = 1 / det
			}
			if bias {
				v = v.add(rA.sub(sa.q.apply(vec{b.ax[k], b.ay[k]})).times(soft.biasRate))
			}
			more := vec{float32(det * (float32(k22*v.x) + float32(k12*v.y))), float32(det * (float32(k11*v.y) + float32(k12*v.x)))}
			old := vec{b.x[k], b.y[k]}
			next := old.sub(more)
			if bias {
				next = old.sub(more.times(soft.massScale)).sub(old.times(soft.impulseScale))
			} else {
				b.totalX[k] += next.x
				b.totalY[k] += next.y
			}
			b.x[k], b.y[k] = next.x, next.y
			b.push(k, sa, sb, g, next.sub(old))
		}
	}
}

// grip returns where pin k holds its bodies, without the gap.
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
