package history

import (
	"fmt"
	"slices"
	"syscall"
	"testing"

	"halfstep/world"
)

// BenchmarkRollbackCost measures the cost of rollback with a pile of 1,000 boxes. It
// prints processor times in ms, as medians of measurements in turns. The times are
// for a snapshot, for restoring a snapshot, for 8 steps without rollback, for a
// rollback of 8 ticks to the same tick as the last rollback, for a rollback in a game
// that goes back in every frame, and for a step that is kept.
func BenchmarkRollbackCost(b *testing.B) {
	for _, stepper := range []world.Stepper{world.FastStep, world.SoftStep} {
		for _, every := range []int{1, 2, 4, 8} {
			b.Run(fmt.Sprintf("%v/every=%d", stepper, every), func(b *testing.B) {
				rollbackCost(b, fall1000(b, Options{}, RollbackOptions{Ticks: 16, Every: every}, stepper))
			})
		}
	}
}

func rollbackCost(b *testing.B, d *driven) {
	var snapshot, restore, plain, back, frame, step costs
	var spare [16]world.Snapshot
	for b.Loop() {
		to := &Rollback{To: d.tick - 8}
		d.back.rollBack(to)
		back.add(b, func() { d.back.rollBack(to) })
		restore.add(b, func() { private.GoBack(d.Simulation, d.back.ticks.keptAt(to.To).Start.saved.Snapshot) })
		plain.add(b, func() {
			for k := range uint64(8) {
				d.plain(to.To + k + 1)
			}
		})
		snapshot.add(b, func() { d.World().Snapshot(&spare[d.tick%16]) })
		for range 4 {
			step.add(b, func() { d.step() })
			frame.add(b, func() { d.back.rollBack(&Rollback{To: d.tick - 8}) })
		}
	}
	b.ReportMetric(snapshot.median(), "snapshot-ms")
	b.ReportMetric(restore.median(), "restore-ms")
	b.ReportMetric(plain.median(), "steps-ms")
	b.ReportMetric(back.median(), "rollback-ms")
	b.ReportMetric(back.median()/plain.median(), "ratio")
	b.ReportMetric(frame.median(), "frame-ms")
	b.ReportMetric(step.median(), "step-ms")
	b.ReportMetric(0, "ns/op")
}

// costs are processor times in ns.
type costs []int64

func (c *costs) add(b *testing.B, do func()) {
	before := used(b)
	do()
	*c = append(*c, used(b)-before)
}

// median is in ms.
func (c costs) median() float64 {
	slices.Sort(c)
	return float64(c[len(c)/2]) / 1e6
}

// used returns the processor time that this program has used so far, in ns.
func used(b *testing.B) int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return r.Utime.Nano() + r.Stime.Nano()
}
