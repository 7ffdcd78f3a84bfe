package stepper

import (
	"fmt"
	"math"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper/internal/pairset"
)

// broadPhase is the scratch of findNewContacts.
type broadPhase struct {
	stack      []int32
	pairBuffer []uint64 // keys of the pairs that may get a contact
	moved      []uint32 // by proxy id: the update in which it was in the move buffer last
	round      uint32   // number of this update
}

// findNewContacts creates the contacts of the proxies in the move buffer. It is
// B2ContactManager.FindNewContacts with B2BroadPhase.UpdatePairs.
//
// The library queries the tree for every proxy in the move buffer, sorts all
// pairs that it finds, and then drops duplicates and pairs that have a contact.
// Here those never enter the pair buffer: of two proxies in the move buffer only
// the higher one reports their pair. What is left is sorted in the same order, so
// filters are asked and contacts are linked in the library's order.
func (s *Stepper) findNewContacts() {
	bp := &s.world.M_contactManager.M_broadPhase
	if bp.M_moveCount == 0 {
		return
	}
	b := &s.broadPhase
	b.markMoved(bp)
	for _, q := range bp.M_moveBuffer[:bp.M_moveCount] {
		if q != box2d.E_nullProxy {
			b.query(&bp.M_tree, int32(q), &s.mirror.contactPairs)
			if n := s.opts.MaxPairs; n > 0 && len(b.pairBuffer) > n {
				panic(fmt.Errorf("%w: more than %d new pairs in one step", s.opts.TooManyPairs, n))
			}
		}
	}
	bp.M_moveCount = 0

	slices.Sort(b.pairBuffer)
	last := uint64(math.MaxUint64)
	for _, key := range b.pairBuffer {
		if key == last {
			continue
		}
		last = key
		nodes := bp.M_tree.M_nodes
		s.addPair(nodes[key>>32].UserData.(*box2d.B2FixtureProxy), nodes[uint32(key)].UserData.(*box2d.B2FixtureProxy))
	}
}

// markMoved notes which proxies are in the move buffer.
func (b *broadPhase) markMoved(bp *box2d.B2BroadPhase) {
	b.pairBuffer = b.pairBuffer[:0]
	if n := len(bp.M_tree.M_nodes); len(b.moved) < n {
		b.moved = make([]uint32, n)
		b.round = 0
	}
	b.round++
	if b.round == 0 {
		clear(b.moved)
		b.round = 1
	}
	for _, q := range bp.M_moveBuffer[:bp.M_moveCount] {
		if q != box2d.E_nullProxy {
			b.moved[q] = b.round
		}
	}
}

// query adds the pairs of proxy q that have no contact to the pair buffer.
func (b *broadPhase) query(t *box2d.B2DynamicTree, q int32, contactPairs *pairset.Set) {
	nodes := t.M_nodes
	fatAABB := nodes[q].Aabb
	// An AABB with a NaN overlaps all others, but their queries may miss it.
	nan := hasNaN(&fatAABB)
	body := nodes[q].UserData.(*box2d.B2FixtureProxy).Fixture.M_body
	stack := append(b.stack[:0], int32(t.M_root))
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id == box2d.B2_nullNode {
			continue
		}
		n := &nodes[id]
		if !testOverlap(&n.Aabb, &fatAABB) {
			continue
		}
		if n.Child1 != box2d.B2_nullNode {
			stack = append(stack, int32(n.Child1), int32(n.Child2))
			continue
		}
		if id == q || id > q && b.moved[id] == b.round && !nan {
			continue
		}
		key := pairset.Key(id, q)
		if contactPairs.Has(key) || n.UserData.(*box2d.B2FixtureProxy).Fixture.M_body == body {
			continue
		}
		b.pairBuffer = append(b.pairBuffer, key)
	}
	b.stack = stack
}

// addPair creates and links the contact of two proxies if their bodies, the
// world's filter and their shapes allow one.
func (s *Stepper) addPair(a, b *box2d.B2FixtureProxy) {
	mgr := &s.world.M_contactManager
	if !ShouldCollide(b.Fixture.M_body, a.Fixture.M_body) {
		return
	}
	if mgr.M_contactFilter != nil && !mgr.M_contactFilter.ShouldCollide(a.Fixture, b.Fixture) {
		return
	}
	i := NewContact(a.Fixture, a.ChildIndex, b.Fixture, b.ChildIndex)
	if i == nil {
		return
	}
	r := makeContactRef(i)

	if head := mgr.M_contactList; head != nil {
		r.c.M_next = head
		if h, _ := baseContact(head); h != nil {
			h.M_prev = i
		}
	}
	mgr.M_contactList = i
	linkContactEdge(r.c.M_nodeA, i, r.bA, r.bB)
	linkContactEdge(r.c.M_nodeB, i, r.bB, r.bA)
	if !r.fA.M_isSensor && !r.fB.M_isSensor {
		wake(r.bA)
		wake(r.bB)
	}
	mgr.M_contactCount++
	s.mirror.contacts = append(s.mirror.contacts, r)
	s.mirror.contactPairs.Add(r.pair())
}

func linkContactEdge(e *box2d.B2ContactEdge, i box2d.B2ContactInterface, body, other *box2d.B2Body) {
	e.Contact, e.Other = i, other
	e.Next = body.M_contactList
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_contactList = e
}
