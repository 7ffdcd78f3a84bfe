package engine_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"halfstep/buffer/phase"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/test/cputime"
)

// BenchmarkMarks compares the processor time of steps and frames of fall1000, without
// drawing, with marks and without marks. It makes 30 pairs of runs in turns. It
// prints the median ratio, and the 95 % confidence interval of the true median (sign
// test). The ratio of a pair is the median over blocks of three ticks. A block does
// the same work in both runs. The benchmark takes about a minute.
//
//	taskset -c 1 go test ./engine -run '^$' -bench Marks -benchtime 1x
func BenchmarkMarks(b *testing.B) {
	const blocks, ticks, start = 100, 3, 3
	for b.Loop() {
		var pairs []float64
		for pair := range 30 {
			e := [2]*engine.Engine{markedEngine(b, false), markedEngine(b, true)}
			runtime.GC()
			var ratios []float64
			for block := range blocks {
				var cost [2]float64
				for turn := range e {
					k := (turn + block + pair) % len(e)
					before := int64(cputime.Used())
					for range ticks {
						e[k].Advance(time.Second / 60)
						for _, p := range []phase.Phase{phase.Upload, phase.Draw, phase.HUD, phase.Other, phase.Swap, phase.Other} {
							e[k].Trace().EnterPhase(p)
						}
					}
					cost[k] = float64(int64(cputime.Used()) - before)
				}
				if block >= start {
					ratios = append(ratios, cost[1]/cost[0])
				}
			}
			for k := range e {
				e[k].Close()
			}
			slices.Sort(ratios)
			pairs = append(pairs, ratios[len(ratios)/2])
		}
		slices.Sort(pairs)
		b.ReportMetric((pairs[14]+pairs[15])/2, "ratio")
		b.ReportMetric(pairs[9], "ratio-low")
		b.ReportMetric(pairs[20], "ratio-high")
	}
}

// markedEngine returns an engine that makes marks, as with -hitch, or no marks.
func markedEngine(b *testing.B, marked bool) *engine.Engine {
	scene, ok := scenes.Lookup("fall1000")
	if !ok {
		b.Fatal("no such scene")
	}
	c := scene.Config()
	c.Time.Simulated, c.Time.Sync, c.World.Workers = true, renderloop.Lockstep, 1
	c.Testing.NoPhases = !marked
	e, err := engine.New(c)
	if err != nil {
		b.Fatal(err)
	}
	if marked {
		e.Trace().OnLate(time.Hour, time.Hour, func(engine.Late) {})
	}
	return e
}
