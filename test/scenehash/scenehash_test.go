// Package scenehash runs scenes of the viewer without a window, to compare platforms: its tests print the hash
// of each world after some ticks, and check whether recordings from another platform replay to the same bits.
//
//	go test ./test/scenehash -run Scenes -v [-scenes rain,joints,car] [-ticks 120] [-stepper fast] [-record DIR]
//	go test ./test/scenehash -run Recordings -v -verify DIR
//
// It needs no cgo, so it runs wherever the core runs: see docs/platforms.md. For another platform, make a
// program of it with go test -c.
package scenehash

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"halfstep/cmd/viewer/scenes"
	"halfstep/engine"
	"halfstep/world"
)

var (
	names  = flag.String("scenes", "rain,joints,car", "names of scenes, with commas between them")
	ticks  = flag.Int("ticks", 120, "steps to run")
	way    = flag.String("stepper", "fast", "fast or soft")
	dir    = flag.String("record", "", "write NAME.rec of every scene into this `DIR`, which exists")
	verify = flag.String("verify", "", "replay the recordings in this `DIR`, in place of those that the test makes")
)

func TestScenesAreRecordedWithTheirHash(t *testing.T) {
	stepper, err := world.ParseStepper(*way)
	if err != nil {
		t.Fatal(err)
	}
	to := *dir
	if to == "" {
		to = t.TempDir()
	}
	for _, name := range strings.Split(*names, ",") {
		hash := play(t, lookup(t, name), stepper, *ticks, to)
		fmt.Printf("%s %s %d ticks %016x\n", *way, name, *ticks, hash)
		if *dir == "" {
			if got := replay(t, filepath.Join(to, name+".rec")); got != hash {
				t.Errorf("%s: the recording has the hash %016x, and the run %016x", name, got, hash)
			}
		}
	}
}

func TestRecordingsOfAnotherPlatformReplayToTheirBits(t *testing.T) {
	if *verify == "" {
		t.Skip("-verify names no folder")
	}
	paths, _ := filepath.Glob(filepath.Join(*verify, "*.rec"))
	if len(paths) == 0 {
		t.Fatalf("there are no recordings in %s", *verify)
	}
	for _, path := range paths {
		fmt.Printf("%s: as recorded, %016x\n", filepath.Base(path), replay(t, path))
	}
}

func lookup(t *testing.T, name string) scenes.Scene {
	t.Helper()
	s, ok := scenes.Lookup(name)
	if !ok {
		t.Fatalf("no scene %q", name)
	}
	return s
}

// play runs a scene and records the run in a folder. It returns the hash of the world.
func play(t *testing.T, s scenes.Scene, stepper world.Stepper, ticks int, dir string) (hash uint64) {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, s.Name+".rec"))
	if err != nil {
		t.Fatal(err)
	}
	c := s.Config()
	c.World.Stepper = stepper
	c.Time.Simulated = true
	c.History.Record = &engine.RecordOptions{W: file, Scene: s.Name, FromSetup: true} // no snapshots, because a snapshot depends on its platform
	e, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	e.Step(ticks)
	world.Ask(e.Commands, (*world.World).Hash, func(_, h uint64) { hash = h })
	e.Step(0)              // carries out the question
	for range e.Events() { // delivers the answer
	}
	for _, err := range []error{e.Failure(), e.Close(), file.Close()} {
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
	}
	return hash
}

// replay replays a recording. It returns the hash of the world at the end.
func replay(t *testing.T, path string) uint64 {
	t.Helper()
	r, err := engine.OpenRecording(path)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := r.Verify(lookup(t, r.Scene).Config().Setup)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return hash
}
