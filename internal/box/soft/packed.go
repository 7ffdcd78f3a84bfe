package soft

import (
	"math"
	"math/bits"

	"halfstep/internal/atomic"
	"halfstep/internal/box"
	"halfstep/internal/box/tree"
	"halfstep/internal/partition"
	"halfstep/internal/reslice"
)

// packedTree is a view of the world's tree in which the eight children of a node are side by side
// in memory. The search for pairs uses it if many shapes have moved. It changes no result, because
// the pairs depend on the boxes alone.
//
// The leaves keep their order from one search to the next, until many nodes have become much larger
// than when the leaves were sorted.
type packedTree struct {
	leaves []int32                   // leaves are the shapes. Eight neighbours make a node of the lowest level.
	boxes  []leafBoxes               // boxes are the boxes of the leaves.
	shapes []leafShape               // shapes are those of the leaves, as noteMoved has copied them.
	edges  []edges                   // edges are those of the leaves, followed by those of the nodes above them, level by level.
	levels []int                     // levels are the indices in edges at which the levels begin, and the end of the last level.
	moved  []uint8                   // by lowest node: the leaves whose pairs are searched for, as bits
	sizes  []float64                 // sizes are the perimeters of the lowest nodes at the last sort.
	points []partition.Item[float32] // points, like parts, is scratch memory of sort.
	parts  [][]partition.Item[float32]
	fits   bool        // fits says that no box has changed since the last pack.
	gone   atomic.Bool // gone says that a leaf is no longer in the tree. The method copyLeaves sets it.
}

// leafBoxes has the box of a leaf in the world's tree, and the leaf's box in shapes.fatBoxes.
type leafBoxes struct{ box, fat aabb }

// leafShape has the filter of a leaf's shape, and the shape's body.
type leafShape struct {
	filter box.Filter
	body   int32
}

// packWidth is the number of children of a node. Missing children have the value noEdges.
const packWidth = 8

// A node is loose if its perimeter is more than `loose` times as large as at the last sort. The
// leaves are sorted again if more than one node in `looseNodes` nodes is loose.
const (
	loose      = 1.25
	looseNodes = 8
)

// edges are the ends of a box, rounded. Each number is for one axis. Its upper half is the lower
// end of the box, and its lower half is mostEdge minus the upper end. The highest bit of both
// halves is 0. The method meet therefore does two comparisons with one subtraction: if that bit is
// first set, neither half borrows from the other. It needs no branch, which the processor could not
// predict. Boxes that meet have edges that meet.
type edges struct{ x, y uint64 }

const (
	mostEdge = 1<<31 - 1
	tops     = 1<<63 | 1<<31
)

var noEdges = edges{mostEdge<<32 | mostEdge, mostEdge<<32 | mostEdge}

func edgesOf(b *aabb) edges {
	return edges{edge(b.lx)<<32 | mostEdge - edge(b.ux), edge(b.ly)<<32 | mostEdge - edge(b.uy)}
}

// edge maps x to 30 bits. It keeps the order of numbers.
func edge(x float64) uint64 {
	i := int32(math.Float32bits(float32(x)))
	sign := i >> 31
	return uint64(uint32((i&math.MaxInt32^sign)-sign+math.MinInt32) >> 2)
}

// place returns a number whose edge is n.
func place(n uint64) float64 {
	i := int32(uint32(n)<<2) + math.MinInt32
	sign := i >> 31
	return float64(math.Float32frombits(uint32((i ^ sign) - sign | sign&math.MinInt32)))
}

func (e *edges) perimeter() float64 {
	return place(mostEdge-e.x&mostEdge) - place(e.x>>32) + place(mostEdge-e.y&mostEdge) - place(e.y>>32)
}

func (e *edges) union(f *edges) edges { return edges{leastHalves(e.x, f.x), leastHalves(e.y, f.y)} }

// leastHalves returns the lesser of the two upper halves together with the lesser of the two lower
// halves.
func leastHalves(a, b uint64) uint64 {
	m := ((a | tops) - b) & tops
	return a ^ (a^b)&(m-m>>31)
}

// facing converts the edges of a box to the form with which meet compares other edges.
func (e *edges) facing() edges {
	return edges{bits.RotateLeft64(^e.x, 32), bits.RotateLeft64(^e.y, 32)}
}

// meet shifts a bit into m at the top. The bit says whether e meets the box whose facing is f.
func (e *edges) meet(f *edges, m uint64) uint64 {
	t := (f.x - e.x) & (f.y - e.y)
	return m>>1 | t&(t<<32)&(1<<63)
}

// pack updates the tree from the world's tree, whose shapes have numbers below n. The function
// copied calls copyLeaves for all lowest nodes, and sorted calls sortParts for a number of parts.
func (t *packedTree) pack(of *tree.Tree, n int, copied func(), sorted func(parts int)) {
	if t.fits {
		return
	}
	t.fits = true
	fresh := len(t.leaves) != of.Count() || len(t.leaves) == 0 || !t.fit(copied)
	if fresh {
		t.hold(of, n)
		t.fit(copied)
	}
	if fresh || t.isLoose() {
		t.sort(sorted)
		t.fit(copied)
		t.sizes = t.sizes[:0]
		for i := range t.nodeCount() {
			t.sizes = append(t.sizes, t.lowest()[i].perimeter())
		}
	}
}

// lookFor allocates the memory for noteMoved.
func (t *packedTree) lookFor() {
	t.moved, t.shapes = reslice.ResizeDirty(t.moved, t.nodeCount()), reslice.ResizeDirty(t.shapes, len(t.leaves))
}

// noteMoved marks the leaves of some lowest nodes that have moved. The search looks for their
// pairs. It also copies the data that decide about these pairs, because a shape is near several
// others.
func (t *packedTree) noteMoved(moves *box.Moves, shapes []shape, from, to int) {
	clear(t.moved[from:to])
	from, to = from*packWidth, min(to*packWidth, len(t.leaves))
	for i := from; i < to; i++ {
		if (i-from)%Fetched == 0 {
			fetchNext(shapes, t.leaves[i:to])
		}
		k := t.leaves[i]
		t.shapes[i] = leafShape{shapes[k].filter, shapes[k].body}
		t.moved[i/packWidth] |= uint8(one(moves.Has(k)) << (i % packWidth))
	}
}

// hold lists the leaves of the world's tree, and allocates the nodes above them.
func (t *packedTree) hold(of *tree.Tree, n int) {
	t.leaves = t.leaves[:0]
	for k := range int32(n) {
		if of.Has(k) {
			t.leaves = append(t.leaves, k)
		}
	}
	t.boxes = reslice.ResizeDirty(t.boxes, len(t.leaves))
	t.levels = append(t.levels[:0], 0)
	end := 0
	for width := len(t.leaves); len(t.levels) < 3 || width > 1; width = nodesOf(width) {
		end += max(nodesOf(width), 1) * packWidth
		t.levels = append(t.levels, end)
	}
	t.edges = reslice.ResizeDirty(t.edges, end)
	for i := range t.edges {
		t.edges[i] = noEdges
	}
}

func nodesOf(width int) int { return (width + packWidth - 1) / packWidth }

func (t *packedTree) lowest() []edges { return t.edges[t.levels[1]:t.levels[2]] }

// isLoose reports whether the leaves must be sorted again.
func (t *packedTree) isLoose() bool {
	count := 0
	for i, was := range t.sizes {
		count += one(t.lowest()[i].perimeter() > loose*was)
	}
	return count*looseNodes > len(t.sizes)
}

// copyLeaves copies the boxes of the leaves of some lowest nodes, and computes the boxes of these
// nodes. It sets gone if a leaf is no longer in the world's tree.
func (t *packedTree) copyLeaves(tree *tree.Tree, fats []aabb, from, to int) {
	end := min(to*packWidth, len(t.leaves))
	for i := from * packWidth; i < end; i++ {
		if (i-from*packWidth)%Fetched == 0 {
			fetchNext(tree.Leaves(), t.leaves[i:end])
			fetchNext(fats, t.leaves[i:end])
		}
		k := t.leaves[i]
		if !tree.Has(k) {
			t.gone.Store(true)
			return
		}
		of := &t.boxes[i]
		of.box, of.fat = boxOf(tree.Box(k)), fats[k]
		t.edges[i] = edgesOf(&of.box)
	}
	for i := from; i < to; i++ {
		t.lowest()[i] = t.around(0, i)
	}
}

// fit computes all boxes. It returns false if a leaf is no longer in the world's tree.
func (t *packedTree) fit(copied func()) bool {
	t.gone.Store(false)
	if copied(); t.gone.Load() {
		return false
	}
	for l := 3; l < len(t.levels); l++ {
		above := t.edges[t.levels[l-1]:t.levels[l]]
		for i := range nodesOf(t.levels[l-1] - t.levels[l-2]) {
			above[i] = t.around(l-2, i)
		}
	}
	return true
}

// around returns the edges around the children of node i. The children are at the given level, and the
// node is at the next level.
func (t *packedTree) around(level, i int) edges {
	c := t.children(level, int32(i))
	e := c[0]
	for k := 1; k < packWidth; k++ {
		e = e.union(&c[k])
	}
	return e
}

// children returns the edges of the children of node i. The children are at the given level, and the
// node is at the next level.
func (t *packedTree) children(level int, i int32) *[packWidth]edges {
	return (*[packWidth]edges)(t.edges[t.levels[level]+int(i)*packWidth:])
}

// sort orders the leaves so that neighbours are close to each other. It calls sorted with the
// number of parts. There are several parts for each worker, even if there are many workers.
func (t *packedTree) sort(sorted func(parts int)) {
	t.points = reslice.ResizeDirty(t.points, len(t.leaves))
	for i, k := range t.leaves {
		b := &t.boxes[i].box
		t.points[i] = partition.Item[float32]{At: [2]float32{float32(b.lx + b.ux), float32(b.ly + b.uy)}, Of: k}
	}
	part := packWidth
	for part*64 < len(t.leaves) {
		part *= 2
	}
	t.parts = t.parts[:0]
	split(t.points, part, func(points []partition.Item[float32]) { t.parts = append(t.parts, points) })
	sorted(len(t.parts))
	for i := range t.points {
		t.leaves[i] = t.points[i].Of
	}
}

func (t *packedTree) sortParts(from, to int) {
	for _, points := range t.parts[from:to] {
		split(points, packWidth, nil)
	}
}

// split orders the leaves so that the leaves of each part are close to each other, and also the leaves
// of each larger part (each aligned power of two). The parameter part is the number of leaves in a
// part. If done is not nil, split calls it with each part.
func split(points []partition.Item[float32], part int, done func([]partition.Item[float32])) {
	for len(points) > part {
		half := part
		for 2*half < len(points) {
			half *= 2
		}
		partition.Part(points, half)
		split(points[half:], part, done)
		points = points[:half]
	}
	if done != nil {
		done(points)
	}
}

func (t *packedTree) nodeCount() int { return nodesOf(len(t.leaves)) }

// movedIn writes the leaves of a lowest node whose pairs are searched for to the slice found. It
// also returns the edges of a box around these leaves.
func (t *packedTree) movedIn(n int, found []int32) ([]int32, edges) {
	all := noEdges
	found = found[:0]
	for m := t.moved[n]; m != 0; m &= m - 1 {
		i := n*packWidth + bits.TrailingZeros8(m)
		all = all.union(&t.edges[i])
		found = append(found, int32(i))
	}
	return found, all
}

// near writes the lowest nodes that meet b to the slice found. On each level it keeps the nodes
// that meet b, and continues with their children.
func (t *packedTree) near(b edges, found []int32) []int32 {
	f := b.facing()
	found = append(found[:0], 0)
	for level := len(t.levels) - 2; level >= 1; level-- {
		n := len(found)
		for k := 0; k < n; k += mostMeeting {
			for m := t.meeting(level, found[k:min(k+mostMeeting, n)], &f); m != 0; m &= m - 1 {
				at := bits.TrailingZeros64(m)
				found = append(found, found[k+at/packWidth]*packWidth+int32(at%packWidth))
			}
		}
		found = found[:copy(found, found[n:])]
	}
	return found
}

// visit calls f for the leaves that meet b, until f returns false. It returns the stack.
func (t *packedTree) visit(b *aabb, stack []int32, f func(id int32) bool) []int32 {
	e := edgesOf(b)
	facing := e.facing()
	stack = t.near(e, stack)
	for nodes := stack; len(nodes) > 0; nodes = nodes[min(len(nodes), mostMeeting):] {
		for m := t.meeting(0, nodes[:min(len(nodes), mostMeeting)], &facing); m != 0; m &= m - 1 {
			at := bits.TrailingZeros64(m)
			if i := int(nodes[at/packWidth])*packWidth + at%packWidth; b.overlaps(&t.boxes[i].box) && !f(t.leaves[i]) {
				return stack
			}
		}
	}
	return stack
}

// mostMeeting is the greatest number of nodes for which meeting can be called.
const mostMeeting = 64 / packWidth

// meeting takes the children of some nodes at a level. It returns, as bits, which of them meet the
// box whose facing is f.
func (t *packedTree) meeting(level int, nodes []int32, f *edges) uint64 {
	all := t.edges[t.levels[level]:]
	if wide {
		return meetingAVX2(&all[0].x, &nodes[0], len(nodes), &f.x) >> (64 - packWidth*len(nodes))
	}
	return meetingPlain(all, nodes, f) >> (64 - packWidth*len(nodes))
}

// meetingPlain is the Go version of meeting. The children of the last node are in the highest bits.
func meetingPlain(all []edges, nodes []int32, f *edges) (m uint64) {
	for _, n := range nodes {
		for _, e := range (*[packWidth]edges)(all[int(n)*packWidth:]) {
			m = e.meet(f, m)
		}
	}
	return m
}

// asked takes nodes that are near node n. It removes the nodes after n whose leaves have all moved.
// These nodes search for their own pairs, and of two nodes the later one finds the pair.
func (t *packedTree) asked(nodes []int32, n int32) []int32 {
	count := 0
	for _, k := range nodes {
		nodes[count] = k
		count += one(k <= n) | one(t.moved[k] != math.MaxUint8)
	}
	return nodes[:count]
}

// leavesMeeting takes some lowest nodes. It writes those of their leaves to met whose edges meet
// the edges of leaf i. If two leaves have both moved, only the later one counts as meeting the
// other.
func (t *packedTree) leavesMeeting(i int32, nodes, met []int32) []int32 {
	f, lowest, moved := t.edges[i].facing(), t.lowest(), t.moved
	met = reslice.ResizeDirty(met, (packWidth+1)*len(nodes))
	// the nodes that meet the leaf are at the end of met, and their leaves are written before these nodes
	meets, own, n := met[packWidth*len(nodes):], i/packWidth, 0
	for _, k := range nodes {
		meets[n] = k
		n += int(lowest[k].meet(&f, 0) >> 63)
	}
	meets, n = meets[:n], 0
	for len(meets) > 0 {
		some, may := meets[:min(len(meets), mostMeeting)], uint64(0)
		meets = meets[len(some):]
		for j, k := range some {
			m := ^moved[k]
			if k < own {
				m = math.MaxUint8
			} else if k == own {
				m |= 1<<(uint32(i)%packWidth) - 1
			}
			may |= uint64(m) << (packWidth * j)
		}
		for m := t.meeting(0, some, &f) & may; m != 0; m &= m - 1 {
			at := bits.TrailingZeros64(m)
			met[n] = some[at/packWidth&(mostMeeting-1)]*packWidth + int32(at%packWidth)
			n++
		}
	}
	return met[:n]
}

// mayMeet reports whether the boxes of two leaves meet and shapes.mayMeet returns true for the shapes
// of the leaves.
func (t *packedTree) mayMeet(i, k int32) bool {
	a, b := &t.boxes[i], &t.boxes[k]
	return a.fat.overlaps(&b.fat) ||
		a.box.overlaps(&b.box) && a.fat.willMeet(&b.fat, a.box.beyond(&a.fat), b.box.beyond(&b.fat))
}
