package soft

// rollBatch has the rolling resistance of the contacts of a batch. Rolling resistance is a torque
// against the relative rotation of the bodies. Its limit is proportional to the normal force. Each
// step begins with the torque that balances the friction of the last step, which suits a ball at
// rest on a slope.
type rollBatch struct {
	some       bool  // some says that a contact of the batch has resistance.
	resistance lane8 // resistance is the limit of the torque for each newton of normal force, in m.
	impulse    lane8 // impulse is the angular impulse of the last sub-step.
}

func (s *contactSolver) prepareRolling(b *rollBatch, of *batch) {
	*b = rollBatch{}
	for k := range int(of.used) {
		k &= lanes - 1
		b.resistance[k] = float32(s.set.Rules.Rolling(s.set.Contacts.At(int32(uint32(of.contacts[k]) / contactSize))))
		if b.resistance[k] == 0 || of.iA[k]+of.iB[k] == 0 {
			continue
		}
		b.some = true
		turn := float32(0) // the change of the spin of B relative to A by friction
		for p := range of.points {
			pt := &of.points[p]
			turn -= float32(pt.tangent[k] * (float32(of.iA[k]*(pt.farA[k]+of.roundA[k])) + float32(of.iB[k]*(pt.farB[k]-of.roundB[k]))))
		}
		b.stop(k, of, turn)
	}
}

// stop changes the impulse of a lane so that it removes the spin turn of B relative to A, as far
// as the limit of the impulse allows. It returns the change.
func (b *rollBatch) stop(k int, of *batch, turn float32) (more float32) {
	most, old := float32(b.resistance[k]*(of.points[0].normal[k]+of.points[1].normal[k])), b.impulse[k]
	b.impulse[k] = greater(0-most, lesser(old-turn/(of.iA[k]+of.iB[k]), most))
	return b.impulse[k] - old
}

// roll is the part of a pass for rolling resistance. It runs before the normal impulses of the
// pass, because its limit depends on the normal impulses of the pass before.
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
