package engine_test

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/renderloop"
	"halfstep/world"
)

// The benchmark measures how long frames of RunAhead wait on the wall clock, at 144
// frames a second and with a command in every frame. The budget for a wait is the
// default, 2 ms. If the system took the processor away during a wait, the wait
// counts as "disturbed" and is left out. Use -benchtime 3000x.
func BenchmarkAheadWait(b *testing.B) {
	for _, pile := range []struct {
		name    string
		stepper world.Stepper
		n       int
	}{{"soft-1000", world.SoftStep, 1000}, {"fast-100", world.FastStep, 100}} {
		b.Run(pile.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var ball world.Body
			e, err := engine.New(engine.Config{
				Time: engine.Time{Sync: renderloop.RunAhead}, World: world.Config{Stepper: pile.stepper, Workers: 1},
				Setup: func(w *world.World) error {
					if _, err := w.CreateBody(world.BodyDef{Position: world.Vec{Y: -1}, Shapes: []world.ShapeDef{world.Box(60, 1)}}); err != nil {
						return err
					}
					for i := range pile.n {
						if _, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, NoSleep: true, Position: world.Vec{X: float64(i%40) - 20, Y: .5 + float64(i/40)}, Shapes: []world.ShapeDef{world.Box(.45, .45)}}); err != nil {
							return err
						}
					}
					b, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Position: world.Vec{X: 30, Y: 3}, Shapes: []world.ShapeDef{world.Circle(.5)}})
					ball = b
					return err
				},
			})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			var waits []float64
			disturbed, own, n := 0, 0, 0
			for b.Loop() {
				var before, after syscall.Rusage
				const thread = 1 // RUSAGE_THREAD
				n++
				e.SetVelocity(ball, world.Vec{X: float64(n%3) - 1})
				syscall.Getrusage(thread, &before)
				missed := e.Metrics().MissedWaits
				e.Frame()
				syscall.Getrusage(thread, &after)
				w := e.Metrics().Wait
				switch {
				case w > 0 && after.Nivcsw != before.Nivcsw:
					disturbed++
				case w > 0:
					waits = append(waits, w.Seconds()*1e3)
					if e.Metrics().MissedWaits == missed {
						own++
					}
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
			b.ReportMetric(float64(own), "in-time")
			b.ReportMetric(float64(disturbed), "disturbed")
		})
	}
}
