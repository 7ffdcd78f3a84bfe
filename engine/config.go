package engine

import (
	"log/slog"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/engine/fault"
	"halfstep/internal/history"
	"halfstep/renderloop"
	"halfstep/renderloop/clock"
	"halfstep/world"
)

// Config is what New makes an engine from. The zero Config is an empty world with
// a gravity of (0, -10) m/s², stepped 60 times per second, Pipelined, interpolated
// and paced. The other fields add what a program may want, and cost nothing while they
// are zero.
type Config struct {
	// Name appears in profiles and metrics. Empty means "halfstep".
	Name string

	// Setup builds the world before the first step, on the goroutine that calls
	// New. Its error becomes New's, and a panic in it goes on to New's caller.
	Setup func(*world.World) error
	// World says how Box2D steps.
	World world.Config
	// Time says how time passes and how the picture follows it.
	Time Time
	// History says what is kept of the past, and what the engine begins with.
	History HistoryOptions

	// OnStep is called on the physics goroutine after every step, with the tick
	// that it led to and what it cost.
	OnStep func(tick uint64, cost time.Duration)

	// Logger is used where a callback is missing: for a recording that fails without
	// RecordOptions.OnError, and for a black box that is written without
	// BlackBoxOptions.OnDump. Nil means slog.Default.
	Logger *slog.Logger

	// Testing is for tests, comparisons and demonstrations; leave it zero.
	Testing Testing
}

// HistoryOptions says what an engine keeps of its past, and what it begins with. See
// Engine.History for what can be asked of it.
type HistoryOptions struct {
	// Snapshot is a state from world.LoadSnapshot to begin with instead of the one that
	// Setup has built, or nil. Setup adds what it does not hold: functions,
	// controllers and hooks. The engine begins at the tick that the other engine had, so
	// both number ticks alike from there, and commands that waited for a tick wait again.
	// A recording begins with the snapshot.
	Snapshot *world.Snapshot

	kept *history.Kept // what Commands.KeepSnapshot has kept before Snapshot; or nil

	// Rollback keeps the last ticks, so that History.Rollback can go back to them.
	Rollback RollbackOptions

	// Record writes a recording of everything that decides how the world moves.
	Record *RecordOptions
	// Replay makes the world move as a recording says, and checks after every
	// step that it does. Recording.Config returns a Config with it. Commands that
	// change the world are ignored. If the world differs, physics ends with a
	// Failure that wraps a *Mismatch.
	Replay *Recording
	// ReplayFrom is the tick to begin the replay at. The engine begins there if the
	// recording has a keyframe there (one of History.Past may have), or else at the last
	// one before it, or at Recording.First.
	ReplayFrom uint64
	// SeekMemory is how many bytes the keyframes of a replay may take, see
	// History.Seek; 0 means 64 MiB. Below 0 there are none, and Seek only goes
	// forward.
	SeekMemory int64

	// BlackBox keeps the last seconds in memory, and writes them as a recording when
	// something goes wrong.
	BlackBox *BlackBoxOptions

	// Watch says what Stream tells watchers of the scene.
	Watch WatchOptions
}

// Time says how time passes in an engine and how the picture follows it.
type Time struct {
	Rate clock.Rate // steps per second; zero means 60
	// Sync says whether a frame waits for its steps: Pipelined (the default)
	// never does, and Lockstep always does. RunAhead shows the instant at which the
	// frame will be seen; controllers and hooks run again with the steps that it
	// computes again, so give World.Keep what they remember. With RunAhead, a replay
	// is shown as by Pipelined.
	Sync renderloop.Sync
	// WaitBudget is the longest time for which a frame of RunAhead waits for its steps.
	// 0 means a third of the frame time, and at most 2 ms.
	WaitBudget time.Duration
	// MissBudget is the share of the display's refreshes that may be missed because
	// Display.Delay lets frames begin late: a larger one makes the time from a command to
	// light shorter. 0 means a thousandth.
	MissBudget float64
	// CorrectionBlend is how long the picture of RunAhead takes to move a body from
	// where it was shown to where a command has put it, in the world's time. 0 means
	// at once, so that the command is answered at once. Otherwise each state is
	// copied as a whole.
	CorrectionBlend time.Duration
	// MaxSteps is how many steps may be demanded and not yet done, at most. Time that
	// would need more steps is dropped. 0 means as many as can be done in the time of a
	// typical frame, by what steps cost, at least 5, and at most those of 0.25 s: a
	// picture that is slow does not slow the world down.
	MaxSteps int

	// Smoothing says how the picture between two ticks is made. The zero value
	// interpolates.
	Smoothing body2d.Smoothing
	// Pacing says whether measured frame times are evened out.
	Pacing Pacing

	// EventsAtOnce delivers events as soon as they are known. By default they
	// are delivered when the picture reaches their tick: a crate does not explode
	// before it is seen to hit the ground. See Engine.Events about a pause. In
	// RunAhead they come by default when their tick is due, and at once with the
	// prediction: then an EventRetracted follows one that does not happen after all.
	EventsAtOnce bool

	// Simulated means that the times given to Advance do not come from the wall
	// clock. Each frame then waits for the steps that it shows, so that every run
	// is the same.
	Simulated bool
}

// Pacing says whether measured frame times, which jitter more than the display does,
// are evened out.
type Pacing uint8

const (
	// PacingAuto paces unless time is Simulated: frame times that a program makes up
	// are as even as it wants them.
	PacingAuto Pacing = iota
	PacingOn          // paces always
	PacingOff         // shows frame times as they were measured
)

// Testing has what only tests, comparisons and demonstrations need.
type Testing struct {
	// Faults are late steps, late frames and garbage collections to cause on
	// purpose.
	Faults []fault.Fault
	// StepCost returns the simulated cost of the step to a tick, if time is
	// Simulated. Nil means that steps cost nothing.
	StepCost func(tick uint64) time.Duration

	// SyncTest goes back that many ticks after every step, at most 3,600, runs them
	// again and compares the whole states. It finds values that a callback keeps without
	// telling the world (world.World.Keep), before a rollback or a replay depends on
	// them: physics then ends with a Failure that names tick, body and value. Each step
	// costs that many more. 0 turns it off.
	SyncTest int

	// FixedLag keeps the picture one frame behind the clock, even where physics
	// needs longer than a frame.
	FixedLag bool
	// NoGovernor lets the clock run at full speed even where steps cost more
	// than their own time.
	NoGovernor bool
	// NoPhases turns off profile labels, trace regions, Spans, OnLate and Busy.
	NoPhases bool
}
