package clock

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"halfstep/buffer"
)

const (
	second = 1_000_000_000

	// FrameClamp is the longest frame time that counts, in ns. The rest of a longer frame time is
	// dropped.
	FrameClamp = second / 4
	// DefaultMaxSteps is the value of MaxSteps before the first call of Clock.Allow or
	// Clock.SetMaxSteps.
	DefaultMaxSteps = 5

	// MaxFrameTime is the longest frame time that a Ledger accounts for: a day, in ns. A longer
	// frame time counts as a day.
	MaxFrameTime = 24 * 3600 * second

	// maxScale limits the time scale, so that a clamped and scaled frame time cannot overflow.
	maxScale = 1000

	fullSpeed = 1 << 16 // the value of Clock.speed for a part of 1
)

// Clock turns frame times into whole steps and a remainder. It is the accumulator of "Fix Your
// Timestep!" in integers. At a rate of num/den steps per second it counts units of 1/num
// nanosecond, and a step has 1e9·den units. So there are no rounding errors.
//
// Only the render thread may use a Clock. The state of a Clock depends only on the calls of its
// methods.
type Clock struct {
	rate      Rate                   // the rate of the step to the tick demand
	next      Rate                   // the rate of the next step
	dt        float64                // the length of the next step, in s
	lengths   lengths                // the lengths of the steps near the picture (lengths.go)
	recorded  func(tick uint64) Rate // the function of Follow, or nil
	remainder buffer.Remainder
	demand    uint64 // the last demanded tick

	scale      Rate
	factor     float64 // the time scale as a float64
	scaleCarry int64   // the remainder of the last multiplication by scale, in units of 1/scale.Den nanosecond
	speed      int64   // the part of SetSpeed, in units of 1/fullSpeed
	speedCarry int64   // the remainder of the last multiplication by speed, in parts of fullSpeed

	maxSteps int
	fixed    bool // true if SetMaxSteps has set maxSteps, so that Allow must not set it
	paused   bool
	last     uint64 // the last tick that may be demanded

	ledger Ledger
}

// New returns a clock at tick 0 with the given rate, time scale 1 and the limit DefaultMaxSteps.
// The error says that the rate is out of range.
func New(rate Rate) (*Clock, error) {
	c := &Clock{scale: Rate{1, 1}, factor: 1, speed: fullSpeed, maxSteps: DefaultMaxSteps, last: ^uint64(0)}
	if err := rate.valid(false); err != nil { // false, because a rate of 0 is not valid here
		return nil, err
	}
	c.next = rate.reduced()
	c.rate, c.dt, c.ledger.num = c.next, c.next.dt(), c.next.Num
	c.restart()
	return c, nil
}

// Rate returns the rate of the next step, in steps per second.
func (c *Clock) Rate() Rate { return c.next }

// Dt returns the length of the next step, in seconds.
func (c *Clock) Dt() float64 { return c.dt }

// Demand returns the last demanded tick.
func (c *Clock) Demand() uint64 { return c.demand }

// Ended reports whether the tick of SetLast was demanded.
func (c *Clock) Ended() bool { return c.demand >= c.last }

// Remainder returns the time that has passed towards the next step, as a part of the current
// interval. It is usually less than the whole interval. After Step, Reach or Seek, and at the tick
// of SetLast, it can be the whole interval. The next step is then due as soon as any time passes.
func (c *Clock) Remainder() buffer.Remainder { return c.remainder }

// Ledger returns the account of all time that the clock has received.
func (c *Clock) Ledger() *Ledger { return &c.ledger }

// MaxSteps returns the greatest number of steps that may be demanded and not yet done.
func (c *Clock) MaxSteps() int { return c.maxSteps }

// MaxStepsLimit is the highest value of MaxSteps.
const MaxStepsLimit = 1_000_000

// SetMaxSteps sets MaxSteps, to a number from 1 to MaxStepsLimit. 0 means that Allow sets MaxSteps.
// All other numbers are errors.
func (c *Clock) SetMaxSteps(n int) error {
	if n < 0 || n > MaxStepsLimit {
		return fmt.Errorf("max steps %d: must be from 1 to %d, or 0 for the default", n, MaxStepsLimit)
	}
	if c.fixed = n > 0; n == 0 {
		n = DefaultMaxSteps
	}
	c.maxSteps = n
	return nil
}

// Allow sets MaxSteps, unless SetMaxSteps has set it. The parameter steps is the number of steps
// that physics can do in the time of a frame; it may have a fraction. MaxSteps is then at least
// DefaultMaxSteps, and at most the number of steps in the time FrameClamp.
func (c *Clock) Allow(steps float64) {
	if !c.fixed {
		most := math.Ceil(float64(FrameClamp) / second * c.factor / c.dt)
		c.maxSteps = int(min(max(min(steps, most), DefaultMaxSteps), MaxStepsLimit))
	}
}

// Last returns the last tick that the clock may demand.
func (c *Clock) Last() uint64 { return c.last }

// SetLast sets the last tick that the clock may demand. Time beyond that tick is not simulated, and
// counts as paused.
func (c *Clock) SetLast(tick uint64) { c.last = tick }

// Paused reports whether the clock is paused.
func (c *Clock) Paused() bool { return c.paused }

// SetPaused stops or continues time. The remainder stays the same, and no step makes up for the
// time of the pause.
func (c *Clock) SetPaused(on bool) { c.paused = on }

// Rest accounts for ns nanoseconds of real time that have passed in a pause.
func (c *Clock) Rest(ns int64) { c.ledger.rest[paused].ns += c.scaled(ns) }

// Step demands n steps, but no step beyond the tick of SetLast, and returns the number of steps. A
// negative n counts as 0. Step also works in a pause, and MaxSteps does not limit the number of
// steps. The remainder is then a whole step, so the clock is exactly at the end of the last step.
// No real time passes for the steps. The ledger accounts for their time as Stepped.
func (c *Clock) Step(n int) (steps int) {
	c.loadRate()
	steps = int(min(uint64(max(n, 0)), c.last-min(c.demand, c.last)))
	for left := int64(steps); left > 0; {
		n := c.alike(left)
		c.skip(n, 0)
		c.enter()
		left -= n
	}
	c.skip(0, c.remainder.Step)
	return steps
}

// Reach moves the clock to the instant tick - 1 + part, if that instant is later than the clock's.
// It demands the steps up to the tick, and the remainder becomes the given part of a step. No real
// time passes. The ledger accounts for the time of the steps as Stepped. MaxSteps does not limit
// the number of steps.
func (c *Clock) Reach(tick uint64, part float64) {
	if tick > c.last {
		tick, part = c.last, 1
	}
	if tick > c.demand {
		c.skip(1, 0)
		c.enter() // all later steps have the length of the next step
	}
	units := min(max(int64(math.Ceil(part*float64(c.remainder.Step))), 0), c.remainder.Step)
	if tick < c.demand || tick == c.demand && units <= c.remainder.Units {
		return
	}
	c.skip(int64(tick-c.demand), units)
}

// skip demands steps and sets the remainder without real time.
func (c *Clock) skip(steps, units int64) {
	c.ledger.account(stepped, c.remainder.Units-units)
	c.ledger.rest[stepped].addSteps(-steps, c.remainder.Step, c.rate.Num)
	c.remainder.Units = units
	c.demandSteps(steps)
}

// Scale returns the present time scale.
func (c *Clock) Scale() float64 { return c.factor }

// SetScale sets the time scale, from 0 to 1000: 0.5 is half speed, and with 0 time stands still.
// The clock uses the fraction that RateOf returns, usually the simplest within a billionth of x.
// So 0.1 is exactly 1/10, and 1.0/3 exactly a third. It returns an error if x is not a number, is
// out of range, or is above 0 and too small for a fraction with a numerator and a denominator up
// to a million.
func (c *Clock) SetScale(x float64) error {
	if !(x >= 0 && x <= maxScale) {
		return fmt.Errorf("time scale %v: must be a number from 0 to %d", x, maxScale)
	}
	r, err := RateOf(x)
	if err != nil {
		return fmt.Errorf("time scale: %w", err)
	}
	// converts the remainder to the new denominator, rounded down
	c.scaleCarry = c.scaleCarry * r.Den / c.scale.Den
	c.scale, c.factor = r, r.Float()
	return nil
}

// SetRate changes the rate. The current interval keeps its length, and the next step has the new
// length. If no time has passed yet, the current interval also has the new length. No time is lost.
// The error says that the rate is out of range, or that the clock follows a replay (see Follow).
func (c *Clock) SetRate(r Rate) error {
	if err := r.valid(false); err != nil {
		return err
	}
	if c.recorded != nil {
		return errors.New("rate: a replay steps at the recorded rate")
	}
	c.next = r.reduced()
	c.dt = c.next.dt()
	if c.demand == 0 && c.remainder.Units == 0 {
		c.restart()
	}
	return nil
}

// Follow makes the clock use the recorded rates of a replay. The function rate returns the rate of
// the step to a tick, in steps per second. After Follow(nil) the clock uses the rate of SetRate
// again.
func (c *Clock) Follow(rate func(tick uint64) Rate) {
	c.recorded = rate
	c.loadRate()
	c.restart()
}

// loadRate sets the rate of the next step from the function of Follow.
func (c *Clock) loadRate() {
	if c.recorded != nil {
		if r := c.recorded(c.demand + 1); r.valid(false) == nil {
			c.next = r.reduced()
			c.dt = c.next.dt()
		}
	}
}

// Seek sets Demand to a tick, and the remainder to r, rounded down. An unknown r counts as 0. The
// ledger accounts for the difference between the old and the new remainder: a loss is Resynced, and
// a gain is Stepped.
func (c *Clock) Seek(tick uint64, r buffer.Remainder) {
	c.demand = tick
	c.restart()
	old := c.remainder.Units
	c.remainder.Units = 0
	if units := min(r.Units, r.Step); units > 0 {
		c.remainder.Units, _ = mulDiv(units, c.remainder.Step, 0, r.Step)
	}
	c.ledger.account(Resynced, max(old-c.remainder.Units, 0))
	c.ledger.account(stepped, min(old-c.remainder.Units, 0))
	c.ledger.remainder = c.remainder.Units
}

// SetSpeed slows the clock to a part of its speed, from 0 to 1. The part is rounded down to a
// multiple of 1/65536. Only a part of 0 becomes 0.
func (c *Clock) SetSpeed(part float64) {
	c.speed = min(max(int64(part*fullSpeed), 1), fullSpeed)
}

// Speed returns the part that SetSpeed has set, after rounding.
func (c *Clock) Speed() float64 { return float64(c.speed) / fullSpeed }

// Advance advances time by ns nanoseconds of real time. It demands the steps that are now due, and
// returns the number of these steps. The parameter backlog is the number of earlier steps that are
// demanded and not done. A negative ns counts as 0.
//
// Steps beyond MaxSteps minus the backlog are dropped, and the remainder is kept. So the simulation
// never makes up for lost time at high speed. If a step is due but none is allowed, the remainder
// becomes one unit less than a step.
func (c *Clock) Advance(ns int64, backlog uint64) (steps int) {
	c.loadRate()
	ns = min(max(ns, 0), MaxFrameTime)
	counted := min(ns, FrameClamp)
	if c.paused {
		c.Rest(ns)
		return 0
	}
	in := c.scaled(counted)
	if ns > counted {
		lost := Clamped
		if c.Ended() {
			lost = paused
		}
		c.ledger.rest[lost].ns += c.scaled(ns - counted)
	}
	units := in * c.rate.Num
	if c.speed != fullSpeed && !c.Ended() {
		units = c.govern(units)
	}
	before := min(c.remainder.Units, c.remainder.Step)
	due := units > 0 || c.remainder.Units > c.remainder.Step // after CarryTime the remainder may be more than a step
	c.remainder.Units += units
	allowed := c.allowed(backlog)
	for given := int64(0); due && c.remainder.Units >= c.remainder.Step; {
		whole := c.remainder.Units / c.remainder.Step
		n := min(whole, allowed-given)
		if n == 0 {
			c.drop(whole, before, given > 0)
			break
		}
		n = c.alike(n)
		c.demandSteps(n)
		c.remainder.Units -= n * c.remainder.Step
		c.enter()
		given += n
		steps = int(given)
	}
	c.ledger.remainder = c.remainder.Units
	return steps
}

// drop drops due whole steps, which the frame may not demand. If the clock has reached the tick of
// SetLast, the ledger counts their time as paused. before is the remainder before this frame, and
// given is true if the frame has demanded any steps.
func (c *Clock) drop(due, before int64, given bool) {
	cause, most := Bounded, c.remainder.Step-1
	if c.demand >= c.last {
		cause, most = paused, c.remainder.Step
	}
	over := due * c.remainder.Step
	c.remainder.Units -= over
	if !given {
		most = max(most, before)
		over += c.remainder.Units - most
		c.remainder.Units = most
	}
	c.ledger.account(cause, over)
}

// scaled multiplies real nanoseconds by the time scale. It keeps the fraction of a nanosecond for
// the next call, and adds the result to the ledger.
func (c *Clock) scaled(ns int64) int64 {
	if c.scale.Num != c.scale.Den {
		ns, c.scaleCarry = mulDiv(ns, c.scale.Num, c.scaleCarry, c.scale.Den)
	}
	c.ledger.scaled += ns
	return ns
}

// govern returns the units that are left after the part that SetSpeed removes.
func (c *Clock) govern(units int64) (left int64) {
	left, c.speedCarry = mulDiv(units, c.speed, c.speedCarry, fullSpeed)
	c.ledger.account(Governed, units-left)
	return left
}

// demandSteps demands n steps.
func (c *Clock) demandSteps(n int64) {
	c.demand += uint64(n)
	c.ledger.simulated.addSteps(n, c.remainder.Step, c.rate.Num)
	c.ledger.remainder = c.remainder.Units
}

// allowed returns the number of steps that may be demanded now, because of MaxSteps and SetLast.
func (c *Clock) allowed(backlog uint64) int64 {
	bound := uint64(c.maxSteps)
	return int64(min(bound-min(backlog, bound), c.last-min(c.demand, c.last)))
}

// mulDiv returns (a·b+carry)/c and the remainder of that division, computed with 128 bits.
func mulDiv(a, b, carry, c int64) (quotient, rest int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, over := bits.Add64(lo, uint64(carry), 0)
	q, r := bits.Div64(hi+over, lo, uint64(c))
	return int64(q), int64(r)
}
