package world

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/phase"
	"halfstep/internal/owner"
)

// Controller changes the world before a step, by forces and impulses: buoyancy,
// wind, steering. It runs on the physics goroutine.
type Controller interface {
	// BeforeStep is called with the seconds that go by until the next call.
	BeforeStep(w *World, dt float64)
}

// ControllerFunc makes a Controller of a function.
type ControllerFunc func(w *World, dt float64)

// BeforeStep calls f; dt is in seconds.
func (f ControllerFunc) BeforeStep(w *World, dt float64) { f(w, dt) }

type control struct {
	Controller
	every uint64
}

// AddController adds a controller that runs before every step.
func (w *World) AddController(c Controller) { w.AddControllerEvery(1, c) }

// AddControllerEvery adds a controller that runs before every n-th step,
// beginning with the first: at 60 steps a second, 6 makes it run at 10 Hz. n
// below 1 counts as 1. Its BeforeStep gets the time of n steps.
func (w *World) AddControllerEvery(n int, c Controller) {
	w.own()
	w.controls = append(w.controls, control{c, uint64(max(n, 1))})
}

// AddContactHook adds a function that is called after every step with the
// contacts and sensor overlaps that began or ended since the last call, in
// order. A Begin carries the strongest impulse of its first step. The function
// may change the world in any way; destroying bodies is safe. The slice is only
// valid during the call.
func (w *World) AddContactHook(f func(w *World, events []Event)) {
	w.own()
	w.hooks = append(w.hooks, f)
}

// Step is called by the loop: it advances by dt seconds to the tick.
func (w *World) Step(tick uint64, dt float64) {
	if w.watch.Interrupted() {
		panic(ErrInterrupted)
	}
	if owner.Checked {
		w.guard.Enter()
		defer w.guard.Leave()
	}
	w.release()
	w.restamp(tick)
	w.now = tick
	w.phase = before
	w.lane.Enter(phase.Controllers)
	for _, c := range w.controls {
		if (tick-1)%c.every == 0 {
			c.BeforeStep(w, dt*float64(c.every))
		}
	}
	w.applyLoads()

	w.phase = stepping
	w.lane.Enter(phase.Step)
	w.step(dt, w.cfg.VelocityIterations, w.cfg.PositionIterations)

	w.phase = after
	w.coming = coming{}
	w.lane.Enter(phase.Contacts)
	w.tick = tick
	w.stepped = true
	w.tellHits()
	clear(w.begun) // it must not keep destroyed bodies reachable
	w.settle(dt)
	w.dropLoads(false)
	for i := 0; i < len(w.later); i++ { // it may grow
		w.later[i](w)
		w.later[i] = nil
	}
	w.later = w.later[:0]
	contacts := w.contacts
	w.contacts = w.spare[:0]
	for _, f := range w.hooks {
		f(w, contacts)
	}
	w.spare = contacts
	w.phase = idle
}

// An impact is a change of velocity that neither gravity nor forces explain.
// The curve through two positions and two velocities leaves the straight line
// by at most an eighth of the change times dt: below these it can not be seen
// (1 mm, 0.4°, at 60 Hz), and a contact at rest, which takes back gravity's
// share every step, stays below.
const (
	impactSpeed = 0.5 // m/s
	impactSpin  = 3   // rad/s
)

// settle looks at every body after a step: who fell asleep or woke, whose
// velocity jumped. It also ends this step's forces.
func (w *World) settle(dt float64) {
	const static = 0
	awakeFlag := box2d.B2Body_Flags.E_awakeFlag
	activeFlag := box2d.B2Body_Flags.E_activeFlag
	g := w.b2.M_gravity
	share := 2 * dt * math.Hypot(g.X, g.Y)
	w.awake = 0
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
		}
		if awake && b.M_flags&activeFlag != 0 {
			w.awake++
		}
		v := b.M_linearVelocity
		dx := v.X - s.vx - dt*(g.X*b.M_gravityScale+b.M_force.X*b.M_invMass)
		dy := v.Y - s.vy - dt*(g.Y*b.M_gravityScale+b.M_force.Y*b.M_invMass)
		spin := b.M_angularVelocity - s.omega - dt*b.M_torque*b.M_invI
		limit := max(impactSpeed, share*math.Abs(b.M_gravityScale))
		if dx*dx+dy*dy > limit*limit || math.Abs(spin) > impactSpin {
			if s.kicked || touches(b) {
				s.impact = w.tick + 1
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
		c := contactOf(e.Contact)
		if c.M_flags&box2d.B2Contact_Flag.E_touchingFlag != 0 && !c.M_fixtureA.M_isSensor && !c.M_fixtureB.M_isSensor {
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
