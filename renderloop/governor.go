package renderloop

import (
	"math"
	"slices"
)

// governor slows the clock to the speed of physics when steps take longer than the time that
// they simulate. Without it the clock would reach the limit on steps again and again: bodies
// would stand still until physics has caught up, and would then jump.
type governor struct {
	costs   [5]int64    // the times of the newest steps, ns
	n       int         // number of costs known
	next    int         // index of the element of costs that is replaced next
	typical float64     // the median of costs, ns: a single late step is a hitch and no overload
	speed   float64     // 0 to 1, 1 at first
	frame   typicalTime // the frame time without waits for steps
	done    uint64      // the newest tick that was done when the frame before looked
}

// typicalTime is a typical frame time, ns. A single long frame counts as at most four.
type typicalTime int64

func (t *typicalTime) observe(ns int64) {
	if *t == 0 {
		*t = typicalTime(ns)
	}
	*t += (min(typicalTime(ns), 4**t) - *t) / 8
}

const (
	// headroom is the part of the time in which physics is idle under overload. It is for work that is
	// not part of a step's time.
	headroom = 0.05
	// catchUp slows the clock further while more than one step waits, so that the number of waiting
	// steps falls.
	catchUp = 0.25
	// The clock needs half a second from standstill to full speed, and a quarter of a second from
	// full speed to standstill. The unit is full speeds per second.
	speedUp, slowDown = 2.0, 4.0
)

// observe records the time of a step, ns.
func (g *governor) observe(cost int64) {
	g.costs[g.next] = cost
	g.next = (g.next + 1) % len(g.costs)
	g.n = min(g.n+1, len(g.costs))
	sorted := g.costs
	slices.Sort(sorted[:g.n])
	g.typical = float64(sorted[g.n/2])
}

// steps returns how many steps can be done in the time of a typical frame, for Clock.Allow. ns
// is the time of this frame without its waits, because slow steps make the waits longer and must
// not allow more steps. A single very long frame counts little, so that it does not lead to many
// steps. done is the newest tick that is done. If done has not changed since the last frame
// while steps wait, a step takes longer than any known time, and the result is 0.
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

// update returns the speed for Clock.SetSpeed. dt is the length of a step and ns the length of
// the frame, both in nanoseconds of real time. backlog is the number of steps that were demanded
// and are not done.
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
