//go:build interleave && !race

package interleave

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The test makes random programs of loads, stores, sends and receives. With
// the reduction the tasks must see all results that they can see without it.
// The test does not run with -race, because the results of tasks that wait for
// ever are read without an order.
func TestTheReductionMissesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	saved, seen := 0, 0
	for range 300 {
		programs := make([][]int, 2+random.IntN(2))
		for i := range programs {
			programs[i] = make([]int, 1+random.IntN(10/len(programs)))
			for k := range programs[i] {
				programs[i][k] = random.IntN(8)
			}
		}
		outcomes := func(reduce bool) (map[string]bool, int) {
			all := map[string]bool{}
			var stuck func() string
			e := newExplorer(func(r *Run) {
				var words [2]word
				bell := make(chan struct{}, 1)
				var log [maxTasks]string
				for i, p := range programs {
					r.Go(fmt.Sprint(i), func() {
						for k, what := range p {
							switch what {
							case 6:
								TrySend(bell)
							case 7:
								Receive(bell)
								log[i] += "!"
							default:
								if w := &words[what%2]; what < 4 {
									log[i] += fmt.Sprint(w.load(), " ")
								} else {
									w.store(uint32(10*i + k + 1))
								}
							}
						}
						log[i] += "."
					})
				}
				r.After(func() { all[fmt.Sprint(log, words[0].load(), words[1].load())] = true })
				stuck = func() string { return fmt.Sprint(log) }
			})
			e.reduce = reduce
			for more := true; more; more = e.backtrack() {
				if r := e.run(); r.failure != "" {
					all[r.failure+stuck()] = true
				}
			}
			return all, e.runs
		}
		full, runs := outcomes(false)
		reduced, fewer := outcomes(true)
		for o := range full {
			if !reduced[o] {
				t.Fatalf("programs %v: %q is missed", programs, o)
			}
		}
		saved += runs - fewer
		seen += runs
	}
	t.Logf("%d of %d schedules are enough", seen-saved, seen)
}
