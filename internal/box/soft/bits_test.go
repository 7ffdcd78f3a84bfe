package soft_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"halfstep/internal/box/soft"
	"halfstep/internal/owner"
	"halfstep/test/attack"
	"halfstep/test/elsewhere"
	"halfstep/test/norace"
	"halfstep/test/worldgen"
	"halfstep/test/worldhash"
)

var (
	long  = flag.Bool("long", false, "measure the quality for longer")
	seeds = flag.Int("seeds", 0, "how many random worlds to play (0: a few)")
	first = flag.Int("firstseed", 1, "the first random world's seed")
)

// The hashes are the same on every processor and operating system. They change only
// when the method changes.
func TestScenesHaveTheSameHashEverywhere(t *testing.T) {
	norace.Only(t)
	for _, scene := range []struct {
		name  string
		steps int
		hash  uint64
	}{
		{"pyramid", 12, 0x88636fad8bd2ee01}, {"fall1000", 50, 0xaa847ffb28ae194e}, {"tumbler", 40, 0x53be3db19b79369a}, {"jointgrid", 60, 0x22a101214724fe41}, {"islands", 4, 0x5096c8b1e43347ca},
	} {
		t.Run(scene.name, func(t *testing.T) {
			play := func(workers int) uint64 {
				w, _ := soft.SceneWorld(t, scene.name)
				s := soft.New(w, soft.Options{Workers: workers})
				defer s.Close()
				for range scene.steps {
					s.Step(1.0/60, 0, 0)
				}
				return worldhash.Objects(w)
			}
			for _, workers := range []int{1, 2} {
				if got := play(workers); got != scene.hash {
					t.Errorf("%d workers: hash %#x, want %#x", workers, got, scene.hash)
				}
			}
			soft.WithoutKernel(func() {
				if got := play(2); got != scene.hash { // with -race this also checks the workers
					t.Errorf("without the kernel: hash %#x, want %#x", got, scene.hash)
				}
			})
		})
	}
}

// trace plays a random world. It returns a digest after each step, and the panic that
// ended the run, if there was one.
func trace(seed uint64, workers, steps int, script []byte) (digests []uint64, failure string, recent []string) {
	p := worldgen.Alternating(seed)
	if script != nil {
		p = worldgen.AlternatingScripted(seed, script)
	}
	if seed%2 == 1 {
		p.Extend()
	}
	s := soft.New(p.World, soft.Options{Workers: workers, Listener: ofLibrary(p.World)})
	defer s.Close()
	s.ForceParallel()
	for range steps {
		if f := p.Step(s.Step); f != nil {
			return digests, fmt.Sprint(f), p.Recent()
		}
		digests = append(digests, p.DigestOf(worldhash.Objects)^s.HashAll())
	}
	return digests, "", p.Recent()
}

func compare(t *testing.T, seed uint64, steps int, script []byte) {
	t.Helper()
	want, failure, recent := trace(seed, 1, steps, script)
	if failure != "" {
		t.Fatalf("seed %d: panic in step %d: %s\n%s", seed, len(want)+1, failure, strings.Join(recent, "\n"))
	}
	for _, workers := range []int{2, 3} {
		got, failure, recent := trace(seed, workers, steps, script)
		if failure != "" {
			t.Fatalf("seed %d: %d workers: panic in step %d: %s", seed, workers, len(got)+1, failure)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("seed %d: %d workers: other bits after step %d\n%s", seed, workers, i+1, strings.Join(recent, "\n"))
			}
		}
	}
}

// worlds returns the number of random worlds to play. This is n, unless an option
// sets another number. With -race the worlds take many times as long, and a few are
// enough.
func worlds(n int) int {
	switch {
	case *seeds > 0:
		return *seeds
	case owner.Checked:
		return min(n, 3)
	}
	return n
}

func TestRandomWorldsHaveTheSameBitsForAnyNumberOfWorkers(t *testing.T) {
	for i := range worlds(8) {
		compare(t, uint64(*first+i), norace.Rounds(50, 20), nil)
	}
}

// The library's own arithmetic builds these worlds, so the compiler must not fuse it.
// The script scripts/check/soft-everywhere prevents that. Package world does not use
// the library's arithmetic.
func TestRandomWorldsHaveTheSameBitsOnEveryMachine(t *testing.T) {
	play := func() (b []byte) {
		for seed := range uint64(12) {
			digests, failure, _ := trace(seed, 1, 40, nil)
			if failure != "" {
				t.Fatalf("seed %d: %s", seed, failure)
			}
			for i, d := range digests {
				b = fmt.Appendf(b, "world %d, step %d: %x\n", seed, i+1, d)
			}
		}
		return b
	}
	want, got := strings.Split(string(elsewhere.Kept(t, "random", play)), "\n"), strings.Split(string(play()), "\n")
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			t.Fatalf("%s; elsewhere %s", got[i], want[min(i, len(want)-1)])
		}
	}
}

// TestAttackSoftWorlds does the same as TestRandomWorlds… for a duration that an
// option sets.
func TestAttackSoftWorlds(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		compare(t, r.Uint64(), 120, nil)
		a.Count("steps", 120)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	norace.Only(t)
	for _, scene := range []string{"pyramid", "jointgrid"} {
		w, _ := soft.SceneWorld(t, scene)
		s := soft.New(w, soft.Options{Workers: 2})
		defer s.Close()
		step := func() { s.Step(1.0/60, 0, 0) }
		for range 60 {
			step()
		}
		if n := testing.AllocsPerRun(20, step); n > 0 {
			t.Errorf("%s: %v allocations a step", scene, n)
		}
	}
}
