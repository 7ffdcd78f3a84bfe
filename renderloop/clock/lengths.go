package clock

import "math"

// lengths has the lengths of the steps near the picture (see Clock.Forget): one entry
// for each run of steps of one length, oldest first.
type lengths []run

type run struct {
	first uint64  // tick that the first of the steps leads to
	dt    float64 // length of each of them, s
}

// restart sets the length of the current interval, and of all before it, at a tick that no
// step has led to: at the start, and after a seek.
func (c *Clock) restart() {
	at := c.next
	if c.recorded != nil && c.demand > 0 {
		if r := c.recorded(c.demand); r.valid(false) == nil {
			at = r.reduced()
		}
	}
	c.convert(at, c.remainder.Units)
	c.lengths = append(c.lengths[:0], run{0, at.dt()})
	c.look()
}

// enter begins the interval after the step demanded last.
func (c *Clock) enter() {
	if c.rate != c.next {
		c.convert(c.next, c.remainder.Units)
		c.lengths = append(c.lengths, run{c.demand, c.dt})
	}
	c.look()
}

// convert changes the unit to that of another rate. The remainder is the same time,
// rounded down.
func (c *Clock) convert(r Rate, units int64) {
	units, _ = mulDiv(units, r.Num, 0, c.rate.Num)
	c.rate, c.remainder.Step, c.remainder.Units = r, second*r.Den, units
	c.ledger.rebase(r.Num, units)
}

// alike is how many of n steps may be demanded before another length begins.
func (c *Clock) alike(n int64) int64 {
	if c.recorded != nil || c.rate != c.next {
		return min(n, 1)
	}
	return n
}

// CarryTime puts the rate of SetRate into effect at once. The remainder stays the same time, which
// may be more than a step; then the next Advance demands that step, also in a frame without time.
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

// Alike reports whether all steps near the picture have one length.
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

// An Instant is tick - 1 + Part, in ticks: Part of the step to Tick has passed. A single
// float would lose precision as time goes on.
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

// Between is the time from one instant to another in seconds, negative if the second is earlier.
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
