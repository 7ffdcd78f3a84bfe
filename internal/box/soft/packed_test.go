package soft

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"halfstep/internal/box"
	"halfstep/internal/box/tree"
	"halfstep/test/norace"
)

// Boxes are moved, made and removed. Some boxes are huge, far away, infinite or NaN.
func TestThePackedTreeFindsEveryPairThatMovedOnceAndAllThatMeetsABox(t *testing.T) {
	norace.Only(t)
	kernel := wide
	defer func() { wide = kernel }()
	r := rand.New(rand.NewPCG(1, 2))
	var packed packedTree
	for _, n := range []int{0, 1, 7, 8, 9, 64, 65, 300, 700} {
		var of tree.Tree
		numbers := 2*n + 5
		ids := r.Perm(numbers)[:n]
		put := func(id int) {
			x, y, w, h := r.NormFloat64()*20, r.NormFloat64()*20, r.Float64(), r.Float64()
			switch r.IntN(60) {
			case 0:
				x *= 1e6
			case 1:
				w *= 100
			case 2:
				h = math.Inf(1)
			case 3:
				y = math.NaN()
			}
			b := (&aabb{x - w, y - h, x + w, y + h}).toB2()
			if of.Has(int32(id)) {
				of.Set(int32(id), &b)
			} else {
				of.Insert(int32(id), &b)
			}
		}
		for _, id := range ids {
			put(id)
		}
		moved := make([]bool, numbers)
		for round := range 20 {
			for _, id := range ids {
				if moved[id] = r.IntN(3) > 0; moved[id] {
					put(id)
				}
			}
			wide = kernel && round%2 == 0
			var moves box.Moves
			for id, moved := range moved {
				if moved {
					moves.Add(int32(id))
				}
			}
			packed.fits = false
			packed.pack(&of, numbers, func() { packed.copyLeaves(&of, make([]aabb, numbers), 0, packed.nodeCount()) }, func(n int) { packed.sortParts(0, n) })
			packed.lookFor()
			packed.noteMoved(&moves, make([]shape, numbers), 0, packed.nodeCount())
			var got, want [][2]int
			var near, met []int32
			for i, id := range packed.leaves {
				if moved[id] {
					near = packed.asked(packed.near(packed.edges[i], near), int32(i/packWidth))
					met = packed.leavesMeeting(int32(i), near, met)
					for _, k := range met {
						if a, b := int(id), int(packed.leaves[k]); packed.boxes[i].box.overlaps(&packed.boxes[k].box) {
							got = append(got, [2]int{min(a, b), max(a, b)})
						}
					}
				}
			}
			for _, a := range ids {
				for _, b := range ids {
					x, y := boxOf(of.Box(int32(a))), boxOf(of.Box(int32(b)))
					if a < b && (moved[a] || moved[b]) && x.overlaps(&y) {
						want = append(want, [2]int{a, b})
					}
				}
			}
			for _, a := range ids {
				b := boxOf(of.Box(int32(a)))
				var visited, meeting []int
				near = packed.visit(&b, near, func(id int32) bool {
					visited = append(visited, int(id))
					return true
				})
				for _, c := range ids {
					if x := boxOf(of.Box(int32(c))); x.overlaps(&b) {
						meeting = append(meeting, c)
					}
				}
				slices.Sort(visited)
				slices.Sort(meeting)
				if !slices.Equal(visited, meeting) {
					t.Fatalf("%d boxes, round %d: %v meet box %d, and not %v", n, round, visited, a, meeting)
				}
			}
			order := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) {
				t.Fatalf("%d boxes, round %d: %d pairs instead of %d", n, round, len(got), len(want))
			}
		}
	}
}
