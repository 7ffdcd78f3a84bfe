package fast

import "github.com/ByteArena/box2d"

// stepMode says how a step is computed. Each step chooses it from the state of
// the world, its callbacks and the number of workers. All modes give the same
// bits. The modes differ in how much of the library's work they skip, and in how
// much they do in parallel.
//
// A mode has two independent parts: a world without callbacks may need the
// library's order, and a world with a listener may be solved in parallel. Of the
// callback modes, only callbacksMayWrite excludes solveCollected and
// solveParallel.
//
// The zero value is always safe.
type stepMode struct {
	callbacks callbackMode
	islands   islandMode
}

// callbackMode says what the program's callbacks can do during a step.
type callbackMode uint8

const (
	// callbacksMayWrite: PostSolve may change the world, and may store the impulses
	// that it gets. So it must be called for an island before the search for the next
	// island, each time with an impulse that is not used again.
	callbacksMayWrite callbackMode = iota

	// callbacksReadOnly: the PostSolve of the listener, if there is one, does not
	// change the world and does not store the impulse. It may read the flags of
	// contacts.
	callbacksReadOnly

	// callbacksNone: no callback runs before the island and time-of-impact flags of
	// all contacts are cleared again. So no code could see these flags, and they are
	// not set. Step chooses this mode before the narrow phase.
	callbacksNone
)

// islandMode says how the islands of a step are solved. Each mode saves more time
// than the one before and is safe in fewer steps.
type islandMode uint8

const (
	// solveInLibraryOrder finds and solves one island after the other, and solves the
	// constraints of each in the library's order. It is for steps in which a static
	// body can change, because the body has a velocity or because a number may become
	// infinite (see prepareBodies).
	solveInLibraryOrder islandMode = iota

	// solveOneByOne finds, solves and reports an island before it searches for the
	// next. It orders an island's constraints by level ([levelSchedule]). It is for
	// callbacksMayWrite, and for gear joints, which read bodies of other islands.
	solveOneByOne

	// solveCollected finds all islands, then solves them on the goroutine of
	// Step, then reports them.
	solveCollected

	// solveParallel does the same, but solves the islands on all workers. The workers
	// also compute the AABBs of moved bodies and the first times of impact. If the
	// workers save time, solveIslands uses it in place of solveCollected.
	solveParallel
)

// oneByOne reports whether an island is solved before the next one is found.
func (m islandMode) oneByOne() bool { return m <= solveOneByOne }

// chooseIslandMode returns the fastest mode that is safe. solveIslands decides
// whether solveCollected becomes solveParallel. ordered is true if a static body
// can change in this step, so that islands must be solved in the library's order.
func (s *Stepper) chooseIslandMode(ordered bool) islandMode {
	switch {
	case ordered:
		return solveInLibraryOrder
	case s.mirror.hasGearJoint || s.mode.callbacks == callbacksMayWrite:
		return solveOneByOne
	}
	return solveCollected
}

// listen stores the world's listener and whether its PostSolve may change the
// world. It keeps callbacksNone, which Step sets earlier if no callback can run.
func (s *Stepper) listen() {
	s.listener = s.world.M_contactManager.M_contactListener
	if s.mode.callbacks == callbacksNone {
		return
	}
	s.mode.callbacks = callbacksReadOnly
	if s.listener == nil {
		return
	}
	if r, ok := s.listener.(ReadOnlyPostSolver); !ok || !r.ReadOnlyPostSolve() {
		s.mode.callbacks = callbacksMayWrite
	}
}

// callbacksStayLocal reports whether each callback during continuous collision
// changes nothing but the contact that it gets.
func (s *Stepper) callbacksStayLocal() bool {
	mgr := &s.world.M_contactManager
	if mgr.M_contactListener != nil {
		r, ok := mgr.M_contactListener.(ReadOnlyCallbacks)
		if !ok || !r.ReadOnlyCallbacks() || s.mode.callbacks == callbacksMayWrite {
			return false
		}
	}
	switch f := mgr.M_contactFilter.(type) {
	case nil, *box2d.B2ContactFilter:
		return true
	case ReadOnlyCallbacks:
		return f.ReadOnlyCallbacks()
	}
	return false
}
