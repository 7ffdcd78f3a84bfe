package engine_test

import (
	"path/filepath"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
	"halfstep/world/forces"
)

// Earlier, the black box of a world with forces.Wind was refused with the message "this
// world has []".
func TestABlackBoxShowsAWorldThatOnlyItsProgramCanCompute(t *testing.T) {
	norace.Only(t)
	for _, o := range []engine.BlackBoxOptions{{}, {Length: time.Second}, {Length: time.Second, Memory: 1 << 20}, {NoStates: true}} {
		var windy func(w *world.World) error = func(w *world.World) error {
			w.AddController(&forces.Wind{Velocity: world.Vec{X: 5}, Density: .1})
			return stack(w)
		}
		e, dir := boxed(t, engine.Config{Setup: windy}, o)
		seen := map[uint64]float64{}
		for i := range 300 {
			if i%50 == 49 {
				e.CreateBody(world.BodyDef{Name: "late", Kind: world.Dynamic, Position: world.Vec{Y: 30}, Shapes: []world.ShapeDef{world.Circle(1)}})
			}
			e.Step(1)
			if b, ok := e.Find("box 2"); ok {
				p, _ := e.Pose(b)
				seen[e.View().Tick] = p.X
			}
		}
		if _, err := e.History().DumpBlackBox("test"); err != nil {
			t.Fatal(err)
		}
		r, _ := dumped(t, dir)
		if _, err := r.Verify(windy); err != nil || r.HasStates == o.NoStates {
			t.Errorf("%+v: states %v: %v", o, r.HasStates, err)
		}
		if o.NoStates {
			continue
		}
		shown, err := engine.ReadOptions{States: true}.Open(onlyFile(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		f, err := engine.New(shown.Config(nil))
		if err != nil {
			t.Fatal(err)
		}
		same, n := 0, 0
		for f.View().Tick < shown.Ticks && f.Failure() == nil {
			f.Step(1)
			b, ok := f.Find("box 2")
			if p, _ := f.Pose(b); ok && p.X == seen[f.View().Tick] {
				same++
			}
			n++
		}
		if _, ok := f.Find("late"); !ok || same < n-5 || shown.First > r.First+10 || shown.Ticks < r.Ticks-1 || o.Length == time.Second && n > 90 {
			t.Errorf("%+v: of %d ticks %d are the same, %d to %d of %d to %d, late %v: %v", o, n, same, shown.First, shown.Ticks, r.First, r.Ticks, ok, f.Failure())
		}
		f.Close()
	}
}

func onlyFile(t *testing.T, dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	return files[0]
}
