package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/internal/input"
	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/world"
)

// checkSaved checks that the shown world is saved and loaded to the bit.
func (b *bench) checkSaved(what string) {
	b.t.Helper()
	type now struct {
		scene *rube.Scene
		hash  uint64
	}
	got := make(chan now, 1)
	world.Ask(b.Stage.Player.Commands, func(w *world.World) now { return now{rube.Of(w), w.Hash()} }, func(_ uint64, n now) { got <- n })
	for len(got) == 0 {
		b.run(1)
	}
	n := <-got
	data, err := n.scene.JSON()
	if err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
	read, err := rube.Parse("saved.json", data)
	if err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
	w := built(b.t, read).World()
	again, err := rube.Of(w).JSON()
	if w.Hash() != n.hash || err != nil || !bytes.Equal(again, data) {
		b.t.Errorf("%s: hash %x, not %x; %v; or other definitions:\ngot  %s\nwant %s", what, w.Hash(), n.hash, err, again, data)
	}
}

// built builds a scene in a new world.
func built(t testing.TB, s *rube.Scene) *world.Simulation {
	t.Helper()
	w := world.NewSimulation(s.World)
	t.Cleanup(w.Close)
	if err := s.Build(w.World()); err != nil {
		t.Fatal(err)
	}
	return w
}

// saves presses a key, and returns the message about the file.
func (b *bench) saves(key input.Key, path string) string {
	b.t.Helper()
	b.press(key)
	b.until("it says "+path, func() bool { return strings.HasPrefix(b.picture.Notice.Text, "wrote "+path) })
	return b.picture.Notice.Text
}

func TestAKeySavesTheWorldToANewFileWhichOpensAsItWas(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene cradle -stepper soft -sync lockstep")
	b.run(40)
	b.press(input.KeySpace)
	b.Build.Create("box", world.Vec{Y: 9}, world.Box(.5, .5))
	os.WriteFile("halfstep-001.json", []byte("mine"), 0o644)
	if said := b.saves(input.KeyS, "halfstep-002.json"); strings.Contains(said, "not in it") {
		t.Errorf("says %q", said)
	}
	if data, _ := os.ReadFile("halfstep-001.json"); string(data) != "mine" {
		t.Error("another file was overwritten")
	}
	opened := newBench(t, "halfstep-002.json -sync lockstep")
	opened.press(input.KeySpace)
	opened.Session.Restart("", "", func() {})
	opened.Stage.Player.SetPaused(true)
	if got, want := opened.hash(), b.hash(); got != want || opened.Stage.Stepper() != world.SoftStep {
		t.Errorf("opened: hash %x, not %x; stepper %v", got, want, opened.Stage.Stepper())
	}
	b.saves(input.KeyX, "halfstep-001.go")
	if code, _ := os.ReadFile("halfstep-001.go"); !strings.HasPrefix(string(code), "// Package scene is") {
		t.Errorf("the code is %.100q", code)
	}
}

func TestASavedFileOpensFromTheListWithTheViewThatItWasSavedWith(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newPanelBench(t, "-scene empty -sync lockstep")
	b.run(3)
	b.saves(input.KeyS, "halfstep-001.json")
	at := func() scenes.View { b.run(3); return b.picture.Camera.Shown(b.picture.Framing()) }
	home := at()
	b.Build.Create("box", world.Vec{X: 3, Y: 3}, world.Box(.5, .5))
	b.press(input.KeyRight, input.KeyUp)
	b.picture.Camera.Zoom(3, b.picture.Half())
	view := at()
	b.saves(input.KeyS, "halfstep-002.json")
	dir, _ := os.Getwd()
	b.picture.Surface = input.Surface{W: 1500, H: 900, Scale: 1} // a wider window shows more
	b.run(1)
	for n, want := range []scenes.View{home, view} {
		path := filepath.Join(dir, fmt.Sprintf("halfstep-%03d.json", n+1))
		r := b.control("search")
		b.pointAt(float64(r.X+20), float64(r.Y+r.H+30))
		b.queue.Put(input.Event{Kind: input.ScrollInput, Y: 1000})
		b.run(2)
		b.click("file " + path)
		b.until(path+" is open", func() bool { return b.Stage.Scenes[b.Stage.Current].Path == path })
		if got := b.Stage.Scenes[b.Stage.Current].View; math.Hypot(got.X-want.X, got.Y-want.Y)+math.Abs(got.Width-want.Width)+math.Abs(got.Height-want.Height) > 1e-9 {
			t.Errorf("it opens with %+v, and was saved with %+v", got, want)
		}
		if b.Stage.Player.Has("box") != (n == 1) {
			t.Errorf("%s has a box: %v", path, n == 0)
		}
	}
	half, f := b.picture.Half(), b.picture.Framing()
	if x, y := b.picture.Camera.WorldToScreen(view.X, view.Y, half.W, half.H); math.Hypot(x-f.X-f.W/2, y-f.Y-f.H/2) > 1 {
		t.Errorf("the middle of the view is at %v, %v of the window", x, y)
	}
}

func TestAFileSaysWhatOfTheWorldItHasNot(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newBench(t, "-scene car")
	b.run(5)
	if said := b.saves(input.KeyS, "halfstep-001.json"); !strings.Contains(said, "not in it: 1 controller") {
		t.Errorf("says %q", said)
	}
}

func TestAMomentOfThePastIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	b := newPanelBench(t, "-scene arch -sync lockstep")
	b.run(60)
	at, want := uint64(0), uint64(0)
	b.press(input.KeySpace)
	at, want = b.Stage.View.Tick, b.hash()
	b.press(input.KeySpace)
	b.run(60)
	b.press(input.KeySpace)
	b.Travel.Seek(at)
	b.run(5)
	b.saves(input.KeyS, "halfstep-001.json")
	s, err := rube.ReadFile("halfstep-001.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := built(t, s).World().Hash(); got != want {
		t.Errorf("hash %x, not %x", got, want)
	}
}

func TestARunSavesItsWorldAtTheEnd(t *testing.T) {
	needDisplay(t)
	t.Chdir(t.TempDir())
	os.WriteFile("old.json", []byte("older"), 0o644)
	run := func(want int, args ...string) (out, complaint string) {
		t.Helper()
		status, out, complaint := viewerRun(t, nil, append([]string{"-hidden", "-size", "64x64", "-clock", "fixed:60"}, args...)...)
		if status != want {
			t.Fatalf("%v: status %d, %s%s", args, status, out, complaint)
		}
		return out, complaint
	}
	out, _ := run(exitOK, "-scene", "car", "-ticks", "30", "-save", "old.json")
	if !strings.Contains(out, "\nscene old.json; not in it: 1 controller\n") {
		t.Errorf("it says %s", out)
	}
	_, hash, _ := strings.Cut(out, "state hash ")
	s, err := rube.ReadFile("old.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := built(t, s).World().Hash(); !strings.HasPrefix(hash, fmt.Sprintf("%016x", got)) {
		t.Errorf("hash %x, not %s", got, hash)
	}
	// the world stays the same to the bit, whether the viewer or a program steps it
	out, _ = run(exitOK, "old.json", "-ticks", "30", "-save", "new.go")
	_, hash, _ = strings.Cut(out, "state hash ")
	e, err := engine.New(engine.Config{World: s.World, Setup: s.Build, Time: engine.Time{Simulated: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.Step(30)
	e.Inspect(func(w *world.World) {
		if got := fmt.Sprintf("%016x", w.Hash()); !strings.HasPrefix(hash, got) {
			t.Errorf("a program has hash %s after 30 steps, and the viewer %.16s", got, hash)
		}
	})
	e.Step(1)
	run(exitUsage, "old.json", "-ticks", "30", "-save", "old.json")
	run(exitUsage, "-scene", "car", "-ticks", "30", "-save", "car.txt")
}
