package engine_test

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/benchscene"
	"halfstep/test/benchworld"
	"halfstep/world"
)

// burner is a controller that keeps a processor busy for a time before every step.
type burner time.Duration

func (d burner) BeforeStep(*world.World, float64) {
	for start := time.Now(); time.Since(start) < time.Duration(d); {
	}
}

// burn returns a configuration with a body, and with a controller that keeps a
// processor busy for the time cost before every step.
func burn(cost time.Duration) engine.Config {
	return engine.Config{Setup: func(w *world.World) error {
		if cost > 0 {
			w.AddController(burner(cost))
		}
		_, err := w.CreateBody(world.BodyDef{Kind: world.Dynamic, Shapes: []world.ShapeDef{world.Box(1, 1)}})
		return err
	}}
}

// softPile is fall5000 on the soft stepper, with the given number of workers.
func softPile(workers int) engine.Config {
	c := benchworld.Config()
	c.Stepper, c.Workers = world.SoftStep, workers
	return engine.Config{World: c, Setup: func(w *world.World) error {
		scene, err := benchscene.Build("fall5000")
		if err != nil {
			return err
		}
		return benchworld.AddTo(w, scene)
	}}
}

// The benchmark runs a render loop at 60 Hz beside a step that keeps a processor
// busy for 100 ms, beside the workers of the soft stepper, and alone. The frame
// intervals must be the same in all cases. Use -benchtime 600x.
func BenchmarkFrameInterval(b *testing.B) {
	for name, config := range map[string]engine.Config{
		"idle": burn(0), "beside a step of 100 ms": burn(100 * time.Millisecond),
		"beside a soft step": softPile(1), "beside a soft step with 2 workers": softPile(2),
	} {
		b.Run(name, func(b *testing.B) {
			// There are two busy goroutines and two more processors for others, even if this is
			// more than the number of cores.
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(4, runtime.GOMAXPROCS(0))))
			runtime.LockOSThread()
			engine.WakePromptly()
			defer runtime.UnlockOSThread()
			e, err := engine.New(config)
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			const interval = time.Second / 60
			next, last := time.Now(), time.Now()
			var took []time.Duration
			for b.Loop() {
				next = next.Add(interval)
				rest(time.Until(next))
				e.Frame()
				now := time.Now()
				took, last = append(took, now.Sub(last)), now
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)*99/100].Seconds()*1e3, "p99-ms")
			b.ReportMetric(took[len(took)-1].Seconds()*1e3, "max-ms")
			b.ReportMetric(float64(e.View().Tick), "ticks")
		})
	}
}
