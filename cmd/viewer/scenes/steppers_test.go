package scenes_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/engine/rube"
	"halfstep/internal/privateapi"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/world"
)

// trail plays ticks, with fewer ticks if there are many bodies. It returns the
// hash and the events after each tick.
func trail(t *testing.T, c engine.Config, most int) (hashes []uint64, events []world.Event) {
	t.Helper()
	var ticks uint64
	setup := c.Setup
	c.Setup = func(w *world.World) error {
		err := setup(w)
		ticks = uint64(scenes.Fewer(most, w.Counts().Bodies))
		w.AddContactHook(func(w *world.World, _ []world.Event) { hashes = append(hashes, w.Hash()) })
		return err
	}
	c.Time.Simulated, c.Time.EventsAtOnce = true, true
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.SetLastTick(ticks)
	for e.View().Tick < ticks {
		if e.Failure() != nil {
			t.Fatal(e.Failure())
		}
		e.Advance(time.Second / 60)
		for ev := range e.Events() {
			ev.User = nil
			events = append(events, ev)
		}
	}
	e.Close()
	if len(hashes) != int(ticks) {
		t.Fatalf("%d hashes of %d ticks", len(hashes), ticks)
	}
	return hashes, events
}

// sameBits compares the library's step with the fast step on one worker and on
// two workers.
func sameBits(t *testing.T, config func() engine.Config, most int) {
	t.Helper()
	library := config()
	library.World.Stepper = world.FastStep
	setup := library.Setup
	library.Setup = func(w *world.World) error {
		privateapi.World.StepAsLibrary(w)
		return setup(w)
	}
	hashes, events := trail(t, library, most)
	for _, workers := range []int{1, 2} {
		fast := config()
		fast.World.Stepper, fast.World.Workers = world.FastStep, workers
		h, e := trail(t, fast, most)
		for i := range min(len(h), len(hashes)) {
			if h[i] != hashes[i] {
				t.Fatalf("%d workers: tick %d has other bits than the library's step", workers, i+1)
			}
		}
		if len(h) != len(hashes) || !slices.Equal(e, events) {
			t.Errorf("%d workers: %d events, the library's step has %d, or others", workers, len(e), len(events))
		}
	}
}

func TestEverySceneHasTheBitsOfTheLibrarysStep(t *testing.T) {
	norace.Only(t)
	for _, s := range scenes.All() {
		t.Run(s.Name, func(t *testing.T) {
			if scenes.HasCapsules(s) {
				t.Skip("the library has none")
			}
			if s.Name == "islands" || s.Name == "fall10000" {
				t.Skip("two steps, which is all there is time for, are in the test of package stepper, or as those of fall5000")
			}
			sameBits(t, s.Config, whole.Rounds(120, 20))
		})
	}
}

func TestScenesFromTheWildHaveTheBitsOfTheLibrarysStep(t *testing.T) {
	norace.Only(t)
	folder := os.Getenv("HALFSTEP_DATA")
	if folder == "" {
		t.Skip("HALFSTEP_DATA is not set: no scenes made by others")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "rube", "*", "*.json"))
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s, err := rube.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sameBits(t, func() engine.Config {
				return engine.Config{World: s.World, Setup: s.Build}
			}, 60)
		})
	}
}
