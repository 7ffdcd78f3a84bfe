package scene

import (
	"halfstep/internal/geometry"
	"halfstep/internal/query"
)

// tree is a binary tree of boxes. It is built anew for each picture, from the root down. If all
// boxes move, this is faster than an update of the tree.
type tree struct {
	leaves []leaf  // the leaves, in the order of the tree
	nodes  []node  // the nodes; the first child of a node comes right after the node
	stack  []int32 // scratch memory of search
}

type leaf struct {
	box   geometry.Box
	shape int32 // the index in Scene.Shapes
}

type node struct {
	box geometry.Box
	// A node with leaves has n leaves, from the index first. A node with children has n = 0, and
	// second is the index of the second child.
	first, n, second int32
}

// bunch is the greatest number of leaves that a node has.
const bunch = 4

func (t *tree) reset() { t.leaves, t.nodes = t.leaves[:0], t.nodes[:0] }

// add adds a shape and its box, unless the box is empty or not finite.
func (t *tree) add(shape int32, b geometry.Box) {
	if isFinite(&b) {
		t.leaves = append(t.leaves, leaf{b, shape})
	}
}

func isFinite(b *geometry.Box) bool {
	const most = 1e300
	return b.Min.X >= -most && b.Min.Y >= -most && b.Max.X <= most && b.Max.Y <= most && b.Min.X <= b.Max.X
}

func (t *tree) build() {
	if len(t.leaves) > 0 {
		t.grow(0, int32(len(t.leaves)))
	}
}

func (t *tree) grow(begin, end int32) geometry.Box {
	k := len(t.nodes)
	t.nodes = append(t.nodes, node{first: begin, n: end - begin})
	around := geometry.Nothing
	if end-begin <= bunch {
		for i := begin; i < end; i++ {
			around = around.Around(&t.leaves[i].box)
		}
		t.nodes[k].box = around
		return around
	}
	middle := t.split(begin, end)
	a := t.grow(begin, middle)
	second := int32(len(t.nodes))
	b := t.grow(middle, end)
	around = a.Around(&b)
	t.nodes[k] = node{box: around, second: second}
	return around
}

// split divides the box around the centres of leaves in the middle of its longer side. It moves the
// leaves of the first half before the leaves of the second half, and returns the index at which the
// second half begins.
func (t *tree) split(begin, end int32) int32 {
	leaves := t.leaves[begin:end]
	c := leaves[0].box.Centre()
	centres := geometry.Box{Min: c, Max: c}
	for i := range leaves {
		c = leaves[i].box.Centre()
		centres = centres.Around(&geometry.Box{Min: c, Max: c})
	}
	half, cut := centres.Half(), centres.Centre()
	upright := half.Y > half.X
	n := 0
	for i := range leaves {
		if c = leaves[i].box.Centre(); upright && c.Y < cut.Y || !upright && c.X < cut.X {
			leaves[i], leaves[n] = leaves[n], leaves[i]
			n++
		}
	}
	if n == 0 || n == len(leaves) {
		n = len(leaves) / 2
	}
	return begin + int32(n)
}

func (t *tree) search(q *query.Question, x *index) {
	if len(t.nodes) == 0 {
		return
	}
	stack := append(t.stack[:0], 0)
	for len(stack) > 0 && !q.Done() {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &t.nodes[k]
		if !q.Reaches(&n.box) {
			continue
		}
		if n.n > 0 {
			for i := range t.leaves[n.first : n.first+n.n] {
				if l := &t.leaves[n.first+int32(i)]; q.Reaches(&l.box) {
					x.offer(q, l.shape)
				}
			}
			continue
		}
		first, second := k+1, n.second
		if q.IsNearer(t.nodes[first].box.Centre(), t.nodes[second].box.Centre()) {
			first, second = second, first
		}
		stack = append(stack, first, second)
	}
	t.stack = stack
}
