package box

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// finder is what FindNewContacts needs.
type finder struct {
	mostPairs int   // that one search may find; 0 is no limit
	tooMany   error // wrapped in the panic if it finds more

	stack      []int32
	pairBuffer []uint64 // keys of the pairs that may get a contact
	moved      []uint32 // by proxy id: the update in which it was in the move buffer last
	round      uint32   // number of this update
}

// LimitPairs makes FindNewContacts panic with an error that wraps tooMany where one
// search finds more than most new pairs; 0 is no limit. Filters have not been asked
// about these pairs yet.
func (s *World) LimitPairs(most int, tooMany error) {
	s.finder.mostPairs, s.finder.tooMany = most, tooMany
}

// FindNewContacts creates the contacts of the proxies in the move buffer. It is
// B2ContactManager.FindNewContacts with B2BroadPhase.UpdatePairs.
//
// The library queries the tree for every proxy in the move buffer, sorts all
// pairs that it finds, and then drops duplicates and pairs that have a contact.
// Here those never enter the pair buffer: of two proxies in the move buffer only
// the higher one reports their pair. What is left is sorted in the same order, so
// filters are asked and contacts are linked in the library's order.
func (s *World) FindNewContacts() {
	mgr := &s.world.M_contactManager
	bp := &mgr.M_broadPhase
	if bp.M_moveCount == 0 {
		return
	}
	b := &s.finder
	b.markMoved(bp)
	for _, q := range bp.M_moveBuffer[:bp.M_moveCount] {
		if q != box2d.E_nullProxy {
			b.query(&bp.M_tree, int32(q), &s.pairs)
			if n := b.mostPairs; n > 0 && len(b.pairBuffer) > n {
				panic(fmt.Errorf("%w: more than %d new pairs in one step", b.tooMany, n))
			}
		}
	}
	bp.M_moveCount = 0

	s.Grow(len(b.pairBuffer))
	slices.Sort(b.pairBuffer)
	for _, key := range slices.Compact(b.pairBuffer) {
		nodes := bp.M_tree.M_nodes
		pA, pB := nodes[key>>32].UserData.(*box2d.B2FixtureProxy), nodes[uint32(key)].UserData.(*box2d.B2FixtureProxy)
		if b2.MayCollide(mgr, pA.Fixture, pB.Fixture) {
			s.AddContact(pA.Fixture, pA.ChildIndex, pB.Fixture, pB.ChildIndex)
		}
	}
}

// mostRoom bounds for how many contacts room is made at once: filters may reject most
// pairs.
const mostRoom = 1 << 17

// Grow makes room for the contacts of so many pairs, and for a few that come after
// them.
func (s *World) Grow(pairs int) {
	n := min(pairs+pairs/16, mostRoom)
	s.Contact = withRoom(s.Contact, n-len(s.freeContacts))
	s.Contacts = withRoom(s.Contacts, n)
	if s.Soft {
		s.Own = withRoom(s.Own, n-len(s.freeContacts))
	}
	s.pairs.grow(n)
}

// FreeContacts returns the numbers that the next n contacts get, or fewer if there are none left
// from earlier contacts.
func (s *World) FreeContacts(n int) []int32 {
	return s.freeContacts[max(0, len(s.freeContacts)-n):]
}

// withRoom returns a table with room for n more. If it must grow, it grows by at least a
// half, so that it is seldom copied.
func withRoom[T any](table []T, n int) []T {
	if len(table)+n <= cap(table) {
		return table
	}
	return append(make([]T, 0, max(len(table)+n, cap(table)+cap(table)/2)), table...) // slices.Grow makes more
}

// markMoved notes which proxies are in the move buffer.
func (b *finder) markMoved(bp *box2d.B2BroadPhase) {
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
func (b *finder) query(t *box2d.B2DynamicTree, q int32, known *pairs) {
	nodes := t.M_nodes
	fatAABB := nodes[q].Aabb
	// An AABB with a NaN overlaps all others, but their queries may miss it: it reports all
	// its pairs itself.
	nan := b2.HasNaN(&fatAABB)
	body := nodes[q].UserData.(*box2d.B2FixtureProxy).Fixture.M_body
	stack := append(b.stack[:0], int32(t.M_root))
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if id == box2d.B2_nullNode {
			continue
		}
		n := &nodes[id]
		if !b2.TestOverlap(&n.Aabb, &fatAABB) {
			continue
		}
		if n.Child1 != box2d.B2_nullNode {
			stack = append(stack, int32(n.Child1), int32(n.Child2))
			continue
		}
		if id == q || id > q && b.moved[id] == b.round && !nan {
			continue
		}
		key := Key(Proxy(id), Proxy(q))
		if known.has(key) || n.UserData.(*box2d.B2FixtureProxy).Fixture.M_body == body {
			continue
		}
		b.pairBuffer = append(b.pairBuffer, key)
	}
	b.stack = stack
}

// Wakes reports whether a new contact of two fixtures wakes their bodies.
func (s *World) Wakes(fA, fB *box2d.B2Fixture) bool {
	a, b := fA.M_body, fB.M_body
	return !fA.M_isSensor && !fB.M_isSensor && !b2.StayAsleep(a, b) && (!s.Soft || b2.IsAwake(a) == b2.IsAwake(b))
}

// AddContact creates and links the contact of two fixtures' child shapes. It
// returns its number, or -1 if the library has no contact type for the pair.
func (s *World) AddContact(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) int32 {
	return s.admit(s.MakeContact(fA, indexA, fB, indexB), fA, fB)
}

// AddPair is AddContact for two shapes of the World's own.
func (s *World) AddPair(a, b int32) int32 {
	return s.admit(s.MakeOwn(a, b), s.Shapes.All[a].F, s.Shapes.All[b].F)
}

// admit lists a new contact of two fixtures, or none if its number is -1, and wakes what it wakes.
func (s *World) admit(n int32, fA, fB *box2d.B2Fixture) int32 {
	if n < 0 {
		return -1
	}
	e := &s.Contact[n]
	if s.Wakes(fA, fB) {
		b2.Wake(fA.M_body)
		b2.Wake(fB.M_body)
		s.Wake(e.A)
		s.Wake(e.B)
	}
	s.listContact(n) // for this step at least
	s.sweep = s.sweep || !s.Body[e.A].Listed && !s.Body[e.B].Listed
	return n
}

// MakeContact is AddContact, but it wakes and lists nothing.
func (s *World) MakeContact(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) int32 {
	i := s.made.New(fA, indexA, fB, indexB)
	if i == nil {
		return -1
	}
	c, kind := b2.Base(i)
	m := &s.world.M_contactManager
	c.M_next = m.M_contactList
	if h := b2.BaseContact(c.M_next); h != nil {
		h.M_prev = i
	}
	m.M_contactList = i
	m.M_contactCount++
	bA, bB := c.M_fixtureA.M_body, c.M_fixtureB.M_body
	b2.LinkEdge(c.M_nodeA, i, bA, bB)
	b2.LinkEdge(c.M_nodeB, i, bB, bA)
	return s.addContact(i, c, kind)
}
