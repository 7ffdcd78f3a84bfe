package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/world"
)

// settled returns an engine with boxes, circles and a ground of a hundred
// segments, some time after the bodies began to fall.
func settled(tb testing.TB, bodies int) *engine.Engine {
	r := rand.New(rand.NewPCG(5, 5))
	e, err := engine.New(engine.Config{
		Time: engine.Time{Simulated: true}, World: world.Config{Gravity: world.Vec{Y: -10}},
		Setup: func(w *world.World) error {
			line := make([]world.Vec, 101)
			for i := range line {
				line[i] = world.Vec{X: float64(i) - 50, Y: r.Float64()}
			}
			_, err := w.CreateBody(world.BodyDef{Shapes: []world.ShapeDef{world.Chain(line...)}})
			for i := range bodies {
				shape := world.Box(.4, .3)
				if i%2 == 0 {
					shape = world.Circle(.4)
				}
				if _, err := w.CreateBody(world.BodyDef{
					Kind: world.Dynamic, Position: world.Vec{X: float64(i%50)*1.5 - 37, Y: 3 + float64(i/50)*1.5},
					Angle: r.Float64(), Shapes: []world.ShapeDef{shape},
				}); err != nil {
					return err
				}
			}
			return err
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { e.Close() })
	for e.View().Tick < 30 {
		e.Advance(time.Second / 60)
	}
	return e
}

// rays returns rays for a frame that has many of them: long rays across the
// scene, and short rays.
func rays(n int) (from, to []world.Vec) {
	r := rand.New(rand.NewPCG(6, 6))
	for range n {
		a := world.Vec{X: r.Float64()*76 - 38, Y: r.Float64() * 30}
		b := world.Vec{X: r.Float64()*76 - 38, Y: r.Float64() * 30}
		from, to = append(from, a), append(to, b)
	}
	return from, to
}

// A frame casts a thousand rays, and builds its index again.
func BenchmarkShownRays(b *testing.B) {
	for _, bodies := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("%d bodies", bodies), func(b *testing.B) {
			e := settled(b, bodies)
			e.SetPaused(true)
			e.Advance(0)
			from, to := rays(1000)
			b.ReportAllocs()
			hits := 0
			for i := 0; b.Loop(); i++ {
				e.View().Alpha = float32(i%7) / 7 // another picture of the same pair of states
				for k := range from {
					_, hit, _ := e.Shown(world.QueryFilter{}).RayCast(from[k], to[k])
					if hit {
						hits++
					}
				}
			}
			b.ReportMetric(float64(hits)/float64(b.N), "hits/frame")
		})
	}
}

// The index alone.
func BenchmarkShownIndex(b *testing.B) {
	e := settled(b, 1000)
	e.SetPaused(true)
	e.Advance(0)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.View().Alpha = float32(i%7) / 7
		e.Shown(world.QueryFilter{}).OverlapPoint(world.Vec{X: 1000}, nil)
	}
}
