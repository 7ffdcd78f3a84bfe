package b2state

import (
	"math/rand/v2"
	"testing"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/store"
)

// tangled is a world whose tree is as far out of balance as its leaves allow: each node
// has a leaf as a child, so the next move of a leaf rotates many nodes.
func tangled(r *rand.Rand, leaves int) *box2d.B2World {
	w := box2d.MakeB2World(box2d.B2Vec2{})
	t := &w.M_contactManager.M_broadPhase.M_tree
	var nodes []int
	for range leaves {
		n := t.AllocateNode()
		t.M_nodes[n].Aabb = boxAt(r)
		nodes = append(nodes, n)
	}
	for len(nodes) > 1 {
		i, j := len(nodes)-1, len(nodes)-2 // a vine
		if r.IntN(4) == 0 {
			j = r.IntN(len(nodes) - 1)
		}
		a, b, n := nodes[i], nodes[j], t.AllocateNode()
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		to := &t.M_nodes[n]
		to.Child1, to.Child2 = a, b
		to.Height = 1 + max(t.M_nodes[a].Height, t.M_nodes[b].Height)
		to.Aabb.CombineTwoInPlace(t.M_nodes[a].Aabb, t.M_nodes[b].Aabb)
		t.M_nodes[a].Parent, t.M_nodes[b].Parent = n, n
		nodes[j] = nodes[len(nodes)-2]
		nodes[len(nodes)-2] = n
		nodes = nodes[:len(nodes)-1]
	}
	t.M_root = nodes[0]
	return &w
}

func boxAt(r *rand.Rand) box2d.B2AABB {
	x, y := float64(r.IntN(8)), float64(r.IntN(3)) // many are alike
	return box2d.B2AABB{LowerBound: box2d.B2Vec2{X: x, Y: y}, UpperBound: box2d.B2Vec2{X: x + 1, Y: y + 1}}
}

// shapeAt is a shape that has one leaf.
func shapeAt(leaf int) *box2d.B2Fixture {
	return &box2d.B2Fixture{M_proxyCount: 1, M_proxies: []box2d.B2FixtureProxy{{ProxyId: leaf}}}
}

// Leaves move any number of times before a search. From the nodes that were marked, the
// search finds all changed nodes.
func TestAllNodesThatATreeChangesAreFound(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		leaves := make([]int, 2+r.IntN(60))
		w := tangled(r, len(leaves))
		for i := range leaves {
			leaves[i] = i
		}
		set := box.New(w, true)
		if !set.Begin() {
			t.Fatal("it can not be looked at")
		}
		columns := new(store.Store)
		p := NewPast(w, set, columns, new(Shapes))
		var state store.State
		tree := &w.M_contactManager.M_broadPhase.M_tree
		for range 60 {
			columns.Take(&state)
			p.nodeCount = len(tree.M_nodes)
			for n := range tree.M_nodes {
				if *p.nodes.Last(n) != nodeOf(&tree.M_nodes[n]) {
					t.Fatalf("seed %d, %d leaves, after some moves: node %d has changed and was not found", seed, len(leaves), n)
				}
			}
			for range 1 + r.IntN(1+r.IntN(8)) {
				leaf := r.IntN(len(leaves))
				id := leaves[leaf]
				switch f := shapeAt(id); {
				case id >= 0 && r.IntN(6) > 0:
					set.Proxies.Move(id, boxAt(r), box2d.B2Vec2{})
				case id >= 0:
					set.Proxies.MovesShape(f)
					tree.DestroyProxy(id)
					leaves[leaf] = -1
				default:
					leaves[leaf] = tree.CreateProxy(boxAt(r), nil)
					set.Proxies.MovesShape(shapeAt(leaves[leaf]))
				}
			}
		}
	}
}
