package clock

// Cause is a reason why time was dropped. No step simulates time that is dropped.
type Cause int

const (
	// Clamped: a frame took longer than FrameClamp.
	Clamped Cause = iota
	// Bounded: more steps were due than MaxSteps allowed.
	Bounded
	// Governed: SetSpeed has slowed the clock.
	Governed
	// Resynced: Seek has made the remainder smaller.
	Resynced

	causes

	// The entry paused has the time that has passed in a pause or beyond the tick of SetLast. The
	// entry stepped is negative: it has the time that Step, Reach and Seek have simulated without
	// real time.
	paused  = causes
	stepped = causes + 1
	entries = causes + 2
)

var causeNames = [causes]string{"clamp", "bound", "governor", "resync"}

// String returns a short word for the cause, such as "clamp".
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

// addSteps adds the time of n steps. The parameter step is the length of each step, in units of
// 1/num nanosecond. The steps are added so that no product overflows before the sum.
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

// Ledger accounts for every nanosecond that the clock has received. The account is always exact:
//
//	scaled real time = simulated - stepped + remainder + dropped + paused
//
// Time that passes in a pause, or beyond the tick of SetLast, is paused and not dropped. Stepped is
// the time that Clock.Step, Clock.Reach and Clock.Seek have simulated without real time.
type Ledger struct {
	num       int64 // numerator of the clock's rate
	scaled    int64 // the real time multiplied by the time scale, in ns
	before    span  // the account at the last change of the rate
	simulated span
	remainder int64         // units of 1/num ns
	rest      [entries]span // the dropped time for each Cause, and then paused and stepped

	// Sums of the time at earlier rates, in s, for Simulated and DroppedFor.
	pastSimulated float64
	pastRest      [entries]float64
}

// Scaled returns the real time multiplied by the time scale, in seconds.
func (l *Ledger) Scaled() float64 { return float64(l.scaled) / 1e9 }

// Simulated returns the time of all demanded steps, in seconds.
func (l *Ledger) Simulated() float64 { return l.pastSimulated + l.simulated.seconds(l.num) }

// Residual returns the remainder, in seconds.
func (l *Ledger) Residual() float64 { return float64(l.remainder) / float64(l.num) / 1e9 }

// DroppedFor returns the time that was dropped for a cause, in seconds.
func (l *Ledger) DroppedFor(c Cause) float64 {
	return l.pastRest[c] + l.rest[c].seconds(l.num)
}

// Dropped returns the time that was dropped for all causes, in seconds.
func (l *Ledger) Dropped() float64 {
	sum := 0.0
	for c := range causes {
		sum += l.DroppedFor(c)
	}
	return sum
}

// Paused returns the time that has passed in pauses or beyond the tick of SetLast, in seconds.
func (l *Ledger) Paused() float64 { return l.DroppedFor(paused) }

// Stepped returns the time that Clock.Step, Clock.Reach and Clock.Seek have simulated without real
// time, in seconds.
func (l *Ledger) Stepped() float64 { return 0 - l.DroppedFor(stepped) } // never -0

func (l *Ledger) account(c Cause, units int64) { l.rest[c].add(units, l.num) }

// Imbalance returns the error of the account, in nanoseconds and in units of 1/num nanosecond. Both
// results are always 0.
func (l *Ledger) Imbalance() (ns, frac int64) {
	sum := l.before
	sum.addSpan(l.simulated, l.num)
	sum.add(l.remainder, l.num)
	for _, d := range l.rest {
		sum.addSpan(d, l.num)
	}
	return l.scaled - sum.ns, -sum.frac
}

// rebase changes the ledger to a rate with the numerator num. The parameter kept is the remainder
// in units of that rate, rounded.
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
