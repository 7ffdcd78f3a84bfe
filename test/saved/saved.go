// Package saved checks that a world that is saved is the same when it is read back.
package saved

import (
	"bytes"
	"testing"

	"halfstep/engine/rube"
	"halfstep/world"
)

// Check writes a scene that rube.Of has made from a world with that Hash, reads it back and
// builds it. It fails if definitions, places or velocities then differ by a bit. It returns
// the world that was built.
func Check(t testing.TB, what string, s *rube.Scene, hash uint64) *world.Simulation {
	t.Helper()
	data, err := s.JSON()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	read, err := rube.Parse("saved.json", data)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	w := Build(t, read)
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

// Build builds a scene in a world of its own.
func Build(t testing.TB, s *rube.Scene) *world.Simulation {
	t.Helper()
	w := world.NewSimulation(s.World)
	t.Cleanup(w.Close)
	if err := s.Build(w.World()); err != nil {
		t.Fatal(err)
	}
	return w
}
