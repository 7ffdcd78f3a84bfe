package history

import (
	"slices"
	"testing"
	"time"

	"halfstep/world"
)

// BenchmarkBlackBox steps a pile of 1,000 boxes without a black box, with one for files, with one for quick
// looks back, and with one that has states, in turns. It reports by how much the black boxes lengthen steps.
//
//	go test ./internal/history -run '^$' -bench BlackBox -benchtime 2500x
func BenchmarkBlackBox(b *testing.B) {
	var runs [4]*driven
	for i := range runs {
		o := Options{}
		if i > 0 {
			o.Box = NewBox(30*time.Second, [...]int64{2: 1 << 27, 3: 0}[i], i == 3, "", nil)
		}
		if runs[i] = fall1000(b, o, RollbackOptions{}, world.FastStep); i == 3 {
			runs[i].World().Keep(new(int))
		}
	}
	var took [4][]time.Duration
	step := func(i int) {
		began := time.Now()
		runs[i].step()
		took[i] = append(took[i], time.Since(began))
	}
	b.ResetTimer()
	for i := range b.N {
		for n := range 4 {
			step((i + n) % 4)
		}
	}
	without := mean(took[0])
	b.ReportMetric(without*1e6, "µs/step-without")
	b.ReportMetric(100*(mean(took[1])/without-1), "%-longer-files")
	b.ReportMetric(100*(mean(took[2])/without-1), "%-longer-quick")
	b.ReportMetric(100*(mean(took[3])/without-1), "%-longer-states")
}

// mean returns the mean in s, without interruptions. A step with a snapshot takes twice as long as
// other steps, and does count.
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
