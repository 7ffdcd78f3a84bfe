//go:build interleave

package fast

import (
	"testing"

	"halfstep/internal/interleave"
)

// pieces runs tasks of the numbers of pieces given, and requires that each piece is done
// once, as the task that it is of, before run returns.
func pieces(r *interleave.Run, workers int, tasks []int) {
	done := make([]int, 8)
	var is int
	p := newPool(workers, nil)
	for i, n := range tasks {
		is = i
		p.run(func(_ *Stepper, piece int) {
			if done[piece]++; i != is {
				r.Errorf("task %d is done as %d", is, i)
			}
		}, n)
		for k := range done {
			if (done[k] == 1) != (k < n) || done[k] > 1 {
				r.Errorf("task %d: piece %d of %d is done %d times", i, k, n, done[k])
			}
			done[k] = 0
		}
	}
	p.close()
}

func TestInterleavedPoolDoesEachPieceOnce(t *testing.T) {
	for _, c := range []struct {
		workers int
		tasks   []int
	}{{1, []int{2, 1, 3}}, {2, []int{3}}, {2, []int{2, 1}}} {
		interleave.Explore(t, func(r *interleave.Run) { pieces(r, c.workers, c.tasks) })
	}
}

// Longer runs with more workers, under random schedules.
func TestInterleavedPoolInLongRuns(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		interleave.Sample(t, func(r *interleave.Run) { pieces(r, workers, []int{8, 1, 2, 5, 3, 2, 2, 8}) })
	}
}
