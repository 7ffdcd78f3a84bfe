package box

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/stamps"
)

// Leaves are the leaves of the tree of all shapes of enabled bodies. The tree is the library's, or the
// World's own.
type Leaves interface {
	// Waiting returns the number of shapes for which the next search looks for pairs.
	Waiting() int
	// FixtureAt returns the fixture at a leaf of the tree, or nil.
	FixtureAt(leaf int) *box2d.B2Fixture
	// Changes returns, by leaf, when the leaf's box last changed or the leaf last got another shape.
	Changes() *stamps.Stamps
	// Reserve allocates memory for a number of shapes.
	Reserve(shapes int)

	insert(f *box2d.B2Fixture)
	// remove removes the leaves of a fixture. The parameter lent reports whether other code may have the
	// library's objects.
	remove(f *box2d.B2Fixture, lent bool)
	// touchAll makes the next search look for all pairs of a fixture's children that have no contact.
	touchAll(f *box2d.B2Fixture)
	// moves is called before and after the library makes, moves or removes the leaves of a body.
	moves(b *box2d.B2Body)
	validate(b *box2d.B2Body) error
}

// Proxies are the leaves of the library's tree. The tree is empty if World.Soft.
type Proxies struct {
	Nodes stamps.Stamps // by node: when the library last changed the node
	Boxes stamps.Stamps // by node: when the box of the leaf at the node last changed

	// Near is the serial of Nodes at the last change of the tree near marked nodes. All is the serial at
	// the last change anywhere in the tree.
	Near, All uint64

	of     *box2d.B2BroadPhase
	index  moveIndex
	finder finder
}

func (s *Proxies) insert(f *box2d.B2Fixture) {
	b2.CreateProxies(f, s.of)
	s.MovesShape(f)
}

// remove removes the leaves of a shape from the broad phase, as B2Fixture.DestroyProxies does.
func (s *Proxies) remove(f *box2d.B2Fixture, lent bool) {
	s.MovesShape(f)
	for k := range f.M_proxyCount {
		id := f.M_proxies[k].ProxyId
		s.unbuffer(id, lent)
		s.of.M_proxyCount--
		s.of.M_tree.DestroyProxy(id)
		s.of.M_tree.M_nodes[id].UserData = nil // a pointer here would keep the fixture and its neighbours in memory
		f.M_proxies[k].ProxyId = box2d.E_nullProxy
	}
	f.M_proxyCount = 0
}

func (s *Proxies) touchAll(f *box2d.B2Fixture) {
	for k := range f.M_proxyCount {
		s.of.TouchProxy(f.M_proxies[k].ProxyId)
	}
}

func (s *Proxies) Reserve(shapes int) { b2.Reserve(&s.of.M_tree, 2*shapes) }

func (s *Proxies) Changes() *stamps.Stamps { return &s.Boxes }

func (s *Proxies) Waiting() int { return s.of.M_moveCount }

func (s *Proxies) FixtureAt(leaf int) *box2d.B2Fixture {
	nodes := s.of.M_tree.M_nodes
	if leaf < 0 || leaf >= len(nodes) || nodes[leaf].Height != 0 {
		return nil // a free node keeps its UserData, but has no height
	}
	if p, ok := nodes[leaf].UserData.(*box2d.B2FixtureProxy); ok {
		return p.Fixture
	}
	return nil
}

func (s *Proxies) moves(b *box2d.B2Body) { s.mark(b.M_fixtureList, true) } // true: also the later fixtures in the list

// MovesShape is called before and after the library makes, moves or removes the leaves of a shape.
func (s *Proxies) MovesShape(f *box2d.B2Fixture) { s.mark(f, false) } // false: no other fixture

// mark stamps the nodes around the leaf of a fixture, because a change of the tree may change them. If
// several leaves move, it treats all nodes as changed: each move may change the nodes around the next
// leaf.
func (s *Proxies) mark(f *box2d.B2Fixture, andNext bool) {
	leaves, leaf := 0, -1
	for ; f != nil; f = f.M_next {
		leaves += f.M_proxyCount
		for k := range f.M_proxyCount {
			leaf = f.M_proxies[k].ProxyId
			s.Boxes.Mark(int32(leaf))
		}
		if !andNext {
			break
		}
	}
	switch {
	case leaves == 1:
		s.markLeaf(leaf)
	case leaves > 1:
		s.All = s.Nodes.Next()
	}
}

// markLeaf stamps a leaf and the nodes above it. It is called before the library removes the leaf, and
// after the library has inserted it. All other nodes that the library changes are linked to these nodes
// by changed nodes.
func (s *Proxies) markLeaf(id int) {
	s.Boxes.Mark(int32(id))
	s.Near = s.Nodes.Next()
	nodes := s.of.M_tree.M_nodes
	for i := id; i != box2d.B2_nullNode; i = nodes[i].Parent {
		s.Nodes.Mark(int32(i))
	}
}

// Move is B2BroadPhase.MoveProxy.
func (s *Proxies) Move(id int, aabb box2d.B2AABB, displacement box2d.B2Vec2) {
	s.Boxes.Mark(int32(id))
	if b2.MoveProxy(&s.of.M_tree, id, aabb, displacement, &s.Nodes) {
		s.of.BufferMove(id)
	}
}

// validate checks that each leaf of a body's shapes refers to its shape.
func (s *Proxies) validate(b *box2d.B2Body) error {
	nodes := s.of.M_tree.M_nodes
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for k := range f.M_proxyCount {
			id := f.M_proxies[k].ProxyId
			if id < 0 || id >= len(nodes) || nodes[id].Height != 0 || nodes[id].UserData != &f.M_proxies[k] || f.M_proxies[k].Fixture != f || f.M_body != b {
				return fmt.Errorf("the tree: node %d is not the leaf of a shape of body %d", id, b.M_islandIndex)
			}
		}
	}
	return nil
}

// moveIndex finds the places of a proxy in the library's move buffer. The library searches the whole
// buffer for each proxy that it destroys, and the buffer contains every shape that was made or touched
// since the last step.
type moveIndex struct {
	last []int32 // by proxy: 1 + the proxy's last place in the buffer, or 0
	read []moved // by place, for the part of the buffer that the index covers
}

// moved is an entry of the move buffer.
type moved struct {
	proxy int
	prev  int32 // 1 + the previous place with the same proxy, or 0
}

// forget is called when a search for pairs has emptied the buffer, and after a restore.
func (m *moveIndex) forget() {
	for _, r := range m.read {
		if r.proxy >= 0 {
			m.last[r.proxy] = 0
		}
	}
	m.read = m.read[:0]
}

// forgetMoves is called when other code than the method remove has changed the move buffer.
func (s *Proxies) forgetMoves() { s.index.forget() }

// FewMoves is the greatest length of the move buffer at which no index is used.
const FewMoves = 32

// unbuffer removes a proxy from the move buffer. It uses the index if the buffer is long. If lent is
// true, it does not use the index, because other code may change the buffer.
func (s *Proxies) unbuffer(id int, lent bool) {
	bp, m := s.of, &s.index
	if lent || bp.M_moveCount <= FewMoves {
		m.forget()
		bp.UnBufferMove(id)
		return
	}
	for at := len(m.read); at < bp.M_moveCount; at++ {
		r := moved{proxy: bp.M_moveBuffer[at]}
		if r.proxy >= 0 {
			for r.proxy >= len(m.last) {
				m.last = append(m.last, 0)
			}
			r.prev = m.last[r.proxy]
			m.last[r.proxy] = int32(at) + 1
		}
		m.read = append(m.read, r)
	}
	if id < len(m.last) {
		for at := m.last[id]; at != 0; at = m.read[at-1].prev {
			bp.M_moveBuffer[at-1] = box2d.E_nullProxy
		}
		m.last[id] = 0
	}
}

// finder looks for new pairs.
type finder struct {
	mostPairs int   // the greatest number of pairs that one search may find; 0 means no limit
	tooMany   error // the error of the panic if a search finds more pairs

	stack      []int32
	pairBuffer []uint64 // keys of the pairs that may get a contact
	moved      []uint32 // by proxy: the number of the last update with the proxy in the move buffer
	round      uint32   // the number of the present update
}

// LimitPairs limits the number of new pairs that a search may find. The pairs include those that filters
// will reject. A search that finds more pairs panics with an error that wraps tooMany. 0 means no limit.
func (s *Proxies) LimitPairs(most int, tooMany error) {
	s.finder.mostPairs, s.finder.tooMany = most, tooMany
}

// newPairs returns the keys of all pairs without a contact in which at least one proxy is in the move
// buffer. Then it empties the buffer. The result is valid until the next call.
//
// The library sorts all pairs that it finds, and then drops duplicates and pairs that have a contact.
// Here such pairs never enter the pair buffer. If both proxies of a pair are in the move buffer, only
// the higher proxy reports the pair. The other pairs have the library's order, so filters are asked and
// contacts are linked in that order.
func (s *Proxies) newPairs(known *pairs) []uint64 {
	b := &s.finder
	b.markMoved(s.of)
	for _, q := range s.of.M_moveBuffer[:s.of.M_moveCount] {
		if q != box2d.E_nullProxy {
			b.query(&s.of.M_tree, int32(q), known)
			if n := b.mostPairs; n > 0 && len(b.pairBuffer) > n {
				panic(fmt.Errorf("%w: more than %d new pairs in one step", b.tooMany, n))
			}
		}
	}
	s.of.M_moveCount = 0
	slices.Sort(b.pairBuffer)
	return b.pairBuffer
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

// query adds to the pair buffer the pairs of proxy q that have no contact.
func (b *finder) query(t *box2d.B2DynamicTree, q int32, known *pairs) {
	nodes := t.M_nodes
	fatAABB := nodes[q].Aabb
	// A box with a NaN overlaps all other boxes, but a query for another box may miss it. So the query for
	// the box with the NaN reports all pairs of the two.
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
