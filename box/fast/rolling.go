package fast

// rolling is a contact with rolling resistance, which the library lacks: a torque against the
// relative rotation of the two bodies. The limit of the torque is the resistance times the normal
// impulse. The angular impulse begins at 0 in each step. One pass is enough to keep a ball at rest
// on a slope, because friction begins with its impulse of the last step.
type rolling struct {
	contact    int32   // contact is the index of the contact in the island.
	resistance float64 // m
	impulse    float64
}

func (cs *constraintSolver) addRolling(contact int, resistance float64) {
	if resistance > 0 {
		cs.rolling = append(cs.rolling, rolling{int32(contact), resistance, 0})
	}
}

// solveRolling makes one pass over the contacts with rolling resistance. It runs before the contact
// constraints, so it takes its limits from the normal impulses of the previous pass.
func (cs *constraintSolver) solveRolling() {
	for i := range cs.rolling {
		r := &cs.rolling[i]
		vc := &cs.velocityConstraints[r.contact]
		pressed := vc.points[0].normalImpulse
		if vc.pointCount == 2 {
			pressed += vc.points[1].normalImpulse
		}
		sum := vc.iA + vc.iB
		if sum == 0 {
			continue
		}
		a, b := &cs.velocities[vc.indexA], &cs.velocities[vc.indexB]
		old := r.impulse
		r.impulse = clamp(old-(b.W-a.W)/sum, r.resistance*pressed)
		a.W -= vc.iA * (r.impulse - old)
		b.W += vc.iB * (r.impulse - old)
	}
}
