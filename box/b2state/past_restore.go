package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/box"
	"halfstep/box/b2"
)

// restore puts the world back into the state of s, where it differs. The Set is
// current, and the tables say what the world is but for what is dirty.
func (p *past) restore(s *State, w *box2d.B2World, back func(*box2d.B2Body)) {
	set, d, from := p.set, &p.set.Dirty, pagesOf(s)
	set.MarkActive()
	p.markNeighbours()
	if !d.AllNodes {
		p.followNodes(w.M_contactManager.M_broadPhase.M_tree.M_nodes)
	}
	p.now.bodies.Differences(&from.bodies, d.Bodies.AddPage)
	p.now.flags.Differences(&from.flags, d.Contacts.AddPage)
	p.now.surfaces.Differences(&from.surfaces, d.Contacts.AddPage)
	p.now.contacts.Differences(&from.contacts, d.Links.AddPage)
	p.now.links.Differences(&from.links, d.Links.AddPage)
	p.now.joints.Differences(&from.joints, d.Joints.AddPage)
	p.now.nodes.Differences(&from.nodes, d.Nodes.AddPage)
	p.now.boxes.Differences(&from.boxes, d.Leaves.AddPage)
	p.now.shapes.Differences(&from.shapes, d.Shapes.AddPage)

	bp := &w.M_contactManager.M_broadPhase
	s.restoreBroadPhase(bp, from.nodeCount)
	nodes := bp.M_tree.M_nodes
	if d.AllNodes {
		d.Nodes.AddAll(len(nodes))
	}
	d.Bodies.Each(func(n int) {
		if to := from.bodies.At(n); to != nil && to.of.B != nil {
			set.PutBody(n, &to.of)
			*to.of.B = to.value
		} else if n < len(set.Body) {
			set.PutBody(n, &box.Body{})
		}
	})
	d.Shapes.Each(func(n int) {
		if to := from.shapes.At(n); to != nil && *to != nil {
			s.restoreShapes(*to)
			markLeaves(&d.Leaves, from.bodies.At(n).of.B)
		}
	})
	d.Bodies.Each(func(n int) {
		to := from.bodies.At(n)
		if to == nil || to.of.B == nil {
			return
		}
		back(to.of.B)
		if to.value.M_type != b2.StaticBody {
			markLeaves(&d.Leaves, to.of.B)
		}
	})
	d.Nodes.Each(func(n int) {
		if n < len(nodes) {
			from.nodes.At(n).restore(&nodes[n])
		}
	})
	d.Leaves.Each(func(n int) {
		if n < len(nodes) {
			if proxy, box := proxyOf(&nodes[n]), from.boxes.At(n); proxy != nil && box != nil {
				proxy.Aabb = *box
			}
		}
	})
	p.restoreContacts(from)
	d.Joints.Each(func(n int) {
		if to := from.joints.At(n); to != nil && to.of.Base != nil {
			set.PutJoint(n, &to.of)
			to.restore()
		} else if n < len(set.Joint) {
			set.PutJoint(n, &box.Joint{})
		}
	})
	w.M_bodyList, w.M_contactManager.M_contactList, w.M_jointList = from.heads.body, from.heads.contact, from.heads.joint
	w.M_bodyCount, w.M_contactManager.M_contactCount, w.M_jointCount = from.sizes[0], from.sizes[1], from.sizes[2]
	s.restoreWorld(w)
	set.PutAll()
	from.share(&p.now)
}

func (from *pagedLinks) restore(of *box.Contact) {
	c := of.C
	c.M_prev, c.M_next = from.prev, from.next
	a, b := c.M_fixtureA.M_body, c.M_fixtureB.M_body
	*c.M_nodeA = box2d.B2ContactEdge{Other: b, Contact: of.I, Prev: from.edgeA[0], Next: from.edgeA[1]}
	*c.M_nodeB = box2d.B2ContactEdge{Other: a, Contact: of.I, Prev: from.edgeB[0], Next: from.edgeB[1]}
}

// restoreContacts puts back which contacts there are, their links, and then what they are.
func (p *past) restoreContacts(from *pages) {
	set, d := p.set, &p.set.Dirty
	d.Links.Each(func(n int) { set.TakeContact(n) })
	d.Links.Each(func(n int) {
		if to := from.contacts.At(n); to != nil && to.of.C != nil {
			set.PutContact(n, &to.of)
			to.ends.restore(to.of.C, to.child)
			from.links.At(n).restore(&to.of)
		} else if n < len(set.Contact) {
			set.PutContact(n, &box.Contact{})
		}
	})
	d.Contacts.Each(func(n int) {
		if flags := from.flags.At(n); flags != nil && n < len(set.Contact) && set.Contact[n].C != nil {
			c := set.ListContact(int32(n))
			c.M_flags = *flags
			from.surfaces.At(n).restore(c)
			if m := from.manifolds.At(n); m != nil {
				*c.M_manifold = *m
			}
		}
	})
}

func (from *pagedJoint) restore() {
	j := from.of.Base
	value(from.of.J).Set(value(from.value))
	*j = from.base
	putExtra(from.of.J, from.extra)
	*j.M_edgeA = box2d.B2JointEdge{Other: j.M_bodyB, Joint: from.of.J, Prev: from.edgeA[0], Next: from.edgeA[1]}
	*j.M_edgeB = box2d.B2JointEdge{Other: j.M_bodyA, Joint: from.of.J, Prev: from.edgeB[0], Next: from.edgeB[1]}
}

func (s *State) restoreShapes(to *pagedShapes) {
	proxies := to.proxies
	for i := range to.fixtures {
		from := &to.fixtures[i]
		f := from.f
		if from.restoreShape() || from.looksOther() {
			s.changed = append(s.changed, f)
		}
		*f = from.value
		for k := range f.M_proxies {
			f.M_proxies[k] = box2d.B2FixtureProxy{Fixture: f, ChildIndex: int(proxies[k].child), ProxyId: int(proxies[k].id)}
		}
		proxies = proxies[len(f.M_proxies):]
	}
}

func (n *pagedNode) restore(to *box2d.B2TreeNode) {
	n.savedNode.restore(to)
	to.UserData = nil
	if n.proxy != nil {
		to.UserData = n.proxy
	}
}
