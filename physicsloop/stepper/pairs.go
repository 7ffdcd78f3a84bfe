package stepper

import (
	"math"
	"slices"

	"github.com/ByteArena/box2d"
)

// pairFinder is the scratch of findNewContacts.
type pairFinder struct {
	stack []int32
	keys  []uint64 // lower proxy id in the upper half
	moved []uint32 // by proxy id: the round in which it moved last
	round uint32
}

// findNewContacts creates the contacts of proxies that have moved.
//
// The library queries the tree for every moved proxy, sorts all pairs it finds
// and then drops duplicates and pairs that have a contact. Here those never
// enter the list: a pair of two moved proxies is reported by the lower one
// only, and one with a contact by neither. What is left is sorted in the same
// order, so filters are asked and contacts are linked in the stock order.
func (s *Stepper) findNewContacts() {
	bp := &s.world.M_contactManager.M_broadPhase
	if bp.M_moveCount == 0 {
		return
	}
	f := &s.pairs
	f.begin(bp)
	for _, q := range bp.M_moveBuffer[:bp.M_moveCount] {
		if q != box2d.E_nullProxy {
			f.query(&bp.M_tree, int32(q))
		}
	}
	bp.M_moveCount = 0

	slices.Sort(f.keys)
	last := uint64(math.MaxUint64)
	for _, key := range f.keys {
		if key == last {
			continue
		}
		last = key
		nodes := bp.M_tree.M_nodes
		s.addPair(nodes[key>>32].UserData.(*box2d.B2FixtureProxy), nodes[uint32(key)].UserData.(*box2d.B2FixtureProxy))
	}
}

func (f *pairFinder) begin(bp *box2d.B2BroadPhase) {
	f.keys = f.keys[:0]
	if n := len(bp.M_tree.M_nodes); len(f.moved) < n {
		f.moved = make([]uint32, n)
		f.round = 0
	}
	f.round++
	if f.round == 0 {
		clear(f.moved)
		f.round = 1
	}
	for _, q := range bp.M_moveBuffer[:bp.M_moveCount] {
		if q != box2d.E_nullProxy {
			f.moved[q] = f.round
		}
	}
}

// query collects the pairs of proxy q that have no contact yet.
func (f *pairFinder) query(t *box2d.B2DynamicTree, q int32) {
	nodes := t.M_nodes
	box := nodes[q].Aabb
	// A box with NaN overlaps all others, but is not always found by them.
	lost := hasNaN(&box)
	proxy := nodes[q].UserData.(*box2d.B2FixtureProxy)
	stack := append(f.stack[:0], int32(t.M_root))
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id == box2d.B2_nullNode {
			continue
		}
		n := &nodes[id]
		if !overlap(&n.Aabb, &box) {
			continue
		}
		if n.Child1 != box2d.B2_nullNode {
			stack = append(stack, int32(n.Child1), int32(n.Child2))
			continue
		}
		if id == q || id > q && f.moved[id] == f.round && !lost {
			continue
		}
		other := n.UserData.(*box2d.B2FixtureProxy)
		if other.Fixture.M_body == proxy.Fixture.M_body || touchesAlready(proxy, other) {
			continue
		}
		f.keys = append(f.keys, uint64(min(id, q))<<32|uint64(max(id, q)))
	}
	f.stack = stack
}

// touchesAlready looks for the contact of two proxies in the lists of both
// bodies at once, so that the shorter list decides how long it takes.
func touchesAlready(a, b *box2d.B2FixtureProxy) bool {
	bA, bB := a.Fixture.M_body, b.Fixture.M_body
	eA, eB := bA.M_contactList, bB.M_contactList
	for eA != nil && eB != nil {
		if eA.Other == bB && joins(eA.Contact, a, b) || eB.Other == bA && joins(eB.Contact, a, b) {
			return true
		}
		eA, eB = eA.Next, eB.Next
	}
	return false
}

func joins(i box2d.B2ContactInterface, a, b *box2d.B2FixtureProxy) bool {
	c, _ := unwrap(i)
	return c.M_fixtureA == a.Fixture && c.M_fixtureB == b.Fixture && c.M_indexA == a.ChildIndex && c.M_indexB == b.ChildIndex ||
		c.M_fixtureA == b.Fixture && c.M_fixtureB == a.Fixture && c.M_indexA == b.ChildIndex && c.M_indexB == a.ChildIndex
}

// addPair creates and links the contact of two proxies if their bodies, the
// world's filter and their shapes allow one.
func (s *Stepper) addPair(a, b *box2d.B2FixtureProxy) {
	mgr := &s.world.M_contactManager
	if !bodiesCollide(b.Fixture.M_body, a.Fixture.M_body) {
		return
	}
	if mgr.M_contactFilter != nil && !mgr.M_contactFilter.ShouldCollide(a.Fixture, b.Fixture) {
		return
	}
	i := newContact(a.Fixture, a.ChildIndex, b.Fixture, b.ChildIndex)
	if i == nil {
		return
	}
	r := refer(i)

	if head := mgr.M_contactList; head != nil {
		r.c.M_next = head
		if h, _ := unwrap(head); h != nil {
			h.M_prev = i
		}
	}
	mgr.M_contactList = i
	attach(r.c.M_nodeA, i, r.bA, r.bB)
	attach(r.c.M_nodeB, i, r.bB, r.bA)
	if !r.fA.M_isSensor && !r.fB.M_isSensor {
		wake(r.bA)
		wake(r.bB)
	}
	mgr.M_contactCount++
	s.mirror.contacts = append(s.mirror.contacts, r)
}

func attach(e *box2d.B2ContactEdge, i box2d.B2ContactInterface, body, other *box2d.B2Body) {
	e.Contact, e.Other = i, other
	e.Next = body.M_contactList
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_contactList = e
}
