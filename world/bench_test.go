package world

import (
	"fmt"
	"testing"

	"halfstep/buffer/body2d"
)

func TestCaptureAllocatesNothing(t *testing.T) {
	w, dst := falling(1000)
	dst = w.Capture(dst)
	if n := testing.AllocsPerRun(100, func() { dst = w.Capture(dst) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func falling(n int) (*driven, []body2d.State) {
	w := newDriven(gravity())
	for i := range n {
		w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{X: float64(i%100) * 2, Y: float64(i/100) * 2}, Shapes: []ShapeDef{Box(.5, .5)}})
	}
	w.Step(1, dt)
	return w, nil
}

func BenchmarkCapture(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, dst := falling(n)
			dst = w.Capture(dst) // shows that the bodies were made
			w.Step(2, dt)
			b.SetBytes(int64(32 * n))
			b.ReportAllocs()
			for b.Loop() {
				dst = w.Capture(dst)
			}
		})
	}
}

func BenchmarkSettle(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, _ := falling(n)
			b.ReportAllocs()
			w.when.dt = dt
			for b.Loop() {
				w.aftermath.look(true)
			}
		})
	}
}

// stacks is a world of boxes in stacks of ten. The boxes lie still, but do not sleep.
func stacks(n int) *driven {
	cfg := gravity()
	cfg.NoSleep = true
	w := newDriven(cfg)
	w.CreateBody(BodyDef{Shapes: []ShapeDef{Box(float64(n)*2, .5)}})
	for i := range 10 * n {
		w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{X: float64(i/10) * 1.5, Y: 1 + float64(i%10)}, Shapes: []ShapeDef{Box(.5, .5)}})
	}
	for i := range uint64(200) {
		w.Step(i, dt)
	}
	return w
}

func TestAStepAllocatesNothingButNewContacts(t *testing.T) {
	w := stacks(5)
	tick := uint64(200)
	if n := testing.AllocsPerRun(50, func() {
		tick++
		w.Step(tick, dt)
	}); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

func BenchmarkStep(b *testing.B) {
	w := stacks(100)
	tick := uint64(200)
	b.ReportAllocs()
	for b.Loop() {
		tick++
		w.Step(tick, dt)
	}
}
