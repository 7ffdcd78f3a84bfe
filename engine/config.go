package engine

import (
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine/fault"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Config says what an engine is made of. The zero Config is an empty world with
// a gravity of (0, -10) m/s², stepped 60 times a second and drawn Pipelined and
// interpolated.
type Config struct {
	// Name appears in profiles and metrics. Empty means "halfstep".
	Name string

	// Setup builds the world before the first step.
	Setup func(*world.World) error

	// World says how Box2D steps. Workers 0 means one less than the machine has
	// processors: that one is left to the thread that draws.
	World world.Config
	// Time says how time passes.
	Time Time
	// Sync says whether a frame waits for its steps. The default, Pipelined,
	// never waits.
	Sync renderloop.Sync

	// OnStep is called on the physics goroutine after every step, with the
	// step's tick and cost.
	OnStep func(tick uint64, cost time.Duration)

	// Record writes down everything that decides how the world moves.
	Record *RecordOptions
	// Replay moves the world as a recording says and checks that it does.
	// Commands are ignored. Start from Recording.Config. If the world differs,
	// physics ends with a Failure that wraps a *Mismatch.
	Replay *Recording

	// Testing has what only tests, comparisons and demonstrations need.
	Testing Testing
}

// Time says how time passes in an engine, and how the picture follows it.
type Time struct {
	Rate     clock.Rate // steps per second; zero means 60
	MaxSteps int        // most steps demanded and not yet done; 0 means 5

	// Smoothing is how the picture between two ticks is made.
	Smoothing body2d.Smoothing
	// Pacing evens out measured frame times.
	Pacing bool

	// EventsAtOnce delivers events as soon as they are known. By default they
	// are delivered when the shown instant reaches their tick, so that nothing
	// explodes before it is seen to touch.
	EventsAtOnce bool

	// Simulated says that the times given to Advance do not come from the wall
	// clock. Each frame then waits for the ticks that it must show, so that a
	// run is the same every time.
	Simulated bool
}

// Testing has what only tests, comparisons and demonstrations need.
type Testing struct {
	// Faults are delays and collections to cause on purpose.
	Faults []fault.Fault
	// StepCost is the simulated cost of a step where time is Simulated. Nil
	// means that a step costs nothing.
	StepCost func(tick uint64) time.Duration

	// Loop replaces the engine's own loop by another, to compare with. Such an
	// engine can not record or replay.
	Loop NewLoop

	// FixedLag keeps the picture one frame behind the clock, even where physics
	// needs longer than a frame.
	FixedLag bool
	// NoGovernor lets the clock run at full speed even where steps cost more
	// than their own time.
	NoGovernor bool
	// NoPhases leaves out profile labels, trace regions, Spans and OnLate.
	NoPhases bool
}
