package soft

import "github.com/ByteArena/box2d"

// A box.World calls these methods of the Stepper to get the points of its contacts.

// Points returns the number of points at which the shapes of a contact touch.
func (s *Stepper) Points(slot int32) int { return int(s.contacts.all[slot].count) }

// MayTouch reports whether the shapes of a contact touch or may touch. They may touch if the two
// bodies were made asleep, so that no step has checked the contact.
func (s *Stepper) MayTouch(slot int32) bool {
	c := &s.contacts.all[slot]
	return c.count > 0 || c.flags&known == 0 && (s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseSleeping != 0
}

// Impulse returns the impulse at a point of the contact in the last step, in N·s.
func (s *Stepper) Impulse(slot int32, point int) (normal, tangent float64) {
	p := &s.contacts.all[slot].points[point]
	return float64(p.total), float64(p.totalTangent)
}

// Place writes the points of a contact in world coordinates. A point is midway between the two
// surfaces. It is computed from the body that does not have the face.
func (s *Stepper) Place(slot int32, to *box2d.B2WorldManifold) {
	c := &s.contacts.all[slot]
	if c.count == 0 {
		return
	}
	a, b := &s.bodies.poses[c.bodyA], &s.bodies.poses[c.bodyB]
	n := c.normal
	if k := &c.kept; c.flags&(ahead|flipped) == 0 {
		n = a.q.apply(k.normal) // not c.normal, because that may not have turned with A yet
	} else if c.flags&ahead == 0 {
		n = b.q.from(k.turn).apply(k.normal)
	}
	to.Normal = toB2(n)
	for i := range int(c.count) {
		p := &c.points[i]
		// Along the normal, the ends of the arms are at the distance across.
		across := dot(p.rB.sub(p.rA).add(vec{float32(b.x - a.x), float32(b.y - a.y)}), n)
		at, arm, half := b, p.rB, float32(-0.5*across)
		if c.flags&flipped != 0 {
			at, arm, half = a, p.rA, float32(0.5*across)
		}
		arm = arm.plus(half, n)
		to.Points[i] = box2d.B2Vec2{X: at.x + float64(arm.x), Y: at.y + float64(arm.y)}
		to.Separations[i] = float64(p.separation)
	}
}

func toB2(v vec) box2d.B2Vec2 { return box2d.B2Vec2{X: float64(v.x), Y: float64(v.y)} }

// MaxOverlap returns the greatest overlap of two touching shapes at the start of the last step, in
// m. It returns 0 if there was none.
func (s *Stepper) MaxOverlap() float64 {
	deepest := float32(0)
	for n := range s.contacts.all {
		if s.set.Contacts.All[n].ID == 0 {
			continue
		}
		c := &s.contacts.all[n]
		for _, p := range c.points[:c.count] {
			deepest = greater(deepest, -p.separation)
		}
	}
	return float64(deepest)
}
