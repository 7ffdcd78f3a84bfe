package fast_test

import (
	"flag"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"halfstep/box/fast"
	"halfstep/internal/owner"
	"halfstep/test/benchscene"
	"halfstep/test/norace"
	"halfstep/test/worldgen"
	"halfstep/test/worldhash"
)

var large = flag.Bool("large", false, "compare the scenes of 5,000 and 10,000 bodies too, and all scenes for longer")

func TestBenchScenesHaveTheBitsOfTheLibrary(t *testing.T) {
	norace.Only(t)
	for _, scene := range []struct {
		name         string
		steps, large int
	}{
		{"pyramid", 12, 300}, {"fall1000", 25, 300}, {"tumbler", 25, 300}, {"jointgrid", 60, 300},
		{"islands", 2, 100}, {"fall5000", 0, 300}, {"fall10000", 0, 150},
	} {
		steps := scene.steps
		if *large {
			steps = scene.large
		}
		workers := []int{1, 2, 4}
		if owner.Checked && !*large { // builds without -race compare the bits
			steps, workers = (steps+3)/4, []int{2, 4}
		}
		if steps == 0 {
			continue
		}
		t.Run(scene.name, func(t *testing.T) {
			library := fast.SceneWorld(t, scene.name)
			want := make([]uint64, steps)
			for i := range want {
				library.Step(benchscene.StepSeconds, benchscene.VelocityIterations, benchscene.PositionIterations)
				want[i] = worldhash.World(library)
			}
			for _, workers := range workers {
				w := fast.SceneWorld(t, scene.name)
				s := fast.New(w, fast.Options{Workers: workers})
				for i := range want {
					s.Step(benchscene.StepSeconds, benchscene.VelocityIterations, benchscene.PositionIterations)
					if worldhash.World(w) != want[i] {
						t.Fatalf("%d workers: other bits after step %d", workers, i+1)
					}
				}
				s.Close()
			}
		})
	}
}

func TestSteadyStateHardlyAllocates(t *testing.T) {
	norace.Only(t)
	for _, scene := range []struct {
		name string
		warm int
		most float64
	}{{"fall1000", 200, 50}, {"jointgrid", 20, 1}} {
		w := fast.SceneWorld(t, scene.name)
		s := fast.New(w, fast.Options{Workers: 1})
		defer s.Close()
		step := func() { s.Step(1.0/60, 8, 3) }
		for range scene.warm {
			step()
		}
		if n := testing.AllocsPerRun(50, step); n > scene.most {
			t.Errorf("%s: %v allocations a step, want at most %v", scene.name, n, scene.most)
		}
	}
}

// The race detector shows that two steppers share no globals.
func TestTwoWorldsStepOnTwoGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	digests := make([]uint64, 4)
	for i := range digests {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := worldgen.New(uint64(40 + i/2))
			s := fast.New(p.World, fast.Options{Workers: 2})
			defer s.Close()
			s.ForceParallel()
			for range 40 {
				p.Step(s.Step)
			}
			digests[i] = p.Digest()
		}()
	}
	wg.Wait()
	if digests[0] != digests[1] || digests[2] != digests[3] {
		t.Errorf("worlds of one seed differ: %x", digests)
	}
}

// workers counts the goroutines of worker pools.
func workers() int {
	buf := make([]byte, 1<<20)
	return strings.Count(string(buf[:runtime.Stack(buf, true)]), "workers.(*Pool).work(")
}

func TestCloseEndsTheWorkers(t *testing.T) {
	before := workers()
	s := fast.New(fast.SceneWorld(t, "islands"), fast.Options{Workers: 4})
	s.ForceParallel()
	s.Step(1.0/60, 8, 3)
	if n := workers(); n != before+3 {
		t.Errorf("%d workers besides the caller, want 3", n-before)
	}
	s.Close()
	s.Close()
	left := workers() // a goroutine that has just ended may still have a stack
	for limit := time.Now().Add(10 * time.Second); left != before && time.Now().Before(limit); left = workers() {
		time.Sleep(time.Millisecond)
	}
	if left != before {
		t.Errorf("%d workers left", left-before)
	}
}
