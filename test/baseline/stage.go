package baseline

import (
	"cmp"
	"math"
	"math/big"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/internal/monotime"
	"halfstep/physicsloop"
	"halfstep/renderloop/clock"
	"halfstep/renderloop/scene"
)

// stage is the common part of the single-threaded loops: a simulation, its previous and
// current states, their view, and the waiting commands. It implements all methods of
// Loop except Frame.
type stage[S, E, C any] struct {
	sim       physicsloop.Simulation[S, E, C]
	capturer  physicsloop.DebugCapturer // may be nil
	out       buffer.Outbox[E]
	config    Config
	prev, cur []S
	view      scene.View[S]
	debug     body2d.Debug
	now       float64 // the simulated time after all steps so far, s
	lasted    float64 // the length of the last step, s; 0 before the first step
	shown     float64 // the simulated time that the last frame has shown, s
	dropped   float64 // the time that the frame clamp and the limit on steps have dropped, s

	// serials of prev and cur: a command may change the current state without a new tick
	serial, prevSerial, curSerial uint64
	records                       uint64 // the number of structure records up to cur
	fresh                         bool   // cur was captured after the last frame
	alone                         bool   // the last frame has shown cur without prev

	commands []C // commands are the commands of the next frame.
	more     int // steps that Step has requested and that are not done yet
}

func newStage[S, E, C any](sim physicsloop.Simulation[S, E, C], c Config) stage[S, E, C] {
	s := stage[S, E, C]{
		sim: sim, config: c.withDefaults(),
		out: buffer.Outbox[E]{
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

func (s *stage[S, E, C]) Send(c C) { s.commands = append(s.commands, c) }

func (s *stage[S, E, C]) Step(n int) { s.more += n }

func (s *stage[S, E, C]) Tune(c Config) { s.config = s.config.tuned(c) }

func (s *stage[S, E, C]) NextEvent(e *E) bool {
	p := s.out.Events.Peek(s.out.Events.Count())
	if p == nil {
		return false
	}
	*e = *p
	s.out.Events.Take()
	return true
}

// Close does nothing, because there is no other goroutine.
func (s *stage[S, E, C]) Close() {}

func (s *stage[S, E, C]) Shown() float64 { return s.shown }

func (s *stage[S, E, C]) Dropped() float64 { return s.dropped }

// extra returns the number of steps that calls of Step have requested since the last
// frame.
func (s *stage[S, E, C]) extra() (steps int) {
	steps, s.more = s.more, 0
	return steps
}

// left limits a number of steps, so that no step goes beyond Config.Last, the last tick.
// If the config has no last tick, it is the largest uint64.
func (s *stage[S, E, C]) left(steps int) int {
	if rest := s.config.Last - min(s.view.Tick, s.config.Last); uint64(steps) > rest {
		return int(rest)
	}
	return steps
}

// begin begins a frame, and carries out the commands. steps says whether the frame has
// steps. If there are neither steps nor commands, it does not call the simulation.
func (s *stage[S, E, C]) begin(steps bool) {
	if !steps && len(s.commands) == 0 {
		return
	}
	s.sim.BeginFrame()
	for i := range s.commands {
		s.sim.Apply(s.view.Tick, &s.commands[i], false) // false: no command was scheduled for a tick
	}
	clear(s.commands)
	s.commands = s.commands[:0]
	if !steps { // otherwise the step captures the state
		s.view.Revision++
		s.capture()
	}
}

func (s *stage[S, E, C]) step(dt float64) {
	c := &s.config
	start := monotime.Now()
	tick := s.view.Tick + 1
	c.Phases.Begin(tick, phase.Step)
	if c.BeforeStep != nil {
		c.BeforeStep(tick)
	}
	s.sim.Step(tick, dt)
	s.now, s.lasted = s.now+dt, dt
	c.Phases.Enter(phase.Capture)
	s.view.Tick, s.view.Revision = tick, 0
	s.prev, s.cur = s.cur, s.prev
	s.prevSerial = s.curSerial
	s.capture()
	c.Phases.Enter(phase.Other)
	cost := monotime.Since(start)
	s.view.StepNanos = int64(cost)
	if c.OnStep != nil {
		c.OnStep(tick, cost)
	}
	c.Phases.End()
}

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

// show makes a view that blends prev (alpha 0) and cur (alpha 1). steps is the number of
// steps in the frame.
func (s *stage[S, E, C]) show(alpha float64, steps int) *scene.View[S] {
	v := &s.view
	for r := s.out.Structure.Peek(s.records); r != nil; r = s.out.Structure.Peek(s.records) {
		v.Scene.Apply(r)
		s.out.Structure.Take()
	}
	v.Prev, v.Cur = s.prev, s.cur
	v.PrevSerial, v.CurSerial = s.prevSerial, s.curSerial
	v.Fresh, s.fresh = s.fresh, false
	v.Smoothing, v.Dt = s.config.Smoothing, cmp.Or(s.lasted, s.config.dt())
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

// newest makes a view of the current state alone, for the loops that do not blend.
func (s *stage[S, E, C]) newest(steps int) *scene.View[S] {
	v := s.show(1, steps)
	v.Prev, v.PrevSerial = v.Cur, v.CurSerial
	v.Smoothing = body2d.Newest
	v.Instant = float64(v.Tick)
	s.alone = true
	return v
}

func (s *stage[S, E, C]) LastView() *scene.View[S] {
	if s.alone {
		return s.newest(0)
	}
	return s.show(float64(s.view.Alpha), 0)
}

// Single is the loop with which both articles end: an accumulator, whole steps, and a
// blend of the previous and the current state by the remainder in the accumulator. Tests
// compare the threaded loop with it: what Single shows in frame N, Lockstep must show in
// frame N, and Pipelined in frame N+1.
//
// As in the code of "Fix Your Timestep!", the forces of a frame act on every step of the
// frame. Unlike in that code, the forces of a frame without a step act in the next
// frame.
type Single[S, E, C any] struct {
	stage[S, E, C]
	accumulator int64      // in units of 1/Num ns
	interval    clock.Rate // the rate of the last step; the frame blends between the states before and after this step
	exact       bool       // Step was called, so the next frame ends with a full accumulator
}

// NewSingle returns the loop.
func NewSingle[S, E, C any](sim physicsloop.Simulation[S, E, C], c Config) *Single[S, E, C] {
	s := &Single[S, E, C]{stage: newStage(sim, c)}
	s.interval = s.config.Rate
	return s
}

func (s *Single[S, E, C]) Step(n int) {
	s.stage.Step(n)
	s.exact = true
}

func (s *Single[S, E, C]) Frame(ns int64) *scene.View[S] {
	n := s.run(ns)
	return s.show(s.alpha(), n)
}

// Tune implements Loop.
func (s *Single[S, E, C]) Tune(c Config) {
	s.stage.Tune(c)
	if s.view.Tick == 0 && s.accumulator == 0 { // nothing is shown yet
		s.interval = s.config.Rate
	}
}

// units is the length of the step between the two states that the frame blends, in units of
// the accumulator.
func (s *Single[S, E, C]) units() int64 { return 1_000_000_000 * s.interval.Den }

func (s *Single[S, E, C]) alpha() float64 {
	return float64(s.accumulator) / float64(s.units())
}

// shows is called at the first step with a new rate. It converts the accumulator to
// units of the new rate, and keeps the remainder of time in it.
func (s *Single[S, E, C]) shows() {
	if s.interval == s.config.Rate {
		return
	}
	left := new(big.Int).Mul(big.NewInt(s.accumulator), big.NewInt(s.config.Rate.Num))
	s.accumulator = left.Div(left, big.NewInt(s.interval.Num)).Int64()
	s.interval = s.config.Rate
}

func (s *Single[S, E, C]) run(ns int64) (steps int) {
	// the clamp, the accumulator, the limit on steps
	counted := min(max(ns, 0), clock.FrameClamp)
	due := int64(0)
	if counted > 0 { // with a full accumulator the loop waits until time passes
		s.accumulator += counted * s.interval.Num
		if s.accumulator >= s.units() {
			// The step between the two shown states has passed, at its own rate. All later steps
			// have the present rate.
			s.accumulator -= s.units()
			s.shows()
			due = 1 + s.accumulator/s.units()
			s.accumulator %= s.units()
		}
	}
	steps = min(int(due), s.config.MaxSteps)
	s.dropped += float64(max(ns, 0)-counted)/1e9 + float64(int(due)-steps)*s.config.dt()
	steps = s.left(steps + s.extra())
	if s.exact { // show the state after the last step of Step, with alpha 1
		if steps > 0 {
			s.shows()
		}
		s.accumulator, s.exact = s.units(), false
	}

	s.begin(steps > 0)
	for range steps {
		s.step(s.config.dt())
	}
	if steps > 0 {
		s.sim.EndFrame()
	}
	return steps
}

// fixed makes one step of fixed length in each frame. Motion has the right speed at one
// frame rate, and is slow or fast at all others.
type fixed[S, E, C any] struct{ stage[S, E, C] }

func (f *fixed[S, E, C]) Frame(ns int64) *scene.View[S] {
	n := f.extra()
	if ns > 0 {
		n++
	}
	n = f.left(n)
	f.begin(n > 0)
	for range n {
		f.step(f.config.dt())
	}
	if n > 0 {
		f.sim.EndFrame()
	}
	return f.newest(n)
}

// variable makes one step in each frame, as long as the frame. Motion is smooth but
// never the same twice, and stiff springs explode when a frame is late.
type variable[S, E, C any] struct{ stage[S, E, C] }

func (v *variable[S, E, C]) Frame(ns int64) *scene.View[S] {
	counted := min(max(ns, 0), clock.FrameClamp)
	v.dropped += float64(max(ns, 0)-counted) / 1e9
	return v.pieces(counted, math.Inf(1))
}

// semiFixed divides the time of a frame into steps of at most a fixed length. This is
// stable, but the last step has another length in every frame.
type semiFixed[S, E, C any] struct{ stage[S, E, C] }

func (s *semiFixed[S, E, C]) Frame(ns int64) *scene.View[S] {
	counted := min(max(ns, 0), clock.FrameClamp)
	s.dropped += float64(max(ns, 0)-counted) / 1e9
	return s.pieces(counted, s.config.dt())
}

// pieces makes steps that together last ns nanoseconds, each at most longest seconds,
// and shows the last state.
func (s *stage[S, E, C]) pieces(ns int64, longest float64) *scene.View[S] {
	n, left := 0, float64(ns)/1e9
	more := s.left(s.extra())
	s.begin(more > 0 || left > 0 && s.left(1) > 0)
	for ; more > 0; more-- {
		s.step(s.config.dt())
		n++
	}
	for ; left > 0 && s.left(1) > 0; n++ {
		dt := min(left, longest)
		s.step(dt)
		left -= dt
	}
	if n > 0 {
		s.sim.EndFrame()
	}
	return s.newest(n)
}

// free ("free the physics") runs the accumulator, and draws the newest state without
// blending. Results are deterministic, but motion stutters.
type free[S, E, C any] struct{ *Single[S, E, C] }

func (f *free[S, E, C]) Frame(ns int64) *scene.View[S] { return f.newest(f.run(ns)) }
