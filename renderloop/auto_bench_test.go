package renderloop_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/physicsloop"
	"halfstep/renderloop"
)

// How long frames of Auto really wait, at 144 frames a second on the wall clock,
// beside a physics goroutine that works for as long as a step should cost. "late" has
// steps that never fit the budget, but waits for each of them. Use -benchtime 5000x.
func BenchmarkAutoWait(b *testing.B) {
	const budget = 1_150_000 // ns, a sixth of a frame
	for _, c := range []struct {
		name string
		cost time.Duration
		late bool
	}{
		{"steps=0.5ms", 500 * time.Microsecond, false},
		{"late", 3 * time.Millisecond, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			link := buffer.NewLink[body2d.State, tickEvent, push]()
			l, err := renderloop.New(link, renderloop.Config{Sync: renderloop.Auto, WaitBudget: budget})
			if err != nil {
				b.Fatal(err)
			}
			p := physicsloop.Start[body2d.State, tickEvent, push](newWalkers(100), link, physicsloop.Options{BeforeStep: func(uint64) {
				for start := time.Now(); time.Since(start) < c.cost; {
				}
			}})
			defer p.Close()
			var waits []float64
			frame := func() {
				if c.late {
					renderloop.WaitNow(l)
				}
				l.Frame(int64(time.Second) / 144)
				if w := l.Stats().WaitNanos; w > 0 {
					waits = append(waits, float64(w)/1e6)
				}
				time.Sleep(time.Second / 144)
			}
			if c.late {
				l.SetSync(renderloop.Lockstep)
				l.SetSync(renderloop.Auto)
			}
			for range 144 * 4 {
				frame() // until it waits
			}
			waits = waits[:0]
			missed := l.Stats().Missed
			for b.Loop() {
				frame()
			}
			slices.Sort(waits)
			for _, q := range []struct {
				name string
				part float64
			}{{"p50-ms", .5}, {"p99-ms", .99}, {"p99.9-ms", .999}, {"max-ms", 1}} {
				if len(waits) > 0 {
					b.ReportMetric(waits[min(int(q.part*float64(len(waits))), len(waits)-1)], q.name)
				}
			}
			b.ReportMetric(float64(len(waits)), "waits")
			b.ReportMetric(float64(l.Stats().Missed-missed), "missed")
			b.ReportMetric(l.Stats().Trail, "trail")
		})
	}
}
