package box

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/reslice"
)

// library links the leaves of the library's tree to the World's shapes, while that tree has the shapes,
// too. The leaf of shape n has -2-n as its Next, because the library does not use Next in a leaf. If
// the library removes a leaf and makes a new one, the new leaf has another Next. For example, this
// happens if a body is disabled and enabled again.
type library struct {
	is  bool
	was []box2d.B2AABB // by the library's number of a leaf: the leaf's box when the World last read or wrote it
}

// shapeAt returns the number of the shape at a leaf of the library. The result is negative if there is
// no shape.
func (s *Shapes) shapeAt(id int) int32 {
	return int32(-2 - s.world.M_contactManager.M_broadPhase.M_tree.M_nodes[id].Next)
}

// noteLeaf links a leaf of the library to a shape, and stores its box.
func (s *Shapes) noteLeaf(id int, k int32) {
	node, l := &s.world.M_contactManager.M_broadPhase.M_tree.M_nodes[id], &s.library
	l.was = reslice.Resize(l.was, max(len(l.was), id+1))
	node.Next, l.was[id] = int(-2-k), node.Aabb
}

// show puts the World's shapes into the library's tree, for raw access. The tree gets the nodes of the
// World's own tree. Shapes that the library has made keep their leaves.
func (s *Shapes) show() {
	bp := &s.world.M_contactManager.M_broadPhase
	s.library.is = true
	s.eachFixture(func(f *box2d.B2Fixture) {
		if f.M_proxies == nil {
			makeProxies(f)
		}
	})
	if bp.M_proxyCount > 0 {
		for k := range s.All {
			if f := s.All[k].F; f != nil && int(^f.M_proxyCount) == k {
				s.insertProxies(f, int32(k))
			}
		}
		return
	}
	n := int32(len(s.All))
	nodes := make([]box2d.B2TreeNode, n+s.Tree.Nodes()+1)
	id := func(ref int32) int {
		if ref < 0 {
			ref = n + ^ref
		}
		return int(ref)
	}
	for i := range nodes {
		nodes[i].Height = -1
	}
	t := box2d.B2DynamicTree{M_root: box2d.B2_nullNode, M_nodes: nodes, M_nodeCapacity: len(nodes), M_insertionCount: s.Tree.Count()}
	if ref, ok := s.Tree.Root(); ok {
		t.M_root = id(ref)
		t.M_nodeCount = 2*s.Tree.Count() - 1
		nodes[t.M_root].Parent = box2d.B2_nullNode
		for stack := []int32{ref}; len(stack) > 0; {
			ref = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			to := &nodes[id(ref)]
			to.Aabb, to.Height, to.Child1, to.Child2 = *s.Tree.Box(ref), int(s.Tree.Height(ref)), box2d.B2_nullNode, box2d.B2_nullNode
			if a, b, ok := s.Tree.Children(ref); ok {
				to.Child1, to.Child2 = id(a), id(b)
				nodes[to.Child1].Parent, nodes[to.Child2].Parent = id(ref), id(ref)
				stack = append(stack, a, b)
			}
		}
	}
	free := &t.M_freeList
	for i := range nodes {
		if nodes[i].Height < 0 {
			*free, free = i, &nodes[i].Next
		}
	}
	*free = box2d.B2_nullNode
	bp.M_tree, bp.M_proxyCount = t, s.Tree.Count()
	for k := range s.All {
		if of := s.All[k]; of.F != nil {
			of.F.M_proxyCount = len(of.F.M_proxies)
			s.setProxy(int32(k), k)
		}
	}
}

// setProxy gives a shape the leaf id of the library.
func (s *Shapes) setProxy(k int32, id int) {
	of := s.All[k]
	p, node := &of.F.M_proxies[of.Child], &s.world.M_contactManager.M_broadPhase.M_tree.M_nodes[id]
	*p = box2d.B2FixtureProxy{Fixture: of.F, ChildIndex: int(of.Child), ProxyId: id}
	b2.Bounds(&p.Aabb, of.F.M_shape, &of.F.M_body.M_xf, int(of.Child))
	node.Aabb, node.UserData = *s.Tree.Box(k), p
	s.noteLeaf(id, k)
}

// insertProxies inserts leaves for a fixture into the library's tree. The parameter last is the number
// of the fixture's last child.
func (s *Shapes) insertProxies(f *box2d.B2Fixture, last int32) {
	bp := &s.world.M_contactManager.M_broadPhase
	f.M_proxyCount = len(f.M_proxies)
	for k := last; k >= 0; k = s.All[k].Prev {
		id := bp.M_tree.AllocateNode()
		s.setProxy(k, id)
		b2.InsertLeaf(&bp.M_tree, id, nil) // nil: InsertLeaf does not save the nodes that it changes
		bp.M_proxyCount++
	}
}

// moveProxy copies the box of a shape to its leaf in the library's tree.
func (s *Shapes) moveProxy(k int32) {
	of, t := s.All[k], &s.world.M_contactManager.M_broadPhase.M_tree
	id := of.F.M_proxies[of.Child].ProxyId
	b2.RemoveLeaf(t, id, nil)
	s.setProxy(k, id)
	b2.InsertLeaf(t, id, nil)
}

// update copies the boxes of the shapes to the library's leaves after a step. It does nothing if the
// library's tree does not have the shapes.
func (s *Shapes) update() {
	if !s.library.is {
		return
	}
	for k := range s.All {
		if f := s.All[k].F; f != nil && s.library.was[f.M_proxies[s.All[k].Child].ProxyId] != *s.Tree.Box(int32(k)) {
			s.moveProxy(int32(k))
		}
	}
}

// Follow applies the changes that raw access has made to the library's shapes: it may have created,
// destroyed, moved or touched shapes. Follow destroys the contacts that the library has found, and the
// next search looks for their pairs again. Unless stays is true, Follow then removes the library's tree.
func (s *Shapes) Follow(stays bool) {
	m := &s.world.M_contactManager
	bp := &m.M_broadPhase
	if !s.library.is && bp.M_proxyCount == 0 {
		return
	}
	l := &s.library
	for k := range s.All {
		of := &s.All[k]
		if of.F == nil || of.F.M_proxyCount < 0 {
			continue
		}
		if !s.isLeaf(int32(k)) {
			s.free(int32(k))
			continue
		}
		id := of.F.M_proxies[of.Child].ProxyId
		if is := &bp.M_tree.M_nodes[id].Aabb; *is != l.was[id] {
			l.was[id] = *is
			s.Tree.Move(int32(k), is)
			s.Stamps.Mark(int32(k))
		}
	}
	var fresh []*box2d.B2Fixture // the newest fixture first
	s.eachFixture(func(f *box2d.B2Fixture) {
		if f.M_proxyCount > 0 && s.Last(f) < 0 {
			fresh = append(fresh, f)
		}
	})
	for i := range fresh {
		f := fresh[len(fresh)-1-i]
		for k := s.number(f); k >= 0; k = s.All[k].Prev {
			id := f.M_proxies[s.All[k].Child].ProxyId
			is := bp.M_tree.M_nodes[id].Aabb
			s.Tree.Move(k, &is)
			s.noteLeaf(id, k)
		}
	}
	for i := m.M_contactList; i != nil; i = m.M_contactList {
		bp.TouchProxy(i.GetFixtureA().M_proxies[i.GetChildIndexA()].ProxyId)
		bp.TouchProxy(i.GetFixtureB().M_proxies[i.GetChildIndexB()].ProxyId)
		m.Destroy(i)
	}
	for _, id := range bp.M_moveBuffer[:bp.M_moveCount] {
		if id != box2d.E_nullProxy {
			s.touch(s.shapeAt(id))
		}
	}
	bp.M_moveCount = 0
	if !stays {
		s.Hide()
	}
}

// eachFixture calls f with all fixtures of the world.
func (s *Shapes) eachFixture(f func(*box2d.B2Fixture)) {
	for b := s.world.M_bodyList; b != nil; b = b.M_next {
		for of := b.M_fixtureList; of != nil; of = of.M_next {
			f(of)
		}
	}
}

// isLeaf reports whether a shape has a leaf in the library's tree.
func (s *Shapes) isLeaf(k int32) bool {
	of := &s.All[k]
	return s.ofProxy(of.F, int(of.Child)) == k
}

// Hide removes the library's tree, and the proxies of the fixtures.
func (s *Shapes) Hide() {
	if !s.library.is && s.world.M_contactManager.M_broadPhase.M_proxyCount == 0 {
		return
	}
	s.eachFixture(func(f *box2d.B2Fixture) { *f = s.AsKept(f) })
	s.world.M_contactManager.M_broadPhase = box2d.MakeB2BroadPhase()
	s.library = library{}
}
