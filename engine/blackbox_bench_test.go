package engine

import (
	"slices"
	"testing"
	"time"

	"halfstep/internal/benchscene"
	"halfstep/internal/benchworld"
	"halfstep/world"
)

// BenchmarkBlackBox steps a pile of 1,000 boxes with a black box and without one, by
// turns, and reports by how much the black box makes steps longer.
//
//	go test ./engine -run '^$' -bench BlackBox -benchtime 2500x
func BenchmarkBlackBox(b *testing.B) {
	scene, err := benchscene.Build("fall1000")
	if err != nil {
		b.Fatal(err)
	}
	config := benchworld.Config()
	config.Workers = 1
	var runs [2]*recorder
	for i := range runs {
		w := world.NewSimulation(config)
		defer w.Close()
		if err := benchworld.AddTo(w.World(), scene); err != nil {
			b.Fatal(err)
		}
		runs[i] = &recorder{Simulation: w}
	}
	if runs[1].box, err = newBlackBox(&BlackBoxOptions{Dir: b.TempDir()}); err != nil {
		b.Fatal(err)
	}
	var took [2][]time.Duration
	unread := [2]outbox{newOutbox(), newOutbox()}
	for i, r := range runs {
		r.Start(&unread[i].Outbox)
	}
	step := func(i int) {
		r := runs[i]
		began := time.Now()
		r.BeginFrame()
		r.Step(r.ticks+1, 1.0/60)
		r.EndFrame()
		took[i] = append(took[i], time.Since(began))
		unread[i].clear()
	}
	const before = 200
	for range before {
		step(0)
		step(1)
	}
	took = [2][]time.Duration{}
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
