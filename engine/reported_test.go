package engine_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/test/norace"
	"halfstep/world"
	"halfstep/world/forces"
)

// "scene "my game" is not built in": a recording that a program made with HistoryOptions.Record
// could be opened by that program alone.
func TestARecordingNeedsNoSetupUnlessAskedFor(t *testing.T) {
	for _, fromSetup := range []bool{false, true} {
		var file bytes.Buffer
		e := recordTo(t, engine.RecordOptions{W: &file, Scene: "my game", FromSetup: fromSetup})
		e.Step(30)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		r := read(t, file.Bytes())
		_, err := r.Verify(func(*world.World) error { return nil })
		if r.Snapshot == fromSetup || (err != nil) != fromSetup {
			t.Errorf("from setup %v: snapshot %v, %v", fromSetup, r.Snapshot, err)
		}
		if _, err := r.Verify(stack); err != nil {
			t.Errorf("from setup %v, by the program itself: %v", fromSetup, err)
		}
	}
}

// A world with forces.Wind: "the snapshot has the state of ["*forces.Wind"]; this world has []".
func TestARecordingWithStatesIsShownWhereItCannotBeComputed(t *testing.T) {
	setup := func(w *world.World) error {
		w.AddController(&forces.Wind{Velocity: world.Vec{X: 5}, Density: .1})
		return stack(w)
	}
	var file bytes.Buffer
	e, err := engine.New(engine.Config{Setup: setup, Time: engine.Time{Simulated: true}, History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, States: true}}})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]float64{}
	for i := range 90 {
		if i == 40 {
			e.CreateBody(world.BodyDef{Name: "late", Kind: world.Dynamic, Position: world.Vec{Y: 30}, Shapes: []world.ShapeDef{world.Circle(1)}})
		}
		e.Step(1)
		if b, ok := e.Find("box 2"); ok {
			p, _ := e.Pose(b)
			seen[e.View().Tick] = p.X
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	r := read(t, file.Bytes())
	if _, err := r.Verify(setup); err != nil || !r.HasStates || r.States || r.Cut {
		t.Errorf("computed: %v, states %v and %v", err, r.HasStates, r.States)
	}
	if _, err := r.Verify(func(*world.World) error { return nil }); err == nil {
		t.Error("it was computed without the controller")
	}
	shown, err := engine.ReadOptions{States: true}.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if shown.Cut {
		t.Error("its states were cut off")
	}
	f, err := engine.New(shown.Config(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	same := 0
	for f.View().Tick < shown.Ticks && f.Failure() == nil {
		f.Step(1)
		b, ok := f.Find("box 2")
		if p, _ := f.Pose(b); ok && p.X == seen[f.View().Tick] {
			same++
		}
	}
	if _, ok := f.Find("late"); !ok || same < 85 || shown.Ticks != 90 {
		t.Errorf("of %d ticks %d are the same, late %v: %v", shown.Ticks, same, ok, f.Failure())
	}
	for n := range file.Len() { // cut off anywhere, and spoilt
		if n%97 == 0 {
			cut := file.Bytes()[:n]
			engine.ReadOptions{States: true}.Read(bytes.NewReader(cut))
		}
	}
}

// The black box of a world with forces.Wind was refused: "this world has []".
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
