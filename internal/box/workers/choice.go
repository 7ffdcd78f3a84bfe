package workers

import "time"

// Choice says whether steps take less time when their work is shared out. That depends on what
// else runs, which nobody knows: a worker whose processor other programs have is waited for. So
// now and then a few steps are made the other way, and compared with those before and after.
// The zero value begins with sharing.
type Choice struct {
	alone  bool // what has been chosen
	other  bool // the other way is tried
	rest   int  // steps since the last trial ended, or since this one began
	period int  // how many steps there are between two trials

	recent               [trialSteps]time.Duration
	before, tried, usual time.Duration // medians: before and in a trial, and after the last one
}

const (
	// trialSteps is how many steps of a kind are compared. The one before them is not: a
	// worker that sleeps is late in the first step.
	trialSteps = 3

	firstRest, leastRest, mostRest = 4, 64, 512
)

// Shared reports whether the next step is to share out its work.
func (c *Choice) Shared() bool { return c.alone == c.other }

// Took follows a step that could share out work, with the time that it took.
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
	case c.tried > 0: // it is compared with the steps after it, too
		if c.rest > trialSteps {
			c.decide(median)
		}
	case c.rest == trialSteps:
		c.usual = median
	case c.rest >= c.period, c.rest >= leastRest && c.outgrown(median):
		c.before, c.other, c.rest = median, true, 0
	}
}

// outgrown reports whether steps take so much longer than after the last trial that another may
// end otherwise: somebody may have taken a worker's processor, or there is more work to share.
func (c *Choice) outgrown(median time.Duration) bool {
	if c.alone {
		return median > 3*c.usual
	}
	return 2*median > 3*c.usual
}

// decide ends a trial. Sharing has to save a tenth: it costs others a processor.
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
