package renderloop

import "halfstep/renderloop/scene"

// lockstep is a frame of Lockstep. It advances the clock, demands the tick D[N], waits until
// physics has done that tick, and shows the clock's instant, D[N] - 1 + a[N] (see the package
// comment).
func (l *Loop[S, E, C]) lockstep(ns int64) {
	l.physics.drain() // on a simulated clock, finishes the steps that an earlier mode has demanded
	backlog := l.last.demand - l.link.Tick()
	after := l.clock.Demand()
	advanced := l.advance(ns, backlog)
	l.post(after)
	l.view.Fresh = false
	l.lag = lag{}
	l.shown.asked, l.shown.off = l.now(), 0
	l.takeAim(l.paced(), l.clock.Demand())
	l.showDemanded(advanced == 0)
}

// showDemanded waits for the demanded steps and shows the clock's instant.
func (l *Loop[S, E, C]) showDemanded(still bool) {
	l.stats.WaitNanos = l.physics.finish(l.clock.Demand())
	l.lag = lag{}
	l.shown.asked, l.shown.off = l.now(), 0
	tick := newestTick
	if l.shown.aimed != 0 {
		tick = l.wanted()
	}
	l.view.Fresh = l.acquireUpTo(tick) || l.view.Fresh
	l.show(l.position(0), still)
}

// Step is a frame in which no real time passes and the clock advances by exactly n steps, see
// clock.Clock.Step. In every mode Step waits for these steps, and shows the state after the last
// step. All events up to that state are due.
func (l *Loop[S, E, C]) Step(n int) *scene.View[S] {
	l.begin(0)
	l.stepped = true
	if l.lead.on {
		l.settle() // the loop stops running ahead, and the shown instant becomes due
	}
	if l.seeking != 0 { // a replay must end its seek first
		if l.arrive(true); l.seeking != 0 {
			return l.end() // physics has stopped before the end of the seek
		}
	}
	l.view.Fresh = false
	after := l.clock.Demand()
	l.view.Steps = l.clock.Step(n)
	demand := l.clock.Demand()
	l.physics.skip(demand) // on a simulated clock these steps take no simulated time
	l.post(after)
	// The number of steps is not limited, because the frame waits for all of them. After each
	// MaxSteps steps the frame reads the published records, so that there are never too many unread
	// records.
	most := uint64(l.clock.MaxSteps())
	l.stats.MaxBacklog = max(l.stats.MaxBacklog, demand-after)
	for tick := after; demand-tick > most; {
		if tick += most; !l.link.Await(tick, 0) {
			break
		}
		l.view.Fresh = l.acquireUpTo(newestTick) || l.view.Fresh
	}
	l.showDemanded(true)
	l.last.advance, l.last.overshoot, l.shown.aimed = 0, 0, 0
	return l.end()
}
