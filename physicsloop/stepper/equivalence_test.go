package stepper_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"halfstep/internal/worldgen"
	"halfstep/physicsloop/stepper"
)

var (
	seeds = flag.Int("seeds", 0, "how many random worlds to compare (0: a few)")
	first = flag.Int("firstseed", 1, "the first random world's seed")
)

// trace is what a world did: a digest after every step, and the panic that
// ended it, if one did.
type trace struct {
	digests []uint64
	failure string
	recent  []string // callbacks before the failure, or the last ones
}

func playStock(seed uint64, steps int) trace {
	p := worldgen.New(seed)
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

// compareSeed plays one random world with the library's step and then with
// ours, and compares worlds and callbacks after every step.
func compareSeed(t testing.TB, seed uint64, steps int) {
	t.Helper()
	want := playStock(seed, steps)
	for _, workers := range []int{1, 2, 4} {
		compareTrace(t, want, seed, steps, workers)
	}
}

func compareTrace(t testing.TB, want trace, seed uint64, steps, workers int) {
	t.Helper()
	p := worldgen.New(seed)
	s := stepper.New(p.World, stepper.Options{Workers: workers})
	defer s.Close()
	s.ForceParallel()
	n := 0
	step := func(dt float64, velocity, position int) {
		n++
		if seed%5 == 0 && n%7 == 0 { // the library's step may come between
			p.World.Step(dt, velocity, position)
		} else {
			s.Step(dt, velocity, position)
		}
	}
	for i := range steps {
		failure := p.Step(step)
		if failure != nil {
			if i != len(want.digests) || fmt.Sprint(failure) != want.failure {
				t.Fatalf("seed %d, %d workers: panic %v in step %d; the library's: %q in step %d", seed, workers, failure, i+1, want.failure, len(want.digests)+1)
			}
			return
		}
		if i >= len(want.digests) {
			t.Fatalf("seed %d, %d workers: no panic in step %d, where the library panics: %s", seed, workers, i+1, want.failure)
		}
		if p.Digest() != want.digests[i] {
			stock := playStock(seed, i+1)
			t.Fatalf("seed %d, %d workers (listener %d): other bits after step %d\nlibrary:\n%s\nhere:\n%s", seed, workers, p.Listening, i+1,
				strings.Join(stock.recent, "\n"), strings.Join(p.Recent(), "\n"))
		}
	}
}

func TestRandomWorldsHaveTheBitsAndCallbacksOfTheLibrary(t *testing.T) {
	n := *seeds
	if n == 0 {
		n = 60
		if testing.Short() {
			n = 12
		}
	}
	for i := range n {
		compareSeed(t, uint64(*first+i), 120)
	}
}
