package b2

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/stamps"
)

const noNode = box2d.B2_nullNode

// MoveProxy does the work of B2DynamicTree.MoveProxy, but faster, because the broad phase spends
// most of its time here while bodies fall. The resulting tree is the same, node by node. This
// function and the functions below mark the nodes that they change in the parameter changed, which
// may be nil.
func MoveProxy(t *box2d.B2DynamicTree, leaf int, box box2d.B2AABB, displacement box2d.B2Vec2, changed *stamps.Stamps) bool {
	if t.M_nodes[leaf].Aabb.Contains(box) {
		return false
	}
	RemoveLeaf(t, leaf, changed)
	box = Fattened(box)
	ahead(&box.LowerBound.X, &box.UpperBound.X, float64(box2d.B2_aabbMultiplier*displacement.X))
	ahead(&box.LowerBound.Y, &box.UpperBound.Y, float64(box2d.B2_aabbMultiplier*displacement.Y))
	t.M_nodes[leaf].Aabb = box
	InsertLeaf(t, leaf, changed)
	return true
}

// Fattened returns the fat AABB that the tree keeps for a shape that does not move.
func Fattened(b box2d.B2AABB) box2d.B2AABB {
	const r = box2d.B2_aabbExtension
	return box2d.B2AABB{
		LowerBound: box2d.B2Vec2{X: b.LowerBound.X - r, Y: b.LowerBound.Y - r},
		UpperBound: box2d.B2Vec2{X: b.UpperBound.X + r, Y: b.UpperBound.Y + r},
	}
}

// CreateProxies is B2Fixture.CreateProxies.
func CreateProxies(f *box2d.B2Fixture, bp *box2d.B2BroadPhase) {
	t := &bp.M_tree
	f.M_proxyCount = len(f.M_proxies)
	Reserve(t, 2*len(f.M_proxies)) // each child needs a leaf, and a node above the leaf
	for i := range f.M_proxies {
		p := &f.M_proxies[i]
		Bounds(&p.Aabb, f.M_shape, &f.M_body.M_xf, i)
		p.ProxyId, p.Fixture, p.ChildIndex = t.AllocateNode(), f, i
		n := &t.M_nodes[p.ProxyId]
		n.Aabb, n.UserData = Fattened(p.Aabb), p
		InsertLeaf(t, p.ProxyId, nil) // nil: the caller marks the changed nodes
		bp.M_proxyCount++
		bp.BufferMove(p.ProxyId)
	}
}

// Reserve allocates n more nodes at once. The library would double the table again and again. The
// resulting nodes are the same.
func Reserve(t *box2d.B2DynamicTree, n int) {
	size := t.M_nodeCapacity
	for size < t.M_nodeCount+n {
		size *= 2
	}
	if size > t.M_nodeCapacity {
		expand(t, size)
	}
}

func expand(t *box2d.B2DynamicTree, size int) {
	had := t.M_nodeCapacity
	t.M_nodes = append(make([]box2d.B2TreeNode, 0, size), t.M_nodes...)[:size]
	end := &t.M_freeList
	for *end != noNode {
		end = &t.M_nodes[*end].Next
	}
	for i := had; i < size; i++ {
		*end, t.M_nodes[i].Height = i, -1
		end = &t.M_nodes[i].Next
	}
	*end = noNode
	t.M_nodeCapacity = size
}

// ahead extends a box by d in the direction of d.
func ahead(lower, upper *float64, d float64) {
	if d < 0 {
		*lower += d
	} else {
		*upper += d
	}
}

// InsertLeaf is B2DynamicTree.InsertLeaf.
func InsertLeaf(t *box2d.B2DynamicTree, leaf int, changed *stamps.Stamps) {
	t.M_insertionCount++
	note(changed, leaf)
	if t.M_root == noNode {
		t.M_root = leaf
		t.M_nodes[leaf].Parent = noNode
		return
	}
	sibling := bestSibling(t, leaf)
	parent := t.AllocateNode()
	nodes := t.M_nodes
	n := &nodes[parent]
	n.Height = nodes[sibling].Height + 1
	unite(&n.Aabb, &nodes[leaf].Aabb, &nodes[sibling].Aabb)
	replaceChild(t, nodes[sibling].Parent, sibling, parent, changed)
	n.Child1, n.Child2 = sibling, leaf
	nodes[sibling].Parent, nodes[leaf].Parent = parent, parent
	note(changed, sibling)
	refit(t, parent, changed)
}

// RemoveLeaf is B2DynamicTree.RemoveLeaf.
func RemoveLeaf(t *box2d.B2DynamicTree, leaf int, changed *stamps.Stamps) {
	if leaf == t.M_root {
		t.M_root = noNode
		return
	}
	parent := t.M_nodes[leaf].Parent
	p := &t.M_nodes[parent]
	sibling, grandparent := p.Child1, p.Parent
	if sibling == leaf {
		sibling = p.Child2
	}
	replaceChild(t, grandparent, parent, sibling, changed)
	t.FreeNode(parent)
	note(changed, parent)
	refit(t, grandparent, changed)
}

func note(changed *stamps.Stamps, n int) {
	if changed != nil && n != noNode {
		changed.Mark(int32(n))
	}
}

// bestSibling returns the node beside which a leaf adds least to the sum of all nodes' perimeters.
func bestSibling(t *box2d.B2DynamicTree, leaf int) int {
	nodes, box, i := t.M_nodes, &t.M_nodes[leaf].Aabb, t.M_root
	with, more := perimeterWith(&nodes[i].Aabb, box)
	for {
		n := &nodes[i]
		if n.Child1 == noNode {
			return i
		}
		with1, more1 := perimeterWith(&nodes[n.Child1].Aabb, box)
		with2, more2 := perimeterWith(&nodes[n.Child2].Aabb, box)
		here, cost1, cost2 := 2*with, more1+2*more, more2+2*more
		if nodes[n.Child1].Child1 == noNode { // the box of the new parent contains the boxes of both children
			cost1 = with1 + 2*more
		}
		if nodes[n.Child2].Child1 == noNode {
			cost2 = with2 + 2*more
		}
		switch {
		case here < cost1 && here < cost2:
			return i
		case cost1 < cost2:
			i, with, more = n.Child1, with1, more1
		default:
			i, with, more = n.Child2, with2, more2
		}
	}
}

// replaceChild replaces a node by another one below parent, or at the root.
func replaceChild(t *box2d.B2DynamicTree, parent, from, to int, changed *stamps.Stamps) {
	note(changed, parent)
	note(changed, to)
	t.M_nodes[to].Parent = parent
	switch {
	case parent == noNode:
		t.M_root = to
	case t.M_nodes[parent].Child1 == from:
		t.M_nodes[parent].Child1 = to
	default:
		t.M_nodes[parent].Child2 = to
	}
}

// refit updates a node and all nodes above it, and balances them. The first node may be new.
func refit(t *box2d.B2DynamicTree, i int, changed *stamps.Stamps) {
	nodes, first, stale := t.M_nodes, i, true
	for i != noNode {
		was := i
		i = balance(t, i, changed)
		n := &nodes[i]
		if stale || i != was {
			a, b := &nodes[n.Child1], &nodes[n.Child2]
			height, box := n.Height, n.Aabb
			n.Height = 1 + max(a.Height, b.Height)
			unite(&n.Aabb, &a.Aabb, &b.Aabb)
			if stale = was == first || i != was || n.Height != height || !sameBits(&n.Aabb, &box); stale {
				note(changed, i)
			}
		}
		i = n.Parent
	}
}

func sameBits(a, b *box2d.B2AABB) bool {
	bits := math.Float64bits
	return bits(a.LowerBound.X) == bits(b.LowerBound.X) && bits(a.LowerBound.Y) == bits(b.LowerBound.Y) &&
		bits(a.UpperBound.X) == bits(b.UpperBound.X) && bits(a.UpperBound.Y) == bits(b.UpperBound.Y)
}

// balance rotates a node's taller child up if the child is taller than the other child by more than
// one. It returns the node that is then at the place of node i.
func balance(t *box2d.B2DynamicTree, i int, changed *stamps.Stamps) int {
	n := &t.M_nodes[i]
	if n.Height < 2 {
		return i
	}
	switch d := t.M_nodes[n.Child2].Height - t.M_nodes[n.Child1].Height; {
	case d > 1:
		return rotate(t, i, &n.Child2, n.Child1, changed)
	case d < -1:
		return rotate(t, i, &n.Child1, n.Child2, changed)
	}
	return i
}

// rotate moves a child of node i to the place of the node. The node moves to the place of the
// child's lower child. The lower child moves to the place of the child. The parameter child points
// to one of the node's two child fields, and the parameter other is the node's other child. The
// result is the child that has moved up.
func rotate(t *box2d.B2DynamicTree, i int, child *int, other int, changed *stamps.Stamps) int {
	nodes, up := t.M_nodes, *child
	n, u := &nodes[i], &nodes[up]
	keep, give := u.Child2, u.Child1
	if nodes[give].Height > nodes[keep].Height {
		keep, give = give, keep
	}
	replaceChild(t, n.Parent, i, up, changed)
	note(changed, i)
	note(changed, give)
	u.Child1, u.Child2, n.Parent = i, keep, up
	*child, nodes[give].Parent = give, i
	n.Height = 1 + max(nodes[other].Height, nodes[give].Height)
	unite(&n.Aabb, &nodes[other].Aabb, &nodes[give].Aabb)
	u.Height = 1 + max(n.Height, nodes[keep].Height)
	unite(&u.Aabb, &n.Aabb, &nodes[keep].Aabb)
	return up
}

// unite sets the parameter to to the smallest box around two boxes.
func unite(to, a, b *box2d.B2AABB) {
	l, u := box2d.B2Vec2{X: min(a.LowerBound.X, b.LowerBound.X), Y: min(a.LowerBound.Y, b.LowerBound.Y)},
		box2d.B2Vec2{X: max(a.UpperBound.X, b.UpperBound.X), Y: max(a.UpperBound.Y, b.UpperBound.Y)}
	if s := l.X + l.Y + u.X + u.Y; s != s { // math.Max of infinity and NaN would be infinity
		l = box2d.B2Vec2Min(a.LowerBound, b.LowerBound)
		u = box2d.B2Vec2Max(a.UpperBound, b.UpperBound)
	}
	to.LowerBound, to.UpperBound = l, u
}

func perimeter(b *box2d.B2AABB) float64 {
	return 2 * (b.UpperBound.X - b.LowerBound.X + (b.UpperBound.Y - b.LowerBound.Y))
}

// perimeterWith returns the perimeter of the smallest box around two boxes, and by how much it
// exceeds the perimeter of a.
func perimeterWith(a, b *box2d.B2AABB) (with, more float64) {
	var both box2d.B2AABB
	unite(&both, a, b)
	with = perimeter(&both)
	return with, with - perimeter(a)
}
