package b2

import "github.com/ByteArena/box2d"

// DestroyContact does the work of B2ContactManager.Destroy, but faster. The library asks both shapes for
// their types, although all types of contact are destroyed in the same way, and it looks up each link
// several times.
func DestroyContact(m *box2d.B2ContactManager, i box2d.B2ContactInterface, c *box2d.B2Contact) {
	if m.M_contactListener != nil && c.M_flags&ContactTouching != 0 {
		m.M_contactListener.EndContact(i)
	}
	if c.M_prev != nil {
		BaseContact(c.M_prev).M_next = c.M_next
	} else if m.M_contactList == i {
		m.M_contactList = c.M_next
	}
	if c.M_next != nil {
		BaseContact(c.M_next).M_prev = c.M_prev
	}
	a, b := c.M_fixtureA.M_body, c.M_fixtureB.M_body
	unlinkEdge(c.M_nodeA, a)
	unlinkEdge(c.M_nodeB, b)
	if c.M_manifold.PointCount > 0 && !IsSensor(c) {
		Wake(a)
		Wake(b)
	}
	m.M_contactCount--
}

// LinkEdge makes an edge of a contact the head of a body's list.
func LinkEdge(e *box2d.B2ContactEdge, i box2d.B2ContactInterface, body, other *box2d.B2Body) {
	*e = box2d.B2ContactEdge{Other: other, Contact: i, Next: body.M_contactList}
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_contactList = e
}

func unlinkEdge(e *box2d.B2ContactEdge, b *box2d.B2Body) {
	if e.Prev != nil {
		e.Prev.Next = e.Next
	} else if b.M_contactList == e {
		b.M_contactList = e.Next
	}
	if e.Next != nil {
		e.Next.Prev = e.Prev
	}
}
