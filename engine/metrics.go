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

// Metrics are an engine's counters since New. Tick, Backlog, DroppedCommands and Failed are
// current. All others are from the last frame.
type Metrics struct {
	Name string `json:"name"` // Config.Name

	Frames     uint64 `json:"frames"`
	HeldFrames uint64 `json:"held_frames"` // the number of frames that stayed at the newest state because physics was late
	// BackwardFrames is the number of frames that have shown an earlier instant than the frame
	// before. It stays 0.
	BackwardFrames uint64 `json:"backward_frames"`
	// RealTime is the sum of all frame times.
	RealTime time.Duration `json:"real_ns"`

	Tick       uint64 `json:"tick"` // steps done
	Demanded   uint64 `json:"demanded_ticks"`
	Backlog    uint64 `json:"backlog_ticks"` // the number of steps that are demanded and not done
	MaxBacklog uint64 `json:"max_backlog"`   // the greatest Backlog so far
	// WaitedSteps is the number of steps for which physics had to wait. If it is close to Tick,
	// physics has time to spare.
	WaitedSteps uint64 `json:"waited_steps"`

	Dropped float64 `json:"dropped_s"` // scaled time that was lost, s; see Ledger
	Paused  float64 `json:"paused_s"`  // scaled time that passed in pauses and after the last tick, s
	// Lag is the distance of the picture behind the clock, beyond the one frame of Pipelined, in
	// ticks.
	Lag   float64 `json:"lag_ticks"`
	Alpha float64 `json:"alpha"` // the blend factor of the last frame, see scene.View
	// Wait is the time for which the last frame has waited for its steps. MissedWaits is the
	// number of frames of RunAhead that gave up the wait for their steps after Time.WaitBudget.
	Wait        time.Duration `json:"wait_ns"`
	MissedWaits uint64        `json:"missed_waits"`

	// Start says how late the last frame began; see Display.Delay.
	Start present.Start `json:"start"`

	// LastStep is the time that the step to the newest tick on the screen took.
	LastStep time.Duration `json:"last_step_ns"`

	// Counts describes the newest state on the screen.
	body2d.Counts
	Lockstep bool `json:"lockstep"`

	// DroppedCommands is the number of commands that were dropped: because they were given after
	// Close or a Failure, because too many commands of Remote were waiting, or because 262,144
	// commands were waiting for their tick. It counts up to the last frame.
	DroppedCommands uint64 `json:"dropped_commands"`
	// DroppedEvents is the number of events that were not read in time, see Engine.Events.
	DroppedEvents uint64 `json:"dropped_events"`

	Failed bool `json:"failed"` // Failure is not nil

	// Motion says how evenly the picture has moved in the last seconds. The value is at most a
	// tenth of a second of RealTime old; see Display.Motion.
	Motion present.Figures `json:"motion"`
}

// motionEvery is the time between two computations of Metrics.Motion, in ns. Motion covers
// some seconds, so one frame changes it little.
const motionEvery = 100_000_000

// published passes metrics from the render thread to other goroutines after each frame.
type published struct {
	figures latest.Value[figures]
	first   atomic.Int64 // timing.Now of the first frame

	motion    present.Figures // belongs to the render thread alone
	motionDue int64           // when motion is computed again, in real time, ns
}

// figures has the Metrics, and the instant of the last picture for Readers.
type figures struct {
	Metrics
	tick      uint64  // the later tick of the pair of states that the picture shows
	alpha     float32 // where in it
	instant   float64 // the same, in ticks
	smoothing body2d.Smoothing
}

// frame publishes the metrics after a frame that has returned v.
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
	m.Demanded = max(m.Demanded, m.Tick) // physics may have gone beyond the number of the last frame
	m.Backlog = m.Demanded - m.Tick
	m.DroppedCommands += e.dropped.Load()
	m.Failed = e.link.Failure() != nil
	return m
}

// Name returns Config.Name, or "halfstep" if that is empty.
func (e *Engine) Name() string { return e.name }
