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

// Sync is the way in which frames and steps are synchronized.
type Sync uint8

const (
	// Pipelined (the default) shows the instant of the frame before, while
	// physics does the steps for the next frame. The render thread never waits.
	Pipelined Sync = iota
	// Lockstep waits for the steps of the frame. The picture is not late, but a frame takes at
	// least as long as its steps.
	Lockstep
	// RunAhead shows the instant at which the frame will be on the display, at most 50 ms from
	// now. Physics computes the steps up to there before they are due, with the commands known
	// so far, and computes them again when a command comes. A frame with commands waits at most
	// Config.WaitBudget for the new states. If they are not done by then, a later frame shows
	// the effect. If steps are too slow, the instant is earlier, down to that of Pipelined.
	// RunAhead needs a simulation that can go back (physicsloop.Predictor). With any other,
	// such as a replay, it acts like Pipelined.
	RunAhead
)

var syncNames = [...]string{"pipelined", "lockstep", "run-ahead"}

// String returns the mode's name as in flags.
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
	MaxSteps  int        // 0 means as many as can be done in a frame's time, see clock.Clock.Allow
	Sync      Sync
	Smoothing body2d.Smoothing
	Late      bool // see scene.View.LateVelocity
	Pacing    bool // makes frame times even, see pacing.Pacer

	// WaitBudget is the longest time for which a frame of RunAhead waits for its steps, in
	// nanoseconds. 0 means a third of the frame time, at most 2 ms.
	WaitBudget int64

	// FixedLag keeps the picture of Pipelined exactly one frame behind the clock, even if a
	// step takes longer than a frame.
	FixedLag bool
	// NoGovernor keeps the clock at full speed under overload, so that it reaches the limit on
	// steps.
	NoGovernor bool

	// Simulated means that frame times do not come from the wall clock. The loop then waits for
	// each tick that is done on the simulated clock, so all runs are the same.
	Simulated bool
	// StepCost is the time that a step takes on a simulated clock, ns. Nil means 0.
	StepCost func(tick uint64) int64

	// MissBudget is the part of the display's refreshes that may be missed because Delay lets
	// frames begin late. 0 means a thousandth.
	MissBudget float64

	phases *phasetrace.Recorder // records the phases of the render thread for profiles; may be nil
}

const maxMissBudget = .1

// Package engine sets the unexported field through internal/exports.
func init() { exports.SetRenderRecorder = func(c *Config, l *phasetrace.Recorder) { c.phases = l } }

// Loop is the render side of the frame protocol. It owns the clock, demands steps
// from physics, takes the pair of states to show, and decides which instant
// between them to show. It draws nothing. All methods belong to the render thread.
// Its main method, Frame, is in frame.go.
type Loop[S, E, C any] struct {
	link  *buffer.Link[S, E, C]
	clock *clock.Clock

	config     Config           // only Sync and Pacing change after New
	atOnce     bool             // see DeliverAtOnce
	pacer      pacing.Pacer     // evens out frame times
	aim        pacing.Aim       // adapts the shown instant to the refresh in which the frame will be seen
	startDelay pacing.Start     // decides how late a frame may begin, see Delay
	lag        lag              // distance behind the clock when steps take longer than a frame (pipelined.go)
	lead       lead             // state of RunAhead (lead.go)
	governor   governor         // slows the clock under overload
	physics    physics[S, E, C] // posts frames to physics and waits for them (simulated.go)
	motion     motion           // measures how evenly the picture moves (stats.go)

	last           last   // values of the frame before
	shown          shown  // the instant that this frame shows (frame.go)
	postedCommands uint64 // commands posted
	events         uint64 // the number of events, from the first one, that are due
	kept           uint64 // the value of events when the number of unread events was last reduced to MaxPendingEvents
	seeking        uint64 // the number of the posted frame that completes a seek, or 0
	stepped        bool   // Step makes this frame
	rested         bool   // there was a pause between the last frame and this one

	still bool    // the clock has not advanced in this frame
	rest  int64   // the part of the next frame's time in which the clock does not advance, ns
	own   int64   // the frame time without pauses and the wait for steps, ns
	unit  float64 // length, s, of the ticks in which lag, lead and other values are counted: clock.Dt of the next step
	view  scene.View[S]
	stats Stats
}

// last has values of the frame before, N-1. D is the tick that it demanded, and a the
// clock's remainder as a fraction of a step (r in README).
type last struct {
	demand    uint64  // D[N-1]
	alpha     float64 // a[N-1]
	advance   float64 // the clock's advance, ticks
	overshoot float64 // how far the picture went beyond the frame's instant, because the frame was late, ticks
}

func (l *last) instant() clock.Instant { return clock.Instant{Tick: l.demand, Part: l.alpha} }

// New returns a loop on a link. Physics may start before New or after it. The error says
// that Rate, MaxSteps, WaitBudget or MissBudget is out of range, or that Sync or Smoothing
// does not exist.
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

// Sync returns the current mode.
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

// SetSmoothing changes the global smoothing mode from the next frame on. A mode that does
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

// SetRefresh sets pacing.Pacer.Refresh, the refresh interval of the display, ns. 0 means
// that it is unknown.
func (l *Loop[S, E, C]) SetRefresh(ns int64) { l.pacer.Refresh = max(ns, 0) }

// Send adds a command to the next frame. Physics applies the command after the ticks that
// were demanded so far, and before the next step. If physics has stopped, the command is
// dropped.
func (l *Loop[S, E, C]) Send(o buffer.Scheduled[C]) {
	if !l.link.Stopped() {
		l.link.Commands.Append(o)
	}
}

// Rest says that ns nanoseconds of the next frame's time were a pause, which has begun and
// ended since the last frame. These nanoseconds count as paused.
func (l *Loop[S, E, C]) Rest(ns int64) { l.rest += max(ns, 0) }

// DeliverAtOnce makes events due as soon as the loop has their state. Otherwise they are
// due when the shown instant reaches their tick.
func (l *Loop[S, E, C]) DeliverAtOnce(on bool) { l.atOnce = on }
