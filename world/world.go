package world

import (
	"errors"
	"sync"

	"github.com/ByteArena/box2d"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/internal/owner"
	"halfstep/physicsloop"
	"halfstep/physicsloop/stepper"
)

// Config describes a world. The zero Config is a world with a
// gravity of (0, -10) m/s².
type Config struct {
	Gravity   Vec  // m/s²; zero means (0, -10), see NoGravity
	NoGravity bool // no gravity at all

	// Solver iterations a step, at most MaxIterations; 0 means 8 and 3.
	VelocityIterations, PositionIterations int

	NoSleep        bool // bodies at rest stay awake
	NoContinuous   bool // no continuous collision: fast bodies tunnel
	NoWarmStarting bool // the solver starts from nothing every step
	SubStepping    bool // at most one time-of-impact event a step

	// StockStep steps with B2World.Step itself instead of package stepper. The
	// results are the same bits.
	ReferenceStep bool
	// Workers is how many goroutines compute a step, at most MaxWorkers; 0
	// means 1. It changes no result.
	Workers int

	// MaxContacts is how many contacts the world may hold, of pairs of shapes
	// that touch or are about to; 0 means DefaultMaxContacts. A body or shape
	// that would bring it more is refused with an error that wraps ErrCrowded.
	// Where bodies come together in a step, the step panics with one.
	MaxContacts int
}

// Validate reports what is wrong with c: gravity that is not a finite number,
// counts that are negative or above their limits.
func (c Config) Validate() error {
	if err := checkVec("gravity", c.Gravity, maxValue); err != nil {
		return err
	}
	return firstError(
		checkCount("workers", c.Workers, MaxWorkers),
		checkCount("velocity iterations", c.VelocityIterations, MaxIterations),
		checkCount("position iterations", c.PositionIterations, MaxIterations),
		checkCount("contacts at most", c.MaxContacts, MostMaxContacts),
	)
}

// ErrStale is what errors about a name wrap whose body, shape or joint does
// not exist, or no longer.
var ErrStale = errors.New("does not exist")

// ErrStepping is returned by changes made from a callback while Box2D steps.
// Use Later.
var ErrStepping = errors.New("box: the world is stepping")

type stage uint8

const (
	idle     stage = iota // between two steps
	before                // controllers run
	stepping              // Box2D is locked
	after                 // contact hooks run
)

// World is a Box2D world with names, commands and events. It implements
// physicsloop.Simulation[buffer.BodyState, Event, Command]. Make one with New.
type World struct {
	cfg  Config
	b2   *box2d.B2World
	step func(dt float64, vel, pos int)

	stepper *stepper.Stepper           // nil if StockStep
	out     *physicsloop.Outbox[Event] // nil until Start
	lane    *phase.Lane
	watch   stepper.Watch // the stepper's, or of no use
	guard   owner.Guard

	tick      uint64 // steps done
	now       uint64 // what events and records are stamped with
	frame     uint64
	stepped   bool // since BeginFrame
	phase     stage
	scheduled bool // the command in hand is

	bodies     map[Body]*body
	shapes     map[Shape]*shape
	joints     map[Joint]*joint
	first      *body // in order of creation
	last       *body
	slots      []slot
	free       []int32
	made       uint64 // bodies, shapes and joints named here
	shapeID    uint32
	jointID    uint32
	ground     *box2d.B2Body // a mouse joint's A, made when first wanted
	loaded     []*body       // bodies with a force or torque
	awake      int32
	rejected   uint64
	unstamped  []*body2d.Structure
	late       []lateRecord
	dying      []dying
	later      []func(*World)
	registered map[string]func(*World, []float64)
	controls   []control
	hooks      []func(*World, []Event)
	preSolve   func(*World, Contact, bool) bool
	contacts   []Event // begun and ended since the hooks last ran
	spare      []Event
	begun      map[box2d.B2ContactInterface]int // index in contacts
	coming     coming
	stack      []int32 // scratch of room
	manifold   box2d.B2WorldManifold
	scrapEvent Event
}

var _ physicsloop.Simulation[body2d.State, Event, Command] = (*World)(nil)
var _ physicsloop.DebugCapturer = (*World)(nil)

// New returns an empty world. cfg should pass Validate; a gravity that does
// not is taken as zero.
func New(cfg Config) *World {
	initBox2D()
	switch {
	case cfg.NoGravity || checkVec("", cfg.Gravity, maxValue) != nil:
		cfg.Gravity = Vec{}
	case cfg.Gravity == Vec{}:
		cfg.Gravity = Vec{Y: -10}
	}
	if cfg.VelocityIterations <= 0 {
		cfg.VelocityIterations = 8
	}
	if cfg.PositionIterations <= 0 {
		cfg.PositionIterations = 3
	}
	if cfg.MaxContacts <= 0 {
		cfg.MaxContacts = DefaultMaxContacts
	}
	b2 := box2d.MakeB2World(b2vec(cfg.Gravity))
	w := &World{
		cfg: cfg, b2: &b2,
		bodies: map[Body]*body{}, shapes: map[Shape]*shape{}, joints: map[Joint]*joint{},
		begun: map[box2d.B2ContactInterface]int{},
	}
	// Without a filter on the world nothing is filtered at all.
	b2.SetContactFilter(&filter{w: w})
	b2.SetContactListener((*listener)(w))
	b2.SetAutoClearForces(false) // settle clears them
	b2.SetAllowSleeping(!cfg.NoSleep)
	b2.M_continuousPhysics = !cfg.NoContinuous
	b2.M_warmStarting = !cfg.NoWarmStarting
	b2.M_subStepping = cfg.SubStepping
	w.step = w.referenceStep
	if !cfg.ReferenceStep {
		w.stepper = stepper.New(w.b2, stepper.Options{
			Workers:  max(cfg.Workers, 1),
			MaxPairs: cfg.MaxContacts * pairsPerContact, Watch: &w.watch,
		})
		w.step = w.stepper.Step
	}
	return w
}

// Close ends the goroutines that help with steps. The world must not be stepped
// after it.
func (w *World) Close() {
	w.guard.Release()
	if w.stepper != nil {
		w.stepper.Close()
	}
}

var _ stepper.ReadOnlyPostSolver = (*listener)(nil)

var registers sync.Once

// initBox2D fills the package's table of contact types, which Box2D does when
// the first contact of the process is made: worlds on several goroutines would
// race for it.
func initBox2D() {
	registers.Do(func() {
		w := box2d.MakeB2World(box2d.B2Vec2{})
		def := box2d.MakeB2BodyDef()
		circle := box2d.MakeB2CircleShape()
		circle.M_radius = 1
		a := w.CreateBody(&def).CreateFixture(&circle, 0)
		b := w.CreateBody(&def).CreateFixture(&circle, 0)
		box2d.B2ContactFactory(a, 0, b, 0)
	})
}

// Follow tells l which phase of a step the world is in.
func (w *World) Follow(l *phase.Lane) { w.lane = l }

// Config returns the configuration, with defaults filled in.
func (w *World) Config() Config { return w.cfg }

// Box2D returns the world underneath; see the package comment for what may be
// done with it. Never to be kept beyond the callback that asked for it.
func (w *World) Box2D() *box2d.B2World {
	w.own()
	return w.b2
}

// Tick is the number of steps done.
func (w *World) Tick() uint64 {
	w.own()
	return w.tick
}

// Rejected is the number of commands not carried out.
func (w *World) Rejected() uint64 { return w.rejected }

// Counts reports figures for the HUD and the stats. Awake is as of the last
// step or capture.
func (w *World) Counts() body2d.Counts {
	return body2d.Counts{
		Bodies:   int32(len(w.bodies)),
		Awake:    w.awake,
		Contacts: int32(w.b2.M_contactManager.M_contactCount),
		Joints:   int32(len(w.joints)),
	}
}

// Later calls f at once, or, while Box2D steps, when the step is over and
// before the contact hooks.
func (w *World) Later(f func(*World)) {
	w.own()
	if w.phase == stepping {
		w.later = append(w.later, f)
		return
	}
	f(w)
}
