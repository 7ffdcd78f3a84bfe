package tree

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ByteArena/box2d"
)

func boxAt(r *rand.Rand) Box {
	x, y := r.Float64()*40, r.Float64()*10
	return Box{LowerBound: box2d.B2Vec2{X: x, Y: y}, UpperBound: box2d.B2Vec2{X: x + r.Float64(), Y: y + 3*r.Float64()}}
}

func overlap(a, b *Box) bool {
	return a.LowerBound.X <= b.UpperBound.X && b.LowerBound.X <= a.UpperBound.X && a.LowerBound.Y <= b.UpperBound.Y && b.LowerBound.Y <= a.UpperBound.Y
}

// Boxes are added, removed and moved, one at a time and many at once, in any order.
func TestATreeFindsEveryBoxWhateverHappenedToIt(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		var tree Tree
		boxes := map[int32]Box{}
		if r.IntN(2) == 0 {
			var all []int32
			for k := range int32(r.IntN(200)) {
				boxes[3*k] = boxAt(r)
				all = append(all, 3*k)
			}
			tree.Build(all, func(k int32) *Box { b := boxes[k]; return &b })
		}
		any := func() int32 { return int32(r.IntN(300)) }
		for range 300 {
			if r.IntN(3) == 0 {
				tree.ExpectMoves(r.IntN(1 + len(boxes)))
			}
			for range r.IntN(20) {
				k, b := any(), boxAt(r)
				_, ok := boxes[k]
				if tree.Has(k) != ok {
					t.Fatalf("seed %d: the tree has box %d: %v", seed, k, !ok)
				}
				switch {
				case !ok:
					tree.Insert(k, &b)
				case r.IntN(8) == 0:
					tree.Remove(k)
					delete(boxes, k)
					continue
				case r.IntN(4) == 0:
					tree.Move(k, &b)
				default:
					tree.Set(k, &b)
				}
				boxes[k] = b
			}
			if r.IntN(2) == 0 {
				tree.Refit(nil)
			} else {
				tree.Refit(func(n int) {
					tree.Blocks(3)
					for i := range 3 {
						tree.RefitBlock(i, i*n/3, (i+1)*n/3)
					}
				})
			}
			if err := tree.Validate(); err != nil || tree.Count() != len(boxes) {
				t.Fatalf("seed %d: %d boxes of %d: %v", seed, tree.Count(), len(boxes), err)
			}
			at := boxAt(r)
			var got, want []int32
			tree.Visit(&at, nil, func(k int32) bool { got = append(got, k); return true })
			for k, b := range boxes {
				if overlap(&b, &at) {
					want = append(want, k)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: found %v, not %v", seed, got, want)
			}
		}
	}
}

func TestTheNextNumberFollowsFromThoseInUse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var n Numbers
	used := map[int32]bool{}
	for range 20000 {
		if k := int32(r.IntN(400)); r.IntN(2) == 0 && used[k] {
			n.Set(k, false)
			delete(used, k)
			continue
		} else if r.IntN(20) == 0 && !used[k] { // as after a restore
			n.Set(k, true)
			used[k] = true
			continue
		}
		want := int32(0)
		for used[want] {
			want++
		}
		if got := n.Take(); got != want {
			t.Fatalf("%d is given out, and %d is free", got, want)
		}
		used[want] = true
	}
}
