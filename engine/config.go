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

// Config configures an engine for New. The zero Config is an empty world with a gravity of (0, -10)
// m/s², stepped 60 times per second, Pipelined, interpolated and paced.
type Config struct {
	// Name appears in profiles and metrics. Empty means "halfstep".
	Name string

	// Setup builds the world before the first step, on the goroutine that calls New. New
	// returns the error of Setup. If Setup panics, New panics.
	Setup func(*world.World) error
	// World says how Box2D steps.
	World world.Config
	// Time says how time passes and which instant the picture shows.
	Time Time
	// History says which parts of the past are kept, and in which state the engine begins.
	History HistoryOptions

	// OnStep is called on the physics goroutine after every step. The parameter tick is the number
	// of steps done, and cost is the time that the step has taken.
	OnStep func(tick uint64, cost time.Duration)

	// Logger reports a recording that fails if there is no RecordOptions.OnError, and a file of the
	// black box if there is no BlackBoxOptions.OnDump. Nil means slog.Default.
	Logger *slog.Logger

	// Testing is for tests, comparisons and demonstrations; leave it zero.
	Testing Testing
}

// HistoryOptions says which parts of its past an engine keeps, and in which state it
// begins. Engine.History has the methods about the past.
type HistoryOptions struct {
	// Snapshot is a state from world.LoadSnapshot, or nil. The engine begins with this state
	// instead of the one that Setup has built. Setup must still add the functions, controllers and
	// hooks, because a snapshot does not contain them. The engine begins at the snapshot's tick,
	// and commands that waited for a later tick wait again. A recording begins with the snapshot.
	Snapshot *world.Snapshot

	kept *history.Kept // the snapshots of Commands.KeepSnapshot from before Snapshot, or nil

	// Rollback keeps the last ticks, so that History.Rollback can go back to them.
	Rollback RollbackOptions

	// Record writes a recording of all commands and settings that decide how the world
	// moves.
	Record *RecordOptions
	// Replay is a recording that the engine replays, or nil. The engine then ignores the program's
	// commands that change the world. After every step it compares the world with the recording. If
	// the two differ, physics ends with a Failure that wraps a *Mismatch. Recording.Config returns
	// a Config with Replay.
	Replay *Recording
	// ReplayFrom is the tick at which the replay begins. If the recording has no keyframe at that
	// tick, the replay begins at the last keyframe before it, or at Recording.First if there is
	// none. Only a recording of History.Past has keyframes at this point.
	ReplayFrom uint64
	// SeekMemory is the number of bytes for keyframes of a replay, see History.Seek. 0 means 64
	// MiB. A negative value means no keyframes; then Seek only goes forward.
	SeekMemory int64

	// BlackBox keeps the last seconds in memory, and writes them as a recording after a
	// failure.
	BlackBox *BlackBoxOptions

	// Watch describes the scene for watchers of a Stream.
	Watch WatchOptions
}

// Time says how time passes in an engine, and which instant the picture shows.
type Time struct {
	Rate clock.Rate // steps per second; zero means 60
	// Sync says whether a frame waits for its steps. With Pipelined, the default, no frame waits,
	// and with Lockstep each frame waits. RunAhead shows the instant at which the frame will be
	// seen. RunAhead computes some steps several times, and runs controllers and hooks again in
	// these steps, so register the state of controllers and hooks with World.Keep. A replay uses
	// Pipelined in place of RunAhead.
	Sync renderloop.Sync
	// WaitBudget is the longest time for which a frame of RunAhead waits for its steps.
	// 0 means a third of the frame time, and at most 2 ms.
	WaitBudget time.Duration
	// MissBudget is the part of the display's refreshes that may be missed because Display.Delay
	// lets frames begin late. With a larger part, frames begin later, and the time from a command
	// to the display is shorter. 0 means a thousandth.
	MissBudget float64
	// CorrectionBlend is the time in which the picture of RunAhead moves a body from its shown
	// place to the place that a command has given it, in the world's time. With 0 the body moves at
	// once. With a value above 0, physics copies whole states in place of changes.
	CorrectionBlend time.Duration
	// MaxSteps is the greatest number of steps that may be demanded and not yet done. Time that
	// would need more steps is dropped. 0 means the number of steps that can be done in the time of
	// a typical frame, but at least 5 and at most the steps of 0.25 s.
	MaxSteps int

	// Smoothing says how the picture between two ticks is computed. The zero value is
	// Interpolate.
	Smoothing body2d.Smoothing
	// Pacing says whether measured frame times are made even.
	Pacing Pacing

	// EventsAtOnce delivers events as soon as they are known. Without EventsAtOnce an event is
	// delivered when the picture reaches the tick of the event, or in RunAhead when that tick is
	// due; see Engine.Events about a pause. With EventsAtOnce RunAhead delivers events as soon as
	// they are predicted. If a predicted event then does not happen, an EventRetracted follows.
	EventsAtOnce bool

	// Simulated means that the times given to Advance do not come from the wall clock. With
	// Simulated each frame waits for the steps that it shows, so all runs are the same.
	Simulated bool
}

// Pacing says whether measured frame times are made even. Measured frame times vary more than the
// times between two refreshes of the display.
type Pacing uint8

const (
	// PacingAuto makes frame times even, unless Time.Simulated is set: then the program itself
	// chooses its frame times.
	PacingAuto Pacing = iota
	PacingOn          // makes frame times even, even if Time.Simulated is set
	PacingOff         // uses frame times as they were measured
)

// Testing has settings for tests, comparisons and demonstrations.
type Testing struct {
	// Faults are late steps, late frames and garbage collections that are caused
	// on purpose.
	Faults []fault.Fault
	// StepCost returns the time that the step to a tick takes if Time.Simulated is set. Nil means
	// that steps take no time.
	StepCost func(tick uint64) time.Duration

	// SyncTest is a number of ticks, at most 3,600. After every step the engine goes back by this
	// number of ticks, runs these ticks again and compares the states. So it finds variables of
	// callbacks that are not registered with World.Keep: physics ends with a Failure that names the
	// tick, the body and the value. A step then takes as long as 1 + SyncTest steps. 0 turns the
	// test off.
	SyncTest int

	// FixedLag keeps the picture exactly one frame behind the clock, even if physics
	// needs longer than a frame.
	FixedLag bool
	// NoGovernor keeps the clock at full speed even if steps take longer than the time
	// that they simulate.
	NoGovernor bool
	// NoPhases turns off profile labels, trace regions, Spans, OnLate and Busy.
	NoPhases bool
}
