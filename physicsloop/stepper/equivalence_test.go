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

// compareSeed plays one random world with the library's step and with ours,
// and compares worlds and callbacks after every step.
func compareSeed(t testing.TB, seed uint64, steps, workers int) {
	stock, fast := worldgen.New(seed), worldgen.New(seed)
	s := stepper.New(fast.World, stepper.Options{Workers: workers})
	defer s.Close()
	s.ForceParallel()
	step := s.Step
	if seed%5 == 0 { // the library's step may come between
		n := 0
		step = func(dt float64, velocity, position int) {
			n++
			if n%7 == 0 {
				fast.World.Step(dt, velocity, position)
			} else {
				s.Step(dt, velocity, position)
			}
		}
	}
	for i := 1; i <= steps; i++ {
		want, got := stock.Step(stock.World.Step), fast.Step(step)
		if fmt.Sprint(want) != fmt.Sprint(got) {
			t.Fatalf("seed %d, %d workers, step %d: panic %v, library's %v", seed, workers, i, got, want)
		}
		if want != nil {
			return
		}
		if stock.Digest() != fast.Digest() {
			t.Fatalf("seed %d, %d workers (listener %d): other bits after step %d\nlibrary:\n%s\nhere:\n%s", seed, workers, stock.Listening, i,
				strings.Join(stock.Recent(), "\n"), strings.Join(fast.Recent(), "\n"))
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
	for _, workers := range []int{1, 2, 4} {
		t.Run(fmt.Sprintf("workers=%d", workers), func(t *testing.T) {
			t.Parallel()
			for i := range n {
				compareSeed(t, uint64(*first+i), 120, workers)
			}
		})
	}
}
