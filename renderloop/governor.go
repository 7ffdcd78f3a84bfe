package renderloop

import (
	"math"
	"slices"
)

// governor slows the clock down if steps take longer than the time that they simulate. Without a
// governor, the clock would repeatedly reach the limit on steps: bodies would stand still until
// physics has done the steps, and then jump.
type governor struct {
	costs   [5]int64    // the times of the newest steps, in ns
	n       int         // the number of elements of costs that are set
	next    int         // the index of the oldest element of costs
	typical float64     // the median of costs, in ns, so that a single late step changes nothing
	speed   float64     // the speed of the clock, from 0 to 1; 1 at first
	frame   typicalTime // the frame time without waits for steps
	done    uint64      // the newest done tick in the frame before
}

// typicalTime is an average of frame times, in ns. A long frame counts as at most four times the
// average.
type typicalTime int64

func (t *typicalTime) observe(ns int64) {
	if *t == 0 {
		*t = typicalTime(ns)
	}
	*t += (min(typicalTime(ns), 4**t) - *t) / 8
}

const (
	// headroom is the part of the time in which physics is idle even if steps take longer than the
	// time that they simulate.
	headroom = 0.05
	// catchUp slows the clock further while more than one step waits, so that fewer steps wait.
	catchUp = 0.25
	// The greatest changes of the speed per second: the clock needs half a second from 0 to full
	// speed, and a quarter of a second from full speed to 0.
	speedUp, slowDown = 2.0, 4.0
)

// observe records the time of a step, in ns.
func (g *governor) observe(cost int64) {
	g.costs[g.next] = cost
	g.next = (g.next + 1) % len(g.costs)
	g.n = min(g.n+1, len(g.costs))
	sorted := g.costs
	slices.Sort(sorted[:g.n])
	g.typical = float64(sorted[g.n/2])
}

// steps returns how many steps can be done in the time of a typical frame, for Clock.Allow. The
// parameter ns is the frame time without waits for steps: with the waits, slow steps would allow
// more steps. The parameter done is the newest tick that is done. If no step was done since the
// last frame although steps wait, the result is 0.
func (g *governor) steps(ns int64, done, backlog uint64) float64 {
	stuck := backlog > 0 && done == g.done
	g.done = done
	g.frame.observe(ns)
	switch {
	case stuck || g.n == 0:
		return 0
	case g.typical == 0:
		return math.Inf(1)
	}
	return float64(g.frame) / g.typical
}

// update returns the speed for Clock.SetSpeed. The parameters dt and ns are the lengths of a step
// and of the frame, in nanoseconds of real time. The parameter backlog is the number of steps that
// are demanded and not done.
func (g *governor) update(dt float64, ns int64, backlog uint64) float64 {
	target := 1.0
	if g.typical > (1-headroom)*dt {
		target = (1 - headroom) * dt / g.typical
		if backlog > 1 {
			target *= catchUp
		}
	}
	t := float64(ns) / 1e9
	g.speed = min(max(target, g.speed-slowDown*t), g.speed+speedUp*t)
	return g.speed
}
