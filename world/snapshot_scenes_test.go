package world_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine/rube"
	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// opens returns a function that sets up a world, with the stepper of the argument way.
func opens(t testing.TB, what string, way, c world.Config, setup func(*world.World) error) func() *run {
	c.Stepper, c.Workers = way.Stepper, way.Workers
	return func() *run {
		sim := world.NewSimulation(c)
		if err := setup(sim.World()); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return &run{Simulation: sim}
	}
}

// sceneGoesOn checks that a scene of the viewer runs on from a snapshot as it did the first
// time.
func sceneGoesOn(t testing.TB, s scenes.Scene, way world.Config, before, after int) {
	t.Helper()
	c := s.Config()
	goesOn(t, fmt.Sprintf("%s, %+v, %d steps", s.Name, way, before), opens(t, s.Name, way, c.World, c.Setup), before, after)
}

// bodiesOf is the number of bodies in a scene at its start.
func bodiesOf(t testing.TB, s scenes.Scene) int {
	c := s.Config()
	r := opens(t, s.Name, world.Config{Workers: 1}, c.World, c.Setup)()
	defer r.Close()
	return int(r.Counts().Bodies)
}

func TestEverySceneGoesOnFromASnapshotAsItDidTheFirstTime(t *testing.T) {
	norace.Only(t)
	for i, s := range scenes.All() {
		if s.Name == "fall10000" {
			continue // the scene is large, like fall5000; TestAttackScenes plays all scenes
		}
		bodies := bodiesOf(t, s)
		if bodies > whole.Rounds(100_000, 1500) {
			continue // large scenes are slow
		}
		steps := max(2, min(15, 1500/max(1, bodies))) // fewer in large scenes
		way := world.Config{Workers: 1 + i%2}
		if i%3 == 1 {
			way.Stepper = world.SoftStep
		}
		sceneGoesOn(t, s, way, 2*steps, steps)
	}
}

// The scenes of the tests of package rube, and those of HALFSTEP_DATA.
func TestEveryRubeSceneGoesOnFromASnapshotAsItDidTheFirstTime(t *testing.T) {
	norace.Only(t)
	files, _ := filepath.Glob(filepath.Join("..", "engine", "rube", "testdata", "*.json"))
	if folder := os.Getenv("HALFSTEP_DATA"); folder != "" {
		more, _ := filepath.Glob(filepath.Join(folder, "rube", "*", "*.json"))
		files = append(files, more...)
	}
	if len(files) == 0 {
		t.Fatal("no scenes")
	}
	ways := []world.Config{
		{Workers: 1}, {Workers: 4}, {Stepper: world.SoftStep, Workers: 1},
		{Stepper: world.SoftStep, Workers: 4},
	}
	for i, file := range files {
		s, err := rube.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for k, way := range ways {
			if k != i%len(ways) && !whole.Asked() {
				continue
			}
			goesOn(t, fmt.Sprintf("%s, %+v", file, way), opens(t, file, way, s.World, s.Build), 30, 30)
		}
	}
}

// TestAttackScenes plays the scenes with every stepper, for more steps than the test
// above.
func TestAttackScenes(t *testing.T) {
	a := attack.Start(t)
	all := scenes.All()
	for r := range a.Rounds() {
		s := all[r.IntN(len(all))]
		way := [...]world.Config{{Workers: 1}, {Workers: 2}, {Workers: 4},
			{Stepper: world.SoftStep, Workers: 1}, {Stepper: world.SoftStep, Workers: 4}}[r.IntN(5)]
		steps := 200
		if bodiesOf(t, s) > 500 {
			steps = 20
		}
		after := 1 + r.IntN(steps)
		sceneGoesOn(t, s, way, r.IntN(2*steps), after)
		a.Count("steps after a restore", uint64(after))
	}
}
