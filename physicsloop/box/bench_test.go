package box

import (
	"fmt"
	"testing"

	"halfstep/buffer"
)

func TestCaptureAllocatesNothing(t *testing.T) {
	w, dst := falling(1000)
	dst = w.Capture(dst)
	if n := testing.AllocsPerRun(100, func() { dst = w.Capture(dst) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func falling(n int) (*World, []buffer.BodyState) {
	w := New(gravity())
	for i := range n {
		w.CreateBody(BodyDef{Kind: Dynamic, Position: Vec{float64(i%100) * 2, float64(i/100) * 2}, Shapes: []ShapeDef{BoxShape(.5, .5)}})
	}
	w.Step(1, dt)
	return w, nil
}

func BenchmarkCapture(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w, dst := falling(n)
			dst = w.Capture(dst)
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
			for b.Loop() {
				w.settle(dt)
			}
		})
	}
}
