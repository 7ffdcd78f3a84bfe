package clock

// Cause is the reason why time was dropped: it passed and was not simulated.
type Cause int

const (
	// Clamped: a frame took longer than the frame clamp.
	Clamped Cause = iota
	// Bounded: more steps were due than MaxSteps allowed.
	Bounded
	// Paused: the clock was paused.
	Paused
	// Governed: the governor slowed the clock to what physics can deliver.
	Governed
	// Resynced: the rate changed. Alpha stayed, so the same fraction of a step
	// became a different amount of time. Or the clock was set to another tick,
	// with another remainder. It is negative if time was gained.
	Resynced
	// Stepped: single steps while paused. It is negative, because those steps
	// simulated time that did not pass.
	Stepped
	// Ended: the last tick was reached.
	Ended

	causes
)

var causeNames = [causes]string{"clamp", "bound", "pause", "governor", "resync", "single step", "end"}

// String is a short name for the cause, such as "clamp".
func (c Cause) String() string { return causeNames[c] }

// span is an exact duration of ns + frac/num nanoseconds. num is the numerator of
// the clock's rate, and 0 ≤ frac < num.
type span struct{ ns, frac int64 }

// add adds units of 1/num nanosecond.
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

func (s *span) addSpan(t span, num int64) {
	s.ns += t.ns
	s.add(t.frac, num)
}

func (s span) seconds(num int64) float64 {
	return (float64(s.ns) + float64(s.frac)/float64(num)) / 1e9
}

// Ledger accounts for every nanosecond that went into the clock. It always
// balances, as integers:
//
//	scaled real time = before + simulated + residual + dropped
//
// The term before is the sum over earlier rates, whose fractions of a nanosecond
// cannot be expressed with the present rate.
type Ledger struct {
	num       int64
	scaled    int64 // ns
	before    span
	simulated span
	residual  int64 // units of 1/num ns
	dropped   [causes]span

	// Sums over earlier rates, for reports only.
	pastSimulated float64
	pastDropped   [causes]float64
}

// Scaled is the real time times the time scale, in seconds.
func (l *Ledger) Scaled() float64 { return float64(l.scaled) / 1e9 }

// ScaledNanos is Scaled in whole nanoseconds.
func (l *Ledger) ScaledNanos() int64 { return l.scaled }

// Simulated is the time demanded as whole steps, in seconds.
func (l *Ledger) Simulated() float64 { return l.pastSimulated + l.simulated.seconds(l.num) }

// Residual is the time kept for the next step, in seconds.
func (l *Ledger) Residual() float64 { return float64(l.residual) / float64(l.num) / 1e9 }

// DroppedFor is the time dropped for a cause, in seconds.
func (l *Ledger) DroppedFor(c Cause) float64 {
	return l.pastDropped[c] + l.dropped[c].seconds(l.num)
}

// Dropped is the time dropped for all causes, in seconds.
func (l *Ledger) Dropped() float64 {
	sum := 0.0
	for c := Cause(0); c < causes; c++ {
		sum += l.DroppedFor(c)
	}
	return sum
}

// Imbalance is the error of the ledger, in nanoseconds and in 1/num nanosecond.
// Both are always 0.
func (l *Ledger) Imbalance() (ns, frac int64) {
	sum := l.before
	sum.addSpan(l.simulated, l.num)
	sum.add(l.residual, l.num)
	for _, d := range l.dropped {
		sum.addSpan(d, l.num)
	}
	return l.scaled - sum.ns, -sum.frac
}

// rebase changes the rate of the ledger to one with the numerator num. kept is the
// residual and resync the time lost, both in units of the new rate.
func (l *Ledger) rebase(num, kept, resync int64) {
	l.pastSimulated += l.simulated.seconds(l.num)
	for c := range l.dropped {
		l.pastDropped[c] += l.dropped[c].seconds(l.num)
	}
	*l = Ledger{
		num: num, scaled: l.scaled, residual: kept,
		pastSimulated: l.pastSimulated, pastDropped: l.pastDropped,
	}
	l.dropped[Resynced].add(resync, num)
	l.before = span{ns: l.scaled}
	l.before.add(-kept, num)
	l.before.add(-resync, num)
}
