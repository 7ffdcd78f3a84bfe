package soft

import (
	"fmt"
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper"
	"halfstep/physicsloop/stepper/internal/pairset"
)

// findPairs creates the contacts of the proxies in the world's move buffer.
func (s *Stepper) findPairs() {
	bp := &s.world.M_contactManager.M_broadPhase
	n := bp.M_moveCount
	if n == 0 {
		return
	}
	if nodes := len(bp.M_tree.M_nodes); nodes > len(s.inBuffer) {
		s.inBuffer = growTo(s.inBuffer, nodes)
	}
	queries := s.queries[:0]
	for _, q := range bp.M_moveBuffer[:n] {
		if q != box2d.E_nullProxy && !s.inBuffer[q] {
			s.inBuffer[q] = true
			queries = append(queries, int32(q))
		}
	}
	s.queries = queries
	blocks := (len(queries) + queryBlock - 1) / queryBlock
	s.found = growTo(s.found, blocks)
	s.run(stageQuery, len(queries), queryBlock)
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

// query adds the pairs of proxy q that have no contact yet. Of two moved proxies
// the higher one reports the pair.
func (s *Stepper) query(f *found, q int32) {
	t := &s.world.M_contactManager.M_broadPhase.M_tree
	nodes := t.M_nodes
	fat := nodes[q].Aabb
	body := s.shapes[q].body
	fixed := s.poses[body].flags&poseDynamic == 0 && s.bodies[body].b.M_type != dynamicBody
	stack := append(f.stack[:0], int32(t.M_root))
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id == box2d.B2_nullNode {
			continue
		}
		n := &nodes[id]
		if !(n.Aabb.LowerBound.X <= fat.UpperBound.X && fat.LowerBound.X <= n.Aabb.UpperBound.X &&
			n.Aabb.LowerBound.Y <= fat.UpperBound.Y && fat.LowerBound.Y <= n.Aabb.UpperBound.Y) {
			continue
		}
		if n.Child1 != box2d.B2_nullNode {
			stack = append(stack, int32(n.Child1), int32(n.Child2))
			continue
		}
		if id == q || id > q && s.inBuffer[id] {
			continue
		}
		other := s.shapes[id].body
		if other == body || fixed && s.bodies[other].b.M_type != dynamicBody {
			continue
		}
		key := pairset.Key(id, q)
		if !s.pairs.Has(key) {
			f.keys = append(f.keys, key)
		}
	}
	f.stack = stack
}

// shouldCollide reports whether one of the bodies is dynamic and no joint
// between them prevents collision.
func shouldCollide(b, other *box2d.B2Body) bool {
	if b.M_type != dynamicBody && other.M_type != dynamicBody {
		return false
	}
	for e := b.M_jointList; e != nil; e = e.Next {
		if e.Other == other && !stepper.BaseJoint(e.Joint).M_collideConnected {
			return false
		}
	}
	return true
}

// addPair creates and links the contact of two proxies if their bodies, the
// world's filter and their shapes allow one.
func (s *Stepper) addPair(a, b int32) {
	mgr := &s.world.M_contactManager
	sa, sb := &s.shapes[a], &s.shapes[b]
	if !shouldCollide(sb.f.M_body, sa.f.M_body) {
		return
	}
	if mgr.M_contactFilter != nil && !mgr.M_contactFilter.ShouldCollide(sa.f, sb.f) {
		return
	}
	i := stepper.NewContact(sa.f, int(sa.child), sb.f, int(sb.child))
	if i == nil {
		return
	}
	c := stepper.BaseContact(i)
	if head := mgr.M_contactList; head != nil {
		c.M_next = head
		stepper.BaseContact(head).M_prev = i
	}
	mgr.M_contactList = i
	bA, bB := c.M_fixtureA.M_body, c.M_fixtureB.M_body
	linkEdge(c.M_nodeA, i, bA, bB)
	linkEdge(c.M_nodeB, i, bB, bA)
	mgr.M_contactCount++
	s.order = append(s.order, s.newSlot(i, c))
	s.contactHead = i
	s.pairs.Add(pairset.Key(a, b))
}

func linkEdge(e *box2d.B2ContactEdge, i box2d.B2ContactInterface, body, other *box2d.B2Body) {
	e.Contact, e.Other = i, other
	e.Next = body.M_contactList
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_contactList = e
}
