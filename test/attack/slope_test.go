package attack

import (
	"testing"
	"time"
)

func TestSquaresAreSteepAndLinesAndSingleJumpsAreNot(t *testing.T) {
	for _, c := range []struct {
		name  string
		cost  func(n time.Duration) time.Duration
		steep bool
	}{
		{"a line", func(n time.Duration) time.Duration { return 10 * n * time.Microsecond }, false},
		{"a square", func(n time.Duration) time.Duration { return 10 * n * n * time.Nanosecond }, true},
		{"a jump", func(n time.Duration) time.Duration {
			if n < 3000 {
				return 2 * n * time.Microsecond
			}
			return 8 * n * time.Microsecond
		}, false},
	} {
		cost := func(n int) time.Duration { return c.cost(time.Duration(n)) }
		if n, few, many, steep := Steep(500, 16000, cost); steep != c.steep {
			t.Errorf("%s is steep: %v; %v for %d, %v for %d", c.name, steep, few, n, many, 4*n)
		}
	}
}
