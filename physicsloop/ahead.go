package physicsloop

import (
	"time"

	"halfstep/buffer"
	"halfstep/buffer/phase"
	"halfstep/internal/monotime"
)

// While Loop.newest is greater than Loop.tick, the loop is ahead: the states after tick, up to
// newest, have been published but are not due. The simulation is then a Predictor. A Predictor can
// go back to the due tick and forward again (MoveTo), and can make a predicted step due without a
// second computation (Confirm). Each frame says up to which tick to predict (Frame.Ahead) and which
// tick to compute first (Frame.Needs).

// runAhead predicts one tick, if the last frame asks for one more. If not, it publishes events that
// have not been published yet. It reports whether it has done one of the two.
func (l *Loop[S, E, C]) runAhead() bool {
	if l.predictor != nil && l.aheadTarget > l.newest && l.newest < l.link.Demand.Limit() {
		cost := l.predict(l.newest + 1)
		l.newest++
		l.opts.phases.Enter(phase.Capture)
		l.capture(l.newest, l.revise(), cost)
		l.opts.phases.Enter(phase.Publish)
		l.link.Exchange.Publish()
		l.edited = false
		l.announce()
		return true
	}
	if l.unpublished {
		l.opts.phases.Begin(l.newest, phase.Capture)
		l.republish(0)
		l.announce()
		return true
	}
	return false
}

// announce publishes the progress of physics. It is called after a state was published.
func (l *Loop[S, E, C]) announce() {
	l.unpublished = false
	l.link.Advance(l.tick, l.frames)
	l.opts.phases.End()
}

// predict does the step to a tick that is not due. It returns the time that the step took.
func (l *Loop[S, E, C]) predict(tick uint64) (cost time.Duration) {
	l.opts.phases.Begin(tick, phase.Step)
	start := monotime.Now()
	l.predicts = true
	l.opts.BeforeStep(tick)
	l.predictor.Predict(tick, l.dt)
	l.storeLength(tick, l.dt)
	cost = monotime.Since(start)
	l.spent += cost
	return cost
}

// frameAhead carries out a frame and all frames posted since, while the loop is ahead. If the
// frames change published states, it computes these states again and replaces them in one swap.
func (l *Loop[S, E, C]) frameAhead(f *buffer.Frame) bool {
	phases := l.opts.phases
	phases.Begin(l.tick+1, phase.Commands)
	l.stalePredictions = false
	for ; f != nil; f, _ = l.link.Demand.Next() {
		if !l.due(f) {
			return false
		}
	}
	switch {
	case l.newest == l.tick && l.aheadTarget > 0: // all predicted ticks have become due
	case l.newest == l.tick:
		if l.drop(); l.unpublished {
			l.republish(0)
		}
	case l.aheadTarget == 0:
		l.settle()
	case l.stalePredictions || l.newest > l.predictor.Predicted():
		l.correct()
	case l.edited:
		l.republish(0)
	}
	l.link.Advance(l.tick, l.frames)
	phases.End()
	return true
}

// due carries out a frame's commands and due steps. It returns false if the physics goroutine must
// end.
func (l *Loop[S, E, C]) due(f *buffer.Frame) bool {
	l.stalePredictions = l.stalePredictions || f.Repredict
	l.dt, l.aheadTarget, l.needs = f.Dt, f.Ahead, max(f.Needs, f.Demand)
	steps := f.Demand > l.tick
	if !steps && l.link.Commands.Peek(f.Commands) == nil {
		l.finish() // this frame has no commands and no due steps
		return true
	}
	if l.observe != nil {
		l.observe.ObserveFrame(f)
	}
	l.sim.BeginFrame()
	if f.Again {
		l.predictor.Repeat()
	}
	if l.take(f.Commands) {
		l.edited, l.unpublished = true, true
	}
	l.jump()
	for l.tick < f.Demand {
		start, ok := l.mayStep(monotime.Now())
		if !ok {
			return false
		}
		if last := l.tick+1 == f.Demand; l.newest > l.tick {
			if l.stepAhead(f.Dt, last, start); l.tick == l.newest {
				l.link.Advance(l.tick, l.frames)
			}
		} else {
			l.step(f.Dt, last, start)
			l.opts.phases.Begin(l.tick+1, phase.Commands)
		}
	}
	if !steps {
		l.finish()
	}
	if l.edited && l.newest == l.tick {
		l.republish(0)
	}
	return true
}

// stepAhead makes the next tick due. The predicted state of that tick has been published already.
func (l *Loop[S, E, C]) stepAhead(dt float64, last bool, start time.Time) {
	l.release()
	if l.asleep {
		l.asleep = false
		l.waited.Add(1)
	}
	l.before = l.link.Events.Count()
	confirmed := l.predictor.Confirm(l.tick+1, dt)
	if !confirmed {
		l.predictor.MoveTo(l.tick) // the world may be at a predicted tick
		l.stage(l.tick)
		l.opts.phases.Enter(phase.Step)
		l.opts.BeforeStep(l.tick + 1)
		l.sim.Step(l.tick+1, dt)
	}
	l.tick++
	l.storeLength(l.tick, dt)
	if last {
		l.sim.EndFrame()
		l.finish()
	}
	l.after, l.unpublished = l.link.Events.Count(), true
	if l.tick == l.newest && !confirmed {
		l.republish(0)
	}
	l.spent += monotime.Since(start)
	if l.opts.OnStep != nil {
		l.opts.OnStep(l.tick, l.spent)
	}
	l.spent = 0
	l.opts.phases.Enter(phase.Commands)
}

// stage stages the state of a tick that was computed again, if the tick is one of the last ticks,
// which are published together with the newest state.
func (l *Loop[S, E, C]) stage(tick uint64) {
	if tick+2 < l.newest && tick+1 < l.needs {
		return
	}
	l.opts.phases.Enter(phase.Capture)
	if l.shifted() && tick+1 == l.newest && !l.staged {
		l.stageShifted(2) // the two states after this one are computed again
	}
	l.capture(tick, l.rev+1, 0)
	l.link.Exchange.Stage()
	l.staged = true
}

// correct computes predicted ticks again, up to the tick Loop.needs.
func (l *Loop[S, E, C]) correct() {
	l.stalePredictions = false
	if newest := max(l.needs, l.tick+1); newest < l.newest {
		l.newest = newest
		if l.needs == l.tick && l.tick > 0 && !l.staged && !l.shifted() && l.predictor.MoveTo(l.tick-1) {
			l.stage(l.tick - 1) // the exchange no longer has this due state, which the frame needs
		}
	}
	l.predictor.MoveTo(l.tick)
	var cost time.Duration
	for tick := l.tick; tick < l.newest; tick++ {
		l.stage(tick)
		cost = l.predict(tick + 1)
	}
	l.republish(cost)
}

// drop drops all predictions. The predictor may append events in this call; they are published
// later.
func (l *Loop[S, E, C]) drop() {
	events := l.link.Events.Count()
	l.predictor.Settle()
	l.predicts, l.unpublished = false, l.unpublished || l.link.Events.Count() != events
}

// settle publishes the due states in place of the predicted states.
func (l *Loop[S, E, C]) settle() {
	if l.newest == l.tick+1 && !l.edited && !l.staged { // the published predictions are equal to the due states
		l.newest = l.tick
		l.rev++
		l.link.Exchange.Withdraw()
		if l.drop(); l.unpublished {
			l.republish(0)
		}
		return
	}
	l.link.Exchange.Unstage()
	l.staged = false
	first := l.tick
	for first > 0 && first+2 > l.tick && l.predictor.MoveTo(first-1) {
		first--
	}
	l.newest = l.tick
	for tick := first; tick < l.tick; tick++ {
		l.predictor.MoveTo(tick)
		l.stage(tick)
	}
	l.predictor.MoveTo(l.tick)
	l.drop()
	l.edited, l.unpublished = false, false
	l.rev++
	l.capture(l.tick, l.rev, 0)
	l.link.Exchange.Restart()
	l.shift, l.staged = nil, false
}
