package baseline

import (
	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/internal/monotime"
	"halfstep/physicsloop"
	"halfstep/renderloop/scene"
)

// stage is what the single-threaded loops share: a simulation, its previous and
// current states, the view made of them, and the commands to come.
type stage[S, E, C any] struct {
	sim       physicsloop.Simulation[S, E, C]
	capturer  physicsloop.DebugCapturer // or nil
	out       physicsloop.Outbox[E]
	config    Config
	prev, cur []S
	view      scene.View[S]
	debug     body2d.Debug
	now       float64 // the time stepped, s
	shown     float64 // of it, s
	dropped   float64 // s

	// The states in prev and cur have serials of their own: an edited current
	// state is not what was there before, although its tick is the same.
	serial, prevSerial, curSerial uint64
	records                       uint64 // of structure, up to cur
	fresh, alone                  bool   // alone: cur was shown without prev

	commands []C // of the next frame
	more     int // steps asked for by Step
}

func newStage[S, E, C any](sim physicsloop.Simulation[S, E, C], c Config) stage[S, E, C] {
	s := stage[S, E, C]{
		sim: sim, config: c.withDefaults(),
		out: physicsloop.Outbox[E]{
			Structure: buffer.NewLog[body2d.Structure](), Events: buffer.NewLog[E](),
		},
	}
	s.capturer, _ = sim.(physicsloop.DebugCapturer)
	sim.Start(&s.out)
	s.capture()
	s.prev, s.prevSerial = append(s.prev, s.cur...), s.curSerial
	s.view.Scene = scene.New()
	return s
}

// Send implements Loop.
func (s *stage[S, E, C]) Send(c C) { s.commands = append(s.commands, c) }

// Step implements Loop.
func (s *stage[S, E, C]) Step(n int) { s.more += n }

// Tune implements Loop.
func (s *stage[S, E, C]) Tune(c Config) { s.config = s.config.tuned(c) }

// NextEvent implements Loop.
func (s *stage[S, E, C]) NextEvent(e *E) bool {
	p := s.out.Events.Peek(s.out.Events.Count())
	if p == nil {
		return false
	}
	*e = *p
	s.out.Events.Take()
	return true
}

// Close does nothing: there is no other goroutine.
func (s *stage[S, E, C]) Close() {}

// Shown implements Loop.
func (s *stage[S, E, C]) Shown() float64 { return s.shown }

// Dropped implements Loop.
func (s *stage[S, E, C]) Dropped() float64 { return s.dropped }

// extra takes the steps that Step asked for.
func (s *stage[S, E, C]) extra() (steps int) {
	steps, s.more = s.more, 0
	return steps
}

// left is how many of so many steps may be done before the last tick.
func (s *stage[S, E, C]) left(steps int) int {
	if rest := s.config.Last - min(s.view.Tick, s.config.Last); uint64(steps) > rest {
		return int(rest)
	}
	return steps
}

// begin begins a frame that steps or has commands, and carries these out.
func (s *stage[S, E, C]) begin(steps bool) {
	if !steps && len(s.commands) == 0 {
		return
	}
	s.sim.BeginFrame()
	for i := range s.commands {
		s.sim.Apply(s.view.Tick, &s.commands[i], false)
	}
	clear(s.commands)
	s.commands = s.commands[:0]
	if !steps {
		s.view.Revision++
		s.capture()
	}
}

// step makes current previous and steps.
func (s *stage[S, E, C]) step(dt float64) {
	c := &s.config
	start := monotime.Now()
	tick := s.view.Tick + 1
	c.Lane.Begin(tick, phase.Step)
	if c.BeforeStep != nil {
		c.BeforeStep(tick)
	}
	s.sim.Step(tick, dt)
	s.now += dt
	c.Lane.Enter(phase.Capture)
	s.view.Tick, s.view.Revision = tick, 0
	s.prev, s.cur = s.cur, s.prev
	s.prevSerial = s.curSerial
	s.capture()
	c.Lane.Enter(phase.Other)
	cost := monotime.Since(start)
	s.view.StepNanos = int64(cost)
	if c.OnStep != nil {
		c.OnStep(tick, cost)
	}
	c.Lane.End()
}

// capture takes the current state.
func (s *stage[S, E, C]) capture() {
	s.cur = s.sim.Capture(s.cur[:0])
	s.records = s.out.Structure.Count()
	s.serial++
	s.curSerial, s.fresh = s.serial, true
	s.view.Debug = nil
	if s.config.Layers != 0 && s.capturer != nil {
		s.capturer.CaptureDebug(s.config.Layers, &s.debug)
		s.view.Debug = &s.debug
	}
}

// show fills the view.
func (s *stage[S, E, C]) show(alpha float64, steps int) *scene.View[S] {
	v := &s.view
	for r := s.out.Structure.Peek(s.records); r != nil; r = s.out.Structure.Peek(s.records) {
		v.Scene.Apply(r)
		s.out.Structure.Take()
	}
	v.Prev, v.Cur = s.prev, s.cur
	v.PrevSerial, v.CurSerial = s.prevSerial, s.curSerial
	v.Fresh, s.fresh = s.fresh, false
	v.Smoothing, v.Dt = s.config.Smoothing, s.config.dt()
	v.Alpha = float32(alpha)
	v.Instant = 0
	if v.Tick > 0 {
		v.Instant = float64(v.Tick-1) + alpha
	}
	s.shown = s.now - (1-alpha)*v.Dt
	v.Counts = s.sim.Counts()
	v.Steps = steps
	s.alone = false
	return v
}

// newest fills the view with the current state alone.
func (s *stage[S, E, C]) newest(steps int) *scene.View[S] {
	v := s.show(1, steps)
	v.Prev, v.PrevSerial = v.Cur, v.CurSerial
	v.Smoothing = body2d.Newest
	v.Instant = float64(v.Tick)
	s.alone = true
	return v
}

// LastView implements Loop.
func (s *stage[S, E, C]) LastView() *scene.View[S] {
	if s.alone {
		return s.newest(0)
	}
	return s.show(float64(s.view.Alpha), 0)
}
