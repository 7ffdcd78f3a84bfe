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

// An impact is a change of velocity that neither gravity nor forces explain.
// The curve through two positions and two velocities leaves the straight line
// by at most an eighth of the change times dt: below these it can not be seen
// (1 mm, 0.4°, at 60 Hz), and a contact at rest, which takes back gravity's
// share every step, stays below.
const (
	impactSpeed = 0.5 // m/s
	impactSpin  = 3   // rad/s
)

// looked is what aftermath finds out about a block of bodies, by slot. What comes of it is done in
// order.
type looked struct {
	changed []int32 // their state has changed
	turned  []int32 // they fell asleep or woke, and nobody was told yet
}

// aftermath is what follows from a step for the bodies that it has moved.
type aftermath struct {
	b2     *box2d.B2World
	box    *box.World
	soft   *soft.Stepper // nil unless SoftStep
	when   *moment
	places *places
	news   *news
	links  *links

	lookAt  func(block, from, to int) // lookBlock
	looked  []looked                  // by block
	jolt    float64                   // what gravity may change of a velocity in two steps, m/s
	turned  []int32                   // scratch
	slotsOf []int32                   // by number of a body: its slot when it was looked at last
}

// look looks after a step at the bodies that the step has worked on. It makes the events of
// those that fell asleep or woke, marks slots whose state has changed, notes impacts where
// velocities jumped, and ends this step's forces.
// followed says whether the stepper tells which those are.
func (a *aftermath) look(followed bool) {
	a.jolt = 2 * a.when.dt * trig.Hypot(a.b2.M_gravity.X, a.b2.M_gravity.Y)
	if !followed || a.hasLost() {
		a.lookAtAll()
		return
	}
	a.slotsOf = slices.Grow(a.slotsOf, max(0, len(a.box.Bodies.All)-len(a.slotsOf)))[:len(a.box.Bodies.All)]
	n, blocks := len(a.box.Bodies.Seen), 1
	if a.soft != nil {
		blocks = a.soft.Blocks(n)
	}
	for len(a.looked) < blocks {
		a.looked = append(a.looked, looked{})
	}
	if a.soft != nil {
		a.soft.Share(n, blocks, a.lookAt)
	} else {
		a.lookBlock(0, 0, n)
	}
	turned := a.turned[:0]
	for i := range a.looked[:blocks] {
		turned = append(turned, a.looked[i].turned...)
		a.tellLooked(&a.looked[i])
	}
	slices.Sort(turned) // events come in the order of slots
	for _, slot := range turned {
		a.turn(slot)
	}
	a.turned = turned
}

// lookBlock is look for some of box.Seen, the numbers of the bodies that the step has worked
// on. It writes to nothing that other blocks read.
func (a *aftermath) lookBlock(block, from, to int) {
	r, seen := &a.looked[block], a.box.Bodies.Seen[from:to]
	r.changed, r.turned = r.changed[:0], r.turned[:0]
	for i, n := range seen {
		if a.soft != nil && i%soft.Fetched == 0 {
			a.soft.FetchBodies(seen[i:]) // ahead of their use, so many at a time
		}
		b, slot := a.box.Bodies.All[n].B, a.slotsOf[n]
		if int(slot) >= len(a.places.slots) || a.places.slots[slot].b != b || b == nil {
			of := recordOf(b)
			if of == nil {
				continue
			}
			slot = of.slot
			a.slotsOf[n] = slot
		}
		if a.places.slots[slot].hasTurned() {
			r.turned = append(r.turned, slot)
		}
		a.lookAtOne(slot, r)
	}
}

// hasLost reports whether a body is lost. lookAtAll then removes it, which wakes or frees
// its neighbours, in the order of slots: Seen has another order after a restore, and results
// must not depend on it.
func (a *aftermath) hasLost() bool {
	if a.soft != nil && !a.box.LookedAtAll() {
		return a.box.Lost // the stepper has looked at what it has moved
	}
	return slices.ContainsFunc(a.box.Bodies.Seen, func(n int32) bool {
		b := a.box.Bodies.All[n].B
		return recordOf(b) != nil && isLost(b)
	})
}

// lookAtAll is look for all bodies, in the order of slots: Box2D's own step does not
// say which it has worked on, and where a body is lost the order counts.
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

// hasTurned reports whether the body fell asleep or woke and nobody was told yet.
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

// lookAtOne is look for one body, but for what is to be done in order.
func (a *aftermath) lookAtOne(slot int32, r *looked) {
	s, dt, g := &a.places.slots[slot], a.when.dt, a.b2.M_gravity
	b := s.b
	if b.M_type == b2.StaticBody {
		// One made with a velocity moves while something touches it or is joined to
		// it, also in the step that ends the velocity.
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
	var push box2d.B2Vec2
	turn := 0.
	if b.M_force != push || b.M_torque != 0 { // to read the masses costs a cache miss
		push, turn = b2.Times(b.M_invMass, b.M_force), float64(dt*b.M_torque*b.M_invI)
	}
	// The conversions to float64 keep compilers from fusing a product with a sum.
	dx := v.X - s.vx - float64(dt*(float64(g.X*b.M_gravityScale)+push.X))
	dy := v.Y - s.vy - float64(dt*(float64(g.Y*b.M_gravityScale)+push.Y))
	spin := b.M_angularVelocity - s.omega - turn
	limit := max(impactSpeed, a.jolt*math.Abs(b.M_gravityScale))
	if float64(dx*dx)+float64(dy*dy) > limit*limit || math.Abs(spin) > impactSpin {
		if s.velocityChanged || a.touches(b) {
			s.impact = a.when.tick + 1
		}
	}
	s.velocityChanged = false
	s.vx, s.vy, s.omega = v.X, v.Y, b.M_angularVelocity
	s.origin, s.angle = b.M_xf.P, b.M_sweep.A
	a.box.Settle(b)
}

// tellLooked marks the slots that have changed.
func (a *aftermath) tellLooked(r *looked) {
	for _, slot := range r.changed {
		a.places.changed.Mark(slot)
	}
}

// touches reports whether a body is pushed by another one.
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

// velocityChanged notes that a command or a call changed a body's velocity. If it changed much, the tick
// at hand shows an impact: the new velocity at the end of the old path makes no smooth curve.
// What follows a step compares the velocity after the next step with that before the change or, if the
// change came in a contact hook, with that after it.
func (p *places) velocityChanged(r *body) {
	s := &p.slots[r.slot]
	p.changed.Mark(r.slot)
	b := r.b
	p.box.KeepMoving(b, 0) // 0: the time for which it has been at rest begins anew
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

// slept reports whether a body slept when the step looked at its contacts: it sleeps now, or it
// was asleep before the step and woke in it.
func (p *places) slept(b *box2d.B2Body) bool {
	r := recordOf(b)
	return !b2.IsAwake(b) || r != nil && !p.slots[r.slot].awake
}
