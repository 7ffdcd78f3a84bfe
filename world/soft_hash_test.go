package world_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/test/benchscene"
	"halfstep/test/benchworld"
	"halfstep/test/elsewhere"
	"halfstep/world"
)

// softHashes plays worlds with the soft stepper. It returns a line of text for each
// world.
func softHashes(t *testing.T) (lines []string) {
	soften := func(c world.Config) world.Config {
		c.Stepper, c.Workers = world.SoftStep, 2
		return c
	}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, name := range []string{"pyramid", "fall1000", "tumbler", "jointgrid", "islands", "capsules300"} {
		sim := pile(t, name, 30, soften(benchworld.Config()))
		add("%s %x", name, sim.World().Hash())
		sim.Close()
	}
	for seed := range uint64(24) {
		r := chaotic(t, seed, soften(world.Config{Gravity: world.Vec{Y: -10}}))
		ticks := r.Steps(0, 60)
		add("commands %d %x", seed, ticks[len(ticks)-1].Hash)
		r.Close()
	}
	files, _ := filepath.Glob(filepath.Join("..", "engine", "rube", "testdata", "*.json"))
	if folder := os.Getenv("HALFSTEP_DATA"); folder != "" {
		more, _ := filepath.Glob(filepath.Join(folder, "rube", "*", "*.json"))
		files = append(files, more...)
	}
	for _, file := range files {
		scene, err := rube.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sim := world.NewSimulation(soften(scene.World))
		if err := scene.Build(sim.World()); err != nil {
			t.Fatal(err)
		}
		ticks := (&run{Simulation: sim}).Steps(0, 60)
		add("%s %x", filepath.Base(file), ticks[len(ticks)-1].Hash)
		sim.Close()
	}
	return lines
}

func TestSoftWorldsHaveTheSameHashOnEveryMachine(t *testing.T) {
	first := elsewhere.Kept(t, "worlds", func() []byte { return []byte(strings.Join(softHashes(t), "\n")) })
	want, got := strings.Split(string(first), "\n"), softHashes(t)
	if len(got) != len(want) {
		t.Fatalf("%d worlds; there were %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s; elsewhere %s", got[i], want[i])
		}
	}
}

// A recording that begins in the middle of a run also contains a snapshot.
func TestASoftRecordingReplaysOnEveryMachine(t *testing.T) {
	setup := func(w *world.World) error {
		scene, err := benchscene.Build("fall1000")
		if err != nil {
			return err
		}
		return benchworld.AddTo(w, scene)
	}
	data := elsewhere.Kept(t, "recording", func() []byte {
		var file bytes.Buffer
		e, err := engine.New(engine.Config{
			Setup: setup, World: world.Config{Stepper: world.SoftStep}, Time: engine.Time{Simulated: true},
			History: engine.HistoryOptions{Record: &engine.RecordOptions{W: &file, From: 20}},
		})
		if err != nil {
			t.Fatal(err)
		}
		e.SetLastTick(40)
		for e.View().Tick < 40 && e.Failure() == nil {
			if e.Demanded() == 30 {
				e.Explode(world.Explosion{Radius: 30, ImpulsePerLength: 5})
			}
			e.Advance(time.Second / 60)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	})
	r, err := engine.ReadRecording(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Verify(setup); err != nil || r.First != 20 || r.Ticks != 40 {
		t.Errorf("ticks %d to %d: %v", r.First, r.Ticks, err)
	}
}
