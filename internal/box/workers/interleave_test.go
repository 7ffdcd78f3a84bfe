//go:build interleave

package workers

import (
	"fmt"
	"testing"

	"halfstep/internal/interleave"
)

// stages runs steps of one or more stages, with the numbers of blocks given, and
// requires that each block runs once, before Run returns. helps and sleeps are the
// numbers of polls before a goroutine helps, and before it sleeps: here they are as
// small as possible.
func stages(r *interleave.Run, workers, helps, sleeps int, steps [][]int) {
	done := make([]int, 8)
	p := New(workers+1, func(k int) { done[k]++ })
	p.Patience, p.spins = Patience{helps, sleeps, sleeps}, 1<<20
	for s, blocks := range steps {
		for i, n := range blocks {
			if i == 0 {
				p.Wake()
			}
			p.Run(n)
			for k := range done[:n] {
				if done[k] != 1 {
					r.Errorf("step %d, stage %d: block %d of %d is done %d times", s, i, k, n, done[k])
				}
				done[k] = 0
			}
		}
		p.Rest()
	}
	p.Close()
}

func TestInterleavedPoolDoesEachBlockOnce(t *testing.T) {
	for _, c := range []struct {
		workers, helps, sleeps int
		steps                  [][]int
	}{
		{1, 1, 2, [][]int{{2}}},
		{1, 1, 2, [][]int{{3}}},
		{1, 2, 1, [][]int{{2, 2}}}, // a goroutine that polls once sleeps, and never helps
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			interleave.Explore(t, func(r *interleave.Run) { stages(r, c.workers, c.helps, c.sleeps, c.steps) })
		})
	}
}

// The runs are longer, with more workers and random schedules.
func TestInterleavedPoolInLongRuns(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		for _, impatience := range [][2]int{{1, 2}, {2, 1}, {2, 5}} {
			interleave.Sample(t, func(r *interleave.Run) {
				stages(r, workers, impatience[0], impatience[1], [][]int{{3, 5, 2}, {2}, {8, 2, 2}, {4, 4}})
			})
		}
	}
}
