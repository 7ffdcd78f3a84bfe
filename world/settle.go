package world

import (
	"math"

	"github.com/ByteArena/box2d"
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

// settle looks at every body after a step: who is awake, who fell asleep or woke,
// whose velocity jumped. What it sees of them has changed. It also ends this step's
// forces.
func (w *World) settle(dt float64) {
	const static = 0
	awakeFlag := box2d.B2Body_Flags.E_awakeFlag
	activeFlag := box2d.B2Body_Flags.E_activeFlag
	g := w.b2.M_gravity
	share := 2 * dt * math.Hypot(g.X, g.Y)
	w.countAnew()
	for i := range w.slots {
		s := &w.slots[i]
		b := s.b
		if b == nil {
			continue
		}
		if isLost(b) {
			w.remove(s)
		}
		if b.M_type == static {
			if b.M_linearVelocity != (box2d.B2Vec2{}) || b.M_angularVelocity != 0 {
				w.changed.add(int32(i)) // one made with a velocity moves while something touches it
			}
			continue
		}
		awake := b.M_flags&awakeFlag != 0
		if awake != s.awake {
			s.awake = awake
			kind := BodySlept
			if awake {
				kind = BodyWoke
			}
			e := w.event(kind)
			e.A, e.NameA = s.rec.handle, s.rec.name
			w.changed.add(int32(i))
		}
		moves := awake && b.M_flags&activeFlag != 0
		w.count(int32(i), moves)
		if moves {
			w.changed.add(int32(i))
		}
		v := b.M_linearVelocity
		dx := v.X - s.vx - dt*(g.X*b.M_gravityScale+b.M_force.X*b.M_invMass)
		dy := v.Y - s.vy - dt*(g.Y*b.M_gravityScale+b.M_force.Y*b.M_invMass)
		spin := b.M_angularVelocity - s.omega - dt*b.M_torque*b.M_invI
		limit := max(impactSpeed, share*math.Abs(b.M_gravityScale))
		if dx*dx+dy*dy > limit*limit || math.Abs(spin) > impactSpin {
			if s.kicked || touches(b) {
				s.impact = w.tick + 1
				w.changed.add(int32(i))
			}
		}
		s.kicked = false
		s.vx, s.vy, s.omega = v.X, v.Y, b.M_angularVelocity
		s.origin, s.angle = b.M_xf.P, b.M_sweep.A
		b.M_force, b.M_torque = box2d.B2Vec2{}, 0
	}
}

// touches reports whether anything solid touches b.
func touches(b *box2d.B2Body) bool {
	for e := b.M_contactList; e != nil; e = e.Next {
		if touchesSolidly(contactOf(e.Contact)) {
			return true
		}
	}
	return false
}

// kicked notes that a command changed a body's velocity. The step it precedes
// is judged by settle. Where the tick at hand is still to be captured, with the
// new velocity at the end of the old path, that is no smooth curve either.
func (w *World) kicked(r *body) {
	s := &w.slots[r.slot]
	b := r.b
	dx, dy := b.M_linearVelocity.X-s.vx, b.M_linearVelocity.Y-s.vy
	if dx*dx+dy*dy > impactSpeed*impactSpeed || math.Abs(b.M_angularVelocity-s.omega) > impactSpin {
		s.impact = w.now + 1
	}
	if w.phase == after {
		s.vx, s.vy, s.omega = b.M_linearVelocity.X, b.M_linearVelocity.Y, b.M_angularVelocity
		return
	}
	s.kicked = true
}
