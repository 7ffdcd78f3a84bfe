package workers

import (
	"testing"
	"time"
)

// take has the durations of a step, in ms: with shared work, and without.
type take struct{ shared, alone time.Duration }

// play makes a number of steps, and returns how many shared their work.
func (c *Choice) play(steps int, t take) (shared int) {
	for range steps {
		took := t.alone
		if c.Shared() {
			took = t.shared
			shared++
		}
		c.Took(took * time.Millisecond)
	}
	return shared
}

func TestWorkIsSharedOutWhereThatSavesATenth(t *testing.T) {
	for _, q := range []struct {
		take
		least, most int // of 2,000 steps
	}{
		{take{60, 100}, 1950, 2000},
		{take{95, 100}, 0, 50},
		{take{200, 100}, 0, 50},
	} {
		var c Choice
		if n := c.play(2000, q.take); n < q.least || n > q.most {
			t.Errorf("%v: %d of 2,000 steps are shared out, not %d to %d", q.take, n, q.least, q.most)
		}
	}
}

func TestWorkIsSharedOutAnewWhenStepsTakeOtherwise(t *testing.T) {
	for _, q := range []struct {
		first, then take
		within      int // steps
	}{
		{take{60, 100}, take{200, 100}, 16},  // somebody takes a processor
		{take{200, 100}, take{60, 100}, 600}, // and gives it back
		{take{2, 1}, take{30, 50}, 16},       // more bodies come
	} {
		var c Choice
		c.play(1000, q.first)
		if c.rest > 450 {
			c.play(100, q.first)
		}
		shared := c.play(q.within, q.then)
		if n := c.play(64, q.then); q.then.shared < q.then.alone && n < 56 || q.then.shared > q.then.alone && n > 8 {
			t.Errorf("%v, then %v: %d steps are shared out of %d, and then %d of 64", q.first, q.then, shared, q.within, n)
		}
	}
}

func TestOneStepThatTakesLongIsNoReasonToWorkAlone(t *testing.T) {
	var c Choice
	shared := 0
	for i := range 2000 {
		q := take{60, 100}
		if i%5 == 0 {
			q = take{1000, 100}
		}
		shared += c.play(1, q)
	}
	if shared < 1900 {
		t.Errorf("%d of 2,000 steps are shared out", shared)
	}
}
