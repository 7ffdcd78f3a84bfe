package fast

import (
	"time"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/workers"
	"halfstep/internal/monotime"
	"halfstep/internal/phasetrace"
	"halfstep/internal/timing"
)

// Options configure a stepper. The zero value is ready to use. No option changes the result.
type Options struct {
	// Workers is the number of goroutines that compute a step, including the goroutine that calls
	// Step. 0 means one less than the number of processors. With 1 the whole step runs on the
	// goroutine that calls Step.
	Workers int

	// MaxPairs is the greatest number of new pairs of shapes that one search may find. If there are
	// more, Step panics with an error that wraps TooManyPairs. 0 means no limit. The pairs include
	// those that filters will reject.
	MaxPairs     int
	TooManyPairs error

	// Watch lets other goroutines follow a step. It may be nil.
	Watch *Watch

	// Active receives every change of the world between two steps. If it is nil, each step searches
	// the whole world for changes.
	Active *box.World
}

// ReadOnlyPostSolver is a contact listener that can promise not to change the world in
// PostSolve. Then all islands are solved before the first call of PostSolve, so PostSolve sees
// bodies of later islands after they have moved. PostSolve is still called on the goroutine of
// Step, in the library's order and with the library's arguments.
type ReadOnlyPostSolver interface {
	box2d.B2ContactListenerInterface
	// ReadOnlyPostSolve reports whether PostSolve changes nothing in the world and does not store
	// the impulse. Step calls ReadOnlyPostSolve before it solves islands, and again before it
	// computes times of impact.
	ReadOnlyPostSolve() bool
}

// ReadOnlyCallbacks is a contact listener or contact filter that can promise to change nothing
// in the world but the contact of the call. With that promise, continuous collision checks only
// the contacts that an event has changed. Without the promise it checks every contact that may
// have an event. A listener with this promise must also be a [ReadOnlyPostSolver].
type ReadOnlyCallbacks interface {
	// ReadOnlyCallbacks reports whether the promise is made. Step calls it before it computes times
	// of impact.
	ReadOnlyCallbacks() bool
}

// Stepper advances one Box2D world. It must be created with [New] and used by one goroutine at
// a time, the owner of the world.
type Stepper struct {
	world    *box2d.B2World
	opts     Options
	pool     *workers.Pool
	task     task // the present task of the pool
	limits   limits
	mode     stepMode // mode of the present step; between steps, of the last step
	mirror   mirror   // lists the active part of the world
	narrow   narrowPhase
	islands  islandSolver
	toi      toiSolver
	step     box2d.B2TimeStep
	listener box2d.B2ContactListenerInterface // the world's listener at the start of Solve or SolveTOI
	impulse  box2d.B2ContactImpulse           // the argument of PostSolve if PostSolve does not store it

	ended bool // a contact was destroyed since the last call of release

	phases          *phasetrace.Recorder // gets the stages of a step; may be nil
	solved, largest int                  // the number of islands in the last step, and of bodies in the largest island
}

// New makes a stepper for world, which may be in any state between two steps. Between steps a
// program may use the whole API of the world, including the library's Step.
func New(world *box2d.B2World, opts Options) *Stepper {
	n := opts.Workers
	if n <= 0 {
		n = workers.Default()
	}
	if opts.Watch == nil {
		opts.Watch = new(Watch)
	}
	if opts.Active == nil {
		opts.Active = box.New(world, false) // false: the world's changes are not reported
	}
	opts.Active.Proxies.LimitPairs(opts.MaxPairs, opts.TooManyPairs)
	s := &Stepper{world: world, opts: opts, limits: defaultLimits, mirror: mirror{owner: opts.Active}}
	if s.pool = workers.New(n, func(piece int) { s.task(s, piece) }); s.pool != nil {
		s.pool.Patience = workers.Patience{Help: 1, Linger: 2, Stay: 2} // the workers fall asleep at once, because most of a step has no work for them
	}
	return s
}

// Close ends the worker goroutines and drops the memory that the stepper keeps between steps.
// The stepper must not be used afterwards, except for another Close.
func (s *Stepper) Close() {
	s.pool.Close()
	s.pool = nil
	s.mirror = mirror{owner: s.mirror.owner}
	s.narrow = narrowPhase{}
	s.islands = islandSolver{}
	s.toi = toiSolver{}
}

// Follow makes the stepper report the stages of a step to l, which may be nil.
func (s *Stepper) Follow(l *phasetrace.Recorder) { s.phases = l }

// Solved returns the number of islands in the last step, and the number of non-static bodies in
// the largest island. It does not count the islands of continuous collision.
func (s *Stepper) Solved() (islands, largest int) { return s.solved, s.largest }

// Step advances the world by dt seconds as world.Step(dt, velocityIterations,
// positionIterations) does: with the same bits and the same callbacks in the same order. It
// panics where the library's asserts do. As in the library, a panic leaves the world locked.
//
// If the world has a contact or joint of a type that is not the library's own, Step calls
// world.Step.
func (s *Stepper) Step(dt float64, velocityIterations, positionIterations int) {
	w := s.world
	s.solved, s.largest = 0, 0
	s.mode.callbacks = callbacksMayWrite
	if !w.M_stepComplete {
		// This step uses the times of impact in the contacts. The library does not check whether the
		// bodies of these contacts are still awake, so every object must be looked at.
		s.mirror.owner.LookAtAll()
	}
	if !s.mirror.owner.Begin() { // the world has types that are not the library's
		w.Step(dt, velocityIterations, positionIterations)
		return
	}
	s.mirror.follow(callbacksMayWrite) // callbacksMayWrite does not change flags; the mode of the step is chosen below
	if s.mirror.owner.Bodies.HaveChanged() || s.ended {
		s.release()
	}
	start := monotime.Now()

	if w.M_flags&box2d.B2World_Flags.E_newFixture != 0 {
		s.phases.EnterStage(timing.Pairs)
		s.findNewContacts()
		s.mirror.owner.Merge() // puts the new contacts into the order of age
		s.mirror.follow(callbacksMayWrite)
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

	clearsFlags := w.M_stepComplete && w.M_continuousPhysics && dt > 0
	if clearsFlags && s.runsNoCallbacks() { // if not, listen asks the listener whether it may write
		s.mode.callbacks = callbacksNone
	}

	mark := monotime.Now()
	s.phases.EnterStage(timing.NarrowPhase)
	s.collide()
	mark = lap(mark, &w.M_profile.Collide)

	if w.M_stepComplete && dt > 0 {
		s.solve()
		mark = lap(mark, &w.M_profile.Solve)
	}
	if w.M_continuousPhysics && dt > 0 {
		s.phases.EnterStage(timing.Continuous)
		s.solveTOI()
		lap(mark, &w.M_profile.SolveTOI)
	} else if dt > 0 {
		s.mirror.retire() // without continuous collision, solveTOI does not call retire
	}
	s.phases.EnterStage(timing.NoStage)
	if dt > 0 {
		w.M_inv_dt0 = s.step.Inv_dt
	}
	if w.M_flags&box2d.B2World_Flags.E_clearForces != 0 {
		for b := w.M_bodyList; b != nil; b = b.M_next {
			b.M_force = box2d.B2Vec2{}
			b.M_torque = 0
		}
	}
	s.mirror.owner.End()
	s.mirror.owner.GiveBack()
	w.M_flags &^= box2d.B2World_Flags.E_locked
	w.M_profile.Step = float64(monotime.Since(start)) / 1e6
}

// release drops pointers to bodies and contacts in scratch memory. A destroyed contact still points
// to its former neighbours, and these point to their own neighbours. So one pointer to a destroyed
// contact would keep all contacts that end later in memory.
func (s *Stepper) release() {
	s.ended = false
	clear(s.islands.bodies[:cap(s.islands.bodies)])
	clear(s.islands.manifolds[:cap(s.islands.manifolds)])
	clear(s.toi.bodies[:cap(s.toi.bodies)])
	clear(s.toi.contacts[:cap(s.toi.contacts)])
}

// findNewContacts makes the contacts of shapes whose fat AABBs have begun to overlap.
func (s *Stepper) findNewContacts() {
	s.mirror.owner.FindNewContacts()
	s.mirror.extend(callbacksMayWrite)
}

// lap writes the time since mark to ms, in ms. It returns the present time.
func lap(mark time.Time, ms *float64) time.Time {
	now := monotime.Now()
	*ms = float64(now.Sub(mark)) / 1e6
	return now
}

// postSolve calls the listener with the impulses of a contact.
func (s *Stepper) postSolve(r *contactRef, vc *contactVelocityConstraint) {
	impulse := &s.impulse
	if s.mode.callbacks == callbacksMayWrite {
		impulse = &box2d.B2ContactImpulse{} // PostSolve may store the impulse
	}
	vc.contactImpulse(impulse)
	s.listener.PostSolve(r.iface, impulse)
}
