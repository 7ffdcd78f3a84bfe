package soft

import (
	"slices"

	"github.com/ByteArena/box2d"
)

// packedTree is the world's tree once more, packed: a node has up to eight children one
// after the other, and no pointers. Where many shapes have moved, their pairs are found
// in it. It changes no result: which pairs there are follows from the boxes alone.
//
// The leaves keep their order from search to search. It is computed anew when many of the
// nodes have become much larger than they were then.
type packedTree struct {
	leaves []int32   // proxies: eight neighbours make a node
	moved  []int     // by place of a leaf: 1 if its pairs are looked for
	boxes  []box     // of the leaves, then of the nodes above them, level by level
	levels []int     // where in boxes each level begins, and the end
	sizes  []float64 // perimeters of the lowest nodes when the leaves were sorted
	points []centre
}

// centre is where a leaf is, times two.
type centre struct {
	at   [2]float64
	leaf int32
}

// packWidth is how many children a node has.
const packWidth = 8

const (
	// loose is how many times larger a node has become if it counts as much larger, and
	// looseNodes one in how many may be.
	loose      = 1.25
	looseNodes = 8
)

// pack brings the tree in line with the proxies that there are, of which there are n.
func (t *packedTree) pack(nodes []box2d.B2TreeNode, n int, moved []bool) {
	fresh := t.hold(nodes, n)
	t.fit(nodes)
	if fresh || t.isLoose() {
		t.sort()
		t.fit(nodes)
		t.sizes = t.sizes[:0]
		for i := range t.lowest() {
			t.sizes = append(t.sizes, t.lowest()[i].perimeter())
		}
	}
	t.moved = sizeTo(t.moved, len(t.leaves))
	for i, k := range t.leaves {
		t.moved[i] = one(moved[k])
	}
}

// hold lists all leaves, and reports whether they are others than before.
func (t *packedTree) hold(nodes []box2d.B2TreeNode, n int) bool {
	same := len(t.leaves) == n
	for _, k := range t.leaves {
		same = same && int(k) < len(nodes) && nodes[k].Height == 0
	}
	if same {
		return false
	}
	t.leaves = t.leaves[:0]
	for k := range nodes {
		if nodes[k].Height == 0 {
			t.leaves = append(t.leaves, int32(k))
		}
	}
	t.levels = append(t.levels[:0], 0)
	end := 0
	for width := len(t.leaves); ; width = (width + packWidth - 1) / packWidth {
		end += width
		t.levels = append(t.levels, end)
		if width <= packWidth {
			break
		}
	}
	t.boxes = sizeTo(t.boxes, end)
	return true
}

// lowest are the boxes of the lowest nodes.
func (t *packedTree) lowest() []box {
	if len(t.levels) < 3 {
		return nil
	}
	return t.boxes[t.levels[1]:t.levels[2]]
}

// isLoose reports whether the leaves are to be sorted anew.
func (t *packedTree) isLoose() bool {
	count := 0
	for i, was := range t.sizes {
		count += one(t.lowest()[i].perimeter() > loose*was)
	}
	return count*looseNodes > len(t.sizes)
}

// fit computes the boxes.
func (t *packedTree) fit(nodes []box2d.B2TreeNode) {
	for i, k := range t.leaves {
		t.boxes[i] = boxOf(&nodes[k].Aabb)
	}
	for l := 1; l+1 < len(t.levels); l++ {
		below := t.boxes[t.levels[l-1]:t.levels[l]]
		for i := t.levels[l]; i < t.levels[l+1]; i++ {
			b := nowhere
			for k := range below[:min(packWidth, len(below))] {
				b = b.union(&below[k])
			}
			below = below[min(packWidth, len(below)):]
			t.boxes[i] = b
		}
	}
}

// sort brings the leaves into an order in which neighbours are close to each other.
func (t *packedTree) sort() {
	t.points = sizeTo(t.points, len(t.leaves))
	for i, k := range t.leaves {
		b := &t.boxes[i]
		p := centre{[2]float64{b.lx + b.ux, b.ly + b.uy}, k}
		for a := range p.at {
			if !isFinite(p.at[a]) {
				p.at[a] = 0
			}
		}
		t.points[i] = p
	}
	split(t.points)
	for i := range t.points {
		t.leaves[i] = t.points[i].leaf
	}
}

// split cuts points in two along the longer side of the box around them, and so on, so
// that every aligned power of two of them is together.
func split(points []centre) {
	for len(points) > packWidth {
		half := packWidth
		for 2*half < len(points) {
			half *= 2
		}
		low, high := points[0].at, points[0].at
		for i := range points {
			for a, x := range points[i].at {
				low[a], high[a] = min(low[a], x), max(high[a], x)
			}
		}
		axis := 0
		if high[1]-low[1] > high[0]-low[0] {
			axis = 1
		}
		nth(points, half, axis)
		split(points[half:])
		points = points[:half]
	}
}

// nth moves the n lowest points along an axis to the front (Hoare's selection).
func nth(points []centre, n, axis int) {
	for len(points) > 1 && n > 0 && n < len(points) {
		a, b, c := points[0].at[axis], points[len(points)/2].at[axis], points[len(points)-1].at[axis]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := 0, len(points)-1
		for i <= j {
			for points[i].at[axis] < pivot {
				i++
			}
			for points[j].at[axis] > pivot {
				j--
			}
			if i <= j {
				points[i], points[j] = points[j], points[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			points = points[:j+1]
		case n >= i:
			points, n = points[i:], n-i
		default:
			return
		}
	}
}

// nodeCount is how many lowest nodes there are.
func (t *packedTree) nodeCount() int { return (len(t.leaves) + packWidth - 1) / packWidth }

// nodeOf returns which leaves a lowest node has: from, and up to but not including, to.
func (t *packedTree) nodeOf(n int) (from, to int) {
	return n * packWidth, min((n+1)*packWidth, len(t.leaves))
}

// near puts into found the lowest nodes that meet b: level by level, it keeps the nodes
// that do, and goes on with their children.
func (t *packedTree) near(b *box, found []int32) []int32 {
	level := len(t.levels) - 2
	found = found[:0]
	if level == 0 {
		return append(found, 0)
	}
	for i := range t.levels[level+1] - t.levels[level] {
		found = append(found, int32(i))
	}
	for {
		found = found[:meeting(t.boxes[t.levels[level]:t.levels[level+1]], found, found, b)]
		if level == 1 {
			return found
		}
		// From the back, each makes room for its children.
		n := len(found)
		found = slices.Grow(found, n*(packWidth-1))[:n*packWidth]
		for k := n - 1; k >= 0; k-- {
			first := found[k] * packWidth
			for j := range int32(packWidth) {
				found[k*packWidth+int(j)] = first + j
			}
		}
		level--
		if last := t.levels[level+1] - t.levels[level]; n > 0 {
			for int(found[len(found)-1]) >= last {
				found = found[:len(found)-1]
			}
		}
	}
}

// meeting puts those of some nodes that meet b to the front of met, which has room for
// all of them, and returns how many do.
func meeting(boxes []box, nodes, met []int32, b *box) int {
	n := 0
	for _, i := range nodes {
		met[n] = i
		n += boxes[i].meets(b)
	}
	return n
}

// leavesMeeting puts into met which leaves of some of the lowest nodes meet leaf i. Of two
// leaves that both have moved the later one has met the other.
func (t *packedTree) leavesMeeting(i int32, nodes, met []int32) []int32 {
	b, n := t.boxes[i], 0
	met = sizeTo(met, (packWidth+1)*len(nodes))
	// The nodes that meet it are at the end. What they have comes before them.
	at := packWidth * len(nodes)
	meets := met[at : at+copy(met[at:], nodes)]
	if lowest := t.lowest(); lowest != nil {
		meets = meets[:meeting(lowest, meets, meets, &b)]
	}
	for _, k := range meets {
		from, to := t.nodeOf(int(k))
		leaves, moved := t.boxes[from:to], t.moved[from:to]
		for j := range leaves {
			met[n] = int32(from + j)
			n += leaves[j].meets(&b) & (moved[j] ^ 1 | one(from+j < int(i)))
		}
	}
	return met[:n]
}

// meets is overlaps as a number. Whether boxes overlap is hard to foresee, so there is no
// branch.
func (a *box) meets(b *box) int {
	return one(a.lx <= b.ux) & one(b.lx <= a.ux) & one(a.ly <= b.uy) & one(b.ly <= a.uy)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
