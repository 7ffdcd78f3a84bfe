package renderloop

import (
	"math"

	"halfstep/buffer"
	"halfstep/renderloop/clock"
)

const (
	// nearly is how far beyond a state, ticks, an instant may be that is shown without the next state.
	// The difference is invisible, and saves a step if a frame is as long as a step.
	nearly = 1e-3

	// maxFrameAdvance is the greatest distance from this frame's instant to the next frame's that is
	// expected, as a multiple of a typical frame.
	maxFrameAdvance = 1.2

	longWait = 1 << 60 // ns: a wait without a limit

	// Without Config.WaitBudget, a frame waits for its steps for at most 1/budgetPart of the usual
	// frame time, because it often needs two steps in a row. It never waits longer than defaultBudget
	// nanoseconds.
	budgetPart    = 3
	defaultBudget = 2_000_000
)

// running reports whether the loop can run ahead now.
func (l *Loop[S, E, C]) running() bool {
	return l.config.Sync == RunAhead && l.link.Predicts.Load() && !l.clock.Paused()
}

// runAhead is a frame of RunAhead. It shows the instant at which the frame will be seen, from
// states that physics has computed before they are due. If the frame has commands, it waits for
// their effect, but not longer than the budget.
func (l *Loop[S, E, C]) runAhead(ns int64) {
	ld := &l.lead
	if !ld.on {
		l.startAhead()
	}
	// late is true if physics has not done all earlier frames, so that the time of a wait is unknown.
	newest, late := l.link.Exchange.Newest(), l.link.Demand.Posted() != l.link.Frames()
	backlog := l.last.demand - min(l.link.Tick(), l.last.demand)
	after := l.clock.Demand()
	if ld.dt != l.clock.Dt() { // the rate has changed
		ld.asked, ld.rateChanged = min(ld.asked, 1), true // 0 would end running ahead
	}
	l.carry()
	advanced := l.advance(ns, backlog)
	if ns > 0 { // a frame in which no time passes says nothing about the display
		ld.pace(l.stats.Frames, l.stats.RealNanos, l.paced())
		ld.frame.observe(ns)
	}

	l.advanceLead(ns, advanced)
	l.askAhead(ld.off(advanced))
	l.takeAim(l.paced(), newest)
	tick, next := l.chooseTicks(ns, advanced)

	// After a change to a slower time scale, physics may be further ahead than the three states of the
	// exchange. Then it publishes the wanted pair again, or the nearest pair that is due.
	ld.back = tick > l.view.Tick && max(tick+1, l.clock.Demand()) < newest
	// States that were predicted with another length of steps are no longer shown.
	l.view.Fresh = !ld.rateChanged && !ld.back && l.acquireUpTo(tick)
	budget, waits := l.waitOrNot(tick, newest, after, late)
	needs := tick
	if !waits && !ld.back {
		needs = next // the states for the next frame must be ready
	}
	if l.view.Fresh && l.view.Tick > needs {
		// The frame did not get the wanted pair, because physics is further ahead than the three states of
		// the exchange. The picture is then ahead of its instant. If commands change the shown pair, that
		// pair must stay published (TestARunAheadIsWhatItsRecordingSays, the last seed).
		needs = l.view.Tick - 1
		next = max(next, needs)
	}
	l.postAhead(after, needs, next)
	if waits {
		l.waitAhead(tick, budget)
		l.view.Fresh = l.acquireUpTo(tick) || l.view.Fresh
	}
	if l.view.Tick > 0 && l.view.Dt != l.clock.Length(l.view.Tick) {
		// The step of the present pair has the old length, and the exchange no longer has the wanted pair.
		l.view.Fresh = l.acquireUpTo(newestTick) || l.view.Fresh
	}

	t := l.position(0)
	if t > 1+nearly && l.view.Tick > 0 && !l.aimedPast(t) {
		ld.held(l.units(t-1), advanced)
	} else if t > 1 {
		t = 1
	}
	l.show(t, false)
	ld.snaps = max(ld.snaps-1, 0)
	l.last.advance, l.last.overshoot = advanced, 0
}

// advanceLead changes the lead towards its target, in a frame that advances the clock by advanced
// ticks.
func (l *Loop[S, E, C]) advanceLead(ns int64, advanced float64) {
	ld := &l.lead
	if perTick := l.nanosPerTick(); perTick > 0 {
		if scale := l.clock.Scale(); scale != ld.scale {
			if ld.scale = scale; l.shown.at != start {
				ld.snaps, ld.quiet = 0, max(ld.quiet, leadQuiet) // at first the picture moves at the new speed of the world
			}
		}
		ld.update(ld.target(ns, perTick, l.unit), advanced, ns, perTick)
		if advanced == 0 && l.clock.Ended() {
			// otherwise the last tick might never be shown
			ld.ticks = max(ld.ticks, min(ld.ticks+float64(ns)/perTick, 0))
		}
	}
	ld.ticks += max(l.leadOf(l.shown.at)-ld.off(advanced), 0) // the picture must not go back
}

// askAhead sets the frame's instant. It is lead ticks after the clock's instant, which Lockstep
// shows, but not beyond the last tick of the run.
func (l *Loop[S, E, C]) askAhead(lead float64) {
	now, most := l.now(), float64(l.left())
	if l.clock.Alike() {
		now.Tick++ // one step of the lead, without an error by rounding
		l.shown.asked, l.shown.off = now, min(lead-1, most-now.Part)
	} else {
		l.shown.asked, l.shown.off = l.lockstepInstant(), min(lead, most+(1-now.Part)*l.clock.Interval()/l.unit)
	}
	l.lag = lag{}
}

// left is the number of ticks that can still be demanded before the clock's last tick (at most 2^40).
func (l *Loop[S, E, C]) left() uint64 {
	demand := l.clock.Demand()
	return min(l.clock.Last(), demand+1<<40) - min(demand, l.clock.Last())
}

// chooseTicks returns the tick that this frame needs, and the tick that the next frame
// will need.
func (l *Loop[S, E, C]) chooseTicks(ns int64, advanced float64) (tick, next uint64) {
	ld, frame := &l.lead, float64(l.lead.frame)
	if tick = l.needs(0); l.shown.at.Part > 0 {
		tick = max(tick, l.shown.at.Tick) // with longer steps, nearly is more time
	}

	// The states that the next frame needs must be done by then. If a step takes longer than a frame,
	// physics must be asked for these states several frames before.
	frames := 1.0
	if frame > 0 {
		frames = math.Max(1, math.Ceil(1.1*l.governor.typical/frame))
	}
	typical := 1.
	if perTick := l.nanosPerTick(); perTick > 0 {
		typical = maxFrameAdvance * frame / perTick
	}
	later := frames * min(ld.advance.observe(advanced, ns), typical)
	if ld.moving && ld.ticks < 1 {
		later *= 1 + leadGrow
	}
	next = l.needs(later)

	// The exchange has the newest three states. If physics is too far ahead, a frame that comes early does not
	// find the states that it needs, and its picture is ahead of its instant. A frame that comes late can wait
	// for its state, if steps are quick and the state is one of the last two due ones or a later one.
	ld.early.observe(max(typical/maxFrameAdvance-advanced, 0), ns)
	early := max(l.needs(max(typical/maxFrameAdvance-ld.early.greatest(), 0))+1, tick+1)
	if next > early && ld.off(ld.advance.greatest()) > -1 && float64(next-early)*l.governor.typical <= float64(l.waitBudget()) {
		next = early
	}
	demand := l.clock.Demand()
	return tick, min(max(next, demand), demand+l.left())
}

// needs is the tick that ends the pair around the instant that is later than the frame's by the given
// number of ticks.
func (l *Loop[S, E, C]) needs(later float64) uint64 {
	tick := l.shown.asked.Tick
	at := int64(tick) + int64(math.Ceil(l.withinLater(tick, later)-nearly)) - 1
	return uint64(max(at, 0))
}

// waitOrNot decides whether the frame waits for its tick, and for how many ns at most. A frame
// waits until its commands have an effect, or until physics has done the tick, if the steps for
// that can be done in the budget. newest is the newest published tick, and commands follow the tick
// after. late is true if physics has not done all earlier frames.
func (l *Loop[S, E, C]) waitOrNot(tick, newest, after uint64, late bool) (budget int64, waits bool) {
	demand, work := l.clock.Demand(), uint64(0)
	if waits = l.link.Commands.Count() != l.postedCommands; waits {
		work = max(tick, demand, min(newest, after+1)) - after
	} else if waits = tick > newest && tick+1 >= demand; waits {
		work = tick - newest
	}
	budget = l.waitBudget()
	if l.lead.back {
		waits, work = true, max(tick, demand)-after
	}
	waits = waits && !late && float64(work)*l.governor.typical <= float64(budget) && l.lead.mayWait()
	if l.lead.rateChanged {
		// The rate has changed, so none of the present states can be shown, and the frame waits without a limit.
		l.lead.rateChanged = false
		return longWait, true
	}
	return budget, waits
}

// waitBudget is the longest wait of a frame, ns: Config.WaitBudget, or the default.
func (l *Loop[S, E, C]) waitBudget() int64 {
	if l.config.WaitBudget > 0 {
		return l.config.WaitBudget
	}
	return min(int64(l.lead.frame)/budgetPart, defaultBudget)
}

// postAhead posts the frame. Without commands and steps, it posts the frame only if physics must
// predict more ticks, or with another length of steps. needs is the tick that physics computes
// first after a command, and next is the tick up to which it predicts.
func (l *Loop[S, E, C]) postAhead(after, needs, next uint64) {
	ld := &l.lead
	ld.again = ld.dt != l.clock.Dt() || ld.back
	further := next > ld.asked || ld.again
	if ld.back {
		ld.asked = 1
	}
	ld.asked, ld.dt = max(ld.asked, next), l.clock.Dt()
	if !l.isEmptyFrame(after) || further {
		l.postFrame(after, needs, ld.asked)
	}
}

// waitAhead waits until physics has done this frame's commands and has published the tick. It waits
// no longer than the budget.
func (l *Loop[S, E, C]) waitAhead(tick uint64, budget int64) {
	done := false
	l.stats.WaitNanos, done = l.physics.wait(tick, budget)
	if l.lead.waited(done); !done {
		l.stats.Missed++
	}
}

// carry makes a new rate valid once the picture has reached the steps after the last due one.
// Physics then predicts these steps again, with the new length. Until then the current interval
// keeps its length, as in the other modes.
func (l *Loop[S, E, C]) carry() {
	c, interval := l.clock, l.clock.Interval()
	if interval != c.Dt() && l.leadOf(l.shown.at)*l.unit > interval*(1-1e-9) {
		c.CarryTime()
		l.lead.ticks += (c.Dt() - interval) / l.unit
	}
}

// lockstepInstant is the instant with a lead of 0. It is computed backward in time from the end of
// the step to Demand, so it is right even if steps have different lengths.
func (l *Loop[S, E, C]) lockstepInstant() clock.Instant {
	c := l.clock
	return c.After(clock.Instant{Tick: c.Demand(), Part: 1}, (c.Remainder().Fraction()-1)*c.Interval())
}

// leadOf is the lead, ticks, with which an instant is shown.
func (l *Loop[S, E, C]) leadOf(i clock.Instant) float64 {
	if now := l.now(); l.clock.Alike() {
		return in(now.Tick, i) - now.Part
	}
	return l.clock.Between(l.lockstepInstant(), i) / l.unit
}

// startAhead begins to run ahead, from the instant that is shown. After Pipelined that instant is behind
// the clock by a frame's advance. This distance, the trail, is stored as a part of each frame's advance,
// and that part becomes smaller and smaller. If the trail were a constant time, it would be behind the
// states of the exchange after a change to a slower time scale.
func (l *Loop[S, E, C]) startAhead() {
	ld := &l.lead
	ld.on, ld.asked, ld.dt, ld.moving, ld.scale = true, 0, l.clock.Dt(), true, l.clock.Scale()
	ld.ticks, ld.trail = l.leadOf(l.shown.at), 0
	if before := l.last.advance; ld.ticks < 0 && before > 0 {
		ld.trail = min(-ld.ticks/before, 1)
		ld.ticks += ld.trail * before
	}
	if ld.snaps = 0; l.shown.at == start {
		ld.snaps = leadSnap // no body has moved yet, so a jump of the lead is invisible
	}
	l.physics.startAhead()
}

// settle ends running ahead. The clock moves on to the shown instant, so that its step becomes due.
// Physics drops all predicted steps after it.
func (l *Loop[S, E, C]) settle() {
	l.lead.on, l.lead.snaps = false, 0
	after := l.clock.Demand()
	l.clock.Reach(l.shown.at.Tick, l.shown.at.Part)
	demand := l.clock.Demand()
	// Only the commands up to l.postedCommands, because this frame's commands come after the steps that become due now.
	l.physics.settle(buffer.Frame{
		After: after, Demand: demand, Again: true, Dt: l.clock.Dt(), Commands: l.postedCommands, Remainder: l.clock.Remainder(),
	})
	l.last = last{demand: demand, alpha: l.clock.Remainder().Fraction()}
	l.lag, l.shown.aimed = lag{}, 0
}
