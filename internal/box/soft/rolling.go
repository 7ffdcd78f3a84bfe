package soft

// rollBatch is what contacts need that resist rolling: a torque, up to a limit that grows
// with the force that presses the two together, against their turning against each other. In
// each step it begins with what keeps the friction of the last step from turning the two, as
// where a ball rests on a slope.
type rollBatch struct {
	some       bool
	resistance lane8 // m
	impulse    lane8 // of the last sub-step
}

func (s *Stepper) prepareRolling(b *rollBatch, of *batch) {
	*b = rollBatch{}
	for k := range int(of.used) {
		k &= lanes - 1
		b.resistance[k] = float32(s.set.Rolling(s.set.At(int32(uint32(of.contacts[k]) / contactSize))))
		if b.resistance[k] == 0 || of.iA[k]+of.iB[k] == 0 {
			continue
		}
		b.some = true
		turn := float32(0) // by friction, of B against A
		for p := range of.points {
			pt := &of.points[p]
			turn -= float32(pt.tangent[k] * (float32(of.iA[k]*(pt.farA[k]+of.roundA[k])) + float32(of.iB[k]*(pt.farB[k]-of.roundB[k]))))
		}
		b.stop(k, of, turn)
	}
}

// stop sets the impulse of a lane to what takes a turn out of its bodies, as far as it can, and
// returns how much more it is than before.
func (b *rollBatch) stop(k int, of *batch, turn float32) (more float32) {
	most, old := float32(b.resistance[k]*(of.points[0].normal[k]+of.points[1].normal[k])), b.impulse[k]
	b.impulse[k] = greater(0-most, lesser(old-turn/(of.iA[k]+of.iB[k]), most))
	return b.impulse[k] - old
}

// roll is the part of a pass that is about rolling. It comes before the contacts push: what
// they pushed with last is its limit.
func roll(batches []batch, rolling []rollBatch, states []state, st stage) {
	if st != stageWarmStart && st != stageRelax {
		return
	}
	for i := range batches {
		b, r := &batches[i], &rolling[i]
		if !r.some {
			continue
		}
		for k := range int(b.used) {
			k &= lanes - 1
			if r.resistance[k] == 0 || b.iA[k]+b.iB[k] == 0 {
				continue
			}
			sa, sb := at(states, b.a[k]), at(states, b.b[k])
			more := r.impulse[k]
			if st == stageRelax {
				more = r.stop(k, b, sb.w-sa.w)
			}
			sa.w -= float32(b.iA[k] * more)
			sb.w += float32(b.iB[k] * more)
		}
	}
}
