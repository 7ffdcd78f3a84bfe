package engine

import (
	"math"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/renderloop"
	"halfstep/renderloop/present"
	"halfstep/renderloop/scene"
)

// Metrics are an engine's counters since New, for people and for programs that
// watch it. Those of the frames are as of the last frame; Tick, Backlog,
// DroppedCommands and Failed are as of now.
type Metrics struct {
	Name string `json:"name"`           // Config.Name
	Loop string `json:"loop,omitempty"` // of Config.Testing.Loop; empty for the engine's own

	Frames     uint64 `json:"frames"`
	HeldFrames uint64 `json:"held_frames"` // had to stay at the newest state because physics was late
	// BackwardFrames counts frames that showed an earlier instant than the frame
	// before. It stays 0 unless Loop is set.
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
	Paused  float64 `json:"paused_s"`  // scaled time that passed in pauses, s
	// Lag is how far the picture trails the clock, beyond the one frame of
	// Pipelined, in ticks.
	Lag   float64 `json:"lag_ticks"`
	Alpha float64 `json:"alpha"` // of the last frame, see scene.View
	// Trail is the part of a frame by which the picture trails the clock: 1 in
	// Pipelined, 0 in Lockstep, and in Auto whatever it needs.
	Trail float64 `json:"trail_frames"`
	// Wait is how long the last frame waited for its steps in Auto. MissedWaits
	// counts the frames whose wait was longer than Config.WaitBudget allows, so
	// that they went on without their steps.
	Wait        time.Duration `json:"wait_ns"`
	MissedWaits uint64        `json:"missed_waits"`

	// LastStep is what the step to the newest tick on screen cost.
	LastStep time.Duration `json:"last_step_ns"`

	// Counts are those of the newest state on screen.
	body2d.Counts
	Lockstep bool `json:"lockstep"`

	// DroppedCommands counts commands that were given after Close or a Failure,
	// when too many of Remote's waited, or when 262,144 waited for their tick (as
	// of the last frame).
	DroppedCommands uint64 `json:"dropped_commands"`
	// DroppedEvents counts events that were not taken in time, see
	// Engine.Events.
	DroppedEvents uint64 `json:"dropped_events"`

	Failed bool `json:"failed"` // Failure is not nil

	// Motion is how evenly the picture moved in the last seconds, as of a tenth of a
	// second of RealTime ago or less; see Engine.Motion.
	Motion present.Figures `json:"motion"`
}

// motionEvery is how often the figures of the motion are worked out and told, in ns.
// They are of the last seconds, so each frame would change them little.
const motionEvery = 100_000_000

// published is what the render thread tells other goroutines after each frame.
type published struct {
	loop string // never changes

	frames, held, backward, demanded, maxBacklog, waited atomic.Uint64
	droppedEvents, droppedScheduled                      atomic.Uint64
	missed                                               atomic.Uint64
	dropped, paused, lag, alpha, trail                   atomic.Uint64 // float64 bits
	real, step, wait                                     atomic.Int64  // ns
	first                                                atomic.Int64  // phase.Now of the first frame
	bodies, awake, contacts, joints                      atomic.Int32
	lockstep                                             atomic.Bool

	motionDue                         int64         // the real time at which the figures below are told again, ns
	motionRMS, motionP99, motionInput atomic.Uint64 // float64 bits
	motionFrames                      atomic.Int64
	motionMeasured                    atomic.Bool
}

func (p *published) frame(e *Engine, v *scene.View[body2d.State]) {
	s := e.loop.Stats()
	if s.Frames == 1 {
		p.first.Store(phase.Now())
	}
	p.frames.Store(s.Frames)
	p.held.Store(s.Held)
	p.backward.Store(s.Backward)
	p.demanded.Store(s.Demanded)
	p.maxBacklog.Store(s.MaxBacklog)
	p.waited.Store(s.Waited)
	p.droppedScheduled.Store(s.DroppedCommands)
	p.droppedEvents.Store(s.DroppedEvents)
	p.dropped.Store(math.Float64bits(e.Ledger().Dropped()))
	p.paused.Store(math.Float64bits(e.Ledger().Paused()))
	p.lag.Store(math.Float64bits(s.Lag))
	p.alpha.Store(math.Float64bits(float64(v.Alpha)))
	p.trail.Store(math.Float64bits(s.Trail))
	p.wait.Store(s.WaitNanos)
	p.missed.Store(s.Missed)
	p.real.Store(s.RealNanos)
	p.step.Store(v.StepNanos)
	p.lockstep.Store(e.Sync() == renderloop.Lockstep)
	p.bodies.Store(v.Counts.Bodies)
	p.awake.Store(v.Counts.Awake)
	p.contacts.Store(v.Counts.Contacts)
	p.joints.Store(v.Counts.Joints)

	if s.RealNanos < p.motionDue {
		return
	}
	p.motionDue = s.RealNanos + motionEvery
	m := e.render.Motion()
	p.motionRMS.Store(math.Float64bits(m.RMS))
	p.motionP99.Store(math.Float64bits(m.P99))
	p.motionInput.Store(math.Float64bits(m.Input))
	p.motionFrames.Store(int64(m.Frames))
	p.motionMeasured.Store(m.Measured)
}

// Metrics returns the engine's counters. It never waits. Any goroutine may call
// it.
func (e *Engine) Metrics() Metrics {
	p := &e.published
	tick := e.link.Tick()
	demanded := max(p.demanded.Load(), tick)
	return Metrics{
		Name: e.name, Loop: p.loop,
		Frames: p.frames.Load(), HeldFrames: p.held.Load(), BackwardFrames: p.backward.Load(),
		RealTime: time.Duration(p.real.Load()),
		Tick:     tick, Demanded: demanded, Backlog: demanded - tick, MaxBacklog: p.maxBacklog.Load(),
		WaitedSteps: p.waited.Load(),
		Dropped:     math.Float64frombits(p.dropped.Load()),
		Paused:      math.Float64frombits(p.paused.Load()),
		Lag:         math.Float64frombits(p.lag.Load()),
		Alpha:       math.Float64frombits(p.alpha.Load()),
		Trail:       math.Float64frombits(p.trail.Load()),
		Wait:        time.Duration(p.wait.Load()),
		MissedWaits: p.missed.Load(),
		LastStep:    time.Duration(p.step.Load()),
		Counts: body2d.Counts{
			Bodies: p.bodies.Load(), Awake: p.awake.Load(), Contacts: p.contacts.Load(), Joints: p.joints.Load(),
		},
		Lockstep:        p.lockstep.Load(),
		DroppedCommands: e.dropped.Load() + p.droppedScheduled.Load(), DroppedEvents: p.droppedEvents.Load(),
		Failed: e.link.Failure() != nil,
		Motion: present.Figures{
			RMS:    math.Float64frombits(p.motionRMS.Load()),
			P99:    math.Float64frombits(p.motionP99.Load()),
			Frames: int(p.motionFrames.Load()), Input: math.Float64frombits(p.motionInput.Load()),
			Measured: p.motionMeasured.Load(),
		},
	}
}

// Name returns Config.Name, or "halfstep" if that is empty.
func (e *Engine) Name() string { return e.name }
