package win

import (
	"testing"
	"time"
)

func TestTheRefreshOfDisplaysThatDifferIsUnknown(t *testing.T) {
	for _, c := range []struct {
		rates []int
		want  time.Duration
	}{
		{nil, 0}, {[]int{0}, 0}, {[]int{-1}, 0}, {[]int{60}, time.Second / 60}, {[]int{144, 144}, time.Second / 144}, {[]int{60, 144}, 0}, {[]int{60, 0}, 0},
	} {
		if got := refreshOf(c.rates); got != c.want {
			t.Errorf("%v: %v", c.rates, got)
		}
	}
}
