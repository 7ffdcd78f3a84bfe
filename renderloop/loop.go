package renderloop

import (
	"fmt"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/internal/exports"
	"halfstep/internal/phasetrace"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/internal/pacing"
	"halfstep/renderloop/scene"
)

// Sync is a mode: it says which instant a frame shows and whether the frame waits for its steps.
type Sync uint8

const (
	// Pipelined, the default, shows the clock's instant of the frame before, while physics does the
	// steps for the next frame. The render thread never waits.
	Pipelined Sync = iota
	// Lockstep waits for the steps of the frame and shows the clock's instant. A frame takes at
	// least as long as its steps.
	Lockstep
	// RunAhead shows the instant at which the frame will be on the display, at most 50 ms ahead of
	// the clock. Physics computes the steps up to that instant before they are due, with the
	// commands known so far, and computes the steps again when a command comes. A frame with
	// commands waits at most Config.WaitBudget for the new states. If the new states are not done
	// by then, a later frame shows the effect of the commands. If steps are too slow, the instant
	// is earlier, but not earlier than in Pipelined. RunAhead needs a simulation that can go back
	// (physicsloop.Predictor). With all other simulations, such as replays, RunAhead is the same as
	// Pipelined.
	RunAhead
)

var syncNames = [...]string{"pipelined", "lockstep", "run-ahead"}

// String returns the name of the mode: "pipelined", "lockstep" or "run-ahead".
func (s Sync) String() string {
	if int(s) >= len(syncNames) {
		s = Pipelined
	}
	return syncNames[s]
}

// Config configures a Loop. The zero Config means 60 steps per second, Pipelined,
// Interpolate and no pacing, on the wall clock.
type Config struct {
	Rate      clock.Rate // steps per second
	MaxSteps  int        // 0 means the number of steps that can be done in the time of a frame, see clock.Clock.Allow
	Sync      Sync
	Smoothing body2d.Smoothing
	Late      bool // see scene.View.LateVelocity
	Pacing    bool // true makes frame times even, see pacing.Pacer

	// WaitBudget is the longest time for which a frame of RunAhead waits for its steps, in
	// nanoseconds. 0 means a third of the frame time, at most 2 ms.
	WaitBudget int64

	// FixedLag keeps the picture of Pipelined exactly one frame behind the clock, even if a
	// step takes longer than a frame.
	FixedLag bool
	// NoGovernor keeps the clock at full speed even if steps take longer than the time that they
	// simulate.
	NoGovernor bool

	// Simulated means that frame times do not come from the wall clock. With Simulated, each frame
	// waits for the ticks that are done on the simulated clock, so all runs are the same.
	Simulated bool
	// StepCost returns the time that the step to a tick takes on a simulated clock, in ns. Nil
	// means 0.
	StepCost func(tick uint64) int64

	// MissBudget is the part of the display's refreshes that may be missed because Delay lets
	// frames begin late. 0 means a thousandth.
	MissBudget float64

	phases *phasetrace.Recorder // records the phases of the render thread for profiles; may be nil
}

const maxMissBudget = .1

// Package engine sets the unexported field through internal/exports.
func init() { exports.SetRenderRecorder = func(c *Config, l *phasetrace.Recorder) { c.phases = l } }

// Loop is the render side of an engine. It has the clock, demands steps from physics, takes a pair
// of states, and decides which instant between the two states to show. It draws nothing. Only the
// render thread may call its methods. The main method is Frame, in frame.go.
type Loop[S, E, C any] struct {
	link  *buffer.Link[S, E, C]
	clock *clock.Clock

	config     Config           // only Sync and Pacing change after New
	atOnce     bool             // see DeliverAtOnce
	pacer      pacing.Pacer     // makes frame times even
	aim        pacing.Aim       // computes shown.aimed
	startDelay pacing.Start     // computes the result of Delay
	lag        lag              // the lag of Pipelined (pipelined.go)
	lead       lead             // the lead of RunAhead (lead.go)
	governor   governor         // slows the clock if steps take too long
	physics    physics[S, E, C] // posts frames and waits for physics (simulated.go)
	motion     motion           // measures how evenly the picture moves (stats.go)

	last           last   // values of the last frame
	shown          shown  // the instant that this frame shows (frame.go)
	postedCommands uint64 // the number of posted commands
	events         uint64 // the number of events that have become due
	kept           uint64 // the value of the field events at the last reduction of the unread events to MaxPendingEvents
	seeking        uint64 // the number of the posted frame with a seek that is not done; 0 if there is no seek
	stepped        bool   // true if this frame is a call of Step
	rested         bool   // true if there was a pause between the last frame and this frame

	still bool    // true if the clock has not advanced in this frame
	rest  int64   // the part of the next frame's time that was a pause, in ns
	own   int64   // the frame time without pauses and waits for steps, in ns
	unit  float64 // the length of the ticks in which lag, lead and so on are counted, in s: clock.Dt of the next step
	view  scene.View[S]
	stats Stats
}

// last has values of the last frame, N-1. D and a are as in the package comment.
type last struct {
	demand    uint64  // D[N-1]
	alpha     float64 // a[N-1]
	advance   float64 // the number of ticks by which the clock advanced
	overshoot float64 // the overshoot of the frame, in ticks, see Loop.overshoot
}

func (l *last) instant() clock.Instant { return clock.Instant{Tick: l.demand, Part: l.alpha} }

// New returns a loop for a link. Physics may start before or after the call of New. The error says
// that Rate, MaxSteps, WaitBudget or MissBudget is out of range, or that Sync or Smoothing does not
// exist.
func New[S, E, C any](link *buffer.Link[S, E, C], config Config) (*Loop[S, E, C], error) {
	if config.Rate == (clock.Rate{}) {
		config.Rate = clock.Hz(60)
	}
	clock, err := clock.New(config.Rate)
	if err != nil {
		return nil, err
	}
	if int(config.Sync) >= len(syncNames) {
		return nil, fmt.Errorf("sync %d: there is no such mode", config.Sync)
	}
	if config.Smoothing > body2d.Hermite {
		return nil, fmt.Errorf("smoothing %d: there is no such mode", config.Smoothing)
	}
	if config.WaitBudget < 0 {
		return nil, fmt.Errorf("wait budget %v: must not be negative", time.Duration(config.WaitBudget))
	}
	if !(config.MissBudget >= 0 && config.MissBudget <= maxMissBudget) {
		return nil, fmt.Errorf("miss budget %v: must be from 0 to %v of the refreshes", config.MissBudget, maxMissBudget)
	}
	if err := clock.SetMaxSteps(config.MaxSteps); err != nil {
		return nil, err
	}
	l := &Loop[S, E, C]{
		link: link, clock: clock, config: config, governor: governor{speed: 1}, unit: clock.Dt(),
		shown: shown{at: start}, motion: motion{shown: start}, physics: physics[S, E, C]{link: link},
		startDelay: pacing.Start{Budget: config.MissBudget},
		view:       scene.View[S]{Scene: scene.New(), Smoothing: config.Smoothing, LateVelocity: config.Late, Dt: clock.Dt()},
	}
	if config.Simulated {
		l.physics.simulate(config.StepCost)
		l.governor.observe(l.physics.model.cost(link.Tick() + 1))
	}
	return l, nil
}

// Clock returns the clock of the loop.
func (l *Loop[S, E, C]) Clock() *clock.Clock { return l.clock }

// View returns the view that the last Frame has returned.
func (l *Loop[S, E, C]) View() *scene.View[S] { return &l.view }

// Sync returns the present mode.
func (l *Loop[S, E, C]) Sync() Sync { return l.config.Sync }

// SetSync changes the mode from the next frame on. A mode that does not exist changes
// nothing.
func (l *Loop[S, E, C]) SetSync(s Sync) {
	if int(s) >= len(syncNames) {
		return
	}
	if s != l.config.Sync {
		l.lead.frame = 0
	}
	l.config.Sync = s
}

// SetSmoothing changes the smoothing mode of the picture from the next frame on. A mode that does
// not exist changes nothing.
func (l *Loop[S, E, C]) SetSmoothing(m body2d.Smoothing) {
	if m <= body2d.Hermite {
		l.view.Smoothing = m
	}
}

// SetPacing turns pacing on or off from the next frame on.
func (l *Loop[S, E, C]) SetPacing(on bool) {
	if l.config.Pacing != on {
		l.config.Pacing = on
		l.pacer.Reset()
		l.aim.Reset()
	}
}

// SetRefresh sets the time between two refreshes of the display, in ns. 0 means that this time is
// unknown.
func (l *Loop[S, E, C]) SetRefresh(ns int64) { l.pacer.Refresh = max(ns, 0) }

// Send adds a command to the next frame. Physics applies the command after the ticks that
// were demanded so far, and before the next step. If physics has stopped, the command is
// dropped.
func (l *Loop[S, E, C]) Send(o buffer.Scheduled[C]) {
	if !l.link.Stopped() {
		l.link.Commands.Append(o)
	}
}

// Rest says that ns nanoseconds of the next frame's time were a pause that has begun and ended
// since the last frame. These nanoseconds count as paused time.
func (l *Loop[S, E, C]) Rest(ns int64) { l.rest += max(ns, 0) }

// DeliverAtOnce says when events become due: with true, as soon as the loop has the state with
// them, and with false, when the shown instant reaches their tick.
func (l *Loop[S, E, C]) DeliverAtOnce(on bool) { l.atOnce = on }
