package world

import (
	"errors"

	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/buffer/body2d"
	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/internal/lane"
	"halfstep/internal/owner"
	"halfstep/internal/schedule"
	"halfstep/internal/shifted"
)

// What errors wrap, and what a step panics with.
var (
	// ErrStale is wrapped by errors about the handle of a body, shape or joint
	// that does not exist, or no longer.
	ErrStale = errors.New("does not exist")
	// ErrStepping is returned by changes made from the PreSolve and
	// ShouldCollide hooks, while Box2D steps. Use [World.Later].
	ErrStepping = errors.New("world: the world is stepping")
	// ErrCrowded is wrapped by errors about shapes that would make, or have
	// made, more contacts than Config.MaxContacts.
	ErrCrowded = errors.New("too many shapes overlap")
	// ErrInterrupted is what [Simulation.Step] panics with where
	// an engine gives up, see its CloseWithin.
	ErrInterrupted = errors.New("the step was interrupted")
)

// World is what user code sees of the physics: it creates, changes and looks at
// bodies, shapes and joints. An engine makes one and hands it to Config.Setup,
// to controllers, hooks and questions; without an engine, [NewSimulation] does.
// Its methods belong to the physics goroutine.
//
// Its rooms own what there is, each its tables, and know only those above them.
type World struct {
	setup
	callbacks
	scratch
	b2  *box2d.B2World
	cfg Config

	when      moment    // the tick, and the part of a step
	registry  registry  // bodies, shapes and joints by their handles
	places    places    // the slots of bodies in what is captured
	news      news      // events and structure records
	forces    forces    // that wait for a step
	sheet     sheet     // drawings
	masses    masses    // of the shapes of large bodies
	crowd     crowd     // how many contacts there will be
	surfaces  surfaces  // how shapes act on each other
	contacts  contacts  // what touches, and has begun and ended to
	links     links     // joints
	hashes    hashes    // of what decides how the world goes on
	keeping   keeping   // what snapshots share, and what restores go by
	aftermath aftermath // what follows from a step for the bodies that it has moved
	space     space     // what questions search

	handles handles                 // for what commands create
	waiting schedule.Queue[Command] // commands of the loop that wait for their tick
	later   []func(*World)          // see Later
	ran     int                     // how many controllers have been called for the step to come
	hooked  int                     // how many hooks have been called after the step at hand
	carried []shifted.Body          // made by World.Shift since the loop last took them

	refused bool // a number that the PreSolve hook wrote has been rejected
}

// setup is the part of a World that does not change once it runs.
type setup struct {
	step       func(dt float64, vel, pos int)
	stepper    follower      // nil in a test that steps as the library does
	box        *box.World    // owns b2
	soft       *soft.Stepper // nil unless SoftStep
	lane       *lane.Lane    // told which phase of a step runs, for profiles; may be nil
	watch      fast.Watch    // interrupts FastStep within a step, others before one
	guard      owner.Guard
	registered map[string]func(*World, []float64)
}

// scratch is the part of a World that is no state: memory that is used again.
type scratch struct {
	presolving PreSolveContact // the argument of the PreSolve hook
	joining    JointDef        // the joint that is being made
	making     []part          // the shapes of the body that is being made
	outlines   outlines        // shapes that were made last
}

// callbacks are the code that the world calls.
type callbacks struct {
	controls      []control
	hooks         []func(*World, []Event)
	preSolve      func(*World, *PreSolveContact)
	shouldCollide func(w *World, a, b Shape) bool
	states        []Stateful
}

// Tick returns the number of steps that the world has done. [World.Restore] turns
// it back. The ticks of events, of states and of [Commands.At] are an engine's,
// which only go on.
func (w *World) Tick() uint64 {
	w.checkGoroutine()
	return w.when.tick
}

// Counts reports how many bodies, contacts and joints there are.
func (w *World) Counts() body2d.Counts {
	w.checkGoroutine()
	return w.counts()
}

func (w *World) counts() body2d.Counts {
	w.places.recount()
	return body2d.Counts{
		Bodies:   int32(len(w.registry.bodies)),
		Awake:    w.places.awake,
		Contacts: int32(w.box.Contacts.Count()),
		Joints:   int32(len(w.registry.joints)),
	}
}

// Later calls f at once. While Box2D steps, it calls f when the step is over,
// before the contact hooks.
func (w *World) Later(f func(*World)) {
	w.checkGoroutine()
	if w.when.phase == stepping {
		w.later = append(w.later, f)
		return
	}
	f(w)
}

// Gravity returns the world's gravity, m/s².
func (w *World) Gravity() Vec {
	w.checkGoroutine()
	return fromB2(w.b2.M_gravity)
}

// SetGravity sets the gravity, m/s², and wakes the bodies that it acts on.
func (w *World) SetGravity(gravity Vec) error {
	w.checkGoroutine()
	if w.when.phase == stepping {
		return ErrStepping
	}
	if err := checkVec("gravity", gravity, maxValue); err != nil {
		return err
	}
	if b2vec(gravity) == w.b2.M_gravity {
		return nil
	}
	w.box.SetGravity(b2vec(gravity))
	return nil
}
