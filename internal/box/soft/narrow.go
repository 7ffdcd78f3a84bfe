package soft

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

const (
	// recycle is the distance, in m, by which two bodies may move relative to each other before the
	// points of their contact are computed again. For contacts without points see reusePoints.
	recycle = 10 * linearSlop
	// cornerRecycle replaces recycle if a corner touches a corner.
	cornerRecycle = 0.5 * linearSlop
	// recycleCos is the cosine of the greatest angle by which two bodies may turn relative to each
	// other before the points are computed again.
	recycleCos = 0.98
	// propSpeed is the greatest speed, in m/s, that the spin of an upright body may give to its
	// farthest point (see turns).
	propSpeed = 2 * sleepSpeed
)

const contactBlock = 64

// narrowPhase computes the points at which the shapes of contacts touch.
type narrowPhase struct {
	results []narrowed             // by block of contacts
	begun   []int32                // begun are the contacts that have begun in this step.
	near    []int32                // near are the contacts with points that have not begun. The method report begins those that have an impulse.
	closing []float32              // closing is the closing speed of each contact in near before the step, in m/s.
	waiting []int32                // waiting are the contacts with the flag waits.
	impulse box2d.B2ContactImpulse // the argument of PostSolve

	updates work // updateBlock

	world    *box2d.B2World
	set      *box.World
	crew     *crew
	stride   *stride
	rules    *rules
	bodies   *bodies
	shapes   *shapes
	contacts *contacts
	pairs    *pairs
	stops    *stops
}

// updateBlock updates a block of contacts, and lists the contacts that finishContact must finish.
func (s *narrowPhase) updateBlock(block, from, to int) {
	r, slots := &s.results[block], s.set.Contacts.Active[from:to]
	*r = narrowed{changed: r.changed[:0], active: slices.Grow(r.active[:0], to-from), solid: slices.Grow(r.solid[:0], to-from), sleepers: r.sleepers[:0], near: r.near, doubtful: r.doubtful, stack: r.stack, apart: r.apart[:0], closing: r.closing[:0]}
	contacts, poses := s.contacts.all, s.bodies.poses
	for i, slot := range slots {
		if i%Fetched == 0 {
			fetchNext(contacts, slots[i:])
			s.fetchFirst(slots[i:])
		}
		c := &contacts[slot]
		a, b := &poses[c.bodyA], &poses[c.bodyB]
		f := a.flags | b.flags
		if f&poseAwake != 0 {
			r.active = append(r.active, slot)
			if f&poseSleeping != 0 {
				r.sleepers = append(r.sleepers, slot)
			}
		}
		changed := s.updateContact(slot, c, a, b, r)
		if changed {
			r.changed = append(r.changed, slot)
		}
		if f&poseDynamic != 0 && (changed || c.isSolid()) {
			e := entryOf(slot, c, a, b)
			if changed {
				e.slot = ^slot
			} else {
				r.bounces = r.bounces || c.restitution > 0
			}
			r.solid = append(r.solid, e)
		}
		// Contacts between sleeping bodies are not solved, and are here only after a restore.
		if c.count > 0 && c.flags&touching == 0 && f&poseAwake != 0 {
			r.apart, r.closing = append(r.apart, slot), append(r.closing, s.contacts.closingSpeed(c))
		}
	}
}

// fetchFirst loads the bodies and shapes of the first contacts of a list into the cache.
func (s *narrowPhase) fetchFirst(slots []int32) {
	if wide {
		fetchSides(&s.contacts.all[0].normal.x, &slots[0], min(len(slots), Fetched), &s.bodies.poses[0].q.s, &s.shapes.forms.of[0], &s.shapes.forms.all[0].radius)
	}
}

// narrowed has the work that remains after a block of contacts was updated. It is done in order.
type narrowed struct {
	changed  []int32
	active   []int32   // active are the contacts of bodies that are awake.
	sleepers []int32   // sleepers are the active contacts that hold a sleeping body.
	solid    []entry   // solid are the contacts to solve. A contact that finishContact may change has the slot ^slot.
	bounces  bool      // bounces says that a solid contact has restitution. It ignores contacts that finishContact may change.
	apart    []int32   // apart are the contacts with points that have not begun.
	closing  []float32 // closing is the closing speed of each contact in apart, in m/s.

	// This is scratch memory of isStopped: shapes that may stop another shape, and shapes about which
	// isStoppedBy is in doubt.
	stack    []int32
	near     []int32
	doubtful []doubt
}

// updateContact computes the points at which the shapes of a contact touch. The bodies of the
// contact have the poses a and b. It reports whether finishContact must finish the contact.
func (s *narrowPhase) updateContact(slot int32, c *contact, a, b *pose, r *narrowed) bool {
	sh := s.shapes
	// The World's entry is rarely in the cache, so it is read only if it may have changed. Code that
	// flags a contact for filtering also touches its shapes, or has added or removed a joint.
	sleeps, moved := (a.flags|b.flags)&poseAwake == 0, sh.moved[c.shapeA]|sh.moved[c.shapeB]
	if sleeps || moved&movedByOthers != 0 || (a.flags|b.flags)&poseChanged != 0 || c.flags&(enabled|known) != enabled|known {
		own := &s.set.Contacts.Own[slot]
		if own.Flags&b2.ContactFilter != 0 {
			c.flags |= refilter
			return true
		}
		// A contact between sleeping bodies stays unchanged, unless other code has just placed a shape
		// there. A contact of two bodies that were made asleep waits until one of them wakes.
		if sleeps && (c.flags&known != 0 || moved&movedByOthers == 0 || a.flags&b.flags&poseSleeping != 0 && !sh.sensors[c.shapeA] && !sh.sensors[c.shapeB]) {
			return false
		}
		own.Flags |= b2.ContactEnabled
		c.flags |= enabled | known
		c.mix(&own.Surface)
	}
	if moved != 0 && !sh.mayMeet(c.shapeA, c.shapeB) {
		c.flags |= gone
		return true
	}

	d := vec{float32(b.x - a.x), float32(b.y - a.y)}
	offset := a.q.undo(d)
	if sh.sensors[c.shapeA] || sh.sensors[c.shapeB] {
		distance, _ := gap(sh.geometry(c.shapeA), sh.geometry(c.shapeB), b.q.from(a.q), offset)
		c.flags = c.flags&^posed | sensor
		c.count = 0
		return distance <= 0 != (c.flags&touching != 0)
	}
	c.flags &^= sensor
	turn := b.q.from(a.q)
	fast := (a.flags|b.flags)&poseFast != 0 && s.isFastPair(c, b, d)
	n := int(c.count)
	// A disc that rolls cannot keep its point, and computing a new point costs little.
	if fast || c.flags&(posed|round) != posed || !c.reusePoints(a, b, turn, d, offset, turns(a, b)) {
		c.flags |= posed
		c.kept.turn, c.kept.offset = turn, offset
		var m manifold
		ga, gb := sh.geometry(c.shapeA), sh.geometry(c.shapeB)
		collide(&m, ga, gb, turn, offset)
		if m.count == 0 && fast {
			s.predict(&m, c, a, b, d)
		} else {
			c.setPoints(&m, a, d)
		}
		if c.flags &^= cornered; m.atCorner {
			c.flags |= cornered
		}
		n = m.count
	}
	if n > 0 && s.passesBy(c, n) {
		n = 0
		c.flags &^= posed
	} else if n > 0 && s.comesTogether(c, n, 1) {
		if s.rules.filter != nil || s.rules.tellsPreSolve {
			c.flags |= waits
		} else if s.isBetween(c, n, r) {
			n = 0
			c.flags &^= posed
		}
	}
	c.count = uint8(n)
	return n > 0 != (c.flags&met != 0) || n > 0 && (s.rules.tellsPreSolve || c.flags&waits != 0 || c.flags&touching == 0 && c.overlap())
}

// overlap reports whether the shapes of a contact overlap at the start of the step.
func (c *contact) overlap() bool {
	for i := range int(c.count) {
		if c.points[i&1].separation <= 0 {
			return true
		}
	}
	return false
}

// setPoints sets the points of a contact to those of a manifold. If a point has the same id as an
// old point, it keeps the impulses of the old point.
func (c *contact) setPoints(m *manifold, a *pose, d vec) {
	if m.count == 0 {
		return
	}
	old, oldCount := c.points, int(c.count)
	c.keep(m)
	c.normal = a.q.apply(m.normal)
	c.flags &^= ahead
	for i := range m.count {
		p, mp := &c.points[i], &m.points[i]
		rA := a.q.apply(mp.p)
		*p = point{rA: rA, rB: rA.sub(d), separation: mp.separation, base: mp.separation, id: mp.id}
		for k := range oldCount {
			if old[k].id == mp.id {
				p.normal, p.tangent, p.total, p.totalTangent = old[k].normal, old[k].tangent, old[k].total, old[k].totalTangent
				break
			}
		}
	}
}

// keep stores the points of a manifold. For a round corner it stores the centre of the corner,
// because the corner touches with another point after it has turned.
func (c *contact) keep(m *manifold) {
	k := &c.kept
	k.normal = m.normal
	c.flags &^= flipped
	if m.flip {
		c.flags |= flipped
	}
	for i := range m.count {
		k.at[i] = m.points[i].p.plus(c.outwards(), m.normal)
	}
}

// outwards returns the distance along the normal from the point where a corner touches a face to
// the corner's centre.
func (c *contact) outwards() float32 {
	if c.flags&flipped != 0 {
		return -c.radiusA
	}
	return c.radiusB
}

// place moves the points of a contact with the bodies of the contact. A has pose a. In A's frame, B
// is at offset, and has turned by turned since the points were computed. The normal turns with the
// body that has the face, and the points turn with the other body. Both impulses act at one point,
// so that together they add no spin (erincatto/box2d issue 1046). If turns is false, the normal and
// the arms stay the same until the angle of the normal exceeds recycleCos.
func (c *contact) place(a *pose, turned rot, d, offset vec, turns bool) {
	k := &c.kept
	normal, face := a.q.undo(c.normal), k.normal
	if c.flags&flipped != 0 {
		face = turned.apply(face)
	}
	if turns || dot(normal, face) < recycleCos {
		turns, normal = true, face
		c.normal = a.q.apply(face)
		c.flags &^= ahead
	}
	for i := range int(c.count) {
		p, at := &c.points[i&1], k.at[i&1]
		ofB := turned.apply(at.sub(k.offset)).add(offset) // the position to which B has moved the point
		p.separation = p.base + dot(ofB.sub(at), normal)
		if turns {
			if c.flags&flipped == 0 {
				at = ofB
			}
			p.rA = a.q.apply(at.plus(-c.outwards(), normal))
			p.rB = p.rA.sub(d)
		}
	}
}

// reusePoints keeps the points of a contact if the bodies have moved little relative to each other
// since the points were computed. It then places the points. It returns false if the points must be
// computed again. The parameters turn and offset are B's pose in A's frame.
func (c *contact) reusePoints(a, b *pose, turn rot, d, offset vec, turns bool) bool {
	turned := turn.from(c.kept.turn)
	if turned.c < recycleCos {
		return false
	}
	extent := float32(0)
	if a.flags&poseStatic == 0 {
		extent = a.extent
	}
	if b.flags&poseStatic == 0 {
		extent = greater(extent, b.extent)
	}
	moved := offset.sub(c.kept.offset)
	tolerance := float32(speculative)
	switch {
	case c.count > 0 && c.flags&cornered != 0: // the normal turns with neither body
		tolerance = cornerRecycle
	case c.count > 0 && (a.flags|b.flags)&poseFast == 0:
		tolerance = recycle
	}
	rest := tolerance - float32(extent*abs(turned.s))
	if rest <= 0 || dot(moved, moved) >= rest*rest {
		return false
	}
	if c.count > 0 {
		c.place(a, turned, d, offset, turns)
	}
	return true
}

// turns reports whether the points of a contact turn with the bodies in this step. The points do
// not turn if both bodies are upright, which means that gravity acts on them and they have almost
// no spin. A stack of soft contacts would otherwise buckle. Constant arms and normals support the
// stack when it begins to lean.
func turns(a, b *pose) bool { return a.flags&b.flags&poseUpright == 0 }

// update updates all contacts of awake bodies. Then it does the work that callbacks can see, in the
// order of the contacts.
func (s *narrowPhase) update() {
	s.begun, s.near, s.closing, s.waiting = s.begun[:0], s.near[:0], s.closing[:0], s.waiting[:0]
	n := len(s.set.Contacts.Active)
	blocks := s.crew.blocksOf(n, contactBlock, 4)
	s.results = growTo(s.results, blocks)[:blocks]
	s.crew.run(s.updates, n, blocks)
	s.contacts.active, s.bodies.woken = 0, s.bodies.woken[:0]
	for i := range blocks {
		r := &s.results[i]
		s.contacts.active += len(r.active)
		s.bodies.sleepers = s.bodies.sleepers || len(r.sleepers) > 0
		for k, slot := range r.changed {
			if k%Fetched == 0 {
				s.fetchChanged(r.changed[k:])
			}
			s.finishContact(slot)
		}
	}
	// these come after the contacts that finishContact has filtered again, so that the number of blocks
	// has no effect
	for i := range blocks {
		r := &s.results[i]
		s.near, s.closing = append(s.near, r.apart...), append(s.closing, r.closing...)
	}
	for _, slot := range s.waiting {
		s.ask(&s.contacts.all[slot])
		s.finishContact(slot)
	}
	s.set.Merge()
	for _, p := range s.shapes.movedList {
		s.shapes.moved[p] = 0
		s.set.Shapes.Stamps.Mark(p)
	}
	s.shapes.movedList = s.shapes.movedList[:0]
}

// finishContact destroys a contact that has ended. It reports the changes of other contacts to the
// listener.
func (s *narrowPhase) finishContact(slot int32) {
	c, own := &s.contacts.all[slot], &s.set.Contacts.Own[slot]
	if c.flags&refilter != 0 {
		c.flags &^= refilter
		if !b2.MayCollide(&s.world.M_contactManager, own.A, own.B) {
			s.contacts.destroy(slot)
			return
		}
		own.Flags &^= b2.ContactFilter
		if s.updateContact(slot, c, &s.bodies.poses[c.bodyA], &s.bodies.poses[c.bodyB], &s.results[0]) {
			s.finishContact(slot)
		}
		s.near, s.closing = append(s.near, slot), append(s.closing, s.contacts.closingSpeed(c))
		return
	}
	if c.flags&gone != 0 {
		s.contacts.destroy(slot)
		return
	}
	if c.flags&waits != 0 {
		s.waiting = append(s.waiting, slot)
		return
	}
	was := c.flags&touching != 0
	now := was && c.count > 0 || c.overlap()
	if c.flags&sensor != 0 {
		now = !was // for the contact of a sensor, updateContact lists the contact when this changes
	}
	meets := c.count > 0 && c.flags&met == 0
	if c.count > 0 != (c.flags&met != 0) {
		c.flags ^= met
		if (s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseAwake != 0 {
			s.bodies.wake(c.bodyA)
			s.bodies.wake(c.bodyB)
		}
	}
	s.callListener(slot, meets, now, was)
}

// callListener calls the listener if a contact meets, begins, ends or continues.
func (s *narrowPhase) callListener(slot int32, meets, now, was bool) {
	c, own := &s.contacts.all[slot], &s.set.Contacts.Own[slot]
	of := s.set.Contacts.At(slot)
	if meets && s.rules.listener != nil {
		s.rules.listener.Approach(of)
		c.mix(&own.Surface)
	}
	if now && !was {
		s.beginContact(slot, -1)
	} else if was && !now {
		c.flags &^= touching
		own.Flags &^= b2.ContactTouching
		if s.rules.listener != nil {
			s.rules.listener.EndContact(of)
		}
	}
	if c.count == 0 || !s.rules.tellsPreSolve {
		return
	}
	s.rules.listener.PreSolve(of)
	if own.Flags&b2.ContactEnabled == 0 {
		c.flags &^= enabled
	}
	c.mix(&own.Surface)
}

// ask calls the filter and the listener for a waiting contact.
func (s *narrowPhase) ask(c *contact) {
	if c.flags &^= waits; s.isBetween(c, int(c.count), &s.results[0]) {
		c.count = 0
		c.flags &^= posed
	}
}

// meet computes the contact of a body that has woken after the narrow phase. It reports whether the
// contact has points.
func (s *narrowPhase) meet(slot int32, c *contact) bool {
	s.updateContact(slot, c, &s.bodies.poses[c.bodyA], &s.bodies.poses[c.bodyB], &s.results[0])
	if c.flags&waits != 0 {
		s.ask(c)
	}
	return c.count > 0
}

// tellMet calls the listener for a contact with points of a body that has woken after the narrow
// phase.
func (s *narrowPhase) tellMet(slot int32) {
	c := &s.contacts.all[slot]
	c.flags |= met
	s.near, s.closing = append(s.near, slot), append(s.closing, s.contacts.closingSpeed(c))
	s.callListener(slot, true, c.overlap(), false)
}

// beginContact records that two shapes have begun to touch, and calls the listener. For the
// parameter closing see box.Listener.
func (s *narrowPhase) beginContact(slot int32, closing float64) {
	c, own := &s.contacts.all[slot], &s.set.Contacts.Own[slot]
	c.flags |= touching
	own.Flags |= b2.ContactTouching
	s.begun = append(s.begun, slot)
	if s.rules.listener != nil {
		s.rules.listener.BeginContact(s.set.Contacts.At(slot), closing)
		c.mix(&own.Surface) // the listener may have changed the surface
	}
}

// report begins contacts in which one shape has pushed the other. It also calls PostSolve for
// contacts with impulses. It calls PostSolve either for all such contacts, in the order of the
// contacts, or for those that have begun in this step.
func (s *narrowPhase) report() {
	for i, slot := range s.near {
		if i%Fetched == 0 {
			fetchNext(s.contacts.all, s.near[i:])
		}
		c := &s.contacts.all[slot]
		if c.flags&touching == 0 && c.isSolid() && c.points[0].total+c.points[c.count-1].total > 0 && s.set.Contacts.All[slot].ID != 0 {
			s.beginContact(slot, float64(s.closing[i]))
		}
	}
	if s.rules.listener == nil {
		return
	}
	slots := s.begun
	if s.rules.listener.WantsPostSolve() {
		slots = s.set.Contacts.Active
	}
	impulse := &s.impulse
	for _, slot := range slots {
		c := &s.contacts.all[slot]
		if !c.isSolid() || c.flags&touching == 0 || (s.bodies.poses[c.bodyA].flags|s.bodies.poses[c.bodyB].flags)&poseDynamic == 0 {
			continue
		}
		*impulse = box2d.B2ContactImpulse{Count: int(c.count)}
		for i := range int(c.count) {
			impulse.NormalImpulses[i] = float64(c.points[i].total)
			impulse.TangentImpulses[i] = float64(c.points[i].totalTangent)
		}
		s.rules.listener.PostSolve(s.set.Contacts.At(slot), impulse)
	}
}

// mix copies the friction, the restitution and the tangent speed of a contact.
func (c *contact) mix(s *box.Surface) {
	c.friction, c.restitution, c.tangentSpeed = float32(s.Friction), float32(s.Restitution), float32(s.TangentSpeed)
}
