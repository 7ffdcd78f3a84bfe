package soft

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

// Boxes wander, come and go; some are huge, far away, infinite or no numbers.
func TestThePackedTreeFindsEveryPairThatMovedOnceAndAllThatMeetsABox(t *testing.T) {
	norace.Only(t)
	kernel := wide
	defer func() { wide = kernel }()
	r := rand.New(rand.NewPCG(1, 2))
	var tree packedTree
	for _, n := range []int{0, 1, 7, 8, 9, 64, 65, 300, 700} {
		nodes := make([]box2d.B2TreeNode, 2*n+5)
		for i := range nodes {
			nodes[i].Height = 1 - 2*(i%2) // an inner or a free one
		}
		ids := r.Perm(len(nodes))[:n]
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
			nodes[id].Height = 0
			nodes[id].Aabb = (&aabb{x - w, y - h, x + w, y + h}).toB2()
		}
		for _, id := range ids {
			put(id)
		}
		moved := make([]bool, len(nodes))
		for round := range 20 {
			for _, id := range ids {
				if moved[id] = r.IntN(3) > 0; moved[id] {
					put(id)
				}
			}
			wide = kernel && round%2 == 0
			tree.fits = false
			tree.pack(nodes, n, func() { tree.copyLeaves(nodes, make([]aabb, len(nodes)), 0, len(tree.leaves)) })
			tree.lookFor()
			tree.noteMoved(moved, make([]shape, len(nodes)), 0, tree.nodeCount())
			var got, want [][2]int
			var near, met []int32
			for i, id := range tree.leaves {
				if moved[id] {
					near = tree.asked(tree.near(tree.edges[i], near), int32(i/packWidth))
					met = tree.leavesMeeting(int32(i), near, met)
					for _, k := range met {
						if a, b := int(id), int(tree.leaves[k]); tree.boxes[i].box.overlaps(&tree.boxes[k].box) {
							got = append(got, [2]int{min(a, b), max(a, b)})
						}
					}
				}
			}
			for _, a := range ids {
				for _, b := range ids {
					x, y := boxOf(&nodes[a].Aabb), boxOf(&nodes[b].Aabb)
					if a < b && (moved[a] || moved[b]) && x.overlaps(&y) {
						want = append(want, [2]int{a, b})
					}
				}
			}
			for _, a := range ids {
				b := boxOf(&nodes[a].Aabb)
				var visited, meeting []int
				near = tree.visit(&b, near, func(id int32) bool {
					visited = append(visited, int(id))
					return true
				})
				for _, c := range ids {
					if x := boxOf(&nodes[c].Aabb); x.overlaps(&b) {
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
