package b2

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/test/norace"
)

// sameTree compares two trees node by node. It counts all NaNs as equal.
func sameTree(a, b *box2d.B2DynamicTree) bool {
	if a.M_root != b.M_root || a.M_freeList != b.M_freeList || a.M_nodeCount != b.M_nodeCount || a.M_insertionCount != b.M_insertionCount {
		return false
	}
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }
	for i := range a.M_nodes {
		m, n := a.M_nodes[i], b.M_nodes[i]
		k, l := m.Aabb, n.Aabb
		m.Aabb, n.Aabb = box2d.B2AABB{}, box2d.B2AABB{}
		if m != n || !same(k.LowerBound.X, l.LowerBound.X) || !same(k.LowerBound.Y, l.LowerBound.Y) ||
			!same(k.UpperBound.X, l.UpperBound.X) || !same(k.UpperBound.Y, l.UpperBound.Y) {
			return false
		}
	}
	return true
}

func TestATreeBecomesWhatTheLibraryMakesOfItNodeByNode(t *testing.T) {
	for seed := range uint64(norace.Rounds(200, 20)) {
		r := rand.New(rand.NewPCG(seed, 1))
		ours, theirs := box2d.MakeB2DynamicTree(), box2d.MakeB2DynamicTree()
		// Some boxes are in a row, which makes the tree rotate many nodes, and some have NaNs.
		box := func() box2d.B2AABB {
			x, y, w := r.Float64()*40, r.Float64()*40, r.Float64()*3
			switch seed % 4 {
			case 1:
				x, y = float64(r.IntN(4000)), 0
			case 2:
				x, y, w = float64(r.IntN(5)), float64(r.IntN(5)), 1 // many are equal
			}
			b := box2d.B2AABB{LowerBound: box2d.B2Vec2{X: x, Y: y}, UpperBound: box2d.B2Vec2{X: x + w, Y: y + w}}
			if seed%4 == 3 && r.IntN(20) == 0 {
				for _, v := range []*float64{&b.LowerBound.X, &b.LowerBound.Y, &b.UpperBound.X, &b.UpperBound.Y} {
					if r.IntN(2) == 0 {
						*v = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}[r.IntN(4)]
					}
				}
			}
			return b
		}
		var leaves []int
		for op := range 400 {
			switch k := r.IntN(8); {
			case k < 2 || len(leaves) == 0:
				b := box()
				leaf := theirs.CreateProxy(b, op)
				if ours.CreateProxy(b, op) != leaf {
					t.Fatalf("seed %d, operation %d: another leaf", seed, op)
				}
				leaves = append(leaves, leaf)
			case k == 2:
				i := r.IntN(len(leaves))
				RemoveLeaf(&ours, leaves[i], nil)
				theirs.RemoveLeaf(leaves[i])
				InsertLeaf(&ours, leaves[i], nil)
				theirs.InsertLeaf(leaves[i])
			default:
				i := r.IntN(len(leaves))
				b, d := box(), box2d.B2Vec2{X: r.NormFloat64(), Y: r.NormFloat64()}
				if got, want := MoveProxy(&ours, leaves[i], b, d, nil), theirs.MoveProxy(leaves[i], b, d); got != want {
					t.Fatalf("seed %d, operation %d: moved %v, the library's: %v", seed, op, got, want)
				}
			}
			if !sameTree(&ours, &theirs) {
				t.Fatalf("seed %d, operation %d: the trees differ", seed, op)
			}
		}
	}
}

func TestRoomThatIsReservedIsWhatTheLibraryMakes(t *testing.T) {
	add := func(n int, to ...*box2d.B2DynamicTree) {
		for i := range n {
			for _, tree := range to {
				tree.CreateProxy(box2d.B2AABB{UpperBound: box2d.B2Vec2{X: float64(i + 1), Y: 1}}, nil)
			}
		}
	}
	for n := range 200 {
		ours, theirs := box2d.MakeB2DynamicTree(), box2d.MakeB2DynamicTree()
		add(n%9, &ours, &theirs)
		if n%9 > 2 { // some nodes in the middle must be free
			ours.DestroyProxy(1)
			theirs.DestroyProxy(1)
		}
		Reserve(&ours, 2*n)
		room := &ours.M_nodes[0]
		add(n, &ours, &theirs)
		for i := range min(len(ours.M_nodes), len(theirs.M_nodes)) {
			if n := &ours.M_nodes[i]; n.Height >= 0 { // the Next of a node that is not free means nothing
				n.Next = theirs.M_nodes[i].Next
			}
		}
		if room != &ours.M_nodes[0] {
			t.Errorf("%d more shapes do not fit", n)
		}
		if len(ours.M_nodes) != len(theirs.M_nodes) || ours.M_nodeCapacity != theirs.M_nodeCapacity || !sameTree(&ours, &theirs) {
			t.Errorf("%d more shapes: another tree", n)
		}
	}
}
