package fast

import "github.com/ByteArena/box2d"

// stepMode says how a step is computed. It is chosen for each step from the state of the world, its
// callbacks and the number of workers. All modes give the same bits. A mode says how much of the
// library's work a step leaves out, and how much of it runs in parallel. The zero value is always
// safe.
//
// The two fields are independent: a world without callbacks may need the library's order, and a
// world with a listener may be solved in parallel. Only callbacksMayWrite excludes solveCollected
// and solveParallel.
type stepMode struct {
	callbacks callbackMode
	islands   islandMode
}

// callbackMode says what the program's callbacks can do during a step.
type callbackMode uint8

const (
	// callbacksMayWrite: PostSolve may change the world, and may store the impulses that it gets. So
	// PostSolve is called for each island before the next island is searched for, and each call gets
	// impulses of its own.
	callbacksMayWrite callbackMode = iota

	// callbacksReadOnly: PostSolve does not change the world and does not store the impulse, or there
	// is no listener. Callbacks may read the flags of contacts.
	callbacksReadOnly

	// callbacksNone: no callback runs while contacts have island flags or time-of-impact flags. So no
	// code could see these flags, and they are not set. Step chooses this mode before the narrow phase.
	callbacksNone
)

// islandMode says how the islands of a step are solved. A higher mode is faster and is safe in
// fewer steps.
type islandMode uint8

const (
	// solveInLibraryOrder finds and solves one island after the other, and solves the constraints of
	// each in the library's order. It is for steps in which a static body can change (see
	// prepareBodies).
	solveInLibraryOrder islandMode = iota

	// solveOneByOne finds, solves and reports an island before it searches for the next island. It
	// orders an island's constraints by level ([levelSchedule]). It is for callbacksMayWrite, and for
	// gear joints, which read bodies of other islands.
	solveOneByOne

	// solveCollected finds all islands, then solves them on the goroutine of Step, then reports them.
	solveCollected

	// solveParallel finds all islands, solves them on all workers, then reports them. The workers also
	// compute the AABBs of moved bodies and the first times of impact.
	solveParallel
)

// oneByOne reports whether an island is solved before the next island is found.
func (m islandMode) oneByOne() bool { return m <= solveOneByOne }

// chooseIslandMode returns the fastest mode that is safe, except solveParallel: solveIslands decides
// about that. ordered is true if islands must be solved in the library's order because a static
// body can change.
func (s *Stepper) chooseIslandMode(ordered bool) islandMode {
	switch {
	case ordered:
		return solveInLibraryOrder
	case s.mirror.hasGearJoint || s.mode.callbacks == callbacksMayWrite:
		return solveOneByOne
	}
	return solveCollected
}

// listen stores the world's listener, and sets whether its PostSolve may change the world. If Step
// has already chosen callbacksNone, listen keeps that mode.
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

// callbacksStayLocal reports whether each callback during continuous collision promises to change
// only the contact that it gets.
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
