package engine

import "time"

// Config is what an engine is made from. The zero value is a world with
// gravity (0, -10) m/s² stepped at 60 Hz, Pipelined, Interpolate.
type Config struct {
	Name string // in profiles and figures; empty means halfstep

	Gravity   Vec  // m/s²; zero means (0, -10), see NoGravity
	NoGravity bool // no gravity at all

	VelocityIterations int // per step; 0 means 8
	PositionIterations int // per step; 0 means 3
	NoSleep            bool
	NoContinuous       bool // no continuous collision: fast bodies tunnel
	NoWarmStarting     bool
	SubStepping        bool

	// StockStep steps with Box2D's own Step instead of the faster one with the
	// same bits. Workers is how many goroutines compute a step: 0 means one less
	// than the machine has processors, which is left to the thread that draws;
	// results do not depend on it.
	StockStep bool
	Workers   int // at most 256

	// MaxContacts is how many contacts the world may hold, of pairs of shapes
	// that touch or are about to; 0 means 500,000, which take 650 MB. What would
	// bring it more is refused with an error that wraps ErrCrowded; bodies that
	// come together in a step end physics with a Failure that does.
	MaxContacts int

	Rate      Rate // steps per second; zero means 60
	MaxSteps  int  // steps demanded and not yet done, at most; 0 means 5
	Sync      Sync
	Smoothing Smoothing
	Pacing    bool // even out frame times

	// EventsAtOnce delivers events as soon as their tick is known. By default
	// they come when the shown instant reaches their tick, so that nothing
	// explodes before it is seen to touch.
	EventsAtOnce bool

	// Setup builds the scene. It runs before the first step.
	Setup func(*World) error

	// OnStep is called on the physics goroutine after every step with its
	// tick and cost.
	OnStep func(tick uint64, cost time.Duration)

	// Injected says that the times given to Advance do not come from the wall
	// clock. Frames then wait for the ticks they expect, and a run is the same
	// every time. StepCost is the simulated cost of a step, or nil.
	Injected bool
	StepCost func(tick uint64) time.Duration

	// Record takes down everything that decides how the world moves.
	Record *RecordOptions
	// Replay moves the world as a recording says, and checks that it does;
	// commands are ignored. Use Recording.Config. A world that differs ends
	// physics with a Failure that is a *Mismatch.
	Replay *Recording

	// Loop runs another loop than the engine's own, to compare with; see Loops.
	// It can not be recorded. Single, fixed, variable, semi-fixed and free step
	// in Advance, on the goroutine that calls it; single is the only one of them
	// that heeds Smoothing, and none heeds Sync, Pacing and EventsAtOnce.
	Loop NewLoop

	// FixedLag and NoGovernor switch off what Pipelined does about steps that
	// cost more than a frame, and more than their own time.
	FixedLag, NoGovernor bool

	// Inject makes trouble on purpose, for tests.
	Inject []Injection

	// NoPhases marks no phases: no profile labels, no regions in traces, no
	// Spans, no OnLate.
	NoPhases bool
}
