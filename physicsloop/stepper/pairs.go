package stepper

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ByteArena/box2d"
)

// ErrCrowded is what errors wrap that say that too many shapes overlap to go on.
var ErrCrowded = errors.New("too many shapes overlap")

// pairFinder is the scratch of findNewContacts.
type pairFinder struct {
	stack []int32
	keys  []uint64 // of pairs to add
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
			f.query(&bp.M_tree, int32(q), &s.mirror.pairs)
			if n := s.opts.MaxPairs; n > 0 && len(f.keys) > n {
				panic(fmt.Errorf("%w: more than %d new pairs in one step", ErrCrowded, n))
			}
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
func (f *pairFinder) query(t *box2d.B2DynamicTree, q int32, known *pairSet) {
	nodes := t.M_nodes
	box := nodes[q].Aabb
	// A box with NaN overlaps all others, but is not always found by them.
	lost := hasNaN(&box)
	body := nodes[q].UserData.(*box2d.B2FixtureProxy).Fixture.M_body
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
		key := pairKey(id, q)
		if known.has(key) || n.UserData.(*box2d.B2FixtureProxy).Fixture.M_body == body {
			continue
		}
		f.keys = append(f.keys, key)
	}
	f.stack = stack
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
	s.mirror.pairs.add(r.pair())
}

func attach(e *box2d.B2ContactEdge, i box2d.B2ContactInterface, body, other *box2d.B2Body) {
	e.Contact, e.Other = i, other
	e.Next = body.M_contactList
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_contactList = e
}
