package workers

import "time"

// Choice decides whether steps share their work among workers. The best choice depends on other
// programs, because a step waits for a worker whose processor is in use. From time to time a
// few steps therefore use the alternative, and are compared with the steps before and after.
// The zero Choice begins with sharing.
type Choice struct {
	alone  bool // alone is the current choice: steps do not share their work.
	other  bool // other says that a trial of the alternative is in progress.
	rest   int  // rest is the number of steps since the last trial ended. During a trial it is the number of steps since the trial began.
	period int  // period is the number of steps between two trials.

	recent               [trialSteps]time.Duration
	before, tried, usual time.Duration // the median durations of steps before a trial, in a trial, and after the last trial
}

const (
	// trialSteps is the number of steps of each kind that are compared. The step before them does
	// not count, because a worker that sleeps is late in the first step.
	trialSteps = 3

	firstRest, leastRest, mostRest = 4, 64, 512
)

// Shared reports whether the next step should share its work.
func (c *Choice) Shared() bool { return c.alone == c.other }

// Took is called after a step that could share work. The parameter is the duration of the step.
func (c *Choice) Took(t time.Duration) {
	if c.period == 0 {
		c.period = firstRest
	}
	c.recent[c.rest%trialSteps] = t
	c.rest++
	a, b, d := c.recent[0], c.recent[1], c.recent[2]
	median := max(min(a, b), min(max(a, b), d))
	switch {
	case c.other:
		if c.rest > trialSteps {
			c.tried, c.other, c.rest = median, false, 0
		}
	case c.tried > 0: // the trial is also compared with the steps after it
		if c.rest > trialSteps {
			c.decide(median)
		}
	case c.rest == trialSteps:
		c.usual = median
	case c.rest >= c.period, c.rest >= leastRest && c.outgrown(median):
		c.before, c.other, c.rest = median, true, 0
	}
}

// outgrown reports whether steps take so much longer than after the last trial that another
// trial may have a different result. Another program may be using a worker's processor, or
// there may be more work to share.
func (c *Choice) outgrown(median time.Duration) bool {
	if c.alone {
		return median > 3*c.usual
	}
	return 2*median > 3*c.usual
}

// decide ends a trial. Sharing must save a tenth of the time, because it takes processors away
// from other programs.
func (c *Choice) decide(after time.Duration) {
	shared, alone := (c.before+after)/2, c.tried
	if c.alone {
		shared, alone = alone, shared
	}
	was := c.alone
	c.alone = 10*shared > 9*alone
	if c.period = leastRest; was == c.alone {
		c.period = min(4*max(c.period, leastRest), mostRest)
	}
	c.tried, c.rest = 0, 0
}
