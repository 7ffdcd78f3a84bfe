package engine_test

import (
	"runtime"
	"testing"

	"halfstep/engine"
	"halfstep/world"
)

// BenchmarkReaderMemory reports a reader's memory for each body with one shape. All
// bodies move, and the reader updates from time to time. The memory is measured
// without and with the index of Shown.
func BenchmarkReaderMemory(b *testing.B) {
	const bodies = 10_000
	e, err := engine.New(engine.Config{World: world.Config{NoGravity: true}, Setup: func(w *world.World) error {
		for i := range bodies {
			if _, err := w.CreateBody(world.BodyDef{
				Kind: world.Dynamic, Position: world.Vec{X: 3 * float64(i%100), Y: 3 * float64(i/100)},
				Velocity: world.Vec{X: .1}, Shapes: []world.ShapeDef{world.Box(.5, .5)},
			}); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	heap := func() float64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	e.Step(40)
	before := heap()
	var all []*engine.Reader
	for b.Loop() {
		r := newReader(b, e)
		for range 8 {
			e.Step(5)
			r.Update()
		}
		await(b, r, e.View().Tick)
		all = append(all, r)
	}
	n := bodies * float64(len(all))
	without := heap()
	for _, r := range all {
		r.Shown(world.QueryFilter{}).OverlapPoint(world.Vec{X: 1000}, nil)
	}
	with := heap()
	b.ReportMetric((without-before)/n, "B/body")
	b.ReportMetric((with-before)/n, "B/body-with-index")
	runtime.KeepAlive(all)
}
