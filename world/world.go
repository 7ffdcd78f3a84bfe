package world

import (
	"errors"

	"github.com/ByteArena/box2d"

	"halfstep/box/fast"
	"halfstep/buffer/body2d"
	"halfstep/internal/box"
	"halfstep/internal/box/soft"
	"halfstep/internal/owner"
	"halfstep/internal/phasetrace"
	"halfstep/internal/schedule"
	"halfstep/internal/shifted"
)

// Errors for errors.Is, and the value with which an interrupted step panics.
var (
	// ErrStale is wrapped by errors about a handle whose body, shape or joint does
	// not exist.
	ErrStale = errors.New("does not exist")
	// ErrStepping is returned by calls that change the world in the PreSolve and
	// ShouldCollide hooks, while Box2D steps. Use [World.Later] there.
	ErrStepping = errors.New("world: the world is stepping")
	// ErrCrowded is wrapped by errors about shapes that have, or would have, more
	// contacts than Config.MaxContacts.
	ErrCrowded = errors.New("too many shapes overlap")
	// ErrInterrupted is the value with which [Simulation.Step] panics if an engine
	// gives up; see CloseWithin of the engine.
	ErrInterrupted = errors.New("the step was interrupted")
)

// World is the physics for a program: it creates, changes and returns bodies,
// shapes and joints. An engine makes a World and passes it to Config.Setup, to
// controllers, hooks and questions. Without an engine, [NewSimulation] makes a
// World. The methods belong to the physics goroutine.
//
// Each of its parts owns its tables, and knows only the parts above it.
type World struct {
	setup
	callbacks
	scratch
	b2  *box2d.B2World
	cfg Config

	when      moment    // the tick, and the phase of the step
	registry  registry  // bodies, shapes and joints by their handles
	places    places    // the slots of bodies in captures
	news      news      // events and structure records
	forces    forces    // the forces that wait for a step
	sheet     sheet     // drawings
	masses    masses    // the masses of the shapes of bodies with many shapes
	crowd     crowd     // the number of contacts that the next step may make
	surfaces  surfaces  // the rules for touching surfaces
	contacts  contacts  // present contacts, and those that began and ended
	links     links     // joints
	hashes    hashes    // the hashes of the state that decides later steps
	keeping   keeping   // the data that snapshots share, and the data of a restore
	numbered  numbered  // keeps the snapshots of Commands.KeepSnapshot
	aftermath aftermath // the effects of a step on the bodies that it has moved
	space     space     // the shapes, for queries

	handles handles                 // the handles of new objects that commands make
	waiting schedule.Queue[Command] // commands of the loop that wait for their tick
	later   []func(*World)          // see Later
	ran     int                     // the number of controllers that were called for the next step
	hooked  int                     // the number of hooks that were called after the current step
	carried []shifted.Body          // the calls of World.Shift since the loop last read them

	refused bool // some number from the PreSolve hook has been rejected
}

// setup is the part of a World that does not change while the world runs.
type setup struct {
	step       func(dt float64, vel, pos int)
	stepper    follower             // nil in a test that steps with the library's own step
	box        *box.World           // owns b2
	soft       *soft.Stepper        // nil unless SoftStep
	phases     *phasetrace.Recorder // gets the phases of a step, for profiles; may be nil
	watch      fast.Watch           // interrupts FastStep in the middle of a step, and SoftStep before a step
	guard      owner.Guard
	registered map[string]func(*World, []float64)
}

// scratch is memory of a World that is used again and is not state.
type scratch struct {
	presolving PreSolveContact // the argument of the PreSolve hook
	joining    JointDef        // the joint that is being made
	making     []part          // the shapes of the body that is being made
	outlines   outlines        // the last shapes that were made
}

// callbacks are the functions and controllers that the world calls.
type callbacks struct {
	controls      []control
	hooks         []func(*World, []Event)
	preSolve      func(*World, *PreSolveContact)
	shouldCollide func(w *World, a, b Shape) bool
	states        []Stateful
}

// Tick returns the number of steps that the world has done. [World.Restore] sets it
// back. Events, states and [Commands.At] use the ticks of the engine, which only
// increase.
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

// Later calls f at once, except while Box2D steps. Then it calls f when the step is
// over, before the contact hooks.
func (w *World) Later(f func(*World)) {
	w.checkGoroutine()
	if w.when.phase == stepping {
		w.later = append(w.later, f)
		return
	}
	f(w)
}

// Gravity returns the world's gravity, in m/s².
func (w *World) Gravity() Vec {
	w.checkGoroutine()
	return fromB2(w.b2.M_gravity)
}

// SetGravity sets the gravity, in m/s², and wakes the bodies on which it acts.
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
