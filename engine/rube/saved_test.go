package rube_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine/rube"
	"halfstep/test/norace"
	"halfstep/world"
)

// checkSaved writes a scene that rube.Of has made from a world with the hash Hash, reads the
// scene back, and builds it. It fails the test if definitions, positions or velocities differ by
// a bit. It returns the built world.
func checkSaved(t testing.TB, what string, s *rube.Scene, hash uint64) *world.Simulation {
	t.Helper()
	data, err := s.JSON()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	read, err := rube.Parse("saved.json", data)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	w := build(t, read)
	if got := w.World().Hash(); got != hash {
		t.Errorf("%s: bodies are elsewhere: hash %x, not %x", what, got, hash)
	}
	built := rube.Of(w.World())
	built.StepsPerSecond = s.StepsPerSecond
	for from, scene := range map[string]*rube.Scene{"read": read, "built": built} {
		again, err := scene.JSON()
		if err != nil {
			t.Fatalf("%s, %s: %v", what, from, err)
		}
		got, want := bytes.Split(again, []byte("\n")), bytes.Split(data, []byte("\n"))
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || !bytes.Equal(got[i], want[i]) {
				t.Fatalf("%s, %s: other definitions in line %d of %d and %d:\ngot  %s\nwant %s", what, from, i, len(got), len(want), line(got, i), line(want, i))
			}
		}
	}
	return w
}

func line(all [][]byte, i int) []byte {
	if i < len(all) {
		return all[i]
	}
	return nil
}

// build builds a scene in a new world.
func build(t testing.TB, s *rube.Scene) *world.Simulation {
	t.Helper()
	w := world.NewSimulation(s.World)
	t.Cleanup(w.Close)
	if err := s.Build(w.World()); err != nil {
		t.Fatal(err)
	}
	return w
}

// steps is the number of steps of each world that is made by Go code.
const steps = 30

// checkGo writes scenes as Go code. It fails the test if the code does not compile, or if it
// makes other worlds than Scene.Build. The worlds are compared when they are built, and after
// some steps.
func checkGo(t testing.TB, scenes ...*rube.Scene) {
	t.Helper()
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	dir := room(t)
	imports, list, want := "", "", ""
	for i, s := range scenes {
		name := fmt.Sprintf("scene%d", i)
		code, err := s.Go(name)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name, "scene.go"), code)
		imports += fmt.Sprintf("\t%q\n", "halfstep/engine/rube/testdata/"+filepath.Base(dir)+"/"+name)
		list += name + ".Config(), "
		w := build(t, s)
		want += fmt.Sprintln(w.World().StateHash())
		for tick := range uint64(steps) {
			w.Step(tick+1, 1./60)
		}
		want += fmt.Sprintln(w.World().StateHash())
	}
	writeFile(t, filepath.Join(dir, "main.go"), fmt.Appendf(nil, `package main

import (
	"fmt"

	"halfstep/engine"
	"halfstep/world"
%s)

func main() {
	for _, c := range []engine.Config{%s} {
		w := world.NewSimulation(c.World)
		if err := c.Setup(w.World()); err != nil {
			panic(err)
		}
		fmt.Println(w.World().StateHash())
		for tick := range uint64(%d) {
			w.Step(tick+1, 1./60)
		}
		fmt.Println(w.World().StateHash())
	}
}
`, imports, list, steps))
	run := exec.Command(gotool, "run", ".")
	run.Dir, run.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	got, err := run.CombinedOutput()
	if err != nil || string(got) != want {
		t.Errorf("%v; the StateHashes are\n%swant\n%s", err, got, want)
	}
}

// room returns an empty folder in testdata. The folder is inside the module whose packages the
// code imports.
func room(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "go")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// played returns a scene of the viewer after some steps.
func played(t testing.TB, s scenes.Scene, way world.Stepper, steps int) *world.Simulation {
	t.Helper()
	c := s.Config()
	c.World.Stepper = way
	w := world.NewSimulation(c.World)
	t.Cleanup(w.Close)
	if err := c.Setup(w.World()); err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	step(w, steps)
	return w
}

func TestEverySceneIsSavedAndReadBackToTheBit(t *testing.T) {
	norace.Only(t)
	for i, s := range scenes.All() {
		w := played(t, s, []world.Stepper{world.FastStep, world.SoftStep}[i%2], 0)
		if w.Counts().Bodies < 500 {
			rebuilt(t, s.Name, w)
			step(w, 40)
			rebuilt(t, s.Name+" later", w)
		}
	}
}

func TestScenesAsGoCodeMakeTheSameWorlds(t *testing.T) {
	norace.Only(t)
	var all []*rube.Scene
	for _, name := range []string{"joints", "machines", "capsules", "oneway"} {
		s, ok := scenes.Lookup(name)
		if !ok {
			t.Fatalf("there is no scene %s", name)
		}
		all = append(all, rube.Of(played(t, s, world.FastStep, 20).World()))
	}
	checkGo(t, all...)
}
