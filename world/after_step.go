package world

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/soft"
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

// looked is what afterStep finds out about a block of bodies, by slot. What comes of it is done in
// order.
type looked struct {
	changed []int32 // their state has changed
	turned  []int32 // they fell asleep or woke, and nobody was told yet
	jumped  []int32 // their velocity jumped: an impact, if something touches them
}

// afterStep looks after a step at the bodies that the step has worked on. It makes the events of
// those that fell asleep or woke, marks slots whose state has changed, notes impacts where
// velocities jumped, and ends this step's forces.
func (w *World) afterStep() {
	w.jolt = 2 * w.when.dt * b2.Hypot(w.b2.M_gravity.X, w.b2.M_gravity.Y)
	if w.stepper == nil || w.hasLost() {
		w.afterStepOfAll()
		return
	}
	w.slotsOf = slices.Grow(w.slotsOf, max(0, len(w.box.Bodies.All)-len(w.slotsOf)))[:len(w.box.Bodies.All)]
	n, blocks := len(w.box.Bodies.Seen), 1
	if w.soft != nil {
		blocks = w.soft.Blocks(n)
	}
	for len(w.looked) < blocks {
		w.looked = append(w.looked, looked{})
	}
	if w.soft != nil {
		w.soft.Share(n, blocks, w.lookAt)
	} else {
		w.lookBlock(0, 0, n)
	}
	turned := w.turned[:0]
	for i := range w.looked[:blocks] {
		turned = append(turned, w.looked[i].turned...)
		w.tellLooked(&w.looked[i])
	}
	slices.Sort(turned) // events come in the order of slots
	for _, slot := range turned {
		w.turn(slot)
	}
	w.turned = turned
}

// lookBlock is afterStep for some of box.Seen, the numbers of the bodies that the step has worked
// on. It writes to nothing that other blocks read.
func (w *World) lookBlock(block, from, to int) {
	r, seen := &w.looked[block], w.box.Bodies.Seen[from:to]
	r.changed, r.turned, r.jumped = r.changed[:0], r.turned[:0], r.jumped[:0]
	for i, n := range seen {
		if w.soft != nil && i%soft.Fetched == 0 {
			w.soft.FetchBodies(seen[i:]) // ahead of their use, so many at a time
		}
		b, slot := w.box.Bodies.All[n].B, w.slotsOf[n]
		if int(slot) >= len(w.places.slots) || w.places.slots[slot].b != b || b == nil {
			of := recordOf(b)
			if of == nil {
				continue
			}
			slot = of.slot
			w.slotsOf[n] = slot
		}
		if w.places.slots[slot].hasTurned() {
			r.turned = append(r.turned, slot)
		}
		w.look(slot, r)
	}
}

// hasLost reports whether a body is lost. afterStepOfAll then removes it, which wakes or frees
// its neighbours, in the order of slots: Seen has another order after a restore, and results
// must not depend on it.
func (w *World) hasLost() bool {
	if w.soft != nil && !w.box.LookedAtAll() {
		return w.box.Lost // the stepper has looked at what it has moved
	}
	return slices.ContainsFunc(w.box.Bodies.Seen, func(n int32) bool {
		b := w.box.Bodies.All[n].B
		return recordOf(b) != nil && isLost(b)
	})
}

// afterStepOfAll is afterStep for all bodies, in the order of slots: Box2D's own step does not
// say which it has worked on, and where a body is lost the order counts.
func (w *World) afterStepOfAll() {
	r := &w.looked[0]
	for i := range w.places.slots {
		s := &w.places.slots[i]
		if s.b == nil {
			continue
		}
		if isLost(s.b) {
			w.remove(s)
		}
		if s.hasTurned() {
			w.turn(int32(i))
		}
		r.changed, r.jumped = r.changed[:0], r.jumped[:0]
		w.look(int32(i), r)
		w.tellLooked(r)
	}
}

// hasTurned reports whether the body fell asleep or woke and nobody was told yet.
func (s *slot) hasTurned() bool {
	return s.b.M_type != b2.StaticBody && s.b.M_flags&b2.BodyAwake != 0 != s.awake
}

// turn makes the event of a body that fell asleep or woke.
func (w *World) turn(slot int32) {
	s := &w.places.slots[slot]
	s.awake = !s.awake
	kind := BodySlept
	if s.awake {
		kind = BodyWoke
	}
	e := w.news.event(kind)
	e.A, e.NameA = s.rec.handle, s.rec.name
	w.places.changed.Mark(slot)
}

// look is afterStep for one body, but for what is to be done in order.
func (w *World) look(slot int32, r *looked) {
	s, dt, g := &w.places.slots[slot], w.when.dt, w.b2.M_gravity
	b := s.b
	if b.M_type == b2.StaticBody {
		// One made with a velocity moves while something touches it or is joined to
		// it, also in the step that ends the velocity.
		if b.M_linearVelocity != (box2d.B2Vec2{}) || b.M_angularVelocity != 0 || s.vx != 0 || s.vy != 0 || s.omega != 0 {
			r.changed = append(r.changed, slot)
			s.vx, s.vy, s.omega = b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity
		}
		w.box.Settle(b)
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
	limit := max(impactSpeed, w.jolt*math.Abs(b.M_gravityScale))
	if float64(dx*dx)+float64(dy*dy) > limit*limit || math.Abs(spin) > impactSpin {
		if s.velocityChanged {
			s.impact = w.when.tick + 1
		} else {
			r.jumped = append(r.jumped, slot)
		}
	}
	s.velocityChanged = false
	s.vx, s.vy, s.omega = v.X, v.Y, b.M_angularVelocity
	s.origin, s.angle = b.M_xf.P, b.M_sweep.A
	w.box.Settle(b)
}

// tellLooked marks the slots that have changed, and those that had an impact.
func (w *World) tellLooked(r *looked) {
	for _, slot := range r.changed {
		w.places.changed.Mark(slot)
	}
	for _, slot := range r.jumped {
		if s := &w.places.slots[slot]; w.touches(s.b) {
			s.impact = w.when.tick + 1
		}
	}
}

// touches reports whether a body is pushed by another one.
func (w *World) touches(b *box2d.B2Body) bool {
	if w.soft != nil {
		return w.soft.Touches(w.box.Bodies.Number(b))
	}
	for c := range w.box.ContactsOf(b) {
		if c.IsSolid() {
			return true
		}
	}
	return false
}

// velocityChanged notes that a command or a call changed a body's velocity. If it changed much, the tick
// at hand shows an impact: the new velocity at the end of the old path makes no smooth curve.
// afterStep compares the velocity after the next step with that before the change or, if the
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
