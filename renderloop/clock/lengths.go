package clock

import "math"

// lengths has the lengths of the steps near the picture (see Clock.Forget). There is one entry for
// each series of steps of one length, the oldest first.
type lengths []run

type run struct {
	first uint64  // the tick to which the first of the steps leads
	dt    float64 // the length of each step, s
}

// restart sets the length of the current interval, and of all before it, at a tick to which no
// step has led. It is called at the start and after a seek.
func (c *Clock) restart() {
	at := c.next
	if c.recorded != nil && c.demand > 0 {
		if r := c.recorded(c.demand); r.valid(false) == nil {
			at = r.reduced()
		}
	}
	c.convert(at, c.remainder.Units)
	c.lengths = append(c.lengths[:0], run{0, at.dt()})
	c.loadRate()
}

// enter begins the interval after the step that was demanded last.
func (c *Clock) enter() {
	if c.rate != c.next {
		c.convert(c.next, c.remainder.Units)
		c.lengths = append(c.lengths, run{c.demand, c.dt})
	}
	c.loadRate()
}

// convert changes the unit to the unit of another rate. The remainder stays the same time, rounded
// down.
func (c *Clock) convert(r Rate, units int64) {
	units, _ = mulDiv(units, r.Num, 0, c.rate.Num)
	c.rate, c.remainder.Step, c.remainder.Units = r, second*r.Den, units
	c.ledger.rebase(r.Num, units)
}

// alike returns how many of n steps may be demanded before steps of another length begin.
func (c *Clock) alike(n int64) int64 {
	if c.recorded != nil || c.rate != c.next {
		return min(n, 1)
	}
	return n
}

// CarryTime makes the rate of SetRate valid at once. The remainder stays the same time, which may
// be more than a step. If it is, the next Advance demands that step, even in a frame in which no
// time passes.
func (c *Clock) CarryTime() {
	if c.rate != c.next {
		c.lengths = append(c.lengths, run{c.demand + 1, c.dt})
		c.convert(c.next, c.remainder.Units)
	}
}

// Interval is the length of the current interval, in seconds.
func (c *Clock) Interval() float64 { return c.rate.dt() }

// Forget drops the lengths of the steps to ticks before tick.
func (c *Clock) Forget(tick uint64) {
	n := 0
	for n+1 < len(c.lengths) && c.lengths[n+1].first <= tick {
		n++
	}
	if n > 0 {
		c.lengths = append(c.lengths[:0], c.lengths[n:]...)
	}
}

// Alike reports whether all steps near the picture have the same length.
func (c *Clock) Alike() bool { return len(c.lengths) == 1 && c.rate == c.next }

// Length is the length of the step to a tick, in seconds.
func (c *Clock) Length(tick uint64) float64 {
	if tick > c.demand {
		return c.dt
	}
	for i := len(c.lengths) - 1; i > 0; i-- {
		if c.lengths[i].first <= tick {
			return c.lengths[i].dt
		}
	}
	return c.lengths[0].dt
}

// An Instant is tick - 1 + Part, in ticks: the fraction Part of the step to Tick has passed. A
// single float would lose precision with time.
type Instant struct {
	Tick uint64
	Part float64
}

// After returns the instant seconds later than i, or earlier if seconds is negative.
func (c *Clock) After(i Instant, seconds float64) Instant {
	dt := c.Length(i.Tick)
	at := i.Part*dt + seconds
	for ; at < 0 && i.Tick > 1; at += dt {
		i.Tick--
		dt = c.Length(i.Tick)
	}
	for at >= dt {
		if i.Tick > c.demand { // no other length follows
			n := math.Floor(at / dt)
			i.Tick, at = i.Tick+uint64(n), at-n*dt
			break
		}
		at -= dt
		i.Tick++
		dt = c.Length(i.Tick)
	}
	return Instant{i.Tick, at / dt}
}

// Between is the time from the first instant to the second, in seconds. It is negative if the
// second is earlier.
func (c *Clock) Between(from, to Instant) float64 {
	if from.Tick > to.Tick {
		return -c.Between(to, from)
	}
	seconds := to.Part*c.Length(to.Tick) - from.Part*c.Length(from.Tick)
	for tick := from.Tick; tick < to.Tick; tick++ {
		if tick > c.demand {
			return seconds + float64(to.Tick-tick)*c.dt
		}
		seconds += c.Length(tick)
	}
	return seconds
}
