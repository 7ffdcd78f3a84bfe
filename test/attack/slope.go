package attack

import (
	"runtime/debug"
	"time"
)

// Steep reports whether cost grows faster than n, beyond caches and logarithms: four
// times n may cost at most eight times as much. cost performs n operations and returns
// their processor time, without the preparation. The parameter most is the greatest n. A
// cost that is too small to measure even with that n is not steep. Other programs disturb
// a measurement, so Steep measures three pairs, and the cheapest run counts. The cost
// must also be steep at 2n, because a single jump between n and 4n, such as at the size
// of a cache, is no slope.
func Steep(n, most int, cost func(n int) time.Duration) (at int, few, many time.Duration, steep bool) {
	const enough, limit = 20 * time.Millisecond, 8
	measure := func(n int) time.Duration {
		debug.FreeOSMemory() // otherwise small worlds find memory that is in use already, and large worlds do not
		return max(cost(n), time.Microsecond)
	}
	for many = measure(4 * n); many < enough; many = measure(4 * n) {
		if n *= 2; 4*n > most {
			return n, 0, many, false
		}
	}
	few = measure(n)
	for range 2 {
		if many <= limit*few {
			break
		}
		few = min(few, measure(n)) // measured as often as many, so that both have the same chance of a run without disturbance
		many = min(many, measure(4*n))
	}
	if steep = many > limit*few && many-limit*few > enough/2; steep && 8*n <= most {
		return Steep(2*n, most, cost)
	}
	return n, few, many, steep
}
