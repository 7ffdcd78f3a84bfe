package b2state

import (
	"unsafe"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/store"
	_ "halfstep/internal/stamps" // with this import the compiler can inline Since, which otherwise allocates
)

// savedNode is a node of the broad phase's tree.
type savedNode struct {
	nodeValues
	proxy *box2d.B2FixtureProxy // proxy is the proxy of a leaf.
}

// nodeValues are the values of a node without its proxy. A free node has the height -1.
type nodeValues struct {
	aabb                                 box2d.B2AABB
	parent, next, child1, child2, height int32
}

// addTree adds the columns of the tree, by node. A node changes when leaves come, go or leave their
// fat boxes. The tight box of a proxy changes far more often, so it has its own column.
func (p *Past) addTree() {
	d := &p.owner.Proxies
	p.nodes = store.Add(p.store, &store.Column[savedNode]{Stamps: &d.Nodes, Save: p.saveNodes, Load: p.loadNode, Follow: p.followNodes,
		Same: func(a, b *savedNode) bool { return *a == *b }})
	p.boxes = store.Add(p.store, &store.Column[box2d.B2AABB]{Stamps: &d.Boxes, Save: p.saveBoxes, Load: p.loadBox, Follow: p.followBoxes, Flat: true, Often: true,
		Same: func(a, b *box2d.B2AABB) bool {
			return *(*[4]uint64)(unsafe.Pointer(a)) == *(*[4]uint64)(unsafe.Pointer(b))
		}})
}

func (p *Past) tree() []box2d.B2TreeNode { return p.world.M_contactManager.M_broadPhase.M_tree.M_nodes }

func (p *Past) saveNodes(r store.Run, to []savedNode) {
	nodes := p.tree()
	for i, n := range r.Things() {
		to[i] = nodeAt(nodes, n)
	}
}

func nodeAt(nodes []box2d.B2TreeNode, n int) (to savedNode) {
	if n < len(nodes) {
		to = nodeOf(&nodes[n])
	}
	return to
}

// nodeOf omits the box of a free node, which means nothing and may be NaN.
func nodeOf(n *box2d.B2TreeNode) savedNode {
	to := savedNode{nodeValues{n.Aabb, int32(n.Parent), int32(n.Next), int32(n.Child1), int32(n.Child2), int32(n.Height)}, proxyOf(n)}
	if n.Height < 0 {
		to.aabb = box2d.B2AABB{}
	}
	return to
}

// proxyOf returns the proxy at a leaf, or nil.
func proxyOf(n *box2d.B2TreeNode) (proxy *box2d.B2FixtureProxy) {
	if n.Height == 0 {
		proxy, _ = n.UserData.(*box2d.B2FixtureProxy)
	}
	return proxy
}

func (p *Past) loadNode(n int, from *savedNode) {
	nodes := p.tree()
	if n >= len(nodes) {
		return
	}
	to := &nodes[n]
	from.nodeValues.restore(to)
	to.UserData = nil
	if from.proxy != nil {
		to.UserData = from.proxy
		p.owner.Proxies.Boxes.Mark(int32(n)) // the proxy may have had another box at its old node
	}
}

func (v *nodeValues) restore(to *box2d.B2TreeNode) {
	to.Aabb, to.Parent, to.Next = v.aabb, int(v.parent), int(v.next)
	to.Child1, to.Child2, to.Height = int(v.child1), int(v.child2), int(v.height)
}

// saveBoxes saves the boxes of the proxies at leaves.
func (p *Past) saveBoxes(r store.Run, to []box2d.B2AABB) {
	nodes := p.tree()
	for i, n := range r.Things() {
		to[i] = box2d.B2AABB{}
		if n < len(nodes) {
			if proxy := proxyOf(&nodes[n]); proxy != nil {
				to[i] = proxy.Aabb
			}
		}
	}
}

func (p *Past) loadBox(n int, from *box2d.B2AABB) {
	if nodes := p.tree(); n < len(nodes) {
		if proxy := proxyOf(&nodes[n]); proxy != nil {
			proxy.Aabb = *from
		}
	}
}

// followBoxes marks the leaves of bodies that steps have worked on, because steps may have moved them.
// Edits have already marked the leaves that they change.
func (p *Past) followBoxes() {
	since := p.bodies.Serial()
	if since == 0 {
		return // all leaves count as changed
	}
	for n := range p.owner.Bodies.Stamps.Since(since) {
		if n >= len(p.owner.Bodies.All) || p.owner.Bodies.All[n].B == nil || p.owner.Bodies.All[n].B.M_type == b2.StaticBody {
			continue
		}
		for f := p.owner.Bodies.All[n].B.M_fixtureList; f != nil; f = f.M_next {
			for k := range f.M_proxyCount {
				p.owner.Proxies.Boxes.Mark(int32(f.M_proxies[k].ProxyId))
			}
		}
	}
}

// followNodes marks all nodes that differ from the last State. When a leaf is inserted or removed,
// the World marks the leaf and the nodes above it. Every other node that the library changes is a
// neighbour of a changed node: the library rotates the tree at several places to balance it, and
// one rotation may move a node that another has changed. So the walk goes from each node that
// differs to its old and new neighbours.
func (p *Past) followNodes() {
	nodes, d, list, since := p.tree(), &p.owner.Proxies, p.list[:0], p.nodes.Serial()
	stamps := &d.Nodes
	if since == 0 { // all nodes count as changed
		stamps.Reach(len(nodes))
		return
	}
	for n := p.nodeCount; n < len(nodes); n++ {
		stamps.Mark(int32(n))
	}
	if d.All > since {
		stamps.MarkAll(len(nodes))
		return
	}
	if d.Near <= since {
		return
	}
	around := func(n *savedNode) {
		if n.height < 0 {
			return // the node is free
		}
		for _, k := range [...]int32{n.parent, n.child1, n.child2} {
			if k != box2d.B2_nullNode && int(k) < len(nodes) && !stamps.Changed(k, since) {
				stamps.Mark(k)
				list = append(list, k)
			}
		}
	}
	follow := func(n int) {
		if is := nodeAt(nodes, n); *p.nodes.Last(n) != is {
			around(p.nodes.Last(n))
			around(&is)
		}
	}
	for n := range stamps.Since(since) {
		list = append(list, int32(n))
	}
	for len(list) > 0 {
		n := int(list[len(list)-1])
		list = list[:len(list)-1]
		follow(n)
	}
	p.list = list
}
