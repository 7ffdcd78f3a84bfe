package b2state

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/box"
	"halfstep/box/b2"
	"halfstep/box/paged"
	"halfstep/internal/owner"
)

// Past is what the States of a world share: tables of what it was when its state was
// last taken or put back, in which States have the pages that have not changed since.
// A [box.World] says what has changed, and whoever has taken all of a world's state, or
// put it back, clears its Dirty. The links between objects are in the tables, too, so
// that only what differs is put back.
//
// While the Set does not know what has changed, States share nothing.
type Past struct {
	Walks bool // States are to share nothing

	is any // *past; see paged.Table
}

// past is what a Past is.
type past struct {
	set    *box.World
	copies *Shapes
	leave  bool // manifolds, and the numbers that bodies and joints have for a step
	now    pages

	bodies    paged.Pool[pagedBody]
	shapes    paged.Pool[*pagedShapes]
	flags     paged.Pool[uint32]
	surfaces  paged.Pool[surface]
	manifolds paged.Pool[box2d.B2Manifold]
	contacts  paged.Pool[pagedContact]
	links     paged.Pool[pagedLinks]
	joints    paged.Pool[pagedJoint]
	nodes     paged.Pool[pagedNode]
	boxes     paged.Pool[box2d.B2AABB]

	fixtures []savedFixture // scratch of shapesOf
	proxies  []pagedProxy

	list    []int32 // scratch of followNodes
	changed paged.Marks
}

// pages are the tables by the Set's numbers, and that of the tree's nodes.
type pages struct {
	of        *past // nil: there are none
	bodies    paged.Table[pagedBody]
	shapes    paged.Table[*pagedShapes]     // by body; nil where there is none
	flags     paged.Table[uint32]           // by contact, as are the next
	surfaces  paged.Table[surface]          // which change seldom
	manifolds paged.Table[box2d.B2Manifold] // none where they are left alone
	contacts  paged.Table[pagedContact]     // which change seldom, too
	links     paged.Table[pagedLinks]
	joints    paged.Table[pagedJoint]
	nodes     paged.Table[pagedNode]
	boxes     paged.Table[box2d.B2AABB] // by node: that of the leaf's proxy

	heads        heads
	nodeCount    int
	fixtureCount int
	sizes        [3]int // how many bodies, contacts and joints the world had
}

type heads struct {
	body    *box2d.B2Body
	contact box2d.B2ContactInterface
	joint   box2d.B2JointInterface
}

type pagedBody struct {
	of    box.Body // B is nil where there is none
	value box2d.B2Body
}

// pagedShapes are the shapes of a body. They do not change.
type pagedShapes struct {
	fixtures []savedFixture
	proxies  []pagedProxy // fixture by fixture, without their boxes
}

type pagedProxy struct{ id, child int32 }

// pagedContact is what is constant about a contact.
type pagedContact struct {
	of    box.Contact // C is nil where there is none
	ends  savedEnds
	child int32
}

// pagedLinks is a contact's place in the lists.
type pagedLinks struct {
	prev, next   box2d.B2ContactInterface
	edgeA, edgeB [2]*box2d.B2ContactEdge // before and after it
}

type pagedJoint struct {
	of           box.Joint              // Base is nil where there is none
	value        box2d.B2JointInterface // a copy, of the same type, or of any where there is none
	base         box2d.B2Joint          // with its links
	edgeA, edgeB [2]*box2d.B2JointEdge  // before and after it
	extra        *box.JointExtra        // a copy that nobody changes, or nil
}

type pagedNode struct {
	savedNode
	proxy *box2d.B2FixtureProxy // of a leaf
}

// NewPast returns the Past of a world, of which set is told of all changes. shapes is
// shared with the world's States that share nothing else. leaveManifolds is that of
// the world's Leave.
func NewPast(set *box.World, shapes *Shapes, leaveManifolds bool) *Past {
	p := &past{set: set, copies: shapes, leave: leaveManifolds}
	p.flags.Flat, p.surfaces.Flat, p.manifolds.Flat, p.boxes.Flat = true, true, true, true
	p.joints.Copy = func(to, from *pagedJoint) {
		value := to.value
		*to = *from
		to.value = value
		if from.of.Base != nil {
			to.setValue(from.value)
		}
	}
	p.joints.Clear = func(j *pagedJoint) {
		if j.value != nil {
			value(j.value).SetZero()
		}
		*j = pagedJoint{value: j.value}
	}
	return &Past{is: p}
}

func pastOf(p *Past) *past {
	if p == nil {
		return nil
	}
	return p.is.(*past)
}

// pagesOf is nil where a State has never had any.
func pagesOf(s *State) *pages {
	p, _ := s.pages.(*pages)
	return p
}

// tables are all of them, in the order of pages.
func (s *pages) tables() [10]paged.Any {
	return [...]paged.Any{&s.bodies, &s.shapes, &s.flags, &s.surfaces, &s.manifolds, &s.contacts, &s.links, &s.joints, &s.nodes, &s.boxes}
}

// Copied is how many pages were made or copied so far.
func (p *Past) Copied() (n int) {
	for _, t := range pastOf(p).now.tables() {
		n += t.Copied()
	}
	return n
}

// drop lets go of the pages of a State.
func (s *pages) drop() {
	if s == nil {
		return
	}
	for _, t := range s.tables() {
		t.Drop()
	}
	*s = pages{}
}

// share makes to hold what s holds.
func (s *pages) share(to *pages) {
	if to.of != s.of {
		to.drop()
	}
	from := s.tables()
	for i, t := range to.tables() {
		t.Share(from[i])
	}
	to.of, to.heads, to.nodeCount, to.fixtureCount, to.sizes = s.of, s.heads, s.nodeCount, s.fixtureCount, s.sizes
}

// save takes the state of the world into s. The Set is current.
func (p *past) save(s *State, w *box2d.B2World) error {
	p.now.of = p
	shared := pagesOf(s)
	if shared == nil {
		shared = new(pages)
	}
	if shared.of == p {
		for _, t := range shared.tables() {
			t.Reuse()
		}
	}
	if err := p.follow(w); err != nil {
		p.set.Dirty.All = true
		return err
	}
	*s = State{moves: s.moves, changed: s.changed[:0], pages: shared}
	s.saveWorld(w)
	s.saveMoves(&w.M_contactManager.M_broadPhase)
	p.now.share(shared)
	for _, t := range p.now.tables() {
		t.Trim()
	}
	return nil
}

// follow brings the tables up to date.
func (p *past) follow(w *box2d.B2World) error {
	p.set.MarkActive()
	set, d := p.set, &p.set.Dirty
	nodes := w.M_contactManager.M_broadPhase.M_tree.M_nodes
	if d.All {
		d.Bodies.AddAll(len(set.Body))
		d.Shapes.AddAll(len(set.Body))
		d.Contacts.AddAll(len(set.Contact))
		d.Links.AddAll(len(set.Contact))
		d.Joints.AddAll(len(set.Joint))
		d.Leaves.AddAll(len(nodes))
		d.AllNodes = true
	}
	if err := p.saveBodies(); err != nil {
		return err
	}
	p.saveContacts()
	d.Joints.EachRun(func(first, size int, dirty uint64) {
		to := p.now.joints.Write(&p.joints, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			to[i].save(set, first+i)
		}
	})
	p.saveNodes(nodes)
	p.now.heads = heads{w.M_bodyList, w.M_contactManager.M_contactList, w.M_jointList}
	p.now.sizes = [3]int{w.M_bodyCount, w.M_contactManager.M_contactCount, w.M_jointCount}
	return nil
}

func (p *past) saveBodies() error {
	set, d := p.set, &p.set.Dirty
	d.Bodies.EachRun(func(first, size int, dirty uint64) {
		saved := p.now.bodies.Write(&p.bodies, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			n, to := first+i, &saved[i]
			if n >= len(set.Body) || set.Body[n].B == nil {
				*to = pagedBody{}
				continue
			}
			b := set.Body[n].B
			to.of, to.value = set.Body[n], *b
			if b.M_type != b2.StaticBody {
				markLeaves(&d.Leaves, b)
			}
		}
	})
	return p.saveShapes()
}

func (p *past) saveShapes() (err error) {
	set, d := p.set, &p.set.Dirty
	d.Shapes.Each(func(n int) {
		var last, made *pagedShapes
		if at := p.now.shapes.At(n); at != nil {
			last = *at
		}
		if n < len(set.Body) && set.Body[n].B != nil {
			b, e := set.Body[n].B, error(nil)
			if made, e = p.shapesOf(b, last); e != nil {
				err = e
			}
			markLeaves(&d.Leaves, b)
		}
		if made != last {
			p.now.fixtureCount += made.count() - last.count()
			*p.now.shapes.Value(&p.shapes, n) = made
		}
	})
	p.copies.swept(p.now.fixtureCount)
	return err
}

func (s *pagedShapes) count() int {
	if s == nil {
		return 0
	}
	return len(s.fixtures)
}

// markLeaves marks where the boxes of a body's proxies are kept.
func markLeaves(marks *paged.Marks, b *box2d.B2Body) {
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		for k := range f.M_proxyCount {
			marks.Add(int32(f.M_proxies[k].ProxyId))
		}
	}
}

// shapesOf returns the shapes of a body: last, if they are still the same.
func (p *past) shapesOf(b *box2d.B2Body, last *pagedShapes) (*pagedShapes, error) {
	fixtures, proxies, same := p.fixtures[:0], p.proxies[:0], last != nil
	for f := b.M_fixtureList; f != nil; f = f.M_next {
		copied, err := p.copies.copyOf(f.M_shape)
		if err != nil {
			return nil, err
		}
		same = same && len(fixtures) < len(last.fixtures) && last.fixtures[len(fixtures)].isStill(f, copied)
		fixtures = append(fixtures, savedFixture{f: f, value: *f, shape: copied})
		for i := range f.M_proxies {
			proxies = append(proxies, pagedProxy{int32(f.M_proxies[i].ProxyId), int32(f.M_proxies[i].ChildIndex)})
		}
	}
	defer clear(fixtures)
	p.fixtures, p.proxies = fixtures, proxies
	if same && len(fixtures) == len(last.fixtures) && slices.Equal(proxies, last.proxies) {
		return last, nil
	}
	return &pagedShapes{slices.Clone(fixtures), slices.Clone(proxies)}, nil
}

// isStill reports whether a fixture is as it was saved. copied is a copy of its shape.
func (s *savedFixture) isStill(f *box2d.B2Fixture, copied box2d.B2ShapeInterface) bool {
	v := &s.value
	return s.f == f && s.shape == copied && v.M_shape == f.M_shape && v.M_next == f.M_next && v.M_body == f.M_body &&
		v.M_density == f.M_density && v.M_friction == f.M_friction && v.M_restitution == f.M_restitution &&
		v.M_isSensor == f.M_isSensor && v.M_filter == f.M_filter && v.M_proxyCount == f.M_proxyCount &&
		len(v.M_proxies) == len(f.M_proxies) && unsafe.SliceData(v.M_proxies) == unsafe.SliceData(f.M_proxies) &&
		sameUser(v.M_userData, f.M_userData)
}

// sameUser leaves alone what can not be compared.
func sameUser(a, b any) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.TypeOf(a).Comparable() && a == b
}

func (p *past) saveContacts() {
	set, d := p.set, &p.set.Dirty
	p.changed.Clear()
	d.Contacts.EachRun(func(first, size int, dirty uint64) {
		dirty |= set.FreeContacts(first, size)
		flags := p.now.flags.Write(&p.flags, first, size, dirty)
		var manifolds []box2d.B2Manifold
		if !p.leave {
			manifolds = p.now.manifolds.Write(&p.manifolds, first, size, dirty)
		}
		surfaces := p.now.surfaces.From(first)
		for from := first; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			n := first + i
			var c *box2d.B2Contact
			if n < len(set.Contact) {
				c = set.Contact[n].C
			}
			if c == nil {
				flags[i] = 0
				if manifolds != nil {
					manifolds[i] = box2d.B2Manifold{}
				}
				continue
			}
			flags[i] = c.M_flags
			if n-from >= len(surfaces) {
				from, surfaces = n, p.now.surfaces.From(n)
			}
			if surfaces == nil || !surfaces[n-from].isOf(c) {
				p.changed.Add(int32(n))
			}
			if manifolds != nil {
				manifolds[i] = *c.M_manifold
			}
		}
	})
	p.changed.EachRun(func(first, size int, dirty uint64) {
		to := p.now.surfaces.Write(&p.surfaces, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			to[i] = surfaceOf(set.Contact[first+i].C)
		}
	})
	p.saveLinks()
}

// saveLinks copies which contacts there are, and their places in the lists.
func (p *past) saveLinks() {
	set, d := p.set, &p.set.Dirty
	all := !p.markNeighbours()
	if p.changed.Clear(); all {
		p.changed.Merge(&d.Links)
	}
	d.Links.EachRun(func(first, size int, dirty uint64) {
		to := p.now.links.Write(&p.links, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			n := first + bits.TrailingZeros64(dirty)
			to[n-first] = linksOf(set, n)
			if all {
				continue
			}
			if was := p.now.contacts.At(n); was == nil || *was != contactOf(set, n) {
				p.changed.Add(int32(n))
			}
		}
	})
	p.changed.EachRun(func(first, size int, dirty uint64) {
		to := p.now.contacts.Write(&p.contacts, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			to[i] = contactOf(set, first+i)
		}
	})
	if !owner.Checked {
		return
	}
	for n := range set.Contact {
		var links pagedLinks
		var contact pagedContact
		if was := p.now.links.At(n); was != nil {
			links = *was
		}
		if was := p.now.contacts.At(n); was != nil {
			contact = *was
		}
		if links != linksOf(set, n) || contact.of.C != set.Contact[n].C {
			panic(fmt.Sprintf("b2state: the links of contact %d have changed and are not marked", n))
		}
	}
}

// markNeighbours marks the contacts that were or are next to those that have come or gone,
// in the world's list and in those of bodies. The others have kept their order. It reports
// false if all contacts are marked.
func (p *past) markNeighbours() bool {
	set, d, list := p.set, &p.set.Dirty, p.list[:0]
	if d.All {
		return false
	}
	d.Links.Each(func(n int) { list = append(list, int32(n)) })
	if p.list = list; 2*len(list) > len(set.Contact) { // to look for the rest would take longer
		d.Links.AddAll(len(set.Contact))
		return false
	}
	mark := func(l *pagedLinks) {
		set.DirtyLinks(l.prev)
		set.DirtyLinks(l.next)
		for _, edges := range [...][2]*box2d.B2ContactEdge{l.edgeA, l.edgeB} {
			for _, e := range edges {
				if e != nil {
					set.DirtyLinks(e.Contact)
				}
			}
		}
	}
	for _, n := range list {
		if was := p.now.links.At(int(n)); was != nil {
			mark(was)
		}
		is := linksOf(set, int(n))
		mark(&is)
	}
	return true
}

func contactOf(set *box.World, n int) (c pagedContact) {
	if n >= len(set.Contact) || set.Contact[n].C == nil {
		return c
	}
	c.of = set.Contact[n]
	c.of.Listed = false
	c.ends, c.child = endsOf(c.of.C)
	return c
}

func linksOf(set *box.World, n int) (l pagedLinks) {
	if n < len(set.Contact) && set.Contact[n].C != nil {
		c := set.Contact[n].C
		l.prev, l.next = c.M_prev, c.M_next
		l.edgeA, l.edgeB = [2]*box2d.B2ContactEdge{c.M_nodeA.Prev, c.M_nodeA.Next}, [2]*box2d.B2ContactEdge{c.M_nodeB.Prev, c.M_nodeB.Next}
	}
	return l
}

func (to *pagedJoint) save(set *box.World, n int) {
	if n >= len(set.Joint) || set.Joint[n].Base == nil {
		if to.value != nil {
			value(to.value).SetZero()
		}
		*to = pagedJoint{value: to.value}
		return
	}
	to.of = set.Joint[n]
	to.extra = copyExtra(to.of.Extra)
	to.setValue(to.of.J)
	to.base = *to.of.Base
	a, b := to.base.M_edgeA, to.base.M_edgeB
	to.edgeA, to.edgeB = [2]*box2d.B2JointEdge{a.Prev, a.Next}, [2]*box2d.B2JointEdge{b.Prev, b.Next}
}

func (to *pagedJoint) setValue(from box2d.B2JointInterface) {
	v := value(from)
	if reflect.TypeOf(to.value) != reflect.TypeOf(from) {
		to.value = newJoint(v.Type())
	}
	value(to.value).Set(v)
}

// saveNodes copies the nodes and the boxes of proxies that have changed.
func (p *past) saveNodes(nodes []box2d.B2TreeNode) {
	p.followNodes(nodes)
	p.changed.EachRun(func(first, size int, dirty uint64) {
		if size == paged.BlockSize {
			dirty = math.MaxUint64 // they have been read lately, those in the tables have not
		}
		to := p.now.nodes.Write(&p.nodes, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			if i := bits.TrailingZeros64(dirty); first+i < len(nodes) {
				to[i] = pageNode(&nodes[first+i])
			} else {
				to[i] = pagedNode{}
			}
		}
	})
	p.now.nodeCount = len(nodes)
	p.set.Dirty.Leaves.EachRun(func(first, size int, dirty uint64) {
		to := p.now.boxes.Write(&p.boxes, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			to[i] = proxyBox(nodes, first+i)
		}
	})
	if !owner.Checked {
		return
	}
	for n := range nodes {
		if *p.now.nodes.At(n) != pageNode(&nodes[n]) {
			panic(fmt.Sprintf("b2state: node %d of the tree has changed and is not marked", n))
		}
		if was := p.now.boxes.At(n); proxyOf(&nodes[n]) != nil && *was != proxyBox(nodes, n) {
			panic(fmt.Sprintf("b2state: the box at leaf %d of the tree has changed and is not marked", n))
		}
	}
}

// proxyBox is the box of the proxy at a leaf, or zero.
func proxyBox(nodes []box2d.B2TreeNode, n int) (box box2d.B2AABB) {
	if n < len(nodes) {
		if proxy := proxyOf(&nodes[n]); proxy != nil {
			box = proxy.Aabb
		}
	}
	return box
}

// followNodes marks all nodes that differ from the tables, and notes them in p.changed.
// What the library changes when a leaf comes or goes begins on the way up from the leaf,
// which is marked, and goes on from one node that differs to its neighbours, as they
// were or as they are: a tree that is out of balance is turned at several places, and
// what one turn has changed the next may carry away.
func (p *past) followNodes(nodes []box2d.B2TreeNode) {
	d, marks, list := &p.set.Dirty, &p.set.Dirty.Nodes, p.list[:0]
	p.changed.Clear()
	if d.AllNodes {
		marks.AddAll(max(len(nodes), p.now.nodeCount))
	}
	for n := p.now.nodeCount; n < len(nodes); n++ {
		marks.Add(int32(n))
	}
	if !d.Near && !d.AllNodes {
		p.changed.Merge(marks)
		return
	}
	around := func(n *savedNode) {
		if n.height < 0 {
			return // it is free
		}
		for _, k := range [...]int32{n.parent, n.child1, n.child2} {
			if k != box2d.B2_nullNode && int(k) < len(nodes) && !marks.Has(k) {
				marks.Add(k)
				list = append(list, k)
			}
		}
	}
	follow := func(n int) {
		var is pagedNode
		if n < len(nodes) {
			is = pageNode(&nodes[n])
		}
		was := p.now.nodes.At(n)
		switch {
		case was == nil:
		case was.savedNode != is.savedNode:
			around(&was.savedNode)
		case was.proxy == is.proxy:
			return
		default: // the tree has not changed here
			p.changed.Add(int32(n))
			return
		}
		p.changed.Add(int32(n))
		if n < len(nodes) {
			around(&is.savedNode)
		}
	}
	marks.Each(follow)
	for len(list) > 0 {
		n := int(list[len(list)-1])
		list = list[:len(list)-1]
		follow(n)
	}
	if p.list = list; d.AllNodes {
		p.list = nil // as long as it will not be again
	}
}

// pageNode leaves out the boxes of free nodes, which mean nothing.
func pageNode(n *box2d.B2TreeNode) pagedNode { return pagedNode{saveNode(n), proxyOf(n)} }

// proxyOf returns the proxy at a leaf, or nil.
func proxyOf(n *box2d.B2TreeNode) (proxy *box2d.B2FixtureProxy) {
	if n.Height == 0 {
		proxy, _ = n.UserData.(*box2d.B2FixtureProxy)
	}
	return proxy
}
