package clock

import (
	"fmt"
	"math"
	"math/bits"

	"halfstep/buffer"
)

const (
	second = 1_000_000_000

	// DefaultClamp is the default frame clamp in nanoseconds: a quarter of a
	// second, as in "Fix Your Timestep!".
	DefaultClamp = second / 4
	// DefaultMaxSteps is the default of Clock.SetMaxSteps.
	DefaultMaxSteps = 5

	// MaxFrameTime is the longest frame time that the ledger accounts for, in
	// nanoseconds: a day. Longer ones count as a day.
	MaxFrameTime = 24 * 3600 * second

	// Within these limits a clamped and scaled frame time cannot overflow.
	maxScale = 1000
	maxClamp = 5 * second

	fullSpeed = 1 << 16 // of a clock that the governor does not slow down
)

// Clock turns frame times into whole steps and a remainder. It is the accumulator
// of "Fix Your Timestep!" in integers. At a rate of num/den steps per second it
// counts units of 1/num nanosecond; a step is 1e9·den units. Nothing is rounded, so
// nothing drifts.
//
// A Clock belongs to the render thread. Its state depends only on the calls made.
type Clock struct {
	rate      Rate
	dt        float64 // length of a step, s
	remainder buffer.Remainder
	demand    uint64

	scale      Rate
	factor     float64 // scale as a number
	scaleCarry int64   // in units of 1/scale.Den nanosecond
	speed      int64   // of fullSpeed
	speedCarry int64

	clamp    int64 // ns
	maxSteps int
	paused   bool
	last     uint64

	ledger Ledger
}

// New returns a clock at tick 0 with a rate in steps per second, time scale 1,
// DefaultClamp and DefaultMaxSteps. It fails if the rate is out of range.
func New(rate Rate) (*Clock, error) {
	c := &Clock{scale: Rate{1, 1}, factor: 1, speed: fullSpeed, clamp: DefaultClamp, maxSteps: DefaultMaxSteps, last: ^uint64(0)}
	if err := rate.valid(false); err != nil {
		return nil, err
	}
	c.setRate(rate)
	c.ledger.num = c.rate.Num
	return c, nil
}

func (c *Clock) setRate(r Rate) {
	c.rate = r.reduced()
	c.dt = float64(c.rate.Den) / float64(c.rate.Num)
	c.remainder.Step = second * c.rate.Den
}

// Rate is the number of steps per second.
func (c *Clock) Rate() Rate { return c.rate }

// Dt is the length of a step in seconds.
func (c *Clock) Dt() float64 { return c.dt }

// Demand is the number of ticks demanded so far.
func (c *Clock) Demand() uint64 { return c.demand }

// Ended reports whether the last tick has been demanded, see SetLast.
func (c *Clock) Ended() bool { return c.demand >= c.last }

// Remainder is the time kept for the next step. It is a whole step only after Step,
// Reach or Seek, and at the last tick, see SetLast: the clock then stands at the end of a step, and
// the next step is due as soon as any time passes.
func (c *Clock) Remainder() buffer.Remainder { return c.remainder }

// Ledger accounts for the time that went in.
func (c *Clock) Ledger() *Ledger { return &c.ledger }

// MaxSteps is the limit on the number of steps demanded and not yet done.
func (c *Clock) MaxSteps() int { return c.maxSteps }

// MaxStepsLimit is the highest value of MaxSteps. It is four times the number of
// steps in a frame of DefaultClamp at the highest rate.
const MaxStepsLimit = 1_000_000

// SetMaxSteps sets the limit on the number of steps demanded and not yet done, from
// 1 to MaxStepsLimit.
func (c *Clock) SetMaxSteps(n int) error {
	if n < 1 || n > MaxStepsLimit {
		return fmt.Errorf("max steps %d: must be from 1 to %d", n, MaxStepsLimit)
	}
	c.maxSteps = n
	return nil
}

// Last is the last tick that the clock may demand.
func (c *Clock) Last() uint64 { return c.last }

// SetLast sets the last tick that the clock may demand. Time that is due after it
// is dropped.
func (c *Clock) SetLast(tick uint64) { c.last = tick }

// SetClamp sets the frame clamp, in nanoseconds of real time: the part of a longer
// frame beyond it is dropped.
func (c *Clock) SetClamp(ns int64) error {
	if ns <= 0 || ns > maxClamp {
		return fmt.Errorf("frame clamp %d ns: must be above 0 and at most %d", ns, int64(maxClamp))
	}
	c.clamp = ns
	return nil
}

// Paused reports whether the clock is paused.
func (c *Clock) Paused() bool { return c.paused }

// SetPaused stops or continues time. The remainder stays, and the time spent paused is not
// made up for, so that nothing jumps afterwards.
func (c *Clock) SetPaused(on bool) { c.paused = on }

// Step demands n steps, or as many as there are before the last tick, and returns
// their number. A negative n counts as 0. It works at any time, also while paused,
// and MaxSteps does not limit it: whoever calls it waits for the steps. The remainder is
// a whole step afterwards, so the clock stands exactly at the end of the last step. The time of
// the steps does not pass; the ledger accounts for it as Stepped.
func (c *Clock) Step(n int) (steps int) {
	steps = int(min(uint64(max(n, 0)), c.last-min(c.demand, c.last)))
	c.skip(int64(steps), c.remainder.Step)
	return steps
}

// Reach moves the clock on to the instant tick - 1 + part, if that is later: so many
// steps more are demanded, and part of a step is the remainder. The time up to there
// does not pass; the ledger accounts for it as Stepped. MaxSteps does not limit it.
func (c *Clock) Reach(tick uint64, part float64) {
	units := min(max(int64(math.Ceil(part*float64(c.remainder.Step))), 0), c.remainder.Step)
	if tick > c.last {
		tick, units = c.last, c.remainder.Step
	}
	if tick < c.demand || tick == c.demand && units <= c.remainder.Units {
		return
	}
	c.skip(int64(tick-c.demand), units)
}

// skip demands steps and sets the remainder, although the time for it did not pass.
func (c *Clock) skip(steps, units int64) {
	c.ledger.account(stepped, c.remainder.Units-units)
	c.ledger.rest[stepped].addSteps(-steps, c.remainder.Step, c.rate.Num)
	c.remainder.Units = units
	c.give(steps)
}

// Scale is the time scale in effect.
func (c *Clock) Scale() float64 { return c.factor }

// SetScale sets the time scale, from 0 to 1000: 0.5 is half speed, 0 stands still.
// The clock uses the fraction that RateOf returns: the simplest within a billionth
// of x, or see there. So 0.1 is exactly 1/10, and 1.0/3 exactly a third. It fails if x
// is not a number, out of range, or above 0 and too small for a fraction with parts up
// to a million.
func (c *Clock) SetScale(x float64) error {
	if !(x >= 0 && x <= maxScale) {
		return fmt.Errorf("time scale %v: must be a number from 0 to %d", x, maxScale)
	}
	r, err := RateOf(x)
	if err != nil {
		return fmt.Errorf("time scale: %w", err)
	}
	// Convert the carried fraction of a nanosecond, rounding down.
	c.scaleCarry = c.scaleCarry * r.Den / c.scale.Den
	c.scale, c.factor = r, r.Float()
	return nil
}

// SetRate changes the rate. The remainder stays the same part of a step, rounded
// once. The ledger books the difference in time as Resynced.
func (c *Clock) SetRate(r Rate) error {
	if err := r.valid(false); err != nil {
		return err
	}
	old, oldStep := c.rate, c.remainder.Step
	c.setRate(r)
	kept, _ := mulDiv(c.remainder.Units, c.remainder.Step, oldStep/2, oldStep)
	same, _ := mulDiv(c.remainder.Units, c.rate.Num, old.Num/2, old.Num) // the same time in new units
	c.ledger.rebase(c.rate.Num, kept, same-kept)
	c.remainder.Units = kept
	return nil
}

// Seek sets Demand to a tick and takes over the remainder of another clock, rounded
// down; one that is not known counts as 0. The ledger accounts for the difference of
// the remainders: for what is lost as Resynced, for what is gained as Stepped.
func (c *Clock) Seek(tick uint64, r buffer.Remainder) {
	old := c.remainder.Units
	c.demand, c.remainder.Units = tick, 0
	if units := min(r.Units, r.Step); units > 0 {
		c.remainder.Units, _ = mulDiv(units, c.remainder.Step, 0, r.Step)
	}
	c.ledger.account(Resynced, max(old-c.remainder.Units, 0))
	c.ledger.account(stepped, min(old-c.remainder.Units, 0))
	c.ledger.remainder = c.remainder.Units
}

// SetSpeed lets a governor slow the clock to a part of its speed, from 0 to 1. The
// clock rounds it down to a multiple of 1/65536, and never stands still.
func (c *Clock) SetSpeed(part float64) {
	c.speed = min(max(int64(part*fullSpeed), 1), fullSpeed)
}

// Speed is the part that SetSpeed set, rounded.
func (c *Clock) Speed() float64 { return float64(c.speed) / fullSpeed }

// Advance advances time by ns nanoseconds of real time. It adds the steps that are
// now due to Demand and returns their number. backlog is the number of steps
// demanded before and not yet done. A negative ns counts as 0.
//
// Steps beyond MaxSteps minus the backlog are dropped, and the remainder is kept:
// the simulation slows down, and never catches up at high speed later. If a step
// is due but none is allowed, the remainder becomes one unit less than a step.
func (c *Clock) Advance(ns int64, backlog uint64) (steps int) {
	ns = min(max(ns, 0), MaxFrameTime)
	counted := min(ns, c.clamp)
	if c.paused {
		c.ledger.rest[paused].ns += c.scaled(ns)
		return 0
	}
	in := c.scaled(counted)
	if ns > counted {
		c.ledger.rest[Clamped].ns += c.scaled(ns - counted)
	}
	units := in * c.rate.Num
	if c.speed != fullSpeed {
		units = c.govern(units)
	}
	before := c.remainder.Units
	c.remainder.Units += units
	if c.remainder.Units < c.remainder.Step || units == 0 {
		c.ledger.remainder = c.remainder.Units
		return 0
	}
	due := c.remainder.Units / c.remainder.Step
	c.remainder.Units %= c.remainder.Step
	n := min(due, c.allowed(backlog))
	if n < due {
		cause, most := Bounded, c.remainder.Step-1
		if c.demand+uint64(n) >= c.last {
			cause, most = Ended, c.remainder.Step
		}
		over := (due - n) * c.remainder.Step
		if n == 0 {
			most = max(most, before)
			over += c.remainder.Units - most
			c.remainder.Units = most
		}
		c.ledger.account(cause, over)
	}
	c.give(n)
	return int(n)
}

// scaled converts real to scaled nanoseconds, carries the fraction, and books them
// in the ledger.
func (c *Clock) scaled(ns int64) int64 {
	if c.scale.Num != c.scale.Den {
		ns, c.scaleCarry = mulDiv(ns, c.scale.Num, c.scaleCarry, c.scale.Den)
	}
	c.ledger.scaled += ns
	return ns
}

func (c *Clock) govern(units int64) (left int64) {
	left, c.speedCarry = mulDiv(units, c.speed, c.speedCarry, fullSpeed)
	c.ledger.account(Governed, units-left)
	return left
}

func (c *Clock) give(n int64) {
	c.demand += uint64(n)
	c.ledger.simulated.addSteps(n, c.remainder.Step, c.rate.Num)
	c.ledger.remainder = c.remainder.Units
}

func (c *Clock) allowed(backlog uint64) int64 {
	bound := uint64(c.maxSteps)
	return int64(min(bound-min(backlog, bound), c.last-min(c.demand, c.last)))
}

// mulDiv is (a·b+carry)/c and what is left over, through 128 bits.
func mulDiv(a, b, carry, c int64) (quotient, rest int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, over := bits.Add64(lo, uint64(carry), 0)
	q, r := bits.Div64(hi+over, lo, uint64(c))
	return int64(q), int64(r)
}
