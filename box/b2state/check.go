package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/plain"
)

// check refuses a broad phase that the library could not work with: it would
// run for ever, or reach for nodes that are not there.
func (s *State) check(r *plain.Reader) {
	w := &s.world
	if !r.Want(w.flags&box2d.B2World_Flags.E_locked == 0 && len(s.nodes) > 0) {
		return
	}
	isNode := func(i int32) bool { return i >= 0 && int(i) < len(s.nodes) }

	// Each leaf is the leaf of one proxy.
	leaves := make([]bool, len(s.nodes))
	proxies, count := s.proxies, 0
	for i := range s.fixtures {
		f := &s.fixtures[i].value
		for _, p := range proxies[:f.M_proxyCount] {
			if !r.Want(isNode(p.id) && !leaves[p.id]) {
				return
			}
			leaves[p.id] = true
			count++
		}
		proxies = proxies[len(f.M_proxies):]
	}
	r.Want(count == w.proxyCount)

	// The tree has all leaves, and the free list all other nodes.
	seen := make([]bool, len(s.nodes))
	inTree, free := 0, 0
	if w.root != box2d.B2_nullNode {
		if !r.Want(isNode(int32(w.root)) && w.root == int(int32(w.root)) && s.nodes[w.root].parent == int32(box2d.B2_nullNode)) {
			return
		}
		for stack := []int32{int32(w.root)}; len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n := &s.nodes[i]
			if !r.Want(!seen[i]) {
				return
			}
			seen[i] = true
			inTree++
			if n.child1 == int32(box2d.B2_nullNode) {
				if !r.Want(leaves[i] && n.height == 0 && n.child2 == n.child1) {
					return
				}
				count--
				continue
			}
			if !r.Want(!leaves[i] && isNode(n.child1) && isNode(n.child2) &&
				s.nodes[n.child1].parent == i && s.nodes[n.child2].parent == i &&
				n.height == 1+max(s.nodes[n.child1].height, s.nodes[n.child2].height)) {
				return
			}
			stack = append(stack, n.child1, n.child2)
		}
	}
	for i := w.freeList; i != box2d.B2_nullNode; i = int(s.nodes[i].next) {
		if !r.Want(i == int(int32(i)) && isNode(int32(i)) && !seen[i] && s.nodes[i].height == -1) {
			return
		}
		seen[i] = true
		free++
	}
	r.Want(count == 0 && inTree == w.nodeCount && inTree+free == len(s.nodes))
	for _, id := range s.moves {
		r.Want(id == box2d.E_nullProxy || isNode(id) && leaves[id])
	}
}
