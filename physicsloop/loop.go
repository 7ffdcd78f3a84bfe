package physicsloop

import (
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/buffer/phase"
	"halfstep/internal/atomic"
	"halfstep/internal/exports"
	"halfstep/internal/interleave"
	"halfstep/internal/monotime"
	"halfstep/internal/owner"
	"halfstep/internal/phasetrace"
	"halfstep/internal/schedule"
)

// Options configure a Loop. The zero Options are valid.
type Options struct {
	// OnStep is called on the physics goroutine after every step. The parameter tick is the number
	// of steps done, and cost is the time of the commands, the step and the capture together.
	OnStep func(tick uint64, cost time.Duration)
	// BeforeStep is called on the physics goroutine at the beginning of every step, with the tick
	// to which the step leads. The time of the call counts as part of the step.
	BeforeStep func(tick uint64)
	// OnFailure is called on the physics goroutine after a failure has ended the loop, once the
	// render side can see the failure.
	OnFailure func(f *buffer.Failure)
	// Tick is the number of steps that the simulation has done before the start, usually 0.
	Tick uint64

	phases *phasetrace.Recorder // records the phases of the physics goroutine for profiles; may be nil
}

// Package engine sets the unexported field through internal/exports.
func init() { exports.SetPhysicsRecorder = func(o *Options, l *phasetrace.Recorder) { o.phases = l } }

// MaxScheduled is the greatest number of commands that can wait for their tick. The loop drops and
// counts further commands.
const MaxScheduled = 1 << 18

// Loop runs a simulation on its own goroutine. It takes frames from the link's demand, does the
// demanded steps, and publishes each state. The goroutine sleeps when nothing is demanded, and
// never spins. The goroutine is not locked to a thread of the operating system, because a locked
// goroutine takes longer to wake.
type Loop[S, E, C any] struct {
	sim  Simulation[S, E, C]
	link *buffer.Link[S, E, C]
	opts Options

	ready chan struct{} // closed when the first state is published or physics has failed
	done  chan struct{}

	waited  atomic.Uint64 // see Waited
	dropped atomic.Uint64 // see Dropped

	goroutine uint64      // ID of the physics goroutine; written before ready is closed
	resting   atomic.Bool // true while the goroutine sleeps or is about to sleep; no code of the program runs then

	// Only the physics goroutine uses the fields below. The first seven fields are sim as a value
	// of one more interface, or nil if sim does not implement that interface.
	changes ChangeCapturer[S]  // or nil
	debug   DebugCapturer      // or nil
	observe frameObserver      // or nil
	jumper  jumper             // or nil
	timed   timed              // or nil
	shifter Shifter[S]         // or nil
	visited visited            // or nil
	shift   func([]S)          // moves shifted bodies in the earlier states that must be published again; or nil
	tick    uint64             // the last due tick whose step is done
	rev     uint32             // the revision of the newest state
	frames  uint64             // the number of complete frames
	applied uint64             // the number of applied commands
	before  uint64             // the number of events before the newest step
	after   uint64             // the number of events up to the end of the newest step
	dt      float64            // the length of the last frame's steps, in s
	lengths [8]float64         // the lengths of the steps to the newest ticks, in s, by tick modulo 8
	waiting *schedule.Queue[C] // commands that wait for their tick
	asleep  bool               // true if the goroutine has slept since the last step

	// With a predictor the loop can run ahead (ahead.go): the published states after tick, up to
	// newest, are then predictions.
	predictor        Predictor     // or nil
	newest           uint64        // the newest published tick; greater than tick while the loop runs ahead
	seen             uint64        // the highest tick that was ever published
	aheadTarget      uint64        // Frame.Ahead of the last frame
	needs            uint64        // Frame.Needs of the last frame
	spent            time.Duration // the time that steps have taken since the last due step, for OnStep
	edited           bool          // true if commands were applied since the last state was published
	unpublished      bool          // true if there may be events that are not published
	predicts         bool          // true if the predictor may have predictions
	staged           bool          // true if the exchange has staged states that the next publish publishes, too
	stalePredictions bool          // true if the published predictions must be made again; see buffer.Frame.Repredict
}

// Start starts the physics goroutine and waits until the first state is published. The first state
// is both the previous and the current state of the first pair.
func Start[S, E, C any](sim Simulation[S, E, C], link *buffer.Link[S, E, C], opts Options) *Loop[S, E, C] {
	if opts.BeforeStep == nil {
		opts.BeforeStep = func(uint64) {}
	}
	l := &Loop[S, E, C]{
		sim: sim, link: link, opts: opts,
		ready: make(chan struct{}), done: make(chan struct{}),
		tick: opts.Tick, newest: opts.Tick, seen: opts.Tick,
	}
	l.changes, _ = sim.(ChangeCapturer[S])
	l.debug, _ = sim.(DebugCapturer)
	l.observe, _ = sim.(frameObserver)
	l.jumper, _ = sim.(jumper)
	l.timed, _ = sim.(timed)
	l.shifter, _ = sim.(Shifter[S])
	l.visited, _ = sim.(visited)
	if s, ok := sim.(scheduler[C]); ok {
		l.waiting = s.Scheduled()
	} else {
		l.waiting = new(schedule.Queue[C])
	}
	if p, ok := sim.(Predictor); ok {
		l.predictor = p
		link.Predicts.Store(true)
	}
	if a, ok := sim.(Announcer); ok {
		link.Announce(a.Announce)
	}
	interleave.Go(l.run)
	interleave.Receive(l.ready)
	return l
}

// Close asks the physics goroutine to finish the demanded steps, and waits until the goroutine has
// ended. Events that the reader has not taken are then dropped. Any goroutine except the physics
// goroutine may call Close, at any time and more than once. On the physics goroutine Close panics,
// because it would wait for its own end.
func (l *Loop[S, E, C]) Close() {
	if id, awake := l.Awake(); awake && id == owner.ID(new(owner.Header)) {
		panic(owner.WouldWait("Close"))
	}
	l.link.Demand.Quit()
	interleave.Receive(l.done)
	l.link.Commands.End()
	l.link.Events.End()
	l.link.Structure.EndTaken() // EndTaken, because a frame in progress still needs the records of the last state
}

// Awake returns the ID of the physics goroutine, and whether that goroutine is awake. Code of the
// program runs on the physics goroutine only while it is awake. Any goroutine may call Awake.
func (l *Loop[S, E, C]) Awake() (goroutine uint64, awake bool) {
	return l.goroutine, !l.resting.Load()
}

// Dropped returns the number of commands that were dropped because MaxScheduled commands were
// waiting already. Any goroutine may call Dropped.
func (l *Loop[S, E, C]) Dropped() uint64 { return l.dropped.Load() }

// Waited returns the number of steps before which physics has slept because no step was demanded.
// If it is close to the number of all steps, physics has time to spare. Any goroutine may call
// Waited.
func (l *Loop[S, E, C]) Waited() uint64 { return l.waited.Load() }

// run is the function of the physics goroutine.
func (l *Loop[S, E, C]) run() {
	defer close(l.done)
	l.opts.phases.Attach()
	l.goroutine = owner.ID(new(owner.Header))
	started, finished := false, false
	defer func() {
		f := buffer.NewFailure(l.tick, recover(), finished)
		l.link.Stop(f)
		if !started {
			close(l.ready)
		}
		if f != nil && l.opts.OnFailure != nil {
			l.opts.OnFailure(f)
		}
	}()
	l.sim.Start(&l.link.Outbox)
	l.after = l.link.Events.Count()
	l.capture(l.tick, 0, 0) // revision 0, and no time because there was no step
	l.link.Exchange.Restart()
	l.link.Advance(l.tick, 0)
	started = true
	close(l.ready)
	for l.frame() {
	}
	if l.predicts {
		l.predictor.Settle()
	}
	finished = true
}

// frame carries out the oldest frame, or sleeps if there is no frame. It returns false if the
// goroutine must end.
func (l *Loop[S, E, C]) frame() bool {
	demand := l.link.Demand
	l.visit()
	f, quit := demand.Next()
	if f == nil {
		if !quit && !l.runAhead() {
			l.sleep()
		}
		return !quit
	}
	l.aheadTarget = f.Ahead
	if l.newest > l.tick {
		return l.frameAhead(f)
	}
	if l.predicts && f.Ahead == 0 {
		l.drop()
	}
	phases := l.opts.phases
	start := monotime.Now()
	phases.Begin(l.tick+1, phase.Commands)
	l.dt = f.Dt
	if l.observe != nil {
		l.observe.ObserveFrame(f)
	}
	l.sim.BeginFrame()
	edited := l.take(f.Commands)
	l.jump()
	if f.Demand <= l.tick {
		l.finish()
		if edited || l.unpublished {
			l.republish(0) // no time, because there was no step
		}
		l.link.Advance(l.tick, l.frames)
		phases.End()
		return true
	}
	for target := f.Demand; ; start = monotime.Now() {
		start, ok := l.mayStep(start)
		if !ok {
			return false
		}
		l.step(f.Dt, l.tick+1 == target, start)
		if l.tick >= target {
			return true
		}
	}
}

// visit lets watchers join the simulation (see visited), even while there are no frames.
func (l *Loop[S, E, C]) visit() {
	if l.visited == nil || !l.visited.Visits() {
		return
	}
	l.republish(0)
}

// mayStep waits until Demand.Limit allows the next step. It returns the time at which the work of
// the step begins: the parameter start, or the end of the wait if it has waited. It returns false
// if the goroutine must end.
func (l *Loop[S, E, C]) mayStep(start time.Time) (time.Time, bool) {
	demand := l.link.Demand
	for {
		// Quitting is read before the limit. So if the limit was raised before Quit, the step is
		// done.
		quit := demand.Quitting()
		if l.tick < demand.Limit() {
			return start, true
		}
		if quit {
			return start, false
		}
		if l.newest == l.tick {
			l.visit()
		}
		l.sleep()
		start = monotime.Now()
	}
}

// jump makes the loop continue at a new tick if a frame's commands have moved the simulation to
// that tick, as a seek does.
func (l *Loop[S, E, C]) jump() {
	if l.jumper == nil {
		return
	}
	if tick, ok := l.jumper.Jumped(); ok {
		l.tick, l.newest, l.seen, l.rev = tick, tick, tick, 0
		l.storeLength(tick, l.dt)
		l.shifted()
		l.shift = nil
		l.capture(tick, 0, 0)
		l.link.Exchange.Restart()
	}
}

// revise returns the revision for the newest tick after its step.
func (l *Loop[S, E, C]) revise() uint32 {
	if l.newest <= l.seen {
		l.rev++
		return l.rev
	}
	if l.seen = l.newest; !l.predicts { // while there are predictions, the loop may come back to a tick
		l.rev = 0
	}
	return 0
}

// republish publishes the newest tick again. The parameter cost is the time of the tick's step, or
// 0 if the step was not computed again.
func (l *Loop[S, E, C]) republish(cost time.Duration) {
	l.rev++
	l.opts.phases.Enter(phase.Capture)
	if l.predictor != nil {
		l.predictor.MoveTo(l.newest) // the world may be at the due tick
	}
	if l.shifted() && !l.staged { // this also publishes the two states before the newest state again
		l.stageShifted(2)
		l.stageShifted(1)
	}
	l.capture(l.newest, l.rev, cost)
	l.opts.phases.Enter(phase.Publish)
	l.link.Exchange.Republish()
	l.shift, l.staged = nil, false
	l.edited, l.unpublished = false, false
}

// sleep waits until there may be work.
func (l *Loop[S, E, C]) sleep() {
	l.asleep = true
	l.opts.phases.Cancel()
	l.link.Exchange.Serve()
	l.resting.Store(true)
	l.link.Demand.Wait()
	l.resting.Store(false)
}

// step does the next step and publishes its state. The parameter last is true for the last step of
// a frame, and start is the time at which the work of the step began.
func (l *Loop[S, E, C]) step(dt float64, last bool, start time.Time) {
	phases := l.opts.phases
	phases.Begin(l.tick+1, phase.Commands)
	l.release()
	if l.asleep {
		l.asleep = false
		l.waited.Add(1)
	}
	l.before = l.link.Events.Count()
	phases.Enter(phase.Step)
	l.opts.BeforeStep(l.tick + 1)
	l.sim.Step(l.tick+1, dt)
	l.tick++
	l.newest = l.tick
	l.storeLength(l.tick, dt)
	rev := l.revise()
	if last {
		l.sim.EndFrame()
		l.finish()
	}
	l.after = l.link.Events.Count()
	phases.Enter(phase.Capture)
	shifted := l.shifted()
	if shifted { // these two states are published again together with the state of this step
		l.stageShifted(1)
		l.stageShifted(0)
	}
	l.capture(l.tick, rev, monotime.Since(start))
	phases.Enter(phase.Publish)
	if shifted {
		l.link.Exchange.Restart() // the two staged states become the states before this state
		l.shift = nil
	} else {
		l.link.Exchange.Publish()
	}
	l.edited, l.unpublished = false, false
	l.link.Advance(l.tick, l.frames)
	phases.Enter(phase.Other)
	if l.opts.OnStep != nil {
		l.opts.OnStep(l.tick, monotime.Since(start))
	}
	phases.End()
}

// shifted reports whether bodies were shifted, so that earlier states must be published again.
func (l *Loop[S, E, C]) shifted() bool {
	if l.shifter != nil {
		if now := l.shifter.Shifts(); now != nil {
			before := l.shift
			l.shift = func(states []S) {
				if before != nil {
					before(states)
				}
				now(states)
			}
		}
	}
	return l.shift != nil
}

// stageShifted stages a copy of a published state in which the shifted bodies are moved. The
// parameter before says which state: 0 is the current state, 1 the state before it, and so on.
func (l *Loop[S, E, C]) stageShifted(before int) {
	x := l.link.Exchange
	from, to := x.Published(before), x.Next()
	to.States = append(to.States[:0], from.States...)
	l.shift(to.States)
	to.Meta = from.Meta
	to.Revision, to.HasDebug = from.Revision+1, false
	x.Stage()
}

// storeLength stores the length of the step to a tick.
func (l *Loop[S, E, C]) storeLength(tick uint64, dt float64) {
	if l.timed != nil && tick == l.tick {
		dt = l.timed.Lasted()
	}
	l.lengths[tick%uint64(len(l.lengths))] = dt
}

// finish completes the current frame.
func (l *Loop[S, E, C]) finish() {
	l.link.Demand.FinishFrame()
	l.frames++
}

// take reads the new records of the command log, up to the count limit. It applies the commands
// that are due, and stores commands for later ticks in the queue. It reports whether it has applied
// any.
func (l *Loop[S, E, C]) take(limit uint64) bool {
	before := l.applied
	l.release()
	for o := l.link.Commands.Peek(limit); o != nil; o = l.link.Commands.Peek(limit) {
		if o.At > l.tick {
			if l.waiting.Len() < MaxScheduled {
				l.waiting.Add(*o)
			} else {
				l.dropped.Add(1)
			}
		} else {
			l.apply(&o.Command, o.At != 0)
		}
		l.link.Commands.Take()
	}
	return l.applied != before
}

// release applies the commands of the queue that are due.
func (l *Loop[S, E, C]) release() {
	for o := l.waiting.Due(l.tick); o != nil; o = l.waiting.Due(l.tick) {
		l.apply(&o.Command, true)
	}
}

func (l *Loop[S, E, C]) apply(c *C, scheduled bool) {
	l.sim.Apply(l.tick, c, scheduled)
	l.applied++
	l.opts.phases.AddCommand()
}

// capture fills the exchange's next slot with the current state and its Meta. The parameter cost is
// the time of the step, or 0 if there was no step.
func (l *Loop[S, E, C]) capture(tick uint64, rev uint32, cost time.Duration) {
	s := l.link.Exchange.Next()
	if l.changes != nil {
		l.changes.CaptureChanged(s)
	} else {
		s.States = l.sim.Capture(s.States[:0])
	}
	s.HasDebug = false
	if layers := body2d.Layers(l.link.DebugLayers.Load()); layers != 0 && l.debug != nil {
		l.debug.CaptureDebug(layers, &s.Debug)
		s.HasDebug = true
	}
	l.link.Structure.Trim()
	l.link.Events.Trim()
	s.Meta = buffer.Meta{
		Tick: tick, Revision: rev, Dt: l.lengths[tick%uint64(len(l.lengths))],
		Structure: l.link.Structure.Count(), Events: l.link.Events.Count(),
		BeforeStep: l.before, AfterStep: l.after,
		Frames: l.frames, Commands: l.applied,
		StepNanos: int64(cost), Counts: l.sim.Counts(), HasDebug: s.HasDebug,
	}
}
