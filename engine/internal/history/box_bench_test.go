package history

import (
	"slices"
	"testing"
	"time"

	"halfstep/world"
)

// BenchmarkBlackBox steps a pile of 1,000 boxes with a black box and without one, by
// turns, and reports by how much the black box makes steps longer.
//
//	go test ./engine/internal/history -run '^$' -bench BlackBox -benchtime 2500x
func BenchmarkBlackBox(b *testing.B) {
	var runs [2]*driven
	for i := range runs {
		o := Options{}
		if i == 1 {
			o.Box = NewBox(30*time.Second, "", nil)
		}
		runs[i] = fall1000(b, o, world.FastStep)
	}
	var took [2][]time.Duration
	step := func(i int) {
		began := time.Now()
		runs[i].step()
		took[i] = append(took[i], time.Since(began))
	}
	b.ResetTimer()
	for i := range b.N {
		step(i % 2)
		step(1 - i%2)
	}
	without, with := mean(took[0]), mean(took[1])
	b.ReportMetric(without*1e6, "µs/step-without")
	b.ReportMetric(100*(with/without-1), "%-longer")
}

// mean is the mean in seconds, without what was kept from running: a step with a
// snapshot takes twice as long as others.
func mean(took []time.Duration) float64 {
	slices.Sort(took)
	most := 3 * took[len(took)/2]
	sum, n := time.Duration(0), 0
	for _, d := range took {
		if d < most {
			sum += d
			n++
		}
	}
	return sum.Seconds() / float64(n)
}
