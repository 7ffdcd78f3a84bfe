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
// paced. A part that a zero field turns off needs no time.
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

	// OnStep is called on the physics goroutine after every step. tick is the tick to
	// which the step has led, and cost the time that the step has taken.
	OnStep func(tick uint64, cost time.Duration)

	// Logger is used if there is no callback: for a recording that fails without
	// RecordOptions.OnError, and for a black box that is written without
	// BlackBoxOptions.OnDump. Nil means slog.Default.
	Logger *slog.Logger

	// Testing is for tests, comparisons and demonstrations; leave it zero.
	Testing Testing
}

// HistoryOptions says which parts of its past an engine keeps, and in which state it
// begins. Engine.History has the methods about the past.
type HistoryOptions struct {
	// Snapshot is a state from world.LoadSnapshot, or nil. The engine begins with this
	// state instead of the one that Setup has built. Setup must still add functions,
	// controllers and hooks, which a snapshot does not contain. The engine begins at the
	// snapshot's tick, and commands that waited for a later tick wait again. A recording
	// begins with the snapshot.
	Snapshot *world.Snapshot

	kept *history.Kept // snapshots under numbers that Commands.KeepSnapshot had made before Snapshot; or nil

	// Rollback keeps the last ticks, so that History.Rollback can go back to them.
	Rollback RollbackOptions

	// Record writes a recording of all commands and settings that decide how the world
	// moves.
	Record *RecordOptions
	// Replay is a recording to carry out. After every step the engine compares the world
	// with the recording. Recording.Config returns a Config with Replay. Commands that
	// change the world are ignored. If the world differs, physics ends with a Failure
	// that wraps a *Mismatch.
	Replay *Recording
	// ReplayFrom is the tick at which the replay begins. The engine begins there if the
	// recording has a keyframe at that tick, as one of History.Past may have. Otherwise
	// it begins at the last keyframe before the tick, or at Recording.First.
	ReplayFrom uint64
	// SeekMemory is the number of bytes for keyframes of a replay, see History.Seek. 0
	// means 64 MiB. If it is negative there are no keyframes, and Seek only goes forward.
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
	// Sync says whether a frame waits for its steps. With Pipelined, the default, it
	// never waits, and with Lockstep it always does. RunAhead shows the instant at which
	// the frame will be seen. It computes some steps several times, and runs controllers
	// and hooks again with them, so register their state with World.Keep. A replay is
	// shown with Pipelined in place of RunAhead.
	Sync renderloop.Sync
	// WaitBudget is the longest time for which a frame of RunAhead waits for its steps.
	// 0 means a third of the frame time, and at most 2 ms.
	WaitBudget time.Duration
	// MissBudget is the part of the display's refreshes that may be missed because
	// Display.Delay lets frames begin late. A larger part shortens the time from a
	// command to the display. 0 means a thousandth.
	MissBudget float64
	// CorrectionBlend is the time in which the picture of RunAhead moves a body from its
	// shown place to the place that a command has given it, in the world's time. With 0
	// the body moves at once. With another value, each state is copied as a whole.
	CorrectionBlend time.Duration
	// MaxSteps is the greatest number of steps that may be demanded and not yet done.
	// Time that would need more steps is dropped. 0 means as many steps as can be done in
	// the time of a typical frame, but at least 5 and at most those of 0.25 s. So a slow
	// picture does not slow the world down.
	MaxSteps int

	// Smoothing says how the picture between two ticks is computed. The zero value is
	// Interpolate.
	Smoothing body2d.Smoothing
	// Pacing says whether measured frame times are made even.
	Pacing Pacing

	// EventsAtOnce delivers events as soon as they are known. By default they are
	// delivered when the picture reaches their tick, so that the picture shows how a
	// crate hits the ground before it explodes. See Engine.Events about a pause. In
	// RunAhead, events are delivered by default when their tick is due. With EventsAtOnce
	// they are delivered as soon as they are predicted, and an EventRetracted follows if
	// a predicted event does not happen.
	EventsAtOnce bool

	// Simulated means that the times given to Advance do not come from the wall clock.
	// Each frame then waits for the steps that it shows, so all runs are the same.
	Simulated bool
}

// Pacing says whether measured frame times are made even. They vary more than the
// refreshes of the display.
type Pacing uint8

const (
	// PacingAuto paces unless time is Simulated, because then the program itself chooses
	// its frame times.
	PacingAuto Pacing = iota
	PacingOn          // paces always
	PacingOff         // shows frame times as they were measured
)

// Testing has settings for tests, comparisons and demonstrations.
type Testing struct {
	// Faults are late steps, late frames and garbage collections that are caused
	// on purpose.
	Faults []fault.Fault
	// StepCost returns the time that a step takes if time is Simulated. tick is the tick
	// to which the step leads. Nil means that steps take no time.
	StepCost func(tick uint64) time.Duration

	// SyncTest is a number of ticks, at most 3,600. After every step the engine goes back
	// that many ticks, runs them again and compares the states. This finds variables of
	// callbacks that are not registered with World.Keep: physics then ends with a Failure
	// that names the tick, the body and the value. Each step takes the time of that many
	// more steps. 0 turns it off.
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
