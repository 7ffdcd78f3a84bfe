package rube

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"halfstep/test/again"
	"halfstep/test/norace"
	"halfstep/world"
)

// The scenes of the tests, and those of HALFSTEP_DATA.
func TestEveryRubeSceneGoesOnFromASnapshotAsItDidTheFirstTime(t *testing.T) {
	norace.Only(t)
	files, _ := filepath.Glob(filepath.Join("testdata", "*.json"))
	if folder := os.Getenv("HALFSTEP_DATA"); folder != "" {
		more, _ := filepath.Glob(filepath.Join(folder, "rube", "*", "*.json"))
		files = append(files, more...)
	}
	if len(files) == 0 {
		t.Fatal("no scenes")
	}
	configs := []world.Config{
		{Stepper: world.StockStep}, {Workers: 1}, {Workers: 4}, {Stepper: world.SoftStep, Workers: 1},
		{Stepper: world.SoftStep, Workers: 4},
	}
	for _, file := range files {
		s := readScene(t, file)
		for _, cfg := range configs {
			c := s.World
			c.Stepper, c.Workers = cfg.Stepper, cfg.Workers
			open := func() *again.Run {
				sim := world.NewSimulation(c)
				if err := s.Build(sim.World()); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				return &again.Run{Simulation: sim}
			}
			again.Check(t, fmt.Sprintf("%s, %+v", file, cfg), open, 30, 30)
		}
	}
}
