package soft

import (
	"fmt"
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/b2"
	"halfstep/physicsloop/stepper/active"
)

// broadPhase finds pairs and keeps the trees in order.
type broadPhase struct {
	queries  []int32
	inBuffer []bool
	found    []found // by block of queries
	keys     []uint64
	flat     []flatNode // the tree, where there are many queries
	dirty    []bool     // by node of the tree: its box is to be computed
	strays   []int32    // nodes of the tree that are to be inserted anew
	statics  staticTree
}

// findPairs creates the contacts of the proxies in the world's move buffer.
func (s *Stepper) findPairs() {
	bp := &s.world.M_contactManager.M_broadPhase
	n := bp.M_moveCount
	if n == 0 {
		return
	}
	queries := s.queries[:0]
	for _, q := range bp.M_moveBuffer[:n] {
		if q != box2d.E_nullProxy && !s.inBuffer[q] {
			s.inBuffer[q] = true
			queries = append(queries, int32(q))
		}
	}
	s.queries = queries
	s.flat = s.flat[:0]
	if bp.M_proxyCount < flattenFrom*len(queries) && bp.M_tree.M_root != box2d.B2_nullNode {
		s.flatten(bp.M_tree.M_nodes, bp.M_tree.M_root)
	}
	blocks := s.blocksOf(len(queries), queryBlock, 4)
	s.found = growTo(s.found, blocks)
	s.run(stageQuery, len(queries), blocks)
	keys := s.keys[:0]
	for i := range blocks {
		keys = append(keys, s.found[i].keys...)
	}
	for _, q := range queries {
		s.inBuffer[q] = false
	}
	bp.M_moveCount = 0
	if most := s.opts.MaxPairs; most > 0 && len(keys) > most {
		panic(fmt.Errorf("%w: more than %d new pairs in one step", s.opts.TooManyPairs, most))
	}
	slices.Sort(keys)
	s.keys = keys
	s.contacts = slices.Grow(s.contacts, s.set.Grow(len(keys)))
	last := uint64(math.MaxUint64)
	for _, key := range keys {
		if key != last {
			last = key
			s.addPair(int32(key>>32), int32(uint32(key)))
		}
	}
}

const queryBlock = 32

// found is what a block of queries has found.
type found struct {
	keys  []uint64
	stack []int32
}

// queryBlocks finds the pairs of some of the moved proxies.
func (s *Stepper) queryBlock(block, from, to int) {
	f := &s.found[block]
	f.keys = f.keys[:0]
	for _, q := range s.queries[from:to] {
		s.query(f, q)
	}
}

// flattenFrom is how many proxies there may be for each query for the tree to be
// flattened first.
const flattenFrom = 16

// flatNode is a node of the flattened tree: in depth-first order, with the place
// at which to go on if its box is not met.
type flatNode struct {
	box
	skip  int32
	proxy int32 // -1 for an inner node
}

// flatten copies the tree into s.flat.
func (s *Stepper) flatten(nodes []box2d.B2TreeNode, i int) {
	n := &nodes[i]
	at := len(s.flat)
	s.flat = append(s.flat, flatNode{box: boxOf(&n.Aabb), proxy: int32(i)})
	if n.Child1 != box2d.B2_nullNode {
		s.flat[at].proxy = -1
		s.flatten(nodes, n.Child1)
		s.flatten(nodes, n.Child2)
	}
	s.flat[at].skip = int32(len(s.flat))
}

// query adds the pairs of proxy q that have no contact yet. Of two moved proxies
// the higher one reports the pair.
func (s *Stepper) query(f *found, q int32) {
	t := &s.world.M_contactManager.M_broadPhase.M_tree
	fat := boxOf(&t.M_nodes[q].Aabb)
	body := s.shapes[q].body
	fixed := s.bodies[body].b.M_type != b2.DynamicBody
	if flat := s.flat; len(flat) > 0 {
		for i := 0; i < len(flat); {
			n := &flat[i]
			if !n.overlaps(&fat) {
				i = int(n.skip)
				continue
			}
			if n.proxy >= 0 {
				s.pair(f, q, n.proxy, body, fixed)
			}
			i++
		}
		return
	}
	f.stack = visit(t, &fat, f.stack, func(id int32) { s.pair(f, q, id, body, fixed) })
}

// visit calls f for the leaves of a tree that meet b. It returns the stack.
func visit(t *box2d.B2DynamicTree, b *box, stack []int32, f func(id int32)) []int32 {
	stack = append(stack[:0], int32(t.M_root))
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id == box2d.B2_nullNode {
			continue
		}
		n := &t.M_nodes[id]
		if !(n.Aabb.LowerBound.X <= b.ux && b.lx <= n.Aabb.UpperBound.X &&
			n.Aabb.LowerBound.Y <= b.uy && b.ly <= n.Aabb.UpperBound.Y) {
			continue
		}
		if n.Child1 != box2d.B2_nullNode {
			stack = append(stack, int32(n.Child1), int32(n.Child2))
			continue
		}
		f(id)
	}
	return stack
}

// pair notes the pair of proxies q and id if they may get a contact.
func (s *Stepper) pair(f *found, q, id, body int32, fixed bool) {
	if id == q || id > q && s.inBuffer[id] {
		return
	}
	other := s.shapes[id].body
	if other == body || fixed && s.bodies[other].b.M_type != b2.DynamicBody {
		return
	}
	if s.set.Find(id, q) < 0 {
		f.keys = append(f.keys, active.Key(id, q))
	}
}

// addPair creates and links the contact of two proxies if their bodies, the
// world's filter and their shapes allow one.
func (s *Stepper) addPair(a, b int32) {
	mgr := &s.world.M_contactManager
	sa, sb := &s.shapes[a], &s.shapes[b]
	if !b2.ShouldCollide(sb.f.M_body, sa.f.M_body) {
		return
	}
	if mgr.M_contactFilter != nil && !mgr.M_contactFilter.ShouldCollide(sa.f, sb.f) {
		return
	}
	n := s.set.AddContact(sa.f, int(sa.child), sb.f, int(sb.child))
	if n < 0 {
		return
	}
	s.newContact(n)
	if !b2.IsSensor(s.set.Contact[n].C) {
		s.loadWoken(sa.body)
		s.loadWoken(sb.body)
	}
}
