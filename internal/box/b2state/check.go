package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
)

// checkMoves checks that the moves are of shapes that exist, and stores them.
func (l *Loaded) checkMoves(r *binenc.Reader, moves []int32) {
	r.Expect(l.World.M_flags&box2d.B2World_Flags.E_locked == 0)
	for _, k := range moves {
		if !r.Expect(k >= 0 && int(k) < len(l.Owner.Shapes.All) && l.Owner.Shapes.All[k].F != nil) {
			return
		}
	}
	l.Owner.Shapes.PutMoves(moves)
}

// check makes an error of a broad phase with which the library would loop for ever,
// or index a node that does not exist. r.Want(false) makes this an error of the
// reader. Earlier checks have limited M_proxyCount to len(M_proxies) and
// M_moveCount to len(M_moveBuffer).
func (l *Loaded) check(r *binenc.Reader) {
	bp := &l.World.M_contactManager.M_broadPhase
	t := &bp.M_tree
	nodes := t.M_nodes
	if !r.Expect(l.World.M_flags&box2d.B2World_Flags.E_locked == 0 && len(nodes) > 0) {
		return
	}
	isNode := func(i int) bool { return i >= 0 && i < len(nodes) }

	// Two proxies must not have the same leaf.
	leaves, count := make([]bool, len(nodes)), 0
	for _, f := range l.Fixtures {
		for k := range f.M_proxyCount {
			id := f.M_proxies[k].ProxyId
			if !r.Expect(isNode(id) && !leaves[id]) {
				return
			}
			leaves[id] = true
			count++
		}
	}
	r.Expect(count == bp.M_proxyCount)

	// Every leaf must be in the tree, and every other node in the free list.
	missing := count // leaves that the walk through the tree has not found yet
	seen := make([]bool, len(nodes))
	inTree, free := 0, 0
	if t.M_root != box2d.B2_nullNode {
		if !r.Expect(isNode(t.M_root) && nodes[t.M_root].Parent == box2d.B2_nullNode) {
			return
		}
		for stack := []int{t.M_root}; len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n := &nodes[i]
			if !r.Expect(!seen[i]) {
				return
			}
			seen[i] = true
			inTree++
			if n.Child1 == box2d.B2_nullNode {
				if !r.Expect(leaves[i] && n.Height == 0 && n.Child2 == n.Child1) {
					return
				}
				missing--
				continue
			}
			if !r.Expect(!leaves[i] && isNode(n.Child1) && isNode(n.Child2) &&
				nodes[n.Child1].Parent == i && nodes[n.Child2].Parent == i &&
				n.Height == 1+max(nodes[n.Child1].Height, nodes[n.Child2].Height)) {
				return
			}
			stack = append(stack, n.Child1, n.Child2)
		}
	}
	for i := t.M_freeList; i != box2d.B2_nullNode; i = nodes[i].Next {
		if !r.Expect(isNode(i) && !seen[i] && nodes[i].Height == -1) {
			return
		}
		seen[i] = true
		free++
	}
	r.Expect(missing == 0 && inTree == t.M_nodeCount && inTree+free == len(nodes))
	for _, id := range bp.M_moveBuffer[:bp.M_moveCount] {
		r.Expect(id == box2d.E_nullProxy || isNode(id) && leaves[id])
	}
}
