package renderloop

import (
	"math"

	"halfstep/buffer"
	"halfstep/renderloop/clock"
)

const (
	// nearly is how far beyond a state the instant may be without needing the next one, in
	// ticks. Nobody sees it, and where a frame is as long as a step it saves one.
	nearly = 1e-3

	// foresight is the number of typical frames, in ticks, within which the next one
	// asks for its steps: a frame, and a little more.
	foresight = 1.2

	longWait = 1 << 60 // as long as it takes, in ns
)

// running reports whether the loop can run ahead now.
func (l *Loop[S, E, C]) running() bool {
	return l.config.Sync == RunAhead && l.link.Predicts.Load() && !l.clock.Paused()
}

// runAhead is a frame of RunAhead: it shows the instant at which it will be seen, from
// states that physics has computed before they are due. If it has commands, it waits
// for their effect within the budget.
func (l *Loop[S, E, C]) runAhead(ns int64) {
	ld := &l.lead
	if !ld.on {
		l.startAhead()
	}
	// late says that physics still has frames to do, so waiting would take longer than is known.
	newest, late := l.link.Exchange.Newest(), l.link.Demand.Posted() != l.link.Frames()
	backlog := l.last.demand - min(l.link.Tick(), l.last.demand)
	after := l.clock.Demand()
	if ld.dt != l.clock.Dt() { // the rate has changed
		ld.asked, ld.carried = 0, true
	}
	l.carry()
	advanced := l.advance(ns, backlog)
	ld.pace(l.stats.Frames, l.stats.RealNanos, l.paced())
	l.auto.frame.observe(ns)

	l.advanceLead(ns, advanced)
	l.askAhead()
	l.takeAim(l.paced(), newest)
	tick, next := l.chooseTicks(ns, advanced)

	// What was predicted with steps of another length is not taken any more.
	l.view.Fresh = !ld.carried && l.acquireUpTo(tick)
	budget, waits := l.waitOrNot(tick, newest, after, late)
	needs := tick
	if !waits {
		needs = next // the next frame finds what it needs
	}
	if l.view.Fresh && l.view.Tick > needs {
		// The pair wanted was missed, because the exchange has the newest three states and
		// physics is further ahead: the picture is ahead of its instant. What it shows stays
		// published if commands change it (TestARunAheadIsWhatItsRecordingSays, the last seed).
		needs = l.view.Tick - 1
		next = max(next, needs)
	}
	l.postAhead(after, needs, next)
	if waits {
		l.waitAhead(tick, budget)
		l.view.Fresh = l.acquireUpTo(tick) || l.view.Fresh
	}
	if l.view.Tick > 0 && l.view.Dt != l.clock.Length(l.view.Tick) {
		// A pair of the old length is at hand, and the one wanted is past already.
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
	l.last.advance, l.last.trail, l.last.leap = advanced, 1, 0
}

// advanceLead brings the lead closer to where it should be, in a frame that advances the
// clock by so many ticks.
func (l *Loop[S, E, C]) advanceLead(ns int64, advanced float64) {
	ld := &l.lead
	if perTick := l.nanosPerTick(); perTick > 0 {
		ld.update(ld.target(ns, perTick, l.unit), advanced, ns, perTick)
		if advanced == 0 && l.clock.Ended() {
			// Otherwise the last tick might never be shown.
			ld.ticks = max(ld.ticks, min(ld.ticks+float64(ns)/perTick, 0))
		}
	}
	ld.ticks = max(ld.ticks, l.leadOf(l.shown.at)) // the picture does not go back
}

// askAhead sets the frame's instant: the clock's, which Lockstep shows, and the lead beyond
// it, but not beyond the last tick of the run.
func (l *Loop[S, E, C]) askAhead() {
	now, most := l.now(), float64(l.left())
	if l.clock.Alike() {
		now.Tick++ // a step of the lead, without a rounding error
		l.shown.asked, l.shown.off = now, min(l.lead.ticks-1, most-now.Part)
	} else {
		l.shown.asked, l.shown.off = l.lockstepInstant(), min(l.lead.ticks, most+(1-now.Part)*l.clock.Interval()/l.unit)
	}
	l.lag = lag{}
}

// left is how many ticks may still be demanded, up to the clock's last one, or very many.
func (l *Loop[S, E, C]) left() uint64 {
	demand := l.clock.Demand()
	return min(l.clock.Last(), demand+1<<40) - min(demand, l.clock.Last())
}

// chooseTicks returns the tick that the frame needs, and the one that the next frame will
// need.
func (l *Loop[S, E, C]) chooseTicks(ns int64, advanced float64) (tick, next uint64) {
	ld, frame := &l.lead, float64(l.auto.frame)
	tick = l.needs(0)

	// What the next frame needs has to be done by then. If a step takes longer than a
	// frame, it has to be asked for earlier.
	frames := 1.0
	if frame > 0 {
		frames = math.Max(1, math.Ceil(1.1*l.governor.typical/frame))
	}
	typical := 1.
	if perTick := l.nanosPerTick(); perTick > 0 {
		typical = foresight * frame / perTick
	}
	later := frames * min(ld.advance.observe(advanced, ns), typical)
	if ld.moving && ld.ticks < 1 {
		later *= 1 + trailShrink // the lead grows
	}
	next = l.needs(later)

	// The exchange has the newest three states. A frame that comes early would miss those
	// that it needs, and the picture would be ahead of its time. One that comes late can
	// wait, if steps are quick.
	ld.early.observe(max(typical/foresight-advanced, 0), ns)
	early := max(l.needs(max(typical/foresight-ld.early.greatest(), 0))+1, tick+1)
	if next > early && float64(next-early)*l.governor.typical <= float64(l.waitBudget(aheadPart)) {
		next = early
	}
	demand := l.clock.Demand()
	return tick, min(max(next, demand), demand+l.left())
}

// needs is the tick whose pair the frame's instant lies in, or one that is so many ticks
// later.
func (l *Loop[S, E, C]) needs(later float64) uint64 {
	tick := l.shown.asked.Tick
	at := int64(tick) + int64(math.Ceil(l.withinLater(tick, later)-nearly)) - 1
	return uint64(max(at, 0))
}

// waitOrNot decides whether the frame waits for its tick, and for how long at most, ns: for
// its commands, or for a tick that physics has not done, if what that takes fits into the
// budget. newest is the newest tick published, and commands follow the tick after. late says
// that physics has frames before this one to do.
func (l *Loop[S, E, C]) waitOrNot(tick, newest, after uint64, late bool) (budget int64, waits bool) {
	demand, work := l.clock.Demand(), uint64(0)
	if waits = l.link.Commands.Count() != l.sent; waits {
		work = max(tick, demand, min(newest, after+1)) - after
	} else if waits = tick > newest && tick+1 >= demand; waits {
		work = tick - newest
	}
	budget = l.waitBudget(aheadPart)
	waits = waits && !late && float64(work)*l.governor.typical <= float64(budget) && l.lead.mayWait()
	if l.lead.carried {
		// What has been predicted with steps of another length cannot be shown any more.
		l.lead.carried = false
		return longWait, true
	}
	return budget, waits
}

// postAhead posts the frame, also if it has neither commands nor steps but more is to be
// predicted, or with steps of another length. needs is the tick that a correction computes
// at once, and next how far to predict.
func (l *Loop[S, E, C]) postAhead(after, needs, next uint64) {
	ld := &l.lead
	ld.again = ld.dt != l.clock.Dt()
	empty := next > ld.asked || ld.again
	ld.asked, ld.dt = max(ld.asked, next), l.clock.Dt()
	if !l.asksNothing(after) || empty {
		l.postFrame(after, needs, ld.asked)
	}
}

// waitAhead waits until physics has done this frame's commands and published the tick,
// for no longer than the budget.
func (l *Loop[S, E, C]) waitAhead(tick uint64, budget int64) {
	done := false
	l.stats.WaitNanos, done = l.physics.wait(tick, true, budget)
	if l.lead.waited(done); !done {
		l.stats.Missed++
	}
}

// carry puts another rate into effect: the steps after the last due one are done again
// with it, if the picture has come to them. Until then it goes on through the interval that
// is under way, which keeps its length as in the other modes.
func (l *Loop[S, E, C]) carry() {
	c, interval := l.clock, l.clock.Interval()
	if interval != c.Dt() && l.leadOf(l.shown.at)*l.unit > interval*(1-1e-9) {
		c.CarryTime()
		l.lead.ticks += (c.Dt() - interval) / l.unit
	}
}

// lockstepInstant is the instant with a lead of 0. Where steps of another length follow,
// it goes on at the world's pace.
func (l *Loop[S, E, C]) lockstepInstant() clock.Instant {
	c := l.clock
	return c.After(clock.Instant{Tick: c.Demand(), Part: 1}, (c.Remainder().Fraction()-1)*c.Interval())
}

// leadOf is the lead with which an instant would be shown.
func (l *Loop[S, E, C]) leadOf(i clock.Instant) float64 {
	if now := l.now(); l.clock.Alike() {
		return in(now.Tick, i) - now.Part
	}
	return l.clock.Between(l.lockstepInstant(), i) / l.unit
}

// startAhead begins to run ahead, from the instant that is shown.
func (l *Loop[S, E, C]) startAhead() {
	ld := &l.lead
	ld.on, ld.asked, ld.dt, ld.moving = true, 0, l.clock.Dt(), true
	ld.ticks = l.leadOf(l.shown.at)
	if ld.snaps = 0; l.shown.at == start {
		ld.snaps = leadSnap // nothing has been seen to move
	}
	l.physics.startAhead()
}

// settle ends running ahead: what is shown becomes due, so the clock moves on to
// there, and physics takes back what is not.
func (l *Loop[S, E, C]) settle() {
	l.lead.on, l.lead.snaps = false, 0
	after := l.clock.Demand()
	l.clock.Reach(l.shown.at.Tick, l.shown.at.Part)
	demand := l.clock.Demand()
	// This frame's commands follow what is due now.
	l.physics.settle(buffer.Frame{
		After: after, Demand: demand, Again: true, Dt: l.clock.Dt(), Commands: l.sent, Remainder: l.clock.Remainder(),
	})
	l.last = last{demand: demand, alpha: l.clock.Remainder().Fraction(), trail: 1}
	l.lag, l.shown.aimed = lag{}, 0
}
