package stepper

import (
	"runtime"
	"time"

	"github.com/ByteArena/box2d"
)

// Options says how a world is stepped. The zero value is ready to use; no
// option changes a bit of the result.
type Options struct {
	// Workers is how many goroutines compute a step, the caller's included.
	// 0 means GOMAXPROCS, 1 means that everything happens on the caller's.
	Workers int

	// ReadOnlyPostSolve promises that the world's contact listener changes
	// nothing in PostSolve and keeps no impulse beyond it, so that islands
	// may be solved before the callbacks for earlier islands have run. PostSolve is still called from
	// the goroutine of Step, in the stock order, with the stock arguments;
	// only bodies of islands later in that order have already moved. A
	// listener can promise the same by implementing [ReadOnlyPostSolver].
	ReadOnlyPostSolve bool
}

// ReadOnlyPostSolver is a contact listener that can promise what
// [Options.ReadOnlyPostSolve] promises.
type ReadOnlyPostSolver interface {
	box2d.B2ContactListenerInterface
	// ReadOnlyPostSolve reports whether PostSolve leaves bodies, contacts and
	// the world alone and keeps no impulse. It is asked before islands are
	// solved and before times of impact are looked for.
	ReadOnlyPostSolve() bool
}

// Stepper advances one Box2D world. It must be created with [New] and used by
// one goroutine at a time, the one that owns the world.
type Stepper struct {
	world    *box2d.B2World
	opts     Options
	pool     *pool
	limits   limits
	spread   bool // the last islands were solved on the workers
	mirror   mirror
	narrow   narrowPhase
	pairs    pairFinder
	islands  islandSolver
	toi      toiSolver
	step     box2d.B2TimeStep
	listener box2d.B2ContactListenerInterface // as of the start of Solve or SolveTOI
	mayWrite bool                             // and whether its PostSolve may change the world or keep impulses
	impulse  box2d.B2ContactImpulse           // what it is shown if not

	ended bool // some contact has, since the last release
}

// New makes a stepper for world, which may be in any state between two steps.
// The world stays an ordinary one: between steps everything in its API can be
// used, its own Step included.
func New(world *box2d.B2World, opts Options) *Stepper {
	n := opts.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	s := &Stepper{world: world, opts: opts, limits: defaultLimits}
	if n > 1 {
		s.pool = newPool(n - 1)
	}
	return s
}

// Close ends the worker goroutines and lets go of the world. The stepper must
// not be used afterwards; closing twice does no harm.
func (s *Stepper) Close() {
	if s.pool != nil {
		s.pool.close()
		s.pool = nil
	}
	s.mirror.forget()
	s.narrow = narrowPhase{}
	s.pairs = pairFinder{}
	s.islands = islandSolver{}
	s.toi = toiSolver{}
}

// Step advances the world by dt seconds, as world.Step(dt, velocityIterations,
// positionIterations) would: same bits, same callbacks in the same order. It
// panics where the library's asserts do, and a panic leaves the world locked,
// as there.
//
// A world that holds a contact or joint of a type that is not the library's
// own is handed to world.Step.
func (s *Stepper) Step(dt float64, velocityIterations, positionIterations int) {
	w := s.world
	if !s.mirror.sync(w) {
		w.Step(dt, velocityIterations, positionIterations)
		return
	}
	if s.mirror.changed || s.ended {
		s.release()
	}
	start := time.Now()

	if w.M_flags&box2d.B2World_Flags.E_newFixture != 0 {
		s.findNewContacts()
		w.M_flags &^= box2d.B2World_Flags.E_newFixture
	}
	w.M_flags |= box2d.B2World_Flags.E_locked

	s.step = box2d.B2TimeStep{
		Dt:                 dt,
		DtRatio:            w.M_inv_dt0 * dt,
		VelocityIterations: velocityIterations,
		PositionIterations: positionIterations,
		WarmStarting:       w.M_warmStarting,
	}
	if dt > 0 {
		s.step.Inv_dt = 1 / dt
	}

	s.islands.unseen = w.M_stepComplete && w.M_continuousPhysics && dt > 0 && s.quiet()

	mark := time.Now()
	s.collide()
	mark = lap(mark, &w.M_profile.Collide)

	if w.M_stepComplete && dt > 0 {
		s.solve()
		mark = lap(mark, &w.M_profile.Solve)
	}
	if w.M_continuousPhysics && dt > 0 {
		s.solveTOI()
		lap(mark, &w.M_profile.SolveTOI)
	}
	if dt > 0 {
		w.M_inv_dt0 = s.step.Inv_dt
	}
	if w.M_flags&box2d.B2World_Flags.E_clearForces != 0 {
		for _, b := range s.mirror.bodies {
			b.M_force = box2d.B2Vec2{}
			b.M_torque = 0
		}
	}
	w.M_flags &^= box2d.B2World_Flags.E_locked
	s.mirror.seal(w)
	w.M_profile.Step = float64(time.Since(start)) / 1e6
}

// release lets go of bodies and contacts that the scratch of earlier steps may
// still know. A contact that has ended still leads to its neighbours of then,
// and they to theirs: one that is kept keeps all that end after it.
func (s *Stepper) release() {
	s.ended = false
	clear(s.islands.bodies[:cap(s.islands.bodies)])
	clear(s.islands.manifolds[:cap(s.islands.manifolds)])
	clear(s.toi.bodies[:cap(s.toi.bodies)])
	clear(s.toi.contacts[:cap(s.toi.contacts)])
}

// lap writes the milliseconds since mark and returns the present.
func lap(mark time.Time, ms *float64) time.Time {
	now := time.Now()
	*ms = float64(now.Sub(mark)) / 1e6
	return now
}

// postSolve shows the listener the impulses of a contact.
func (s *Stepper) postSolve(r *contactRef, vc *velocityConstraint) {
	impulse := &s.impulse
	if s.mayWrite {
		impulse = &box2d.B2ContactImpulse{} // it may keep it
	}
	vc.report(impulse)
	s.listener.PostSolve(r.iface, impulse)
}

// listen finds out who is to be told of the solver's impulses. If PostSolve may
// change the world, islands have to be solved and reported one by one.
func (s *Stepper) listen() {
	s.listener = s.world.M_contactManager.M_contactListener
	s.mayWrite = s.listener != nil && !s.opts.ReadOnlyPostSolve
	if r, ok := s.listener.(ReadOnlyPostSolver); ok && s.mayWrite {
		s.mayWrite = !r.ReadOnlyPostSolve()
	}
}
