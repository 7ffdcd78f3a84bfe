package attack

import (
	"runtime/debug"
	"time"
)

// Steep reports whether cost grows faster than n, beyond what caches and logarithms
// explain: four times n may cost no more than eight times as much. cost does something
// n times and returns the processor time of it, without what prepares it. What costs
// too little to be measured, also at most, is not steep. Other programs disturb a
// measurement, so that a verdict needs three pairs of runs, one after the other: the
// cheapest of each counts. And what is steep must be steep with twice as many, too, up
// to most: where the memory of a small world is at hand and that of a large one is not,
// there is one step between them, and no slope.
func Steep(n, most int, cost func(n int) time.Duration) (at int, few, many time.Duration, steep bool) {
	const enough, limit = 20 * time.Millisecond, 8
	measure := func(n int) time.Duration {
		debug.FreeOSMemory() // or else small worlds find memory that is in use already, and large ones do not
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
		few = min(few, measure(n)) // the cheaper a small one, the steeper: so it is measured as often
		many = min(many, measure(4*n))
	}
	if steep = many > limit*few && many-limit*few > enough/2; steep && 8*n <= most {
		return Steep(2*n, most, cost)
	}
	return n, few, many, steep
}
