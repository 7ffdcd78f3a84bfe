package world

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/box/soft"
	"halfstep/internal/trig"
)

// An impact is a change of velocity that neither gravity nor forces explain, if it exceeds these limits.
// At 60 Hz, a smaller change moves the blended path by at most 1 mm or 0.4° from a straight line, which
// nobody sees. A contact at rest stays below the limits, although it cancels gravity in every step.
const (
	impactSpeed = 0.5 // in m/s
	impactSpin  = 3   // in rad/s

	// A change of velocity by less than calmSpeed is no impact. Gravity may explain at most half of the
	// limit for an impact.
	calmSpeed = impactSpeed/2 - .01
)

// looked lists the slots of one block of bodies that need more work after a step. The work is done
// later, in the order of slots.
type looked struct {
	changed []int32 // changed are the bodies whose state has changed.
	turned  []int32 // they fell asleep or woke, and have no event yet
	lost    bool    // a body is lost
}

// aftermath handles the effects of a step on the bodies that it has moved.
type aftermath struct {
	b2     *box2d.B2World
	box    *box.World
	soft   *soft.Stepper // nil unless SoftStep
	when   *moment
	places *places
	news   *news
	links  *links

	lookAt  func(block, from, to int) // the method lookBlock
	list    []int32                   // the numbers of the bodies for lookAt
	looked  []looked                  // by block
	jolt    float64                   // the greatest change of velocity by gravity in two steps, m/s
	turned  []int32                   // scratch memory
	slotsOf []int32                   // by the number of a body: the body's last known slot
}

func (a *aftermath) begin() {
	a.jolt = 2 * a.when.dt * trig.Hypot(a.b2.M_gravity.X, a.b2.M_gravity.Y)
	a.reach()
}

// reach makes slotsOf long enough for all bodies.
func (a *aftermath) reach() {
	n := len(a.slotsOf)
	a.slotsOf = append(a.slotsOf, make([]int32, max(0, len(a.box.Bodies.All)-n))...)
}

// The soft stepper calls calm with each body that has moved with almost the same velocity as before. The
// result reports whether no work remains for the body. If work remains, look does it after the step.
// Several goroutines call calm at the same time.
func (a *aftermath) calm(n int32) (done bool) {
	if int(n) >= len(a.slotsOf) {
		return false // raw access has made the body
	}
	slot := a.slotOf(n)
	if slot < 0 {
		return true
	}
	s := &a.places.slots[slot]
	b := s.b
	if at := &b.M_sweep; !(math.Abs(at.C.X)+math.Abs(at.C.Y)+math.Abs(at.A) < maxPosition) {
		return false // the body may be lost
	}
	s.keep(b)
	return true
}

// look handles the bodies that the step has worked on, except those for which calm has returned true. It
// makes the events of bodies that fell asleep or woke, marks slots whose state has changed, notes
// impacts, and ends the forces of this step. The parameter followed reports whether the stepper lists
// these bodies.
func (a *aftermath) look(followed bool) {
	if !followed {
		a.lookAtAll()
		return
	}
	a.reach() // the step may have found bodies from raw access
	blocks := 1
	if a.soft == nil {
		a.list = a.box.Bodies.Seen
		a.lookBlock(0, 0, len(a.list))
	} else {
		a.markCalm()
		a.list = a.soft.Rest()
		blocks = a.soft.Blocks(len(a.list))
		for len(a.looked) < blocks {
			a.looked = append(a.looked, looked{})
		}
		a.soft.Share(len(a.list), blocks, a.lookAt)
	}
	turned, lost := a.turned[:0], false
	for i := range a.looked[:blocks] {
		r := &a.looked[i]
		turned, lost = append(turned, r.turned...), lost || r.lost
		a.tellLooked(r)
	}
	if lost {
		a.lookAtAll()
		return
	}
	slices.Sort(turned) // events come in the order of slots
	for _, slot := range turned {
		a.turn(slot)
	}
	a.turned = turned
}

// lookBlock does the work of look for one block of the list. It writes nothing that other blocks read.
func (a *aftermath) lookBlock(block, from, to int) {
	r, list := &a.looked[block], a.list[from:to]
	r.changed, r.turned, r.lost = r.changed[:0], r.turned[:0], false
	for i, n := range list {
		if a.soft != nil && i%soft.Fetched == 0 {
			a.soft.FetchBodies(list[i:]) // loads the next bodies into the processor's cache
		}
		slot := a.slotOf(n)
		if slot < 0 {
			continue
		}
		s := &a.places.slots[slot]
		if isLost(s.b) {
			r.lost = true
			continue
		}
		if s.hasTurned() {
			r.turned = append(r.turned, slot)
		}
		a.lookAtOne(slot, r)
	}
}

// slotOf returns the slot of the body with the number n, or -1 if the body has no slot.
func (a *aftermath) slotOf(n int32) int32 {
	b, slot := a.box.Bodies.All[n].B, a.slotsOf[n]
	if int(slot) < len(a.places.slots) && a.places.slots[slot].b == b && b != nil {
		return slot
	}
	if slot = slotOf(b); slot >= 0 {
		a.slotsOf[n] = slot
	}
	return slot
}

// markCalm marks the slots of active bodies as changed, because calm has handled some of them. It
// marks nothing if look handles all bodies.
func (a *aftermath) markCalm() {
	active, slots := a.box.Bodies.Active, len(a.places.slots)
	switch {
	case a.box.LookedAtAll():
	case 4*len(active) > 3*slots:
		a.places.changed.MarkAll(slots)
	default:
		for _, n := range active {
			if slot := a.slotsOf[n]; int(slot) < slots {
				a.places.changed.Mark(slot)
			}
		}
	}
}

// lookAtAll does the work of look for all bodies, in the order of slots. It is needed after Box2D's own
// step, which does not list the bodies that have moved. It is also needed after the removal of a lost
// body, which wakes or frees neighbours. The results must not depend on the order of a list that a
// restore changes.
func (a *aftermath) lookAtAll() {
	r := &a.looked[0]
	for i := range a.places.slots {
		s := &a.places.slots[i]
		if s.b == nil {
			continue
		}
		if isLost(s.b) {
			a.remove(s)
		}
		if s.hasTurned() {
			a.turn(int32(i))
		}
		r.changed = r.changed[:0]
		a.lookAtOne(int32(i), r)
		a.tellLooked(r)
	}
}

// hasTurned reports whether the body has fallen asleep or woken without an event for that.
func (s *slot) hasTurned() bool {
	return s.b.M_type != b2.StaticBody && s.b.M_flags&b2.BodyAwake != 0 != s.awake
}

// turn makes the event of a body that fell asleep or woke.
func (a *aftermath) turn(slot int32) {
	s := &a.places.slots[slot]
	s.awake = !s.awake
	kind := BodySlept
	if s.awake {
		kind = BodyWoke
	}
	e := a.news.event(kind)
	e.A, e.NameA = s.rec.handle, s.rec.name
	a.places.changed.Mark(slot)
}

// lookAtOne does the work of look for one body, except the effects that need an order. A second call
// finds no impact.
func (a *aftermath) lookAtOne(slot int32, r *looked) {
	s := &a.places.slots[slot]
	b := s.b
	if b.M_type == b2.StaticBody {
		// A static body made with a velocity moves while it has contacts or joints. It also moves in the step
		// that ends the velocity.
		if b.M_linearVelocity != (box2d.B2Vec2{}) || b.M_angularVelocity != 0 || s.vx != 0 || s.vy != 0 || s.omega != 0 {
			r.changed = append(r.changed, slot)
			s.vx, s.vy, s.omega = b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity
		}
		a.box.Settle(b)
		return
	}
	v := b.M_linearVelocity
	// In a step of half a second or more a body may wake and fall asleep again.
	if b2.IsAwake(b) || s.velocityChanged || b.M_xf.P != s.origin || b.M_sweep.A != s.angle || v.X != s.vx || v.Y != s.vy || b.M_angularVelocity != s.omega {
		r.changed = append(r.changed, slot)
	}
	if a.jolts(s) && (s.velocityChanged || a.touches(b)) {
		s.impact = a.when.tick + 1
	}
	s.velocityChanged = false
	s.keep(b)
	a.box.Settle(b)
}

// jolts reports whether the velocity of a body has jumped in the last step.
func (a *aftermath) jolts(s *slot) bool {
	b, dt, g := s.b, a.when.dt, a.b2.M_gravity
	v := b.M_linearVelocity
	var push box2d.B2Vec2
	turn := 0.
	if b.M_force != push || b.M_torque != 0 { // reading the masses costs a cache miss
		push, turn = b2.Times(b.M_invMass, b.M_force), float64(dt*b.M_torque*b.M_invI)
	}
	// The conversions to float64 keep compilers from fusing a product with a sum.
	dx := v.X - s.vx - float64(dt*(float64(g.X*b.M_gravityScale)+push.X))
	dy := v.Y - s.vy - float64(dt*(float64(g.Y*b.M_gravityScale)+push.Y))
	spin := b.M_angularVelocity - s.omega - turn
	limit := max(impactSpeed, a.jolt*math.Abs(b.M_gravityScale))
	return float64(dx*dx)+float64(dy*dy) > limit*limit || math.Abs(spin) > impactSpin
}

// keep stores the state of a body after a step.
func (s *slot) keep(b *box2d.B2Body) {
	s.vx, s.vy, s.omega = b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity
	s.origin, s.angle = b.M_xf.P, b.M_sweep.A
}

// tellLooked marks the slots in r.changed as changed.
func (a *aftermath) tellLooked(r *looked) {
	for _, slot := range r.changed {
		a.places.changed.Mark(slot)
	}
}

// touches reports whether a solid contact of a body may push the body.
func (a *aftermath) touches(b *box2d.B2Body) bool {
	if a.soft != nil {
		return a.soft.Touches(a.box.Bodies.Number(b))
	}
	for c := range a.box.ContactsOf(b) {
		if c.IsSolid() {
			return true
		}
	}
	return false
}

// velocityChanged notes that a command or a call changed a body's velocity. A great change is an impact
// in the current tick, because the earlier path does not lead smoothly to the new velocity. After the
// next step, aftermath compares the velocity with that before the change. If a contact hook made the
// change, it compares with the velocity after the change.
func (p *places) velocityChanged(r *body) {
	s := &p.slots[r.slot]
	p.changed.Mark(r.slot)
	b := r.b
	p.box.KeepMoving(b, 0) // 0: the body's time at rest begins again
	dx, dy := b.M_linearVelocity.X-s.vx, b.M_linearVelocity.Y-s.vy
	if float64(dx*dx)+float64(dy*dy) > impactSpeed*impactSpeed || math.Abs(b.M_angularVelocity-s.omega) > impactSpin {
		s.impact = p.when.now + 1
	}
	if p.when.phase == after {
		s.vx, s.vy, s.omega = b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity
		return
	}
	s.velocityChanged = true
}

// slept reports whether a body slept when the step updated the body's contacts. Such a body sleeps now,
// or it slept before the step and woke in the step.
func (p *places) slept(b *box2d.B2Body) bool {
	r := recordOf(b)
	return !b2.IsAwake(b) || r != nil && !p.slots[r.slot].awake
}
