package reslice_test

import (
	"testing"

	"halfstep/internal/reslice"
)

func TestWhatAChunkGivesOutIsApart(t *testing.T) {
	var c reslice.Chunk[int]
	var all [][]int
	for n := range 20 {
		s := c.Take(n, 8)
		if len(s) != 0 || cap(s) != n {
			t.Fatalf("%d elements with room for %d, want room for %d", len(s), cap(s), n)
		}
		for range n + 1 { // this is one more than there is room for
			s = append(s, n)
		}
		all = append(all, s)
	}
	for n, s := range all {
		for _, v := range s {
			if v != n {
				t.Fatalf("slice %d holds %d", n, v)
			}
		}
	}
	if n := testing.AllocsPerRun(64, func() { c.Take(1, 64) }); n > 0.1 {
		t.Errorf("%v allocations for each slice", n)
	}
}
