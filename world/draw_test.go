package world

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"halfstep/buffer/body2d"
)

// drawings are the world's drawings in the debug layer.
func (r *rig) drawings(layers body2d.Layers) []body2d.Drawing {
	var d body2d.Debug
	r.CaptureDebug(layers, &d)
	return d.Drawn
}

func TestWhatIsDrawnBelongsToOneState(t *testing.T) {
	r := newRig(t, Config{Workers: 1})
	red := body2d.Colour{255, 0, 0, 255}
	r.AddController(ControllerFunc(func(w *World, _ float64) {
		if w.Tick()%2 == 0 {
			w.DrawText(Vec{X: 1, Y: 2}, fmt.Sprint("after ", w.Tick()), red)
			w.DrawText(Vec{}, "", red)
		}
	}))
	r.AddContactHook(func(w *World, _ []Event) { w.DrawPoint(Vec{X: 9}, red) })
	r.start()
	text := func(after int) body2d.Drawing {
		return body2d.Drawing{A: [2]float32{1, 2}, B: [2]float32{1, 2}, Text: fmt.Sprint("after ", after), Colour: red}
	}
	point := body2d.Drawing{A: [2]float32{9}, B: [2]float32{9}, Colour: red}
	is := func(when string, want ...body2d.Drawing) {
		t.Helper()
		if got := r.drawings(body2d.DrawnLayer); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", when, got, want)
		}
	}
	r.frame(1)
	is("after the first step", text(0), point)
	r.frame(1)
	is("after the second", point)
	line := body2d.Drawing{B: [2]float32{3, 4}}
	r.DrawLine(Vec{}, Vec{X: 3, Y: 4}, body2d.Colour{})
	is("before the third", point, line)
	r.frame(1)
	is("after the third", line, text(2), point)
	if got := r.drawings(body2d.BoxesLayer); got != nil {
		t.Errorf("nobody asks, and there is %v", got)
	}

	var s Snapshot
	hash := r.Hash()
	if err := r.Snapshot(&s); err != nil {
		t.Fatal(err)
	}
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := LoadSnapshot(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]*Snapshot{"a snapshot": &s, "its bytes": loaded} {
		r.frame(2)
		if err := r.Restore(from); err != nil {
			t.Fatal(err)
		}
		is(name, line, text(2), point)
		if got := r.Hash(); got != hash {
			t.Errorf("%s: hash %x, not %x", name, got, hash)
		}
	}
	for _, bad := range []Vec{{X: math.NaN()}, {Y: math.Inf(-1)}, {X: 1e300}} {
		r.DrawPoint(bad, red)
		r.DrawLine(Vec{}, bad, red)
	}
	is("points that are not finite", line, text(2), point)
	for range body2d.MaxDrawings {
		r.DrawPoint(Vec{}, red)
	}
	if n := len(r.drawings(body2d.DrawnLayer)); n != body2d.MaxDrawings {
		t.Errorf("%d drawings", n)
	}
}

func TestDrawingAllocatesNothing(t *testing.T) {
	r := newRig(t, Config{Workers: 1})
	r.AddController(ControllerFunc(func(w *World, _ float64) {
		for i := range 100 {
			w.DrawLine(Vec{}, Vec{X: float64(i)}, body2d.Colour{})
			w.DrawText(Vec{}, "target", body2d.Colour{})
		}
	}))
	r.start()
	var d body2d.Debug
	step := func() {
		r.tick++
		r.Step(r.tick, dt)
		r.CaptureDebug(body2d.DrawnLayer, &d)
	}
	step()
	if n := testing.AllocsPerRun(20, step); n != 0 || len(d.Drawn) != 200 {
		t.Errorf("%v allocations a step, %d drawings", n, len(d.Drawn))
	}
}
