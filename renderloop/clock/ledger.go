package clock

// Cause is a reason why time was dropped. No step simulates time that is dropped.
type Cause int

const (
	// Clamped: a frame took longer than the frame clamp.
	Clamped Cause = iota
	// Bounded: more steps were due than MaxSteps allowed.
	Bounded
	// Governed: the governor slowed the clock to what physics can deliver.
	Governed
	// Resynced: the clock was set to another tick, with a smaller remainder.
	Resynced

	causes

	// paused is the time that has passed in a pause or after the last tick. stepped is a
	// negative time: the time that was simulated without real time, by Step or Reach, or by a
	// Seek that increases the remainder. Neither is lost.
	paused  = causes
	stepped = causes + 1
	entries = causes + 2
)

var causeNames = [causes]string{"clamp", "bound", "governor", "resync"}

// String is a short word for the cause, such as "clamp".
func (c Cause) String() string { return causeNames[c] }

// span is an exact duration of ns + frac/num nanoseconds. num is the numerator of
// the clock's rate, and 0 ≤ frac < num.
type span struct{ ns, frac int64 }

// add adds a number of units of 1/num nanosecond.
func (s *span) add(units, num int64) {
	s.ns += units / num
	s.frac += units % num
	if s.frac >= num {
		s.ns++
		s.frac -= num
	} else if s.frac < 0 {
		s.ns--
		s.frac += num
	}
}

// addSteps adds n steps. step is the length of each in units. num steps are a whole number
// of nanoseconds, so no product overflows before the sum does.
func (s *span) addSteps(n, step, num int64) {
	whole, rest := n/num, n%num
	s.ns += whole*step + rest*(step/num)
	s.add(rest*(step%num), num)
}

func (s *span) addSpan(t span, num int64) {
	s.ns += t.ns
	s.add(t.frac, num)
}

func (s span) seconds(num int64) float64 {
	return (float64(s.ns) + float64(s.frac)/float64(num)) / 1e9
}

// Ledger accounts for every nanosecond that the clock has received. It always balances
// exactly:
//
//	scaled real time = simulated - stepped + remainder + dropped + paused
//
// Time that passes in a pause, or after the last tick, is not dropped. Stepped is the time
// that was simulated without real time, by Clock.Step or Clock.Reach, or by a Clock.Seek
// that increases the remainder.
type Ledger struct {
	num       int64 // numerator of the clock's rate
	scaled    int64 // real time times the time scale, ns
	before    span  // the sum over earlier rates, whose fractions of a nanosecond are no multiples of 1/num
	simulated span
	remainder int64         // units of 1/num ns
	rest      [entries]span // by Cause, and then for paused and stepped

	// Sums over earlier rates, for Simulated and other reports only.
	pastSimulated float64
	pastRest      [entries]float64
}

// Scaled is the real time times the time scale, in seconds.
func (l *Ledger) Scaled() float64 { return float64(l.scaled) / 1e9 }

// Simulated is the time that has become steps, in seconds. A step is demanded when its
// interval has passed.
func (l *Ledger) Simulated() float64 { return l.pastSimulated + l.simulated.seconds(l.num) }

// Residual is the remainder, in seconds: the time that counts toward the next step.
func (l *Ledger) Residual() float64 { return float64(l.remainder) / float64(l.num) / 1e9 }

// DroppedFor is the time dropped for a cause, in seconds.
func (l *Ledger) DroppedFor(c Cause) float64 {
	return l.pastRest[c] + l.rest[c].seconds(l.num)
}

// Dropped is the time dropped for all causes, in seconds.
func (l *Ledger) Dropped() float64 {
	sum := 0.0
	for c := range causes {
		sum += l.DroppedFor(c)
	}
	return sum
}

// Paused is the time that passed while the clock was paused, or was at its last tick, in
// seconds.
func (l *Ledger) Paused() float64 { return l.DroppedFor(paused) }

// Stepped is the time by which Clock.Step, Clock.Reach and Clock.Seek have moved the clock
// without real time, in seconds.
func (l *Ledger) Stepped() float64 { return 0 - l.DroppedFor(stepped) } // never -0

func (l *Ledger) account(c Cause, units int64) { l.rest[c].add(units, l.num) }

// Imbalance is the error of the ledger, in nanoseconds and in 1/num nanosecond.
// Both are always 0.
func (l *Ledger) Imbalance() (ns, frac int64) {
	sum := l.before
	sum.addSpan(l.simulated, l.num)
	sum.add(l.remainder, l.num)
	for _, d := range l.rest {
		sum.addSpan(d, l.num)
	}
	return l.scaled - sum.ns, -sum.frac
}

// rebase changes the ledger to another rate, whose numerator is num. kept is the remainder
// in units of the new rate, rounded by less than one unit.
func (l *Ledger) rebase(num, kept int64) {
	l.pastSimulated += l.simulated.seconds(l.num)
	for c := range l.rest {
		l.pastRest[c] += l.rest[c].seconds(l.num)
	}
	*l = Ledger{
		num: num, scaled: l.scaled, remainder: kept,
		pastSimulated: l.pastSimulated, pastRest: l.pastRest,
	}
	l.before = span{ns: l.scaled}
	l.before.add(-kept, num)
}
