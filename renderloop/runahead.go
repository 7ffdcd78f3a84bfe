package renderloop

import (
	"math"

	"halfstep/buffer"
	"halfstep/renderloop/clock"
)

const (
	// nearly is a number of ticks: an instant that is later than a state by at most nearly is shown
	// at that state. Without nearly, frames that are as long as a step would need one more step.
	nearly = 1e-3

	// maxFrameAdvance is the greatest expected advance from this frame's instant to the next
	// frame's instant, as a multiple of a typical frame's advance.
	maxFrameAdvance = 1.2

	longWait = 1 << 60 // in ns, a wait without a limit

	// Without Config.WaitBudget, a frame waits for its steps for at most 1/budgetPart of the usual
	// frame time, and for at most defaultBudget nanoseconds.
	budgetPart    = 3
	defaultBudget = 2_000_000
)

// running reports whether the loop runs ahead in this frame.
func (l *Loop[S, E, C]) running() bool {
	return l.config.Sync == RunAhead && l.link.Predicts.Load() && !l.clock.Paused()
}

// runAhead is a frame of RunAhead. It shows the instant at which the frame will be seen, from
// states that physics has computed before they are due. If the frame has commands, it waits for the
// effect of the commands, but not longer than waitBudget.
func (l *Loop[S, E, C]) runAhead(ns int64) {
	ld := &l.lead
	if !ld.on {
		l.startAhead()
	}
	// The variable late is true if physics has not done all earlier frames.
	newest, late := l.link.Exchange.Newest(), l.link.Demand.Posted() != l.link.Frames()
	backlog := l.last.demand - min(l.link.Tick(), l.last.demand)
	after := l.clock.Demand()
	if ld.dt != l.clock.Dt() { // the rate has changed
		ld.asked, ld.rateChanged = min(ld.asked, 1), true // not 0, because 0 would end RunAhead's predictions
	}
	l.carry()
	advanced := l.advance(ns, backlog)
	if ns > 0 { // a frame without time must not change the display delay
		ld.pace(l.stats.Frames, l.stats.RealNanos, l.paced())
		ld.frame.observe(ns)
	}

	l.advanceLead(ns, advanced)
	l.askAhead(ld.off(advanced))
	l.takeAim(l.paced(), newest)
	tick, next := l.chooseTicks(ns, advanced)

	// After a change to a smaller time scale, physics may be so far ahead that the exchange no
	// longer has the wanted pair. Physics must then publish that pair again.
	ld.back = tick > l.view.Tick && max(tick+1, l.clock.Demand()) < newest
	// States that were predicted with the old length of steps are not shown.
	l.view.Fresh = !ld.rateChanged && !ld.back && l.acquireUpTo(tick)
	budget, waits := l.waitOrNot(tick, newest, after, late)
	needs := tick
	if !waits && !ld.back {
		needs = next // physics must first compute the states for the next frame
	}
	if l.view.Fresh && l.view.Tick > needs {
		// The frame did not get the wanted pair but a later pair, because physics is too far ahead.
		// If commands change the shown pair, physics must publish that pair again
		// (TestARunAheadIsWhatItsRecordingSays, the last seed).
		needs = l.view.Tick - 1
		next = max(next, needs)
	}
	l.postAhead(after, needs, next)
	if waits {
		l.waitAhead(tick, budget)
		l.view.Fresh = l.acquireUpTo(tick) || l.view.Fresh
	}
	if l.view.Tick > 0 && l.view.Dt != l.clock.Length(l.view.Tick) {
		// The present pair has the old length of a step, and the exchange no longer has the wanted
		// pair.
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

// advanceLead changes the lead towards its target. The parameter advanced is the number of ticks by
// which the frame has advanced the clock.
func (l *Loop[S, E, C]) advanceLead(ns int64, advanced float64) {
	ld := &l.lead
	if perTick := l.nanosPerTick(); perTick > 0 {
		if scale := l.clock.Scale(); scale != ld.scale {
			if ld.scale = scale; l.shown.at != start {
				ld.snaps, ld.quiet = 0, max(ld.quiet, leadQuiet) // for some time the lead does not grow, so that the picture moves at the new speed of the world
			}
		}
		ld.update(ld.target(ns, perTick, l.unit), advanced, ns, perTick)
		if advanced == 0 && l.clock.Ended() {
			// this increases the lead to 0, so that the last tick is shown
			ld.ticks = max(ld.ticks, min(ld.ticks+float64(ns)/perTick, 0))
		}
	}
	ld.ticks += max(l.leadOf(l.shown.at)-ld.off(advanced), 0) // the picture must not go back
}

// askAhead sets the frame's instant to the clock's instant plus lead ticks, but at most to the last
// tick of the run.
func (l *Loop[S, E, C]) askAhead(lead float64) {
	now, most := l.now(), float64(l.left())
	if l.clock.Alike() {
		now.Tick++ // adds one of the lead's ticks without a rounding error
		l.shown.asked, l.shown.off = now, min(lead-1, most-now.Part)
	} else {
		l.shown.asked, l.shown.off = l.lockstepInstant(), min(lead, most+(1-now.Part)*l.clock.Interval()/l.unit)
	}
	l.lag = lag{}
}

// left returns the number of ticks until the clock's last tick, but at most 2^40.
func (l *Loop[S, E, C]) left() uint64 {
	demand := l.clock.Demand()
	return min(l.clock.Last(), demand+1<<40) - min(demand, l.clock.Last())
}

// chooseTicks returns the later tick of the pair that this frame needs, and the later tick of the
// pair that the next frame will need.
func (l *Loop[S, E, C]) chooseTicks(ns int64, advanced float64) (tick, next uint64) {
	ld, frame := &l.lead, float64(l.lead.frame)
	if tick = l.needs(0); l.shown.at.Part > 0 {
		tick = max(tick, l.shown.at.Tick) // nearly is more time after a change to longer steps
	}

	// If a step takes longer than a frame, physics must be asked for the states of a frame several
	// frames before that frame.
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

	// The exchange has only the newest three states. If physics is too far ahead, a frame that
	// begins early does not find the states that it needs, and shows a later instant than its own.
	ld.early.observe(max(typical/maxFrameAdvance-advanced, 0), ns)
	early := max(l.needs(max(typical/maxFrameAdvance-ld.early.greatest(), 0))+1, tick+1)
	if next > early && ld.off(ld.advance.greatest()) > -1 && float64(next-early)*l.governor.typical <= float64(l.waitBudget()) {
		next = early
	}
	demand := l.clock.Demand()
	return tick, min(max(next, demand), demand+l.left())
}

// needs returns the later tick of the pair around an instant: the frame's instant plus the given
// number of ticks.
func (l *Loop[S, E, C]) needs(later float64) uint64 {
	tick := l.shown.asked.Tick
	at := int64(tick) + int64(math.Ceil(l.withinLater(tick, later)-nearly)) - 1
	return uint64(max(at, 0))
}

// waitOrNot decides whether the frame waits until physics has published the given tick with the
// effect of the frame's commands, and returns the longest wait in ns. A frame waits only if the
// missing steps can be done in this time. The parameter newest is the newest published tick; the
// frame's commands are applied after the tick given as after; late is true if physics has not done
// all earlier frames.
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
		// The rate has changed, so the frame cannot show the present states. It waits without a
		// limit.
		l.lead.rateChanged = false
		return longWait, true
	}
	return budget, waits
}

// waitBudget returns the longest wait of a frame, in ns: Config.WaitBudget, or the default.
func (l *Loop[S, E, C]) waitBudget() int64 {
	if l.config.WaitBudget > 0 {
		return l.config.WaitBudget
	}
	return min(int64(l.lead.frame)/budgetPart, defaultBudget)
}

// postAhead posts the frame, unless the frame has no commands and no steps and physics need not
// predict more ticks or predict again. The parameters after and needs are fields of buffer.Frame,
// and next is the tick up to which physics must predict.
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

// waitAhead waits until physics has done this frame's commands and has published the tick, but at
// most for the time budget, in ns.
func (l *Loop[S, E, C]) waitAhead(tick uint64, budget int64) {
	done := false
	l.stats.WaitNanos, done = l.physics.wait(tick, budget)
	if l.lead.waited(done); !done {
		l.stats.Missed++
	}
}

// carry makes a new rate valid once the picture has reached the steps after the last due step.
// Physics then predicts these steps again, with the new length.
func (l *Loop[S, E, C]) carry() {
	c, interval := l.clock, l.clock.Interval()
	if interval != c.Dt() && l.leadOf(l.shown.at)*l.unit > interval*(1-1e-9) {
		c.CarryTime()
		l.lead.ticks += (c.Dt() - interval) / l.unit
	}
}

// lockstepInstant returns the instant with a lead of 0. It is computed backward in time from the
// tick Demand, so it is correct even if steps have different lengths.
func (l *Loop[S, E, C]) lockstepInstant() clock.Instant {
	c := l.clock
	return c.After(clock.Instant{Tick: c.Demand(), Part: 1}, (c.Remainder().Fraction()-1)*c.Interval())
}

// leadOf returns by how many ticks an instant is later than lockstepInstant.
func (l *Loop[S, E, C]) leadOf(i clock.Instant) float64 {
	if now := l.now(); l.clock.Alike() {
		return in(now.Tick, i) - now.Part
	}
	return l.clock.Between(l.lockstepInstant(), i) / l.unit
}

// startAhead begins to run ahead from the shown instant. After Pipelined this instant is behind the
// clock by a frame's advance. So lead.trail begins at about 1, and then decreases to 0. The trail
// is a part of a frame's advance and no constant time, because a constant time could be too many
// ticks after a change to a smaller time scale.
func (l *Loop[S, E, C]) startAhead() {
	ld := &l.lead
	ld.on, ld.asked, ld.dt, ld.moving, ld.scale = true, 0, l.clock.Dt(), true, l.clock.Scale()
	ld.ticks, ld.trail = l.leadOf(l.shown.at), 0
	if before := l.last.advance; ld.ticks < 0 && before > 0 {
		ld.trail = min(-ld.ticks/before, 1)
		ld.ticks += ld.trail * before
	}
	if ld.snaps = 0; l.shown.at == start {
		ld.snaps = leadSnap // no body has moved yet, so nobody sees a jump of the lead
	}
	l.physics.startAhead()
}

// settle ends running ahead: it advances the clock to the shown instant, so that the steps up to
// this instant become due. Physics drops all later predicted steps.
func (l *Loop[S, E, C]) settle() {
	l.lead.on, l.lead.snaps = false, 0
	after := l.clock.Demand()
	l.clock.Reach(l.shown.at.Tick, l.shown.at.Part)
	demand := l.clock.Demand()
	// Only the commands up to l.postedCommands are posted here, because this frame's commands come after the
	// steps that become due now.
	l.physics.settle(buffer.Frame{
		After: after, Demand: demand, Again: true, Dt: l.clock.Dt(), Commands: l.postedCommands, Remainder: l.clock.Remainder(),
	})
	l.last = last{demand: demand, alpha: l.clock.Remainder().Fraction()}
	l.lag, l.shown.aimed = lag{}, 0
}
