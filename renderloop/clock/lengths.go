package clock

import "math"

// lengths has the lengths of the steps that Clock.Forget has not dropped. There is one run for each
// series of successive steps with the same length, oldest first.
type lengths []run

type run struct {
	first uint64  // the tick to which the first step of the run leads
	dt    float64 // the length of each step, in s
}

// restart gives the current interval and all earlier steps the same length. It is called at the
// start and after a seek.
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

// enter begins the interval after the last demanded step.
func (c *Clock) enter() {
	if c.rate != c.next {
		c.convert(c.next, c.remainder.Units)
		c.lengths = append(c.lengths, run{c.demand, c.dt})
	}
	c.loadRate()
}

// convert converts the remainder to the units of the rate r. The remainder is still the same time,
// rounded down.
func (c *Clock) convert(r Rate, units int64) {
	units, _ = mulDiv(units, r.Num, 0, c.rate.Num)
	c.rate, c.remainder.Step, c.remainder.Units = r, second*r.Den, units
	c.ledger.rebase(r.Num, units)
}

// alike returns how many of the next n steps have the same length.
func (c *Clock) alike(n int64) int64 {
	if c.recorded != nil || c.rate != c.next {
		return min(n, 1)
	}
	return n
}

// CarryTime makes the rate of SetRate valid at once. The remainder is still the same time, which
// may be more than a step. If it is more than a step, the next Advance demands that step, even in a
// frame in which no time passes.
func (c *Clock) CarryTime() {
	if c.rate != c.next {
		c.lengths = append(c.lengths, run{c.demand + 1, c.dt})
		c.convert(c.next, c.remainder.Units)
	}
}

// Interval returns the length of the current interval, in seconds.
func (c *Clock) Interval() float64 { return c.rate.dt() }

// Forget drops the lengths of the steps to all ticks before the given tick.
func (c *Clock) Forget(tick uint64) {
	n := 0
	for n+1 < len(c.lengths) && c.lengths[n+1].first <= tick {
		n++
	}
	if n > 0 {
		c.lengths = append(c.lengths[:0], c.lengths[n:]...)
	}
}

// Alike reports whether all steps that Forget has not dropped have the same length.
func (c *Clock) Alike() bool { return len(c.lengths) == 1 && c.rate == c.next }

// Length returns the length of the step to a tick, in seconds.
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

// Instant is the instant Tick - 1 + Part, in ticks: the fraction Part of the step to Tick has
// passed. One float64 would lose precision with time.
type Instant struct {
	Tick uint64
	Part float64
}

// After returns the instant that is later than i by the given number of seconds, which may be
// negative.
func (c *Clock) After(i Instant, seconds float64) Instant {
	dt := c.Length(i.Tick)
	at := i.Part*dt + seconds
	for ; at < 0 && i.Tick > 1; at += dt {
		i.Tick--
		dt = c.Length(i.Tick)
	}
	for at >= dt {
		if i.Tick > c.demand { // all later steps have the same length
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

// Between returns the time from one instant to another, in seconds. It is negative if the instant
// to is earlier than the instant from.
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
