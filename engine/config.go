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

// Config configures an engine for New. The zero Config is an empty world with a
// gravity of (0, -10) m/s², stepped 60 times per second, Pipelined, interpolated and
// paced. A field that is zero costs nothing.
type Config struct {
	// Name appears in profiles and metrics. Empty means "halfstep".
	Name string

	// Setup builds the world before the first step, on the goroutine that calls
	// New. Its error becomes New's, and its panic reaches the caller of New.
	Setup func(*world.World) error
	// World says how Box2D steps.
	World world.Config
	// Time says how time passes and which instant the picture shows.
	Time Time
	// History says which parts of the past are kept, and in which state the engine begins.
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

// HistoryOptions says which parts of its past an engine keeps, and in which state it
// begins. The methods about it are those of Engine.History.
type HistoryOptions struct {
	// Snapshot is a state from world.LoadSnapshot to begin with instead of the one that
	// Setup has built, or nil. Setup adds functions, controllers and hooks, which a
	// snapshot does not hold. The engine begins at the snapshot's tick, and commands that
	// waited for a later tick wait again. A recording begins with the snapshot.
	Snapshot *world.Snapshot

	kept *history.Kept // snapshots that Commands.KeepSnapshot kept before Snapshot; or nil

	// Rollback keeps the last ticks, so that History.Rollback can go back to them.
	Rollback RollbackOptions

	// Record writes a recording of all commands and settings that decide how the world
	// moves.
	Record *RecordOptions
	// Replay carries out a recording, and compares the world with it after every
	// step. Recording.Config returns a Config with it. Commands that change the
	// world are ignored. If the world differs, physics ends with a Failure that
	// wraps a *Mismatch.
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

	// Watch describes the scene for watchers of a Stream.
	Watch WatchOptions
}

// Time says how time passes in an engine and which instant the picture shows.
type Time struct {
	Rate clock.Rate // steps per second; zero means 60
	// Sync says whether a frame waits for its steps: Pipelined (the default) never
	// does, and Lockstep always does. RunAhead shows the instant at which the frame
	// will be seen. It computes steps again, and with them controllers and hooks run
	// again; register their state with World.Keep. With RunAhead, a replay is shown
	// as by Pipelined.
	Sync renderloop.Sync
	// WaitBudget is the longest time for which a frame of RunAhead waits for its steps.
	// 0 means a third of the frame time, and at most 2 ms.
	WaitBudget time.Duration
	// MissBudget is the share of the display's refreshes that may be missed because
	// Display.Delay lets frames begin late: a larger share shortens the time from a
	// command to the display. 0 means a thousandth.
	MissBudget float64
	// CorrectionBlend is how long the picture of RunAhead takes to move a body from
	// where it was shown to where a command has put it, in the world's time. 0 moves
	// the body at once. Otherwise each state is copied as a whole.
	CorrectionBlend time.Duration
	// MaxSteps is how many steps may be demanded and not yet done, at most. Time that
	// would need more steps is dropped. 0 means as many as fit into the time of a
	// typical frame at their measured cost, at least 5 and at most those of 0.25 s, so
	// that a slow picture does not slow the world down.
	MaxSteps int

	// Smoothing says how the picture between two ticks is computed. The zero
	// value interpolates.
	Smoothing body2d.Smoothing
	// Pacing says whether measured frame times are evened out.
	Pacing Pacing

	// EventsAtOnce delivers events as soon as they are known. By default they are
	// delivered when the picture reaches their tick: the picture shows a crate hit
	// the ground before it explodes. See Engine.Events about a pause. In RunAhead
	// events are delivered by default when their tick is due, and with EventsAtOnce
	// as soon as they are predicted; an EventRetracted follows a predicted event
	// that does not happen.
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
	// PacingAuto paces unless time is Simulated: a program that chooses its frame
	// times makes them as even as it wants.
	PacingAuto Pacing = iota
	PacingOn          // paces always
	PacingOff         // shows frame times as they were measured
)

// Testing has settings for tests, comparisons and demonstrations.
type Testing struct {
	// Faults are late steps, late frames and garbage collections that are caused
	// on purpose.
	Faults []fault.Fault
	// StepCost returns the simulated cost of the step to a tick, if time is
	// Simulated. Nil means that steps cost nothing.
	StepCost func(tick uint64) time.Duration

	// SyncTest is a number of ticks, at most 3,600. After every step the engine goes
	// back that many ticks, runs them again and compares the states. This finds values
	// that a callback keeps and has not registered with World.Keep: physics then ends
	// with a Failure that names tick, body and value. Each step costs that many more. 0
	// turns it off.
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
