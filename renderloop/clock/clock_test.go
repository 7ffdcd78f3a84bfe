package clock

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"halfstep/buffer"
)

func mustClock(t testing.TB, r Rate) *Clock {
	t.Helper()
	c, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func balanced(t testing.TB, c *Clock) {
	t.Helper()
	if ns, frac := c.Ledger().Imbalance(); ns != 0 || frac != 0 {
		t.Fatalf("the ledger is out by %d ns and %d/%d", ns, frac, c.Rate().Num)
	}
	if c.remainder.Units < 0 || c.remainder.Units > c.remainder.Step {
		t.Fatalf("alpha is %d/%d", c.remainder.Units, c.remainder.Step)
	}
}

// The test uses a table of frame rates and step rates. Over an hour no step is lost or
// added, for any ratio of the two.
func TestClockDoesNotDrift(t *testing.T) {
	for _, rate := range []Rate{Hz(1), Hz(10), Hz(50), Hz(60), {60000, 1001}, Hz(144), Hz(1000), {1, 3}} {
		for _, fps := range []int64{24, 30, 60, 75, 144, 1000} {
			c := mustClock(t, rate)
			steps, ns, carry := uint64(0), int64(0), int64(0)
			for range fps * 600 {
				d := second / fps
				if carry += second % fps; carry >= fps {
					carry -= fps
					d++
				}
				ns += d
				steps += uint64(c.Advance(d, 0))
			}
			want := new(big.Int).Mul(big.NewInt(ns), big.NewInt(rate.Num))
			want.Div(want, big.NewInt(second*rate.Den))
			if dropped := c.Ledger().DroppedFor(Bounded); dropped != 0 {
				want.Sub(want, big.NewInt(int64(math.Round(dropped/c.Dt()))))
			}
			if steps != want.Uint64() || c.Demand() != steps {
				t.Errorf("%v steps/s at %d fps: %d steps, want %v", rate, fps, steps, want)
			}
			balanced(t, c)
		}
	}
}

func TestLedgerBalancesWhateverHappens(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	rates := []Rate{Hz(60), Hz(1), {60000, 1001}, Hz(1000), {7, 3}, {999983, 1000}}
	scales := []float64{1, .5, 1. / 3, 1.4, 0, 1000, .999983}
	c := mustClock(t, Hz(60))
	for i := range 200_000 {
		switch r.IntN(60) {
		case 0:
			if err := c.SetRate(rates[r.IntN(len(rates))]); err != nil {
				t.Fatal(err)
			}
		case 1:
			if err := c.SetScale(scales[r.IntN(len(scales))]); err != nil {
				t.Fatal(err)
			}
		case 2:
			c.SetPaused(!c.Paused())
		case 3:
			demanded, n := c.Demand(), r.IntN(20000)-2000
			if got := c.Step(n); got != max(n, 0) || c.Demand() != demanded+uint64(got) || c.Remainder().Fraction() != 1 {
				t.Fatalf("frame %d: Step(%d) demanded %d steps, from %d to %d, alpha %v", i, n, got, demanded, c.Demand(), c.Remainder().Fraction())
			}
		case 4:
			c.SetSpeed(float64(r.Int64N(fullSpeed+2)) / fullSpeed)
		case 5:
			if err := c.SetMaxSteps(1 + r.IntN(8)); err != nil {
				t.Fatal(err)
			}
		}
		ns := r.Int64N(40_000_000)
		switch r.IntN(50) {
		case 0:
			ns = r.Int64N(1 << 62)
		case 1:
			ns = -ns
		case 2:
			ns = 0
		}
		backlog := r.Uint64N(8)
		n := c.Advance(ns, backlog)
		if n < 0 || n > 0 && uint64(n)+backlog > uint64(c.MaxSteps()) {
			t.Fatalf("frame %d: %d steps on a backlog of %d with a bound of %d", i, n, backlog, c.MaxSteps())
		}
		balanced(t, c)
	}
}

func TestLongGapDoesNotBurst(t *testing.T) {
	for _, gap := range []int64{second, 3600 * second, math.MaxInt64} {
		c := mustClock(t, Hz(60))
		c.Advance(16_666_667, 0)
		if n := c.Advance(gap, 0); n != DefaultMaxSteps {
			t.Errorf("gap of %d s: %d steps", gap/second, n)
		}
		for range 60 {
			if n := c.Advance(16_666_667, 0); n > 2 {
				t.Fatalf("gap of %d s: %d steps in a later frame", gap/second, n)
			}
		}
		balanced(t, c)
	}
}

func TestClockSetBackCountsAsNoTime(t *testing.T) {
	c := mustClock(t, Hz(60))
	c.Advance(10_000_000, 0)
	a := c.Remainder().Fraction()
	if n := c.Advance(-5*second, 0); n != 0 || c.Remainder().Fraction() != a {
		t.Errorf("%d steps, alpha %v after %v", n, c.Remainder().Fraction(), a)
	}
}

func TestPauseLeavesNoJump(t *testing.T) {
	c := mustClock(t, Hz(60))
	c.Advance(10_000_000, 0)
	a := c.Remainder().Fraction()
	c.SetPaused(true)
	for range 100 {
		if n := c.Advance(16_000_000, 0); n != 0 || c.Remainder().Fraction() != a {
			t.Fatalf("%d steps, alpha %v while paused", n, c.Remainder().Fraction())
		}
	}
	c.SetPaused(false)
	if n := c.Advance(1_000_000, 0); n != 0 || math.Abs(c.Remainder().Fraction()-a-.06) > 1e-9 {
		t.Errorf("%d steps, alpha %v after the pause", n, c.Remainder().Fraction())
	}
	if got := c.Ledger().Paused(); math.Abs(got-1.6) > 1e-12 {
		t.Errorf("paused for %v s", got)
	}
	if got := c.Ledger().Dropped(); got != 0 {
		t.Errorf("the ledger says that the pause lost %v s", got)
	}
	balanced(t, c)
}

func TestStepIsExactAtEveryRateWherePassingTimeIsNot(t *testing.T) {
	for _, rate := range []Rate{Hz(60), Hz(1), {60000, 1001}, {1, 1000}, {999983, 1000000}, Hz(1000000)} {
		for _, paused := range []bool{false, true} {
			c := mustClock(t, rate)
			c.Advance(10_000_000, 0)
			before, alpha, dropped := c.Demand(), c.Remainder().Fraction(), c.Ledger().Dropped()
			c.SetPaused(paused)
			for _, n := range []int{1, 60, 0, -3, 1_000_000} {
				want := c.Demand() + uint64(max(n, 0))
				if got := c.Step(n); got != max(n, 0) || c.Demand() != want || c.Remainder().Fraction() != 1 {
					t.Errorf("%v: Step(%d) demanded %d steps, alpha %v", rate, n, got, c.Remainder().Fraction())
				}
				balanced(t, c)
			}
			stepped := (float64(c.Demand()-before) + 1 - alpha) * c.Dt()
			if got := c.Ledger().Stepped(); math.Abs(got-stepped) > 1e-9*stepped {
				t.Errorf("%v: stepped %v s, want %v", rate, got, stepped)
			}
			if d := c.Ledger().Dropped(); d != dropped {
				t.Errorf("%v: dropped %v s, %v before", rate, d, dropped)
			}
			c.SetPaused(false)
			if err := c.SetRate(Hz(144)); err != nil || c.Remainder().Fraction() != 1 {
				t.Errorf("%v: alpha %v at another rate, %v", rate, c.Remainder().Fraction(), err)
			}
			if err := c.SetRate(rate); err != nil {
				t.Fatal(err)
			}
			if n := c.Advance(0, 0); n != 0 || c.Remainder().Fraction() != 1 {
				t.Errorf("%v: %d steps in no time, alpha %v", rate, n, c.Remainder().Fraction())
			}
			if n := c.Advance(1, 0); n != 1 || c.remainder.Units != rate.Num {
				t.Errorf("%v: %d steps after a nanosecond, remainder %d", rate, n, c.remainder.Units)
			}
			balanced(t, c)
		}
	}
}

func TestBeforeTheFirstStepTheLedgerPrintsZero(t *testing.T) {
	if s := fmt.Sprint(mustClock(t, Hz(60)).Ledger().Stepped()); s != "0" {
		t.Errorf("stepped %s s", s)
	}
}

func TestTheRemainderThatASeekSetsIsNoNegativeDroppedTime(t *testing.T) {
	for _, rate := range []Rate{Hz(60), {60000, 1001}, Hz(1000000)} {
		c := mustClock(t, rate)
		dropped, stepped := 0.0, 0.0
		for _, eighths := range []int64{7, 2, 2, 0, 8, 0} {
			change := float64(eighths)/8*c.Dt() - c.Ledger().Residual()
			dropped, stepped = dropped+max(-change, 0), stepped+max(change, 0)
			c.Seek(100, buffer.Remainder{Units: eighths, Step: 8})
			l := c.Ledger()
			if math.Abs(l.Dropped()-dropped) > 2e-9 || math.Abs(l.Stepped()-stepped) > 2e-9 {
				t.Errorf("%v, %d/8: dropped %v s, want %v; stepped %v s, want %v", rate, eighths, l.Dropped(), dropped, l.Stepped(), stepped)
			}
			balanced(t, c)
		}
	}
}

func TestStepEndsAtTheLastTick(t *testing.T) {
	c := mustClock(t, Hz(60))
	c.SetLast(7)
	if n := c.Step(5); n != 5 {
		t.Errorf("%d steps of 5", n)
	}
	if n := c.Step(math.MaxInt); n != 2 || c.Demand() != 7 {
		t.Errorf("%d steps more, to tick %d", n, c.Demand())
	}
	for range 3 {
		c.Advance(30_000_000, 0)
		if c.Demand() != 7 || c.Remainder().Fraction() != 1 {
			t.Errorf("tick %d, alpha %v", c.Demand(), c.Remainder().Fraction())
		}
		balanced(t, c)
	}
	c.SetLast(3) // this is earlier than the demanded tick
	if n := c.Step(1); n != 0 {
		t.Errorf("%d steps beyond the last tick", n)
	}
	c.SetLast(20)
	if n := c.Advance(1, 0); n != 1 {
		t.Errorf("%d steps after the end was moved", n)
	}
	balanced(t, c)
}

func TestWhereNoStepIsAllowedTheRemainderWaitsBelowAStep(t *testing.T) {
	c := mustClock(t, Hz(60))
	n := c.Advance(40_000_000, DefaultMaxSteps)
	if n != 0 || c.remainder.Units != c.remainder.Step-1 {
		t.Errorf("%d steps, remainder %d of %d", n, c.remainder.Units, c.remainder.Step)
	}
	if n := c.Advance(1, 0); n != 1 {
		t.Errorf("%d steps once there is room", n)
	}
	balanced(t, c)
	c.Step(1)
	if n := c.Advance(40_000_000, DefaultMaxSteps); n != 0 || c.Remainder().Fraction() != 1 {
		t.Errorf("%d steps, alpha from 1 back to %v", n, c.Remainder().Fraction())
	}
	balanced(t, c)
}

// The current interval keeps its end. The later steps have the new length. Each step
// is demanded when it is due in the world's time.
func TestARateChangeKeepsTheIntervalUnderWayAndLosesNoTime(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	rates := []Rate{Hz(60), Hz(144), {60000, 1001}, Hz(10), {7, 3}, Hz(1000)}
	c := mustClock(t, Hz(60))
	passed, end := 0.0, c.Dt() // the time that has passed and the end of the current interval, in s
	for range 20000 {
		ns := r.Int64N(40_000_000)
		for range c.Advance(ns, 0) {
			end += c.Dt()
		}
		passed += float64(ns) / 1e9
		if left := end - passed - (1-c.Remainder().Fraction())*c.Length(c.Demand()); math.Abs(left) > 1e-5 {
			t.Fatalf("tick %d: the interval under way ends %v s too late", c.Demand(), -left)
		}
		if r.IntN(5) == 0 {
			a := c.Remainder()
			if err := c.SetRate(rates[r.IntN(len(rates))]); err != nil {
				t.Fatal(err)
			}
			if c.Remainder() != a {
				t.Fatalf("remainder %v after %v", c.Remainder(), a)
			}
			_ = c.SetMaxSteps(100_000)
		}
		balanced(t, c)
	}
	if d := c.Ledger().Dropped(); d != 0 {
		t.Errorf("%v s dropped", d)
	}
}

func TestInstantsAreApartByTheLengthsOfTheStepsBetween(t *testing.T) {
	c := mustClock(t, Hz(10))
	c.Advance(250_000_000, 0) // to tick 2
	if err := c.SetRate(Hz(100)); err != nil {
		t.Fatal(err)
	}
	c.Advance(60_000_000, 0) // tick 3 at 50 ms is the first tick of the new length
	c.Advance(7_000_000, 0)
	for _, q := range []struct {
		from, to Instant
		seconds  float64
	}{
		{Instant{2, .5}, Instant{2, .75}, .025}, {Instant{2, .5}, Instant{3, .5}, .055}, {Instant{1, 0}, Instant{9, .5}, .265},
		{Instant{2, .9}, Instant{3, .2}, .012}, {Instant{4, .5}, Instant{6, .5}, .02},
	} {
		if got := c.Between(q.from, q.to); math.Abs(got-q.seconds) > 1e-9 {
			t.Errorf("from %v to %v: %v s, want %v", q.from, q.to, got, q.seconds)
		}
		if got := c.Between(q.to, q.from); math.Abs(got+q.seconds) > 1e-9 {
			t.Errorf("from %v to %v: %v s, want %v", q.to, q.from, got, -q.seconds)
		}
		if got := c.After(q.from, q.seconds); math.Abs(float64(got.Tick)+got.Part-float64(q.to.Tick)-q.to.Part) > 1e-9 {
			t.Errorf("%v s after %v: %v, want %v", q.seconds, q.from, got, q.to)
		}
		if got := c.After(q.to, -q.seconds); math.Abs(float64(got.Tick)+got.Part-float64(q.from.Tick)-q.from.Part) > 1e-9 {
			t.Errorf("%v s before %v: %v, want %v", q.seconds, q.to, got, q.from)
		}
	}
	if c.Forget(3); !c.Alike() {
		t.Error("a length that is past is still known")
	}
}

func TestScaleLosesNothing(t *testing.T) {
	c := mustClock(t, Hz(60))
	if err := c.SetScale(1. / 3); err != nil {
		t.Fatal(err)
	}
	for range 3_000_000 {
		c.Advance(1000, 0)
	}
	if got := c.Ledger().scaled; got != second {
		t.Errorf("3 s at a third are %d ns", got)
	}
	balanced(t, c)
}

func TestLastTickIsNeverPassed(t *testing.T) {
	c := mustClock(t, Hz(60))
	c.SetLast(7)
	for range 100 {
		c.Advance(50_000_000, 0)
	}
	if c.Demand() != 7 {
		t.Errorf("demanded %d ticks", c.Demand())
	}
	balanced(t, c)
}

func TestBadSettingsAreRefused(t *testing.T) {
	for _, r := range []Rate{{}, {0, 1}, {1, 0}, {-1, 1}, {1, -1}, {maxPart + 1, 1}, {1, maxPart}} {
		if _, err := New(r); err == nil {
			t.Errorf("rate %v was accepted", r)
		}
	}
	c := mustClock(t, Hz(60))
	for _, err := range []error{
		c.SetMaxSteps(-1), c.SetMaxSteps(MaxStepsLimit + 1), c.SetRate(Rate{}),
		c.SetScale(1001), c.SetScale(-1), c.SetScale(math.NaN()), c.SetScale(math.Inf(1)), c.SetScale(math.Inf(-1)),
		c.SetScale(1e300), c.SetScale(1e-7), c.SetScale(math.SmallestNonzeroFloat64),
	} {
		if err == nil {
			t.Error("a bad setting was accepted")
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %v", err)
		}
	}
	if c.Scale() != 1 || c.MaxSteps() != DefaultMaxSteps || c.Rate() != Hz(60) {
		t.Error("a setting that was refused has an effect")
	}
}

func TestATimeScaleIsANumberAndAnExactFractionInside(t *testing.T) {
	c := mustClock(t, Hz(60))
	for x, want := range map[float64]Rate{
		1: {1, 1}, .1: {1, 10}, .25: {1, 4}, 1. / 3: {1, 3}, 2. / 7: {2, 7}, 0: {0, 1}, 1000: {1000, 1}, 1e-6: {1, 1000000}, 29.97: {2997, 100},
	} {
		if err := c.SetScale(x); err != nil || c.scale != want || c.Scale() != x {
			t.Errorf("SetScale(%v): %v, now %v = %v, want %v", x, err, c.scale, c.Scale(), want)
		}
	}
	if err := c.SetScale(math.Pi); err != nil || math.Abs(c.Scale()-math.Pi) > 1e-6 {
		t.Errorf("SetScale(π): %v, now %v", err, c.Scale())
	}
}

func TestEveryNumberWithinTheLimitsIsARate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		x := math.Pow(10, 12*r.Float64()-6)
		if _, err := RateOf(x); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []float64{1e-7, 1e9} {
		if _, err := RateOf(x); err == nil || !strings.Contains(err.Error(), "is not from 1e-06 to 1000000") {
			t.Errorf("%v: %v", x, err)
		}
	}
}

func TestRateOfFindsTheFraction(t *testing.T) {
	for x, want := range map[float64]Rate{
		60: {60, 1}, 59.94: {2997, 50}, .1: {1, 10}, 1.0 / 3: {1, 3}, 0: {0, 1}, 60000. / 1001: {60000, 1001},
	} {
		if got, err := RateOf(x); err != nil || got != want {
			t.Errorf("RateOf(%v) = %v, %v; want %v", x, got, err, want)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), -1, 1e9, 1e-9} {
		if got, err := RateOf(x); err == nil {
			t.Errorf("RateOf(%v) = %v", x, got)
		}
	}
}

func BenchmarkAdvance(b *testing.B) {
	c := mustClock(b, Hz(60))
	b.ReportAllocs()
	for b.Loop() {
		c.Advance(6_944_444, 0)
	}
}
