package scene

import (
	"math"

	"halfstep/internal/geometry"
	"halfstep/internal/partition"
	"halfstep/internal/query"
)

// kept is a binary tree of boxes, balanced by height as AVL trees are. The time to add or remove a
// box grows with the logarithm of the number of boxes. The index (index.go) has one for the bodies
// at rest.
type kept struct {
	nodes []keptNode
	root  int32
	free  int32   // the first free node; the parent of a free node is the next free node
	stack []int32 // scratch memory of search
}

type keptNode struct {
	box    geometry.Box
	parent int32
	child  [2]int32 // none in a leaf
	height int32    // 0 in a leaf
	shape  int32    // for a leaf, the index of its shape in Scene.Shapes
}

// none means that there is no node.
const none = -1

// leaf makes a leaf for a shape and its box, without adding the leaf to the tree. It returns none
// if the box is empty or not finite.
func (t *kept) leaf(shape int32, b geometry.Box) int32 {
	if !isFinite(&b) {
		return none
	}
	leaf := t.node()
	t.nodes[leaf] = keptNode{box: b, parent: none, child: [2]int32{none, none}, shape: shape}
	return leaf
}

func (t *kept) insert(leaf int32) {
	if t.root == none {
		t.root = leaf
		return
	}
	b := t.nodes[leaf].box
	// descend to the place at which the boxes grow least
	at := t.root
	for t.nodes[at].height > 0 {
		n := &t.nodes[at]
		least, to := math.Inf(1), int32(none)
		for _, c := range n.child {
			child := &t.nodes[c].box
			around := child.Around(&b)
			grown := halfPerimeter(&around)
			if t.nodes[c].height > 0 {
				grown -= halfPerimeter(child)
			}
			if grown < least || to == none {
				least, to = grown, c
			}
		}
		at = to
	}
	fork, over := t.node(), t.nodes[at].parent
	t.nodes[fork] = keptNode{parent: over, child: [2]int32{at, leaf}}
	t.replace(over, at, fork)
	t.nodes[at].parent, t.nodes[leaf].parent = fork, fork
	t.refit(fork)
}

// build adds all leaves to the empty tree at once, which is much faster than one after another.
// Elements that are none are ignored.
func (t *kept) build(leaves []int32) {
	built := make([]partition.Item[float32], 0, len(leaves))
	for _, leaf := range leaves {
		if leaf != none {
			c := t.nodes[leaf].box.Centre()
			built = append(built, partition.Item[float32]{At: [2]float32{float32(c.X), float32(c.Y)}, Of: leaf})
		}
	}
	if len(built) > 0 {
		t.root = t.join(built)
	}
}

// join builds a tree of some leaves, and returns the root.
func (t *kept) join(leaves []partition.Item[float32]) int32 {
	if len(leaves) == 1 {
		return leaves[0].Of
	}
	middle := len(leaves) / 2
	partition.Part(leaves, middle)
	fork := t.node()
	a, b := t.join(leaves[:middle]), t.join(leaves[middle:])
	t.nodes[fork] = keptNode{parent: none, child: [2]int32{a, b}}
	t.nodes[a].parent, t.nodes[b].parent = fork, fork
	t.measure(fork)
	return fork
}

func (t *kept) remove(leaf int32) {
	fork := t.nodes[leaf].parent
	t.release(leaf)
	if fork == none {
		t.root = none
		return
	}
	n := &t.nodes[fork]
	other, over := n.child[0], n.parent
	if other == leaf {
		other = n.child[1]
	}
	t.nodes[other].parent = over
	t.replace(over, fork, other)
	t.release(fork)
	t.refit(over)
}

// halfPerimeter returns half the perimeter of a box.
func halfPerimeter(b *geometry.Box) float64 { return b.Max.X - b.Min.X + b.Max.Y - b.Min.Y }

func (t *kept) node() int32 {
	if t.free == none {
		t.nodes = append(t.nodes, keptNode{})
		return int32(len(t.nodes) - 1)
	}
	i := t.free
	t.free = t.nodes[i].parent
	return i
}

func (t *kept) release(i int32) {
	t.nodes[i].parent = t.free
	t.free = i
}

// replace makes the node by a child of the node over in place of the node child. If child is the
// root, over is none.
func (t *kept) replace(over, child, by int32) {
	if over == none {
		t.root = by
		return
	}
	c := &t.nodes[over].child
	if c[0] == child {
		c[0] = by
	} else {
		c[1] = by
	}
}

// refit updates boxes and heights from a node up to the root.
func (t *kept) refit(i int32) {
	for i != none {
		i = t.balance(i)
		t.measure(i)
		i = t.nodes[i].parent
	}
}

func (t *kept) measure(i int32) {
	n := &t.nodes[i]
	a, b := &t.nodes[n.child[0]], &t.nodes[n.child[1]]
	n.box = a.box.Around(&b.box)
	n.height = 1 + max(a.height, b.height)
}

// balance rotates a node if the heights of its children differ by two or more. It returns the node
// that is then at the place of the given node.
func (t *kept) balance(i int32) int32 {
	n := &t.nodes[i]
	high := 0
	lean := t.nodes[n.child[0]].height - t.nodes[n.child[1]].height
	if lean < 0 {
		high, lean = 1, -lean
	}
	if lean < 2 {
		return i
	}
	up := n.child[high]
	u := &t.nodes[up]
	// the lower of the two children of the higher child becomes a child of i
	low := 0
	if t.nodes[u.child[0]].height > t.nodes[u.child[1]].height {
		low = 1
	}
	down := u.child[low]
	t.replace(n.parent, i, up)
	u.parent, n.parent = n.parent, up
	u.child[low], n.child[high] = i, down
	t.nodes[down].parent = i
	t.measure(i)
	return up
}

func (t *kept) search(q *query.Question, x *index) {
	if t.root == none {
		return
	}
	stack := append(t.stack[:0], t.root)
	for len(stack) > 0 && !q.Done() {
		n := &t.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		if !q.Reaches(&n.box) {
			continue
		}
		if n.height == 0 {
			x.offer(q, n.shape)
			continue
		}
		first, second := n.child[0], n.child[1]
		if q.IsNearer(t.nodes[first].box.Centre(), t.nodes[second].box.Centre()) {
			first, second = second, first
		}
		stack = append(stack, first, second)
	}
	t.stack = stack
}
