package rube

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runGo compiles and runs scenes as Go code, each in a world of its own, and returns their
// StateHash as built and after 30 steps.
func runGo(t *testing.T, scenes []*Scene) (hashes []string) {
	t.Helper()
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp("testdata", "saved") // inside of the module, whose packages it imports
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	main := "package main\n\nimport (\n\t\"fmt\"\n\n\t\"halfstep/engine\"\n\t\"halfstep/world\"\n"
	list := ""
	for i, s := range scenes {
		name := fmt.Sprintf("scene%d", i)
		code, err := s.Go(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "scene.go"), code, 0o666); err != nil {
			t.Fatal(err)
		}
		main += fmt.Sprintf("\t%q\n", "halfstep/engine/rube/testdata/"+filepath.Base(dir)+"/"+name)
		list += name + ".Config(), "
	}
	main += ")\n\nfunc main() {\n\tfor _, c := range []engine.Config{" + list + `} {
		s := world.NewSimulation(c.World)
		if err := c.Setup(s.World()); err != nil {
			panic(err)
		}
		fmt.Println(c.Time.Rate, s.World().StateHash())
		for tick := range uint64(30) {
			s.Step(tick+1, 1./60)
		}
		fmt.Println(c.Time.Rate, s.World().StateHash())
	}
}
`
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(gotool, "run", "./"+dir)
	run.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestASceneAsGoCodeCompilesAndMakesTheSameWorld(t *testing.T) {
	scenes := []*Scene{every(t), readScene(t, "testdata/everything.json"), Of(build(t, every(t), 10).World)}
	hashes := runGo(t, scenes)
	for i, s := range scenes {
		w := build(t, s, 0)
		rate := "60"
		if s.StepsPerSecond != 0 && s.StepsPerSecond != 60 {
			rate = "2997/50"
		}
		for n, steps := range []int{0, 30} {
			step(w, steps)
			if got, want := hashes[2*i+n], fmt.Sprint(rate, " ", w.StateHash()); got != want {
				t.Errorf("scene %d after %d steps: %s, not %s", i, steps, got, want)
			}
		}
	}
}
