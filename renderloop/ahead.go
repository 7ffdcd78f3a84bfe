package renderloop

import (
	"math"
	"time"

	"halfstep/buffer"
	"halfstep/internal/monotime"
	"halfstep/renderloop/clock"
)

// nearly is how far beyond a state the instant may be without needing the next one, in
// ticks. Nobody sees it, and where a frame is as long as a step it saves one.
const nearly = 1e-3

// running reports whether the loop can run ahead now.
func (l *Loop[S, E, C]) running() bool {
	return l.config.Sync == RunAhead && l.link.Predicts.Load() && !l.clock.Paused()
}

// ahead is a frame of RunAhead: it shows the instant at which it will be seen, from
// states that physics has computed before they are due. If it has commands, it waits
// for their effect within the budget.
func (l *Loop[S, E, C]) ahead(ns int64) {
	ld := &l.lead
	if !ld.on {
		l.startAhead()
	}
	if l.simulated != nil {
		l.runModel(l.simulated.now)
	}
	newest, late := l.link.Exchange.Newest(), l.link.Demand.Posted() != l.link.Frames()
	backlog := l.last.demand - min(l.link.Tick(), l.last.demand)
	number := l.stats.Frames
	after := l.clock.Demand()
	if ld.dt != l.clock.Dt() {
		ld.asked, ld.carried = 0, true
	}
	l.carry()
	advanced := l.advance(ns, backlog)
	ld.pace(number, l.stats.RealNanos, l.paced())

	a := &l.auto
	if a.frame == 0 {
		a.frame = ns
	}
	a.frame += (min(ns, 4*a.frame) - a.frame) / 8
	perTick := l.nanosPerTick()
	if perTick > 0 {
		ld.update(ld.target(ns, perTick, l.unit), advanced, ns, perTick)
	}
	if advanced == 0 && perTick > 0 && l.clock.Ended() {
		// Otherwise the last tick might never be shown.
		ld.ticks = max(ld.ticks, min(ld.ticks+float64(ns)/perTick, 0))
	}
	demand, part := l.clock.Demand(), l.clock.Remainder().Fraction()
	ld.ticks = max(ld.ticks, l.leadOf(l.shown.instant())) // it does not go back
	most := float64(min(l.clock.Last(), demand+1<<40) - min(demand, l.clock.Last()))
	if l.clock.Alike() {
		l.shown.asked, l.shown.off = clock.Instant{Tick: demand + 1, Part: part}, min(ld.ticks-1, most-part)
	} else {
		l.shown.asked, l.shown.off = l.lockstepInstant(), min(ld.ticks, most+(1-part)*l.clock.Interval()/l.unit)
	}
	l.lag = lag{}
	l.takeAim(l.paced(), newest)
	tick := l.needs(0)

	// What the next frame needs has to be done by then. If a step takes longer than a
	// frame, it has to be asked for earlier.
	frames := 1.0
	if a.frame > 0 {
		frames = math.Max(1, math.Ceil(1.1*l.governor.typical/float64(a.frame)))
	}
	typical := 1. // ticks in a frame, and a little more
	if perTick > 0 {
		typical = 1.2 * float64(a.frame) / perTick
	}
	later := frames * min(ld.advance.observe(advanced, ns), typical)
	if ld.moving && ld.ticks < 1 {
		later *= 1 + trailShrink // the lead grows
	}
	next := l.needs(later)
	// The exchange has the newest three states. A frame that comes early would miss those
	// that it needs, and the picture would be ahead of its time. One that comes late can
	// wait, if steps are quick.
	ld.early.observe(max(typical/1.2-advanced, 0), ns)
	early := l.needs(max(typical/1.2-max(ld.early.now, ld.early.before), 0)) + 1
	if early = max(early, tick+1); next > early && float64(next-early)*l.governor.typical <= float64(a.budget(aheadPart, l.config.WaitBudget)) {
		next = early
	}
	next = min(max(next, demand), demand+uint64(most))

	// What was predicted with steps of another length is not taken any more.
	l.view.Fresh = !ld.carried && l.acquireUpTo(tick)
	commands := l.link.Commands.Count() != l.sent
	work := 0.
	switch {
	case commands:
		work = float64(max(tick, demand, min(newest, after+1)) - after)
	case tick > newest:
		work = float64(tick - newest)
	}
	budget := a.budget(aheadPart, l.config.WaitBudget)
	waits := (commands || tick > newest && tick+1 >= demand) && !late && work*l.governor.typical <= float64(budget) && ld.mayWait()
	if ld.carried {
		// What has been predicted with steps of another length cannot be shown any more.
		waits, budget, ld.carried = true, longWait, false
	}
	needs := tick
	if !waits {
		needs = next // who comes later finds what it needs
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

	t := l.within(l.view.Tick)
	t = max(t, float64(int64(l.shown.base)-int64(max(l.view.Tick, 1)-1))+l.shown.t)
	if t > 1+nearly && l.view.Tick > 0 && !l.aimedPast(t) {
		ld.held(l.units(t-1), advanced)
	} else if t > 1 {
		t = 1
	}
	l.show(t, false)
	ld.snaps = max(ld.snaps-1, 0)
	l.last.advance, l.last.trail, l.last.leap = advanced, 1, 0
}

// needs is the tick whose pair the frame's instant lies in, or one that is so many ticks
// later.
func (l *Loop[S, E, C]) needs(later float64) uint64 {
	tick := l.shown.asked.Tick
	at := int64(tick) + int64(math.Ceil(l.withinLater(tick, later)-nearly)) - 1
	return uint64(max(at, 0))
}

// postAhead is post, also if only more is to be predicted, or with steps of another
// length.
func (l *Loop[S, E, C]) postAhead(after, needs, next uint64) {
	ld := &l.lead
	ld.again = ld.dt != l.clock.Dt()
	empty := next > ld.asked || ld.again
	ld.asked, ld.dt = max(ld.asked, next), l.clock.Dt()
	if !l.asksNothing(after) || empty {
		l.postFrame(after, needs, ld.asked)
	}
}

// longWait is as long as it takes, in ns.
const longWait = 1 << 60

// carry puts another rate into effect: the steps after the last due one are done again
// with it. That is seen where the picture is not yet there. It then goes on in the
// intervals between due steps, as in the other modes, and each keeps its length.
func (l *Loop[S, E, C]) carry() {
	c, interval := l.clock, l.clock.Interval()
	if interval != c.Dt() && l.leadOf(l.shown.instant())*l.unit > interval*(1-1e-9) {
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
	demand, part := l.clock.Demand(), l.clock.Remainder().Fraction()
	if l.clock.Alike() {
		return float64(int64(i.Tick)-int64(demand)) + i.Part - part
	}
	return l.clock.Between(l.lockstepInstant(), i) / l.unit
}

// startAhead begins to run ahead, from the instant that is shown.
func (l *Loop[S, E, C]) startAhead() {
	ld := &l.lead
	ld.on, ld.asked, ld.dt, ld.moving = true, 0, l.clock.Dt(), true
	ld.ticks = l.leadOf(l.shown.instant())
	if ld.snaps = 0; l.shown.base == 0 && l.shown.t == 0 {
		ld.snaps = leadSnap // nothing has been seen to move
	}
	if v := l.simulated; v != nil {
		v.finishAll()
		l.link.Demand.SetLimit(l.last.demand)
		l.link.Await(l.last.demand, l.link.Demand.Posted())
		l.model = aheadModel{free: v.now, due: l.last.demand, newest: l.last.demand}
	}
}

// settle ends running ahead: what is shown becomes due, so the clock moves on to
// there, and physics takes back what is not.
func (l *Loop[S, E, C]) settle() {
	l.lead.on, l.lead.snaps = false, 0
	after := l.clock.Demand()
	l.clock.Reach(l.shown.base+1, l.shown.t)
	demand := l.clock.Demand()
	if v := l.simulated; v != nil {
		l.finishModel()
		v.skip(demand)
		l.link.Demand.SetLimit(demand)
	}
	// This frame's commands follow what is due now.
	l.link.Demand.Post(buffer.Frame{
		After: after, Demand: demand, Again: true, Dt: l.clock.Dt(), Commands: l.sent, Remainder: l.clock.Remainder(),
	})
	l.link.Await(demand, l.link.Demand.Posted())
	if v := l.simulated; v != nil {
		v.restart(demand, l.link.Demand.Posted())
	}
	l.last = last{demand: demand, alpha: l.clock.Remainder().Fraction(), trail: 1}
	l.lag, l.shown.aimed = lag{}, 0
}

// waitAhead waits until physics has done this frame's commands and published the tick,
// for no longer than the budget.
func (l *Loop[S, E, C]) waitAhead(tick uint64, budget int64) {
	done := false
	if l.simulated != nil {
		l.stats.WaitNanos, done = l.waitModel(tick, budget)
	} else {
		start := monotime.Now()
		done = l.link.AwaitAheadFor(tick, l.link.Demand.Posted(), time.Duration(budget))
		l.stats.WaitNanos = int64(monotime.Since(start))
	}
	if l.lead.waited(done); !done {
		l.stats.Missed++
	}
}
