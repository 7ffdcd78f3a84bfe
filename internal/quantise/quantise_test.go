package quantise

import (
	"math"
	"testing"
)

func TestAValueIsRoundedToAStepAndHeldWithinItsRange(t *testing.T) {
	for _, c := range []struct{ x, lo, hi, step, want float64 }{
		{.14, -1, 2, .1, .1},
		{.16, -1, 2, .1, .2},
		{.3, 0, 1, .1, .3}, // and not 0.30000000000000004
		{1.99, -1, 2, .1, 2},
		{9, 0, 1, .4, 1}, // the end of the range is not on a step
		{-5, -1, 2, .1, -1},
		{math.Inf(1), -1, 2, .1, 2},
		{math.Inf(-1), -1, 2, .1, -1},
		{.123, 0, 1, 0, .123},
		{9, 0, 1, 0, 1},
	} {
		if got := Within(c.x, c.lo, c.hi, c.step); got != c.want {
			t.Errorf("Within(%v, %v, %v, %v) is %v, not %v", c.x, c.lo, c.hi, c.step, got, c.want)
		}
	}
	if got := Within(math.NaN(), 0, 1, .1); !math.IsNaN(got) {
		t.Errorf("NaN becomes %v", got)
	}
}
