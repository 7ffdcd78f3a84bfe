// Package tree keeps boxes in a binary tree, so that a search for the boxes at a place need not
// look at all boxes.
//
// The owner of the boxes numbers them. The set of boxes that a search finds depends on the boxes
// alone. The order in which it finds them depends on the history of the tree. So no result may
// depend on that order, and saved states need not contain the nodes above the boxes.
package tree

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/partition"
	"halfstep/internal/reslice"
)

// Box is an axis-aligned box.
type Box = box2d.B2AABB

// Tree is a tree of boxes. The zero value is empty. Each box has a number, which the caller
// chooses. The tree needs memory for all numbers up to the highest.
//
// A ref refers to a box or to an inner node: it is the number of the box, or ^n for node n.
type Tree struct {
	leaves []Leaf // by number
	nodes  []node // above the boxes
	root   int32  // the ref of the topmost node; valid if there are boxes
	free   int32  // 1 + the first free node, or 0
	count  int

	// The work that Set leaves to Refit.
	dirty    []bool  // by node: the boxes below it have changed
	above    []int32 // the nodes for which dirty is set; a node may be in the list twice
	allDirty bool    // dirty is set for all nodes

	sorted  []int32                   // scratch of Refit: the dirty nodes, the lowest first
	ends    []int32                   // by height: where the nodes of that height end in sorted
	level   []int32                   // level are the nodes of one height.
	strayed [][]int32                 // by block of a level: the refs that need another place
	strays  []int32                   // strays are the refs of all levels that need another place.
	points  []partition.Item[float32] // scratch memory of Build

	// Placed counts how often a box was inserted into the tree, or a node with the boxes below it.
	Placed int
}

// Leaf is the entry of a box in a Tree.
type Leaf struct {
	box Box
	up  int32 // 1 + the node above the box, top for the root, or 0 for a number without a box
}

type node struct {
	box    Box
	child  [2]int32 // refs
	up     int32    // 1 + the node above; for a free node 1 + the next free node, or 0
	height int32    // 1 + the height of the higher child; 0 for a free node
}

const top = -1

// Count returns the number of boxes.
func (t *Tree) Count() int { return t.count }

// Has reports whether there is a box with the number k.
func (t *Tree) Has(k int32) bool { return int(k) < len(t.leaves) && t.leaves[k].up != 0 }

// Box points to the box with a number, or to the box around all boxes below a node. The caller
// must not write to it.
func (t *Tree) Box(ref int32) *Box {
	if ref >= 0 {
		return &t.leaves[ref].box
	}
	return &t.nodes[^ref].box
}

// Root returns the topmost node. ok is false if the tree is empty.
func (t *Tree) Root() (ref int32, ok bool) { return t.root, t.count > 0 }

// Children returns the two refs below a node. ok is false if the ref is a box.
func (t *Tree) Children(ref int32) (a, b int32, ok bool) {
	if ref >= 0 {
		return 0, 0, false
	}
	n := &t.nodes[^ref]
	return n.child[0], n.child[1], true
}

func (t *Tree) up(ref int32) *int32 {
	if ref >= 0 {
		return &t.leaves[ref].up
	}
	return &t.nodes[^ref].up
}

func (t *Tree) height(ref int32) int32 {
	if ref >= 0 {
		return 0
	}
	return t.nodes[^ref].height
}

// Reach makes the tables long enough for numbers below n.
func (t *Tree) Reach(n int) {
	if n > len(t.leaves) {
		t.leaves = reslice.Resize(t.leaves, n)
	}
}

// Insert adds a box.
func (t *Tree) Insert(k int32, b *Box) {
	t.Reach(int(k) + 1)
	t.leaves[k] = Leaf{*b, top}
	if t.count++; t.count == 1 {
		t.root = k
		t.Placed++
		return
	}
	t.link(k)
}

// Remove removes a box.
func (t *Tree) Remove(k int32) {
	if t.count--; t.count > 0 {
		t.unlink(k)
	}
	t.leaves[k] = Leaf{}
}

// Move changes the place and size of a box.
func (t *Tree) Move(k int32, b *Box) {
	if t.count == 1 {
		t.leaves[k].box = *b
		return
	}
	t.unlink(k)
	t.leaves[k].box = *b
	t.link(k)
}

// ExpectMoves is called before n calls of Set. It makes these calls faster if n is large.
func (t *Tree) ExpectMoves(n int) { t.allDirty = t.allDirty || 4*n > t.count }

// Set changes the place and size of a box. The box keeps its place in the tree, and the boxes
// above it are wrong until Refit is called.
func (t *Tree) Set(k int32, b *Box) {
	l := &t.leaves[k]
	l.box = *b
	if t.allDirty {
		return
	}
	for up := l.up; up > 0 && !t.dirty[up-1]; up = t.nodes[up-1].up {
		t.mark(up - 1)
	}
}

func (t *Tree) mark(n int32) {
	t.dirty[n] = true
	t.above = append(t.above, n)
}

// take returns a free node.
func (t *Tree) take() int32 {
	if n := t.free - 1; n >= 0 {
		t.free = t.nodes[n].up
		return n
	}
	t.nodes, t.dirty = append(t.nodes, node{}), append(t.dirty, false)
	return int32(len(t.nodes) - 1)
}

// link inserts a box, or a node with all boxes below it, into the tree. It chooses the place that
// adds least to the perimeters in the tree.
func (t *Tree) link(ref int32) {
	t.Placed++
	sibling := t.bestSibling(ref)
	n := t.take()
	t.nodes[n] = node{box: union(t.Box(sibling), t.Box(ref)), height: 1 + max(t.height(sibling), t.height(ref))}
	t.replace(*t.up(sibling), sibling, ^n)
	t.nodes[n].child = [2]int32{sibling, ref}
	*t.up(sibling), *t.up(ref) = n+1, n+1
	if t.isDirty(sibling) || t.isDirty(ref) {
		t.mark(n)
	}
	t.refit(t.nodes[n].up)
}

func (t *Tree) isDirty(ref int32) bool { return ref < 0 && t.dirty[^ref] }

// unlink removes a box, or a node with all boxes below it, from its place.
func (t *Tree) unlink(ref int32) {
	n := *t.up(ref) - 1
	p := &t.nodes[n]
	sibling, up := p.child[0], p.up
	if sibling == ref {
		sibling = p.child[1]
	}
	t.replace(up, ^n, sibling)
	*p = node{up: t.free}
	t.free, t.dirty[n] = n+1, false
	t.refit(up)
}

// replace replaces one ref by another in the node above it, or at the root.
func (t *Tree) replace(up, from, to int32) {
	*t.up(to) = up
	if up == top {
		t.root = to
		return
	}
	p := &t.nodes[up-1]
	if p.child[0] == from {
		p.child[0] = to
	} else {
		p.child[1] = to
	}
}

// refit computes the boxes and heights from a node towards the root until they no longer change,
// and rotates nodes whose children have very different heights.
func (t *Tree) refit(up int32) {
	for changes := true; up > 0 && changes; {
		n := t.balance(up - 1)
		p := &t.nodes[n]
		box, height := union(t.Box(p.child[0]), t.Box(p.child[1])), 1+max(t.height(p.child[0]), t.height(p.child[1]))
		changes = n != up-1 || height != p.height || box != p.box
		p.box, p.height, up = box, height, p.up
	}
}

// balance rotates a node's higher child up if the child is higher than the other child by more than
// one. It returns the node that is then at the place of node i.
func (t *Tree) balance(i int32) int32 {
	n := &t.nodes[i]
	switch d := t.height(n.child[1]) - t.height(n.child[0]); {
	case d > 1:
		return t.rotate(i, 1)
	case d < -1:
		return t.rotate(i, 0)
	}
	return i
}

// rotate moves a child of a node to the place of the node. The node moves to the place of the
// child's lower child, and that child moves to the place of the child.
func (t *Tree) rotate(i int32, side int) int32 {
	n := &t.nodes[i]
	at := ^n.child[side]
	u := &t.nodes[at]
	keep, give := u.child[1], u.child[0]
	if t.height(give) > t.height(keep) {
		keep, give = give, keep
	}
	t.replace(n.up, ^i, ^at)
	u.child, n.up = [2]int32{^i, keep}, at+1
	n.child[side], *t.up(give) = give, i+1
	n.box, n.height = union(t.Box(n.child[0]), t.Box(n.child[1])), 1+max(t.height(n.child[0]), t.height(n.child[1]))
	if t.dirty[i] && !t.dirty[at] {
		t.mark(at)
	}
	return at
}

// bestSibling returns the ref beside which a box adds least to the sum of all nodes' perimeters.
func (t *Tree) bestSibling(ref int32) int32 {
	b, i := t.Box(ref), t.root
	with, more := with(t.Box(i), b)
	for i < 0 {
		n := &t.nodes[^i]
		here := 2 * with
		with1, more1 := withOf(t, n.child[0], b)
		with2, more2 := withOf(t, n.child[1], b)
		cost1, cost2 := more1+2*more, more2+2*more
		if n.child[0] >= 0 { // the box of the new node contains the boxes of both children
			cost1 = with1 + 2*more
		}
		if n.child[1] >= 0 {
			cost2 = with2 + 2*more
		}
		switch {
		case here < cost1 && here < cost2:
			return i
		case cost1 < cost2:
			i, with, more = n.child[0], with1, more1
		default:
			i, with, more = n.child[1], with2, more2
		}
	}
	return i
}

func withOf(t *Tree, ref int32, b *Box) (float64, float64) { return with(t.Box(ref), b) }

// with returns the perimeter of the smallest box around two boxes, and by how much it exceeds the
// perimeter of a.
func with(a, b *Box) (both, more float64) {
	u := union(a, b)
	both = perimeter(&u)
	return both, both - perimeter(a)
}

func perimeter(b *Box) float64 {
	return b.UpperBound.X - b.LowerBound.X + b.UpperBound.Y - b.LowerBound.Y
}

// union returns the smallest box around two boxes.
func union(a, b *Box) Box {
	c := *a
	if b.LowerBound.X < c.LowerBound.X {
		c.LowerBound.X = b.LowerBound.X
	}
	if b.LowerBound.Y < c.LowerBound.Y {
		c.LowerBound.Y = b.LowerBound.Y
	}
	if b.UpperBound.X > c.UpperBound.X {
		c.UpperBound.X = b.UpperBound.X
	}
	if b.UpperBound.Y > c.UpperBound.Y {
		c.UpperBound.Y = b.UpperBound.Y
	}
	return c
}

// Visit calls f with the number of each box that meets b, until f returns false. It returns the
// stack, so that the next call can use its memory.
func (t *Tree) Visit(b *Box, stack []int32, f func(k int32) bool) []int32 {
	if t.count == 0 {
		return stack
	}
	stack = append(stack[:0], t.root)
	for len(stack) > 0 {
		ref := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n := t.Box(ref); !(n.LowerBound.X <= b.UpperBound.X && b.LowerBound.X <= n.UpperBound.X &&
			n.LowerBound.Y <= b.UpperBound.Y && b.LowerBound.Y <= n.UpperBound.Y) {
			continue
		}
		if ref < 0 {
			n := &t.nodes[^ref]
			stack = append(stack, n.child[0], n.child[1])
		} else if !f(ref) {
			break
		}
	}
	return stack
}

// Refit computes the boxes above those that Set has changed. If the two children of a node are too
// far apart, the lower child gets another place. The function run calls RefitBlock for n nodes in
// several blocks, which may run at the same time. If run is nil, one block follows the other.
func (t *Tree) Refit(run func(n int)) {
	t.list()
	t.strays = t.strays[:0]
	from := int32(0)
	for _, to := range t.ends {
		t.level = t.sorted[from:to]
		if run == nil {
			t.Blocks(1)
			t.RefitBlock(0, 0, len(t.level))
		} else {
			run(len(t.level))
		}
		lower := len(t.strays)
		for _, strays := range t.strayed {
			t.strays = append(t.strays, strays...)
		}
		slices.Sort(t.strays[lower:])
		from = to
	}
	for _, ref := range t.strays {
		if *t.up(ref) != top {
			t.unlink(ref) // unlink the node with all nodes below it
			t.link(ref)
		}
	}
}

// list writes the dirty nodes to sorted, the lowest first. It writes to ends, for each height,
// where the nodes of that height end in sorted.
func (t *Tree) list() {
	highest := int32(0)
	t.ends = t.ends[:0]
	if t.allDirty {
		t.above = t.above[:0]
		for n := range t.nodes {
			if t.dirty[n] = false; t.nodes[n].height > 0 {
				t.above = append(t.above, int32(n))
			}
		}
		t.allDirty = false
	} else {
		kept := t.above[:0]
		for _, n := range t.above {
			if t.dirty[n] { // if not, the node was listed twice or was removed
				t.dirty[n] = false
				kept = append(kept, n)
			}
		}
		t.above = kept
	}
	if len(t.above) == 0 {
		return
	}
	for _, n := range t.above {
		highest = max(highest, t.nodes[n].height)
	}
	t.ends = reslice.Resize(t.ends, int(highest+1))
	for _, n := range t.above {
		t.ends[t.nodes[n].height]++
	}
	sum := int32(0)
	for h, count := range t.ends {
		t.ends[h] = sum
		sum += count
	}
	t.sorted = reslice.ResizeDirty(t.sorted, len(t.above))
	for _, n := range t.above {
		h := t.nodes[n].height
		t.sorted[t.ends[h]] = n
		t.ends[h]++
	}
	t.above = t.above[:0]
}

// Blocks allocates the memory for n blocks of RefitBlock.
func (t *Tree) Blocks(n int) {
	for len(t.strayed) < n {
		t.strayed = append(t.strayed, nil)
	}
	for i := range t.strayed {
		t.strayed[i] = t.strayed[i][:0]
	}
}

// RefitBlock computes the boxes of some nodes of the same height. The boxes below these nodes are
// already computed.
func (t *Tree) RefitBlock(block, from, to int) {
	strays := t.strayed[block][:0]
	for _, k := range t.level[from:to] {
		n := &t.nodes[k]
		a, b := t.Box(n.child[0]), t.Box(n.child[1])
		n.box = union(a, b)
		if perimeter(&n.box) > 2*(perimeter(a)+perimeter(b)) {
			stray := n.child[0]
			if t.height(n.child[1]) < t.height(stray) {
				stray = n.child[1]
			}
			strays = append(strays, stray)
		}
	}
	t.strayed[block] = strays
}

// Build makes the tree of many boxes at once. This takes a fifth of the time that it takes to
// insert them one after the other. The tree must be empty.
func (t *Tree) Build(numbers []int32, of func(k int32) *Box) {
	if t.count = len(numbers); t.count == 0 {
		return
	}
	t.points = t.points[:0]
	for _, k := range numbers {
		t.Reach(int(k) + 1)
		b := of(k)
		t.leaves[k] = Leaf{*b, top}
		middle := [2]float32{float32(b.LowerBound.X + b.UpperBound.X), float32(b.LowerBound.Y + b.UpperBound.Y)} // doubled
		t.points = append(t.points, partition.Item[float32]{At: middle, Of: k})
	}
	t.root = t.split(t.points)
	*t.up(t.root) = top
	t.points = nil
}

// split makes the part of the tree for some boxes. It divides them into halves, across the longer
// side of their area.
func (t *Tree) split(points []partition.Item[float32]) int32 {
	if len(points) == 1 {
		return points[0].Of
	}
	half := len(points) / 2
	partition.Part(points, half)
	n := t.take()
	a, b := t.split(points[:half]), t.split(points[half:])
	t.nodes[n] = node{box: union(t.Box(a), t.Box(b)), child: [2]int32{a, b}, height: 1 + max(t.height(a), t.height(b))}
	*t.up(a), *t.up(b) = n+1, n+1
	return ^n
}

// Validate returns an error for the first wrong link, height or box.
func (t *Tree) Validate() error {
	boxes, inner := 0, 0
	for k := range t.leaves {
		if t.leaves[k].up != 0 {
			boxes++
		}
	}
	if boxes != t.count {
		return fmt.Errorf("the table has %d boxes instead of %d", boxes, t.count)
	}
	if t.count == 0 {
		return nil
	}
	if up := *t.up(t.root); up != top {
		return fmt.Errorf("the root has a link to a node above it, %d", up-1)
	}
	found := 0
	for stack := []int32{t.root}; len(stack) > 0; {
		ref := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if ref >= 0 {
			found++
			continue
		}
		inner++
		n := &t.nodes[^ref]
		for _, c := range n.child {
			if *t.up(c) != ^ref+1 {
				return fmt.Errorf("%d is below node %d, but its link leads to node %d", c, ^ref, *t.up(c)-1)
			}
		}
		if n.height != 1+max(t.height(n.child[0]), t.height(n.child[1])) {
			return fmt.Errorf("node %d has the wrong height %d", ^ref, n.height)
		}
		if around := union(t.Box(n.child[0]), t.Box(n.child[1])); n.box != around && !b2.HasNaN(&around) {
			return fmt.Errorf("the box of node %d is not the box around its children", ^ref)
		}
		if found+inner > 2*t.count {
			return fmt.Errorf("the nodes form a ring")
		}
		stack = append(stack, n.child[:]...)
	}
	free := 0
	for n := t.free - 1; n >= 0; n = t.nodes[n].up - 1 {
		if free++; free > len(t.nodes) || t.nodes[n].height != 0 {
			return fmt.Errorf("node %d is not free", n)
		}
	}
	if found != t.count || inner != t.count-1 || inner+free != len(t.nodes) {
		return fmt.Errorf("the root leads to %d boxes and %d nodes, of %d and %d, and %d nodes are free", found, inner, t.count, len(t.nodes), free)
	}
	return nil
}

// Nodes returns the length of the table of nodes. Every ref is greater than ^Nodes.
func (t *Tree) Nodes() int32 { return int32(len(t.nodes)) }

// Height returns the number of nodes on the longest path down from a node, or 0 for a box.
func (t *Tree) Height(ref int32) int32 { return t.height(ref) }

// Leaves has an entry for each number. A caller can use it to load the entry of a box into the
// cache.
func (t *Tree) Leaves() []Leaf { return t.leaves }
