package engine

import (
	"math"
	"sync/atomic"
	"time"

	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/renderloop"
	"halfstep/renderloop/scene"
)

// Figures are an engine's counters for those who watch it from outside.
type Metrics struct {
	Name   string `json:"name"`
	Frames uint64 `json:"frames"`
	Held   uint64 `json:"held_frames"` // had to wait at the newest state
	Tick   uint64 `json:"tick"`        // done

	Demanded uint64 `json:"demanded_ticks"`
	Backlog  uint64 `json:"backlog_ticks"` // demanded and not done
	// Waited counts steps that physics had to wait for, with time to spare.
	Waited uint64 `json:"waited_steps"`

	Dropped float64 `json:"dropped_s"` // scaled time that became no step
	Lag     float64 `json:"lag_ticks"` // beyond the one frame of Pipelined
	Alpha   float64 `json:"alpha"`

	// LastStep is what the step to the newest shown tick cost.
	LastStep time.Duration `json:"last_step_ns"`

	Bodies   int32 `json:"bodies"`
	Awake    int32 `json:"awake_bodies"`
	Contacts int32 `json:"contacts"`
	Joints   int32 `json:"joints"`
	Lockstep bool  `json:"lockstep"`

	// DroppedCommands and DroppedEvents count commands that nobody carried out
	// (see Engine.DroppedCommands) and events that nobody took (see NextEvent).
	DroppedCommands uint64 `json:"dropped_commands"`
	DroppedEvents   uint64 `json:"dropped_events"`

	Failed bool `json:"failed"`
}

// published holds what the render thread tells others after each frame.
type published struct {
	frames, held, demanded       atomic.Uint64
	waited, untaken              atomic.Uint64 // steps; events dropped
	dropped, lag, alpha          atomic.Uint64 // float64 bits
	step, first                  atomic.Int64  // ns; the first frame since Epoch
	bodies, awake, cont, jointed atomic.Int32
	lockstep                     atomic.Bool
}

func (p *published) frame(e *Engine, v *scene.View[body2d.State]) {
	s := e.Stats()
	if s.Frames == 1 {
		p.first.Store(phase.Now())
	}
	p.frames.Store(s.Frames)
	p.held.Store(s.Held)
	p.demanded.Store(s.Demanded)
	p.waited.Store(s.Waited)
	p.untaken.Store(s.DroppedEvents)
	p.dropped.Store(math.Float64bits(e.Ledger().Dropped()))
	p.lag.Store(math.Float64bits(s.Lag))
	p.alpha.Store(math.Float64bits(float64(v.Alpha)))
	p.step.Store(v.StepNanos)
	p.lockstep.Store(e.Sync() == renderloop.Lockstep)
	p.counts(&v.Counts)
}

func (p *published) counts(c *body2d.Counts) {
	p.bodies.Store(c.Bodies)
	p.awake.Store(c.Awake)
	p.cont.Store(c.Contacts)
	p.jointed.Store(c.Joints)
}

// Figures returns the counters as of the last frame; those of physics are newer.
// Any goroutine may ask.
func (e *Engine) Metrics() Metrics {
	p := &e.published
	tick := e.link.Tick()
	demanded := max(p.demanded.Load(), tick)
	return Metrics{
		Name: e.name, Frames: p.frames.Load(), Held: p.held.Load(),
		Tick: tick, Demanded: demanded, Backlog: demanded - tick, Waited: e.WaitedSteps(),
		Dropped:  math.Float64frombits(p.dropped.Load()),
		Lag:      math.Float64frombits(p.lag.Load()),
		Alpha:    math.Float64frombits(p.alpha.Load()),
		LastStep: time.Duration(p.step.Load()),
		Bodies:   p.bodies.Load(), Awake: p.awake.Load(), Contacts: p.cont.Load(), Joints: p.jointed.Load(),
		Lockstep: p.lockstep.Load(), Failed: e.link.Failure() != nil,
		DroppedCommands: e.DroppedCommands(), DroppedEvents: p.untaken.Load(),
	}
}

// WaitedSteps is the number of steps that physics had to wait for: where it is
// all of them, physics has time to spare.
func (e *Engine) WaitedSteps() uint64 { return e.published.waited.Load() }

// Name is Config.Name.
func (e *Engine) Name() string { return e.name }
