package stepper

import (
	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper/internal/pairset"
)

// contactType is a contact's pair of shapes.
type contactType uint8

const (
	polygons contactType = iota
	circles
	polygonCircle
	edgeCircle
	edgePolygon
	chainCircle
	chainPolygon
	unknownContact // not one of the library's contact types
)

// contactRef holds what never changes about a contact while it lives, so that a
// pass over the contacts does not follow five pointers for each, and what the
// stepper remembers of it.
type contactRef struct {
	c              *box2d.B2Contact
	manifold       *box2d.B2Manifold
	bA, bB         *box2d.B2Body
	fA, fB         *box2d.B2Fixture
	iface          box2d.B2ContactInterface
	indexA, indexB int32 // indices of bA and bB in mirror.bodies
	proxyA, proxyB int32
	kind           contactType
	solid          bool  // isSolid, as last computed
	hintA, hintB   uint8 // of polygons: the edges of maximum separation last time
	separatingEdge uint8 // of polygons: the last separating edge; 0 none, 1+i of A, 129+i of B
}

// jointRef is the same for a joint.
type jointRef struct {
	j              box2d.B2JointInterface
	base           *box2d.B2Joint
	revolute       *box2d.B2RevoluteJoint // nil if it is of another type
	indexA, indexB int32                  // indices of its bodies in mirror.bodies
}

// mirror holds the world's linked lists as slices, oldest element first. (The
// library prepends, so its lists run newest first.)
//
// A new element always becomes the head of its list, and a removal lowers the
// count. So a list whose head and count are those last seen has not changed.
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

	contactPairs  pairset.Set // the pairs of proxies that have a contact
	hasGearJoint  bool
	indexed       int   // contacts[:indexed] have valid indexA and indexB
	jointsIndexed bool  // joints have them
	current       bool  // it agrees with the world; false during a step and after one that panicked
	changed       bool  // bodies have been created or destroyed since the last step
	saved         []int // scratch of indexBodies
}

// sync brings the mirror up to date with the world. It returns false if the
// world has a contact or joint of an unknown type.
func (m *mirror) sync(w *box2d.B2World) bool {
	m.changed = !m.current || m.bodyHead != w.M_bodyList || m.bodyCount != w.M_bodyCount
	if m.changed {
		m.bodies = m.bodies[:0]
		for b := w.M_bodyList; b != nil; b = b.M_next {
			m.bodies = append(m.bodies, b)
		}
		reverse(m.bodies)
		clear(m.bodies[len(m.bodies):cap(m.bodies)]) // for the garbage collector
		m.indexed, m.jointsIndexed = 0, false
	}
	mgr := &w.M_contactManager
	if !m.current || m.contactHead != mgr.M_contactList || m.contactCount != mgr.M_contactCount {
		m.contacts = m.contacts[:0]
		for c := mgr.M_contactList; c != nil; {
			r := makeContactRef(c)
			if r.kind == unknownContact {
				m.current = false
				return false
			}
			m.contacts = append(m.contacts, r)
			c = r.c.M_next
		}
		reverse(m.contacts)
		clear(m.contacts[len(m.contacts):cap(m.contacts)])
		m.indexed = 0
		m.contactPairs.Clear()
		for i := range m.contacts {
			m.contactPairs.Add(m.contacts[i].pair())
		}
	}
	if !m.current || m.jointHead != w.M_jointList || m.jointCount != w.M_jointCount {
		m.joints, m.hasGearJoint, m.jointsIndexed = m.joints[:0], false, false
		for j := w.M_jointList; j != nil; {
			base := BaseJoint(j)
			if base == nil {
				m.current = false
				return false
			}
			rev, _ := j.(*box2d.B2RevoluteJoint)
			m.joints = append(m.joints, jointRef{j: j, base: base, revolute: rev})
			if _, ok := j.(*box2d.B2GearJoint); ok {
				m.hasGearJoint = true
			}
			j = base.M_next
		}
		reverse(m.joints)
		clear(m.joints[len(m.joints):cap(m.joints)])
	}
	m.current = false
	return true
}

// setCurrent notes that the mirror and the world agree.
func (m *mirror) setCurrent(w *box2d.B2World) {
	m.bodyHead, m.bodyCount = w.M_bodyList, w.M_bodyCount
	m.contactHead, m.contactCount = w.M_contactManager.M_contactList, w.M_contactManager.M_contactCount
	m.jointHead, m.jointCount = w.M_jointList, w.M_jointCount
	m.current = true
}

// indexBodies sets indexA and indexB of contacts and joints. While it works,
// each body's M_islandIndex holds its index in m.bodies.
func (m *mirror) indexBodies() {
	if m.indexed == len(m.contacts) && m.jointsIndexed {
		return
	}
	m.saved = grow(m.saved, len(m.bodies))
	for i, b := range m.bodies {
		m.saved[i] = b.M_islandIndex
		b.M_islandIndex = i
	}
	for i := m.indexed; i < len(m.contacts); i++ {
		r := &m.contacts[i]
		r.indexA, r.indexB = int32(r.bA.M_islandIndex), int32(r.bB.M_islandIndex)
	}
	if !m.jointsIndexed {
		for i := range m.joints {
			j := &m.joints[i]
			j.indexA, j.indexB = int32(j.base.M_bodyA.M_islandIndex), int32(j.base.M_bodyB.M_islandIndex)
		}
	}
	for i, b := range m.bodies {
		b.M_islandIndex = m.saved[i]
	}
	m.indexed, m.jointsIndexed = len(m.contacts), true
}

// reset drops all pointers into the world.
func (m *mirror) reset() { *m = mirror{} }

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func (r *contactRef) pair() uint64 { return pairset.Key(r.proxyA, r.proxyB) }

// makeContactRef looks up what contactRef holds.
func makeContactRef(i box2d.B2ContactInterface) contactRef {
	c, k := baseContact(i)
	if c == nil {
		return contactRef{kind: unknownContact}
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

// BaseContact returns the part of a contact that all of the library's types
// share, or nil for a type that is not the library's. It is for those who read
// many contacts: the library's getters copy 136 bytes each.
func BaseContact(i box2d.B2ContactInterface) *box2d.B2Contact {
	c, _ := baseContact(i)
	return c
}

// baseContact returns the part of a contact that all types share, or nil if the
// type is unknown.
func baseContact(i box2d.B2ContactInterface) (*box2d.B2Contact, contactType) {
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
	return nil, unknownContact
}

// BaseJoint returns the part of a joint that all types share, or nil if the type
// is unknown.
func BaseJoint(j box2d.B2JointInterface) *box2d.B2Joint {
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
