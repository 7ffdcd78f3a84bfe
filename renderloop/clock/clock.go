package clock

import (
	"fmt"
	"math/bits"
)

const (
	second = 1_000_000_000

	// DefaultClamp is the longest frame time that counts, in nanoseconds: the
	// quarter of a second of "Fix Your Timestep!".
	DefaultClamp = second / 4
	// DefaultMaxSteps bounds the steps that are demanded and not yet done.
	DefaultMaxSteps = 5

	// MaxFrameTime is the longest frame time that is accounted for at all, in
	// nanoseconds: a day.
	MaxFrameTime = 24 * 3600 * second

	// With these, a frame time that is clamped and scaled can not overflow.
	maxScale = 1000
	maxClamp = 5 * second

	// FullSpeed is the speed at which the governor leaves the clock alone.
	FullSpeed = 1 << 16
)

// Clock turns frame times into whole steps and a remainder. It is the
// accumulator of "Fix Your Timestep!", in integers: with a rate of num/den
// steps a second it counts units of 1/num nanosecond, a step is 1e9·den units,
// and alpha is the remainder over that. There is no rounding, so there is no
// drift.
//
// A Clock belongs to the render thread, and is a pure function of the frame
// times it is given.
type Clock struct {
	rate     Rate
	step     int64 // units in a step
	residual int64 // units, 0 ≤ residual < step
	demand   uint64

	scale      Rate
	scaleCarry int64 // of 1/scale.Den nanosecond
	speed      int64 // of FullSpeed
	speedCarry int64

	clamp    int64 // ns
	maxSteps int
	paused   bool
	single   int // steps to give while paused
	last     uint64

	ledger Ledger
}

// NewClock returns a clock at tick 0 with the given rate in steps per second,
// time scale 1, DefaultClamp and DefaultMaxSteps.
func New(rate Rate) (*Clock, error) {
	c := &Clock{scale: Rate{1, 1}, speed: FullSpeed, clamp: DefaultClamp, maxSteps: DefaultMaxSteps, last: ^uint64(0)}
	if err := rate.valid(false); err != nil {
		return nil, err
	}
	c.setRate(rate)
	c.ledger.num = c.rate.Num
	return c, nil
}

func (c *Clock) setRate(r Rate) {
	c.rate = r.reduced()
	c.step = second * c.rate.Den
}

// Rate is the number of steps per second.
func (c *Clock) Rate() Rate { return c.rate }

// Dt is seconds per step.
func (c *Clock) Dt() float64 { return float64(c.rate.Den) / float64(c.rate.Num) }

// Demand is the number of ticks demanded so far.
func (c *Clock) Demand() uint64 { return c.demand }

// Ended reports whether the last tick has been demanded, see SetLast.
func (c *Clock) Ended() bool { return c.demand >= c.last }

// Remainder is the time kept for the next step, as the fraction units/step of
// a step.
func (c *Clock) Remainder() (units, step int64) { return c.residual, c.step }

// Alpha is the remainder as a fraction of a step, in [0,1).
func (c *Clock) Alpha() float64 { return float64(c.residual) / float64(c.step) }

// Ledger accounts for the time that went in.
func (c *Clock) Ledger() *Ledger { return &c.ledger }

// MaxSteps is the bound on steps demanded and not yet done.
func (c *Clock) MaxSteps() int { return c.maxSteps }

// MaxStepsLimit is the highest bound on steps demanded and not yet done. The
// longest frame that counts has a quarter of that at the highest rate.
const MaxStepsLimit = 1_000_000

// SetMaxSteps sets that bound, from 1 to MaxStepsLimit.
func (c *Clock) SetMaxSteps(n int) error {
	if n < 1 || n > MaxStepsLimit {
		return fmt.Errorf("max steps %d: must be from 1 to %d", n, MaxStepsLimit)
	}
	c.maxSteps = n
	return nil
}

// Last is the last tick that the clock may demand.
func (c *Clock) Last() uint64 { return c.last }

// SetLast makes the clock demand no tick after the given one.
func (c *Clock) SetLast(tick uint64) { c.last = tick }

// SetClamp sets the longest frame time that counts, in nanoseconds of real
// time. Where it is shorter than a step the simulation slows down.
func (c *Clock) SetClamp(ns int64) error {
	if ns <= 0 || ns > maxClamp {
		return fmt.Errorf("frame clamp %d ns: must be above 0 and at most %d", ns, int64(maxClamp))
	}
	c.clamp = ns
	return nil
}

// Paused reports whether the clock is paused.
func (c *Clock) Paused() bool { return c.paused }

// SetPaused stops or continues time. Alpha stays, and time spent paused is
// dropped, so that no jump is left behind.
func (c *Clock) SetPaused(on bool) {
	c.paused = on
	if !on {
		c.single = 0
	}
}

// SingleStep gives a paused clock the time of exactly one step at the next
// Advance. It does nothing while the clock runs.
func (c *Clock) SingleStep() {
	if c.paused {
		c.single++
	}
}

// Scale is the time scale.
func (c *Clock) Scale() Rate { return c.scale }

// SetScale sets the time scale: 1/2 is half speed, 0 stands still. It must be
// at most 1000.
func (c *Clock) SetScale(r Rate) error {
	if err := r.valid(true); err != nil {
		return fmt.Errorf("time scale: %w", err)
	}
	if r.Float() > maxScale {
		return fmt.Errorf("time scale %v: must be at most %d", r, maxScale)
	}
	r = r.reduced()
	// The carried part of a nanosecond keeps its meaning, rounded down.
	c.scaleCarry = c.scaleCarry * r.Den / c.scale.Den
	c.scale = r
	return nil
}

// SetRate changes the rate. Alpha carries over, rounded once; the time this
// costs is booked as Resynced.
func (c *Clock) SetRate(r Rate) error {
	if err := r.valid(false); err != nil {
		return err
	}
	old, oldStep := c.rate, c.step
	c.setRate(r)
	kept := mulDiv(c.residual, c.step, oldStep)
	if kept >= c.step {
		kept = c.step - 1
	}
	same := mulDiv(c.residual, c.rate.Num, old.Num) // the same time, new units
	c.ledger.rebase(c.rate.Num, kept, same-kept)
	c.residual = kept
	return nil
}

// SetSpeed lets a governor slow the clock: of FullSpeed, 1 to FullSpeed.
func (c *Clock) SetSpeed(speed int64) { c.speed = min(max(speed, 1), FullSpeed) }

// Speed is what SetSpeed set.
func (c *Clock) Speed() int64 { return c.speed }

// Advance lets ns nanoseconds of real time pass and returns the number of new
// steps, which are added to Demand. backlog is the number of steps demanded
// before and not yet done. A negative time, of a clock that was set back,
// counts as none.
//
// Steps beyond MaxSteps less the backlog are dropped and the remainder is
// kept: the simulation slows down and never replays a debt at high speed. If
// not even one due step is allowed, the remainder waits one unit below a step.
func (c *Clock) Advance(ns int64, backlog uint64) (steps int) {
	ns = min(max(ns, 0), MaxFrameTime)
	counted := min(ns, c.clamp)
	if c.paused {
		c.dropNanos(Paused, c.scaled(ns))
		return c.giveSingle(backlog)
	}
	in := c.scaled(counted)
	if ns > counted {
		c.dropNanos(Clamped, c.scaled(ns-counted))
	}
	units := in * c.rate.Num
	if c.speed != FullSpeed {
		units = c.govern(units)
	}
	c.residual += units
	if c.residual < c.step {
		c.ledger.residual = c.residual
		return 0
	}
	due := c.residual / c.step
	c.residual %= c.step
	n := min(due, c.allowed(backlog))
	if n < due {
		over := (due - n) * c.step
		if n == 0 {
			over += c.residual - (c.step - 1)
			c.residual = c.step - 1
		}
		cause := Bounded
		if c.demand+uint64(n) >= c.last {
			cause = Ended
		}
		c.drop(cause, over)
	}
	c.give(n)
	return int(n)
}

// scaled turns real nanoseconds into scaled ones, carrying the fraction, and
// books them.
func (c *Clock) scaled(ns int64) int64 {
	if c.scale.Num != c.scale.Den {
		hi, lo := bits.Mul64(uint64(ns), uint64(c.scale.Num))
		lo, carry := bits.Add64(lo, uint64(c.scaleCarry), 0)
		q, r := bits.Div64(hi+carry, lo, uint64(c.scale.Den))
		ns, c.scaleCarry = int64(q), int64(r)
	}
	c.ledger.scaled += ns
	return ns
}

func (c *Clock) govern(units int64) int64 {
	hi, lo := bits.Mul64(uint64(units), uint64(c.speed))
	lo, carry := bits.Add64(lo, uint64(c.speedCarry), 0)
	q, r := bits.Div64(hi+carry, lo, FullSpeed)
	c.speedCarry = int64(r)
	c.drop(Governed, units-int64(q))
	return int64(q)
}

func (c *Clock) give(n int64) {
	c.demand += uint64(n)
	c.ledger.simulated.add(n*c.step, c.rate.Num)
	c.ledger.residual = c.residual
}

func (c *Clock) giveSingle(backlog uint64) int {
	n := min(int64(c.single), c.allowed(backlog))
	c.single -= int(n)
	if n > 0 {
		c.drop(Stepped, -n*c.step)
		c.give(n)
	}
	return int(n)
}

// allowed is the number of steps that may be demanded now.
func (c *Clock) allowed(backlog uint64) int64 {
	bound := uint64(c.maxSteps)
	n := bound - min(backlog, bound)
	if c.demand >= c.last {
		return 0
	}
	return int64(min(n, c.last-c.demand))
}

func (c *Clock) drop(cause Cause, units int64) { c.ledger.dropped[cause].add(units, c.rate.Num) }

func (c *Clock) dropNanos(cause Cause, ns int64) { c.ledger.dropped[cause].ns += ns }

// mulDiv is a·b/c rounded to nearest, through 128 bits.
func mulDiv(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c)/2, 0)
	q, _ := bits.Div64(hi+carry, lo, uint64(c))
	return int64(q)
}
