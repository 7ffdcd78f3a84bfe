package fast_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"halfstep/box/fast"
	"halfstep/test/attack"
	"halfstep/test/norace"
	"halfstep/test/whole"
	"halfstep/test/worldgen"
)

var (
	seeds = flag.Int("seeds", 0, "how many random worlds to compare (0: a few)")
	first = flag.Int("firstseed", 1, "the first random world's seed")
)

// trace is what a test records of a world: a digest after every step, and the panic that
// ended it, if there was one.
type trace struct {
	digests []uint64
	failure string
	recent  []string // the callbacks before the failure, or the last ones
}

func playLibrary(p *worldgen.Player, steps int) trace {
	var tr trace
	for range steps {
		if failure := p.Step(p.World.Step); failure != nil {
			tr.failure = fmt.Sprint(failure)
			break
		}
		tr.digests = append(tr.digests, p.Digest())
	}
	tr.recent = p.Recent()
	return tr
}

// compare plays one random world with the library's step and then with the step of this
// package. It compares worlds and callbacks after every step.
func compare(t testing.TB, name string, make func() *worldgen.Player, steps int, mixed bool) {
	t.Helper()
	want := playLibrary(make(), steps)
	for _, workers := range norace.Some([]int{4, 2, 1}, 1) {
		compareTrace(t, want, fmt.Sprintf("%s, %d workers", name, workers), make, steps, workers, mixed)
	}
}

func compareTrace(t testing.TB, want trace, name string, make func() *worldgen.Player, steps, workers int, mixed bool) {
	t.Helper()
	p := make()
	s := fast.New(p.World, fast.Options{Workers: workers})
	defer s.Close()
	s.ForceParallel()
	n := 0
	step := func(dt float64, velocity, position int) {
		n++
		if mixed && n%7 == 0 { // now and then a step of the library comes between
			p.World.Step(dt, velocity, position)
		} else {
			s.Step(dt, velocity, position)
		}
	}
	for i := range steps {
		failure := p.Step(step)
		if failure != nil {
			if i != len(want.digests) || fmt.Sprint(failure) != want.failure {
				t.Fatalf("%s: panic %v in step %d; the library's: %q in step %d", name, failure, i+1, want.failure, len(want.digests)+1)
			}
			return
		}
		if i >= len(want.digests) {
			t.Fatalf("%s: no panic in step %d, where the library panics: %s", name, i+1, want.failure)
		}
		if p.Digest() != want.digests[i] {
			library := playLibrary(make(), i+1)
			t.Fatalf("%s (listener %d): other bits after step %d\nlibrary:\n%s\nhere:\n%s", name, p.Listening, i+1,
				strings.Join(library.recent, "\n"), strings.Join(p.Recent(), "\n"))
		}
	}
}

func TestRandomWorldsHaveTheBitsAndCallbacksOfTheLibrary(t *testing.T) {
	n := *seeds
	if n == 0 {
		n = norace.Rounds(whole.Rounds(40, 10), 3)
	}
	for i := range n {
		seed := uint64(*first + i)
		compare(t, fmt.Sprint("seed ", seed), func() *worldgen.Player { return worldgen.New(seed) }, 120, seed%5 == 0)
	}
}

// TestAttackWorlds plays more random worlds, for the time of the attack.
func TestAttackWorlds(t *testing.T) {
	a := attack.Start(t)
	for r := range a.Rounds() {
		seed := r.Uint64()
		compare(t, fmt.Sprint("seed ", seed), func() *worldgen.Player { return worldgen.New(seed) }, 120, seed%5 == 0)
		a.Count("steps of each way", 120)
	}
}

// In seed 350 infinities turn a static body into NaN. In seed 998 PostSolve
// enables a contact whose other body was solved in an earlier island.
func TestSeedsThatOnceDiffered(t *testing.T) {
	for seed, steps := range map[uint64]int{350: 57, 998: 30} {
		compare(t, fmt.Sprint("seed ", seed), func() *worldgen.Player { return worldgen.New(seed) }, steps, seed == 350)
	}
}

func FuzzWorldsHaveTheBitsAndCallbacksOfTheLibrary(f *testing.F) {
	f.Add(uint64(1), []byte{1, 0, 2, 9, 10, 0, 3, 19, 19, 2})
	f.Add(uint64(7), []byte{2, 12, 25, 1, 17, 3, 2, 0, 18, 1, 23})
	f.Add(uint64(998), []byte{3, 15, 16, 11, 0, 0, 3, 13, 14, 26})
	f.Fuzz(func(t *testing.T, seed uint64, script []byte) {
		steps := min(10+len(script), 60)
		compare(t, fmt.Sprint("seed ", seed), func() *worldgen.Player { return worldgen.Scripted(seed, script) }, steps, seed%5 == 0)
	})
}
