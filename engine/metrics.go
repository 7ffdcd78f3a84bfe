package engine

import (
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/internal/latest"
	"halfstep/internal/timing"
	"halfstep/renderloop"
	"halfstep/renderloop/present"
	"halfstep/renderloop/scene"
)

// Metrics are an engine's counters since New. Counters of frames are from the last frame;
// Tick, Backlog, DroppedCommands and Failed are current.
type Metrics struct {
	Name string `json:"name"` // Config.Name

	Frames     uint64 `json:"frames"`
	HeldFrames uint64 `json:"held_frames"` // frames that stayed at the newest state because physics was late
	// BackwardFrames counts frames that showed an earlier instant than the frame
	// before. It stays 0.
	BackwardFrames uint64 `json:"backward_frames"`
	// RealTime is the sum of all frame times.
	RealTime time.Duration `json:"real_ns"`

	Tick       uint64 `json:"tick"` // steps done
	Demanded   uint64 `json:"demanded_ticks"`
	Backlog    uint64 `json:"backlog_ticks"` // steps demanded and not yet done
	MaxBacklog uint64 `json:"max_backlog"`   // the largest Backlog so far, in ticks
	// WaitedSteps counts the steps that physics had to wait for. If it is close
	// to Tick, physics has time to spare.
	WaitedSteps uint64 `json:"waited_steps"`

	Dropped float64 `json:"dropped_s"` // scaled time that was lost, s; see Ledger
	Paused  float64 `json:"paused_s"`  // scaled time that passed in pauses and after the last tick, s
	// Lag is how far the picture trails the clock, beyond the one frame of
	// Pipelined, in ticks.
	Lag   float64 `json:"lag_ticks"`
	Alpha float64 `json:"alpha"` // the last frame's, see scene.View
	// Wait is how long the last frame waited for its steps. MissedWaits counts the frames of
	// RunAhead that gave up waiting for their steps after Time.WaitBudget.
	Wait        time.Duration `json:"wait_ns"`
	MissedWaits uint64        `json:"missed_waits"`

	// Start is how late the last frame began; see Display.Delay.
	Start present.Start `json:"start"`

	// LastStep is the cost of the step to the newest tick on screen.
	LastStep time.Duration `json:"last_step_ns"`

	// Counts are those of the newest state on screen.
	body2d.Counts
	Lockstep bool `json:"lockstep"`

	// DroppedCommands counts commands that were given after Close or a Failure, when too many of
	// Remote's waited, or when 262,144 waited for their tick (up to the last frame).
	DroppedCommands uint64 `json:"dropped_commands"`
	// DroppedEvents counts events that were not taken in time, see
	// Engine.Events.
	DroppedEvents uint64 `json:"dropped_events"`

	Failed bool `json:"failed"` // Failure is not nil

	// Motion is how evenly the picture moved in the last seconds. It is at most a
	// tenth of a second of RealTime old; see Display.Motion.
	Motion present.Figures `json:"motion"`
}

// motionEvery is the time between two computations of Metrics.Motion, in ns. Its figures cover
// seconds, so one frame changes them little.
const motionEvery = 100_000_000

// published hands metrics from the render thread to other goroutines after each frame.
type published struct {
	figures latest.Value[figures]
	first   atomic.Int64 // timing.Now of the first frame

	motion    present.Figures // belongs to the render thread alone
	motionDue int64           // when motion is computed again, in real time, ns
}

// figures are the Metrics, and the instant of the last picture for Readers.
type figures struct {
	Metrics
	tick      uint64  // the later tick of the pair that the picture shows
	alpha     float32 // where in it
	instant   float64 // the same, in ticks
	smoothing body2d.Smoothing
}

// frame publishes the metrics after a frame that returned v.
func (p *published) frame(e *Engine, v *scene.View[body2d.State]) {
	s, l := e.render.Stats(), e.Ledger()
	if s.Frames == 1 {
		p.first.Store(timing.Now())
	}
	if s.RealNanos >= p.motionDue {
		p.motion, p.motionDue = e.render.Motion(), s.RealNanos+motionEvery
	}
	p.figures.Store(&figures{tick: v.Tick, alpha: v.Alpha, instant: v.Instant, smoothing: v.Smoothing, Metrics: Metrics{
		Name: e.name, Frames: s.Frames, HeldFrames: s.Held, BackwardFrames: s.Backward, RealTime: time.Duration(s.RealNanos),
		Demanded: s.Demanded, MaxBacklog: s.MaxBacklog, WaitedSteps: e.physics.Waited(),
		Dropped: l.Dropped(), Paused: l.Paused(), Lag: s.Lag, Alpha: float64(v.Alpha),
		Wait: time.Duration(s.WaitNanos), MissedWaits: s.Missed, LastStep: time.Duration(v.StepNanos),
		Counts: v.Counts, Lockstep: e.Sync() == renderloop.Lockstep,
		DroppedCommands: e.physics.Dropped(), DroppedEvents: s.DroppedEvents, Motion: p.motion, Start: s.Start,
	}})
}

// Metrics returns the engine's counters. It never waits. Any goroutine may call
// it.
func (e *Engine) Metrics() Metrics {
	m := e.published.figures.Load().Metrics
	m.Tick = e.link.Tick()
	m.Demanded = max(m.Demanded, m.Tick) // physics may have passed the last frame's figure
	m.Backlog = m.Demanded - m.Tick
	m.DroppedCommands += e.dropped.Load()
	m.Failed = e.link.Failure() != nil
	return m
}

// Name returns Config.Name, or "halfstep" if that is empty.
func (e *Engine) Name() string { return e.name }
