package stepper

import "github.com/ByteArena/box2d"

// kind is a contact's pair of shapes.
type kind uint8

const (
	polygons kind = iota
	circles
	polygonCircle
	edgeCircle
	edgePolygon
	chainCircle
	chainPolygon
	foreign // not one of the library's contact types
)

// contactRef mirrors what never changes about a contact while it lives, so
// that a pass over the contacts does not chase five pointers for each.
type contactRef struct {
	c              *box2d.B2Contact
	manifold       *box2d.B2Manifold
	bA, bB         *box2d.B2Body
	fA, fB         *box2d.B2Fixture
	iface          box2d.B2ContactInterface
	iA, iB         int32 // positions of bA and bB in mirror.bodies
	proxyA, proxyB int32
	kind           kind
	solid          bool  // holds its bodies together
	edgeA, edgeB   uint8 // last reference edges: a hint for polygons
	separatingEdge uint8 // last separating edge: 0 none, 1+i of A, 129+i of B
}

// jointRef does the same for a joint.
type jointRef struct {
	j        box2d.B2JointInterface
	base     *box2d.B2Joint
	revolute *box2d.B2RevoluteJoint // nil if it is none
	iA, iB   int32                  // positions of its bodies in mirror.bodies
}

// mirror holds the world's linked lists as slices, oldest element first (the
// library prepends, so its lists run newest first).
//
// New elements only ever enter a list at its head and every change moves the
// count, so a list with the head and the count last seen is the list last
// seen: nothing has to be walked to find out.
type mirror struct {
	bodies   []*box2d.B2Body
	contacts []contactRef
	joints   []jointRef

	bodyHead     *box2d.B2Body
	bodyCount    int
	contactHead  box2d.B2ContactInterface
	contactCount int
	jointHead    box2d.B2JointInterface
	jointCount   int

	contactPairs pairSet // of contacts
	gears        bool    // some joint is a gear
	resolved     int     // contacts[:resolved] have valid iA, iB
	located      bool    // joints have valid iA, iB
	valid        bool    // false while a step runs, and after one that panicked
	changed      bool    // bodies have come or gone since the last step
	indices      []int
}

// sync brings the mirror up to date with the world. It returns false if the
// world holds a contact or joint of a type it does not know.
func (m *mirror) sync(w *box2d.B2World) bool {
	m.changed = !m.valid || m.bodyHead != w.M_bodyList || m.bodyCount != w.M_bodyCount
	if m.changed {
		m.bodies = m.bodies[:0]
		for b := w.M_bodyList; b != nil; b = b.M_next {
			m.bodies = append(m.bodies, b)
		}
		reverse(m.bodies)
		clear(m.bodies[len(m.bodies):cap(m.bodies)]) // the garbage collector's
		m.resolved, m.located = 0, false
	}
	mgr := &w.M_contactManager
	if !m.valid || m.contactHead != mgr.M_contactList || m.contactCount != mgr.M_contactCount {
		m.contacts = m.contacts[:0]
		for c := mgr.M_contactList; c != nil; {
			r := makeContactRef(c)
			if r.kind == foreign {
				m.valid = false
				return false
			}
			m.contacts = append(m.contacts, r)
			c = r.c.M_next
		}
		reverse(m.contacts)
		clear(m.contacts[len(m.contacts):cap(m.contacts)])
		m.resolved = 0
		m.contactPairs.clear()
		for i := range m.contacts {
			m.contactPairs.add(m.contacts[i].pair())
		}
	}
	if !m.valid || m.jointHead != w.M_jointList || m.jointCount != w.M_jointCount {
		m.joints, m.gears, m.located = m.joints[:0], false, false
		for j := w.M_jointList; j != nil; {
			base := baseJoint(j)
			if base == nil {
				m.valid = false
				return false
			}
			rev, _ := j.(*box2d.B2RevoluteJoint)
			m.joints = append(m.joints, jointRef{j: j, base: base, revolute: rev})
			if _, ok := j.(*box2d.B2GearJoint); ok {
				m.gears = true
			}
			j = base.M_next
		}
		reverse(m.joints)
		clear(m.joints[len(m.joints):cap(m.joints)])
	}
	m.valid = false
	return true
}

// seal notes that the mirror and the world agree.
func (m *mirror) seal(w *box2d.B2World) {
	m.bodyHead, m.bodyCount = w.M_bodyList, w.M_bodyCount
	m.contactHead, m.contactCount = w.M_contactManager.M_contactList, w.M_contactManager.M_contactCount
	m.jointHead, m.jointCount = w.M_jointList, w.M_jointCount
	m.valid = true
}

// resolve gives contacts and joints the positions of their bodies in
// m.bodies. There is no way from a body to its position, so while it works the
// bodies' island indices hold them.
func (m *mirror) resolve() {
	if m.resolved == len(m.contacts) && m.located {
		return
	}
	m.indices = grow(m.indices, len(m.bodies))
	for i, b := range m.bodies {
		m.indices[i] = b.M_islandIndex
		b.M_islandIndex = i
	}
	for i := m.resolved; i < len(m.contacts); i++ {
		r := &m.contacts[i]
		r.iA, r.iB = int32(r.bA.M_islandIndex), int32(r.bB.M_islandIndex)
	}
	if !m.located {
		for i := range m.joints {
			j := &m.joints[i]
			j.iA, j.iB = int32(j.base.M_bodyA.M_islandIndex), int32(j.base.M_bodyB.M_islandIndex)
		}
	}
	for i, b := range m.bodies {
		b.M_islandIndex = m.indices[i]
	}
	m.resolved, m.located = len(m.contacts), true
}

// forget drops every reference into the world, so that a closed stepper keeps
// nothing alive.
func (m *mirror) forget() { *m = mirror{} }

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func (r *contactRef) pair() uint64 { return pairKey(r.proxyA, r.proxyB) }

// makeContactRef looks up what contactRef mirrors.
func makeContactRef(i box2d.B2ContactInterface) contactRef {
	c, k := unwrap(i)
	if c == nil {
		return contactRef{kind: foreign}
	}
	r := contactRef{
		c: c, manifold: c.M_manifold, iface: i, kind: k,
		fA: c.M_fixtureA, fB: c.M_fixtureB,
	}
	r.bA, r.bB = r.fA.M_body, r.fB.M_body
	r.proxyA = int32(r.fA.M_proxies[c.M_indexA].ProxyId)
	r.proxyB = int32(r.fB.M_proxies[c.M_indexB].ProxyId)
	return r
}

// unwrap finds the common part of a contact; nil if its type is unknown.
func unwrap(i box2d.B2ContactInterface) (*box2d.B2Contact, kind) {
	if c, ok := i.(*box2d.B2PolygonContact); ok {
		return &c.B2Contact, polygons
	}
	switch c := i.(type) {
	case *box2d.B2CircleContact:
		return &c.B2Contact, circles
	case *box2d.B2PolygonAndCircleContact:
		return &c.B2Contact, polygonCircle
	case *box2d.B2EdgeAndCircleContact:
		return &c.B2Contact, edgeCircle
	case *box2d.B2EdgeAndPolygonContact:
		return &c.B2Contact, edgePolygon
	case *box2d.B2ChainAndCircleContact:
		return &c.B2Contact, chainCircle
	case *box2d.B2ChainAndPolygonContact:
		return &c.B2Contact, chainPolygon
	}
	return nil, foreign
}

// baseJoint finds the common part of a joint; nil if its type is unknown.
func baseJoint(j box2d.B2JointInterface) *box2d.B2Joint {
	if j, ok := j.(*box2d.B2RevoluteJoint); ok {
		return j.B2Joint
	}
	switch j := j.(type) {
	case *box2d.B2PrismaticJoint:
		return j.B2Joint
	case *box2d.B2DistanceJoint:
		return j.B2Joint
	case *box2d.B2PulleyJoint:
		return j.B2Joint
	case *box2d.B2MouseJoint:
		return j.B2Joint
	case *box2d.B2GearJoint:
		return j.B2Joint
	case *box2d.B2WheelJoint:
		return j.B2Joint
	case *box2d.B2WeldJoint:
		return j.B2Joint
	case *box2d.B2FrictionJoint:
		return j.B2Joint
	case *box2d.B2RopeJoint:
		return j.B2Joint
	case *box2d.B2MotorJoint:
		return j.B2Joint
	}
	return nil
}
