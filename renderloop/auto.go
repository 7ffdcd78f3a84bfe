package renderloop

import "math"

const (
	// By default a frame of Auto waits at most a sixth of a frame, and at most
	// defaultBudget nanoseconds. A frame of RunAhead waits up to a third: only for
	// commands, and two steps in a row rather than one.
	autoPart, aheadPart = 6, 3
	defaultBudget       = 2_000_000

	// A step is slow if the steps of a typical frame, at its cost, would take more
	// than enter of the budget. Auto begins to wait when no step has been slow for
	// some time. It stops when they take more than leave, before a frame waits in
	// vain.
	enter, leave = 0.75, 0.9

	// That time is minQuiet nanoseconds at first. Each wait in vain (the steps are not done
	// within the budget) doubles it, up to maxQuiet. While frames wait with success, it becomes shorter again, by
	// quietDecay of the time that passes.
	minQuiet, maxQuiet = 10_000_000_000, 160_000_000_000
	quietDecay         = 1.0 / 4

	// The part of a frame by which the picture trails changes by at most these
	// fractions per frame. The picture then moves that much slower or faster.
	trailGrow   = 1.0 / 16
	trailShrink = 1.0 / 64
)

// auto decides whether frames wait for their own steps, and how far the picture
// trails the clock: between nothing, as in Lockstep, and a frame, as in Pipelined. In modes
// other than Auto it stays as newAuto returns it.
type auto struct {
	state autoState
	trail float64 // part of a frame, 0 to 1

	frame  typicalTime
	cost   int64 // the greatest cost of a step since the last update, ns
	quiet  int64 // the time since a step was slow, ns
	wanted int64 // how long quiet must last before frames wait, ns

	lastMissed uint64 // number of the posted frame that last waited in vain; until it is done, no frame waits
}

type autoState uint8

const (
	apart    autoState = iota // frames do not wait, and the trail grows to a frame
	together                  // frames wait, and the trail shrinks to nothing
	leaving                   // frames still wait, while the trail grows to a frame
)

func newAuto() auto { return auto{trail: 1, wanted: minQuiet} }

// update decides how far the picture trails in a frame of ns nanoseconds. dt is
// the length of a step in real nanoseconds, and budget the longest wait.
func (a *auto) update(ns int64, dt float64, budget int64) {
	a.frame.observe(ns)
	steps := math.Max(1, math.Round(float64(a.frame)/dt)) // the steps of a typical frame
	part := float64(a.cost) * steps / float64(budget)
	a.cost = 0
	if a.quiet += ns; part > enter {
		a.quiet = 0
	}
	switch {
	case a.state == together && part > leave:
		a.state = leaving
	case a.state == together:
		a.wanted = max(a.wanted-int64(quietDecay*float64(ns)), minQuiet)
	case a.quiet >= a.wanted:
		a.state = together
	}
	if a.state == together {
		a.trail = max(a.trail-trailShrink, 0)
	} else if a.trail = min(a.trail+trailGrow, 1); a.trail == 1 {
		a.state = apart
	}
}

// missed accounts for a wait in vain. Frames go on to wait while the trail grows,
// because a single slow step is no reason to be held again, but only until the next
// wait in vain.
func (a *auto) missed() {
	a.quiet = 0
	if a.state != together {
		a.state = apart
		return
	}
	a.state = leaving
	a.wanted = min(2*a.wanted, maxQuiet)
}

// held accounts for a frame that was held while its instant was excess ticks
// beyond the newest state; the frame advanced the clock by advanced ticks. The trail may
// grow by the excess without a visible effect. held returns the part that the trail could not
// take, by which the lag of Pipelined may grow.
func (a *auto) held(excess, advanced float64) float64 {
	if advanced <= 0 {
		return excess
	}
	grow := min(excess/advanced, 1-a.trail)
	a.trail += grow
	return max(excess-grow*advanced, 0)
}

// waitBudget is the longest wait of a frame in nanoseconds: Config.WaitBudget, or by default
// a typical frame time divided by parts, and at most defaultBudget.
func (l *Loop[S, E, C]) waitBudget(parts int64) int64 {
	if l.config.WaitBudget > 0 {
		return l.config.WaitBudget
	}
	return min(int64(l.auto.frame)/parts, defaultBudget)
}

// waitForSteps waits for the tick, and for this frame's commands if the tick is the
// last demanded, for at most the budget.
func (l *Loop[S, E, C]) waitForSteps(tick uint64) {
	done := false
	l.stats.WaitNanos, done = l.physics.wait(tick, tick == l.clock.Demand(), l.waitBudget(autoPart))
	if !done {
		l.auto.lastMissed = l.link.Demand.Posted()
		l.stats.Missed++
		l.auto.missed()
	}
}
