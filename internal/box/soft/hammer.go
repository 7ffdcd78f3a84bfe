package soft

// A hammer is a body that extends far beyond its mass. A small turn changes the lever arm of
// the end of its handle very much. The end then yields to an impulse many times as easily as at
// the start of the step. With the effective mass that the contact had at the start, each pass
// would correct too much, and the body would fly off.

// isHammer reports whether a body is a hammer. The ratio extent² × inertia⁻¹ / mass⁻¹ is 2 for
// a disc, 3 for boxes and rods, and 8 for the longest triangles.
func isHammer(m mass, extent float32) bool {
	return float32(float32(extent*extent)*m.i) > 6*m.m
}

// softenHammers reduces the effective masses of a batch's contacts to the lowest value that
// they may get when hammers turn.
func (s *contactSolver) softenHammers(b *batch) {
	for k := range int(b.used) {
		k &= lanes - 1
		c := contactAt(s.contacts.all, b.contacts[k])
		ma, mb := mass{b.mA[k], b.iA[k]}, mass{b.mB[k], b.iB[k]}
		isA, isB := isHammer(ma, s.bodies.poses[c.bodyA].extent), isHammer(mb, s.bodies.poses[c.bodyB].extent)
		if !isA && !isB {
			continue
		}
		vA, wA := s.bodies.velocity(c.bodyA)
		vB, wB := s.bodies.velocity(c.bodyB)
		turnA, turnB, v := float32(0), float32(0), vB.sub(vA)
		if isA {
			turnA = s.stride.mostTurnOf(ma, v, wA)
		}
		if isB {
			turnB = s.stride.mostTurnOf(mb, v, wB)
		}
		for p := range int(c.count) {
			pt := &b.points[p&1]
			armA, armB := abs(pt.armA[k]), abs(pt.armB[k])
			farA, farB := abs(pt.farA[k])+b.roundA[k], abs(pt.farB[k])+b.roundB[k]
			b.normalMass[p&1][k] = lesser(b.normalMass[p&1][k], inverse(ma, mb, armA+float32(turnA*farA), armB+float32(turnB*farB)))
			b.tangentMass[p&1][k] = lesser(b.tangentMass[p&1][k], inverse(ma, mb, farA+float32(turnA*armA), farB+float32(turnB*armB)))
		}
	}
}
