package soft

import "github.com/ByteArena/box2d"

// rodBatch is eight rods. A rod keeps two anchors at a distance, rigidly or with a spring. A
// rod with limits and without a spring only keeps the distance between the limits. The spring
// of the free axis keeps the distance even if the rod is rigid, and target is that distance.
type rodBatch struct {
	jointBatch
	freeBatch
	relaxing softness8 // the spring in relax passes
}

func (s *jointCopier) rod(n int32) *box2d.B2DistanceJoint {
	return s.set.Joints.All[n].J.(*box2d.B2DistanceJoint)
}

func (b *rodBatch) kernel() jointKernel {
	return jointKernel{warmStartRodsAVX2, solveRodsAVX2, relaxRodsAVX2}
}

func (b *rodBatch) fill(s *jointCopier, k int, e entry) {
	j, t, x := &s.joints.all[e.slot], s.rod(e.slot), s.set.Joints.All[e.slot].Extra
	s.fill(&b.jointBatch, k, e, t.M_localAnchorA, t.M_localAnchorB, 0, 0)
	f, p, soft := freeAxis{target: float32(t.M_length)}, freeImpulses{}, s.softness(e.slot)
	s.stride.extraLimits(&f, &p, x, &j.pushed)
	spring := soft
	switch {
	case t.M_frequencyHz > 0:
		spring[0] = s.stride.soften(float32(t.M_frequencyHz), float32(t.M_dampingRatio))
		spring[1] = spring[0]
	case x.HasLimit():
		spring = [2]softness{}
	}
	if t.M_frequencyHz > 0 || !x.HasLimit() {
		p[3] = s.stride.startWith(&j.pushed, 0, t.M_impulse)
	}
	f.spring = spring[0]
	b.put(k, &f, p, soft)
	b.relaxing.set(k, spring[1])
}

func (b *rodBatch) store(s *jointCopier, k int, n int32) {
	k &= lanes - 1
	p := s.joints.keepPushed(n,
		&[6]float32{b.free[3][k], ofLower: b.free[1][k], ofUpper: b.free[2][k]},
		&[6]float32{b.total[3][k], ofLower: b.total[1][k], ofUpper: b.total[2][k]})
	t := s.rod(n)
	x, _ := b.span(k, at(s.regions.states, b.a[k]), at(s.regions.states, b.b[k]))
	t.M_impulse, t.M_u = p[0], toB2(x.n)
}

func (b *rodBatch) sumUp(k int) { b.freeBatch.sumUp(k) }

// span returns the axis from anchor to anchor, and the distance between the anchors.
func (b *rodBatch) span(k int, sa, sb *state) (axis, float32) {
	g := b.grip(k, sa, sb)
	n, l := normalize(b.gap(k, sa, &g))
	return g.axis(n), l
}

func (b *rodBatch) warmStart(k int, sa, sb *state) {
	x, _ := b.span(k, sa, sb)
	b.pushAlong(k, sa, sb, &x, b.heldFree(k))
}

func (b *rodBatch) solve(k int, sa, sb *state, in *jointPass, bias bool) {
	k &= lanes - 1
	x, at := b.span(k, sa, sb)
	r, soft, spring := b.along(k, sa, sb, &x), b.soft[one(!bias)].at(k), b.spring.at(k)
	if !bias {
		spring = b.relaxing.at(k)
	}
	r.spring(&b.free[3][k], at-b.target[k], &spring)
	b.stops(k, &r, at, in.invH, &soft)
	b.pushAlong(k, sa, sb, &x, r.sum)
}
