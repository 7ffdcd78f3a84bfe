package renderloop_test

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"halfstep/buffer"
	"halfstep/buffer/body2d"
	"halfstep/physicsloop"
	"halfstep/renderloop"
)

// switches counts how often the system took the processor away from this thread.
func switches() int64 {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	syscall.Getrusage(thread, &u)
	return int64(u.Nivcsw)
}

// How long frames of Auto really wait, at 144 frames a second on the wall clock,
// beside a physics goroutine that works for as long as a step should cost. Every
// frame waits, also after one that waited in vain. The budget is a sixth of a frame,
// 1.15 ms. A wait in which the system took the processor away says nothing about the
// wait; such waits are counted as "disturbed" and left out. Use -benchtime 5000x.
func BenchmarkAutoWait(b *testing.B) {
	const budget = 1_150_000 // ns
	for _, cost := range []time.Duration{500 * time.Microsecond, 3 * time.Millisecond} {
		b.Run("step="+cost.String(), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			link := buffer.NewLink[body2d.State, tickEvent, push]()
			l, err := renderloop.New(link, renderloop.Config{Sync: renderloop.Auto, WaitBudget: budget})
			if err != nil {
				b.Fatal(err)
			}
			p := physicsloop.Start[body2d.State, tickEvent, push](newWalkers(100), link, physicsloop.Options{BeforeStep: func(uint64) {
				for start := time.Now(); time.Since(start) < cost; {
				}
			}})
			defer p.Close()
			var waits []float64
			disturbed := 0
			for b.Loop() {
				renderloop.WaitNow(l)
				before := switches()
				l.Frame(int64(time.Second) / 144)
				if w := l.Stats().WaitNanos; w > 0 && switches() != before {
					disturbed++
				} else if w > 0 {
					waits = append(waits, float64(w)/1e6)
				}
				time.Sleep(time.Second / 144)
			}
			slices.Sort(waits)
			for _, q := range []struct {
				name string
				part float64
			}{{"p50-ms", .5}, {"p99-ms", .99}, {"p99.9-ms", .999}, {"max-ms", 1}} {
				b.ReportMetric(waits[min(int(q.part*float64(len(waits))), len(waits)-1)], q.name)
			}
			b.ReportMetric(float64(len(waits)), "waits")
			b.ReportMetric(float64(disturbed), "disturbed")
			b.ReportMetric(float64(l.Stats().Missed), "missed")
		})
	}
}
