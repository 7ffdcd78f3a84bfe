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
	HeldFrames uint64 `json:"held_frames"` // frames that showed the newest state because physics was late
	// BackwardFrames is the number of frames that have shown an earlier instant than the frame
	// before. Without a fault of the engine it is 0.
	BackwardFrames uint64 `json:"backward_frames"`
	// RealTime is the sum of all frame times.
	RealTime time.Duration `json:"real_ns"`

	Tick       uint64 `json:"tick"` // steps done
	Demanded   uint64 `json:"demanded_ticks"`
	Backlog    uint64 `json:"backlog_ticks"` // steps that are demanded and not done
	MaxBacklog uint64 `json:"max_backlog"`   // the greatest Backlog so far
	// WaitedSteps is the number of steps for which physics had to wait. If it is close to Tick,
	// physics has time to spare.
	WaitedSteps uint64 `json:"waited_steps"`

	Dropped float64 `json:"dropped_s"` // world time that was dropped, in s; see Ledger
	Paused  float64 `json:"paused_s"`  // world time that passed in pauses and at SetLastTick's limit, in s
	// Lag is how far the picture is behind the clock, in ticks. In Pipelined the one frame that the
	// picture is always behind does not count.
	Lag   float64 `json:"lag_ticks"`
	Alpha float64 `json:"alpha"` // View.Alpha of the last frame
	// Wait is the time for which the last frame has waited for its steps. MissedWaits is the
	// number of frames of RunAhead that gave up the wait for their steps after Time.WaitBudget.
	Wait        time.Duration `json:"wait_ns"`
	MissedWaits uint64        `json:"missed_waits"`

	// Start says how late the last frame began; see Display.Delay.
	Start present.Start `json:"start"`

	// LastStep is the time that the step to the newest shown tick took.
	LastStep time.Duration `json:"last_step_ns"`

	// Counts describes the newest shown state.
	body2d.Counts
	Lockstep bool `json:"lockstep"`

	// DroppedCommands is the number of commands that were dropped: because they were given after
	// Close or a Failure, because too many commands of Remote were waiting, or because 262,144
	// commands were waiting for their tick.
	DroppedCommands uint64 `json:"dropped_commands"`
	// DroppedEvents is the number of events that were not read in time, see Engine.Events.
	DroppedEvents uint64 `json:"dropped_events"`

	Failed bool `json:"failed"` // Failure is not nil

	// Motion says how evenly the picture has moved in the last seconds. It is computed ten times a
	// second; see Display.Motion.
	Motion present.Figures `json:"motion"`
}

// motionEvery is the time between two computations of Metrics.Motion, in ns.
const motionEvery = 100_000_000

// published passes metrics from the render thread to other goroutines after each frame.
type published struct {
	figures latest.Value[figures]
	first   atomic.Int64 // timing.Now of the first frame

	motion    present.Figures // only the render thread uses it
	motionDue int64           // the next computation of motion, in real time since New, in ns
}

// figures has the Metrics, and the instant of the last picture for Readers.
type figures struct {
	Metrics
	tick      uint64  // the later of the two ticks that the picture blends
	alpha     float32 // View.Alpha
	instant   float64 // View.Instant, in ticks
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

// Metrics returns the engine's counters. Metrics never waits. Any goroutine may call it.
func (e *Engine) Metrics() Metrics {
	m := e.published.figures.Load().Metrics
	m.Tick = e.link.Tick()
	m.Demanded = max(m.Demanded, m.Tick) // physics may have done more steps since the last frame
	m.Backlog = m.Demanded - m.Tick
	m.DroppedCommands += e.dropped.Load()
	m.Failed = e.link.Failure() != nil
	return m
}

// Name returns Config.Name, or "halfstep" if that is empty.
func (e *Engine) Name() string { return e.name }
