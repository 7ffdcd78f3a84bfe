package fast

// rolling is a contact that resists rolling, which the library does not know: a torque, up
// to a limit that grows with the force that presses the two together, against their turning
// against each other. Its impulse begins at 0 in each step. Friction starts with that of the
// last step, and then one round finds the torque that keeps a ball at rest on a slope.
type rolling struct {
	contact    int32 // in the island
	resistance float64
	impulse    float64
}

func (cs *constraintSolver) addRolling(contact int, resistance float64) {
	if resistance > 0 {
		cs.rolling = append(cs.rolling, rolling{int32(contact), resistance, 0})
	}
}

// solveRolling is one pass over the contacts that resist rolling. It comes before they push:
// what they pushed with last is its limit.
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
