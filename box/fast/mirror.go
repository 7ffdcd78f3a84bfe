package fast

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/reslice"
)

// contactRef has copies of the parts of a contact that do not change, so that a pass over the
// contacts does not follow five pointers for each contact. It also has data of the stepper about
// the contact.
type contactRef struct {
	c              *box2d.B2Contact
	manifold       *box2d.B2Manifold
	bA, bB         *box2d.B2Body
	fA, fB         *box2d.B2Fixture
	iface          box2d.B2ContactInterface
	slot           int32  // the contact's number in the box.World
	id             uint32 // differs from the id of an earlier contact with the same number
	indexA, indexB int32  // indices of bA and bB in mirror.bodies
	proxyA, proxyB box.Proxy
	kind           b2.Kind
	solid          bool  // result of the last call of isSolid
	hintA, hintB   uint8 // for polygons: the edges of maximum separation in the last step
	separatingEdge uint8 // for polygons: the edge that separated them last; 0 for none, 1+i for edge i of A, 129+i for edge i of B
}

// jointRef has copies of the parts of a joint that do not change.
type jointRef struct {
	j              box2d.B2JointInterface
	base           *box2d.B2Joint
	revolute       *box2d.B2RevoluteJoint // nil if the joint is of another type
	extra          *box.JointExtra        // settings that the library's joint lacks, or nil
	indexA, indexB int32                  // indices of the joint's bodies in mirror.bodies
}

// mirror lists the active objects of the world in slices, the oldest object first. The library's own
// lists begin with the newest object. A body is active if it is awake, enabled and not static. A
// contact or joint is active if one of its bodies is active. The owner lists the numbers of active
// objects, and marks each of these objects as Listed. Objects that become active after the call of
// follow are added at the end.
type mirror struct {
	owner *box.World // numbers the world's objects and lists the active objects

	bodies      []*box2d.B2Body // the active bodies, then the inactive bodies of active contacts and joints
	numbers     []int32         // the numbers of bodies in the owner
	activeCount int             // the number of bodies that are active
	contacts    []contactRef
	joints      []jointRef

	hasGearJoint bool
	indexed      int  // contacts[:indexed] have a valid indexA and indexB
	unindexed    int  // contacts from this index on may have -1 as indexA or indexB
	relist       bool // the list of joints has changed, so all bodies get new indices

	// objects that may have flags of the last step and are not visited in this step
	retiredBodies   []*box2d.B2Body
	retiredContacts []*box2d.B2Contact
	retiredJoints   []*box2d.B2Joint

	// Counters of the owner at the time when the lists were made. A counter does not change if the
	// owner appends to the list of bodies or contacts. It does change with any other change of the list.
	bodyOrder, contactOrder uint64

	index []int32         // by number of a body: its index in bodies, if it has one
	spare []contactRef    // scratch memory of followContacts
	last  []*box2d.B2Body // scratch memory of followBodies

	others []*box2d.B2Body // scratch of followBodies
}

// follow makes the lists of active objects, in the order of their age.
func (m *mirror) follow(mode callbackMode) {
	m.followContacts(mode)
	m.followJoints()
	m.followBodies()
}

// followContacts adds a contactRef for each contact that has become active. It drops the refs of
// contacts that are no longer active. The old refs and the owner's list are in the order of age.
func (m *mirror) followContacts(mode callbackMode) {
	owner := m.owner
	m.indexed = 0
	if m.contactOrder == owner.Contacts.Order {
		m.extend(mode)
		return
	}
	m.contactOrder = owner.Contacts.Order
	all, old, next := len(m.contacts), m.contacts, m.contacts[:0]
	i, inPlace := 0, true // old[:i] have been compared; inPlace means that old is m.contacts itself, and no copy
	for _, slot := range owner.Contacts.Active {
		e := &owner.Contacts.All[slot]
		for i < len(old) && old[i].id != e.ID && m.comesBefore(&old[i], e.Seq) {
			m.retireContact(&old[i])
			i++
		}
		switch known := i < len(old) && old[i].id == e.ID; {
		case !known:
			if inPlace && len(next) == i && i < len(old) { // appending would overwrite old[i]
				m.spare = append(m.spare[:0], old[i:]...)
				old, i, inPlace = m.spare, 0, false
			}
			m.unindexed = min(m.unindexed, len(next))
			next = append(next, m.newContactRef(slot, mode))
			continue
		case inPlace && len(next) == i:
			next = next[:i+1]
		default:
			if old[i].indexA < 0 {
				m.unindexed = min(m.unindexed, len(next))
			}
			next = append(next, old[i])
		}
		i++
	}
	for ; i < len(old); i++ {
		m.retireContact(&old[i])
	}
	if len(next) < all {
		clear(next[len(next):all])
	}
	clear(m.spare)
	m.spare = m.spare[:0]
	m.contacts = next
}

// comesBefore reports whether the contact of a ref is no longer active, or is older than the contact
// with the number seq. A newer contact has a greater seq.
func (m *mirror) comesBefore(r *contactRef, seq uint64) bool {
	e := &m.owner.Contacts.All[r.slot]
	return e.ID != r.id || !e.Listed || e.Seq < seq
}

// retireContact records a contact that may have flags of the last step. It does nothing if the
// contact was destroyed or is still active.
func (m *mirror) retireContact(r *contactRef) {
	if e := &m.owner.Contacts.All[r.slot]; r.c != nil && e.ID == r.id && !e.Listed {
		m.retiredContacts = append(m.retiredContacts, r.c)
	}
}

// newContactRef makes the ref of a contact that has become active. It clears the contact's flags if
// no callback runs, because then collide clears only the flags of contacts that it visits.
func (m *mirror) newContactRef(slot int32, mode callbackMode) contactRef {
	r := makeContactRef(m.owner, slot)
	if mode == callbacksNone {
		r.resetFlags()
	}
	r.indexA, r.indexB = -1, -1
	return r
}

// extend adds the contacts that have become active since the last call of follow or
// extend.
func (m *mirror) extend(mode callbackMode) {
	fresh := m.owner.Contacts.Active[len(m.contacts):]
	m.unindexed = min(m.unindexed, len(m.contacts))
	m.contacts, m.others = slices.Grow(m.contacts, len(fresh)), slices.Grow(m.others, 2*len(fresh))
	for _, slot := range fresh {
		r := m.newContactRef(slot, mode)
		m.contacts = append(m.contacts, r)
		m.others = append(m.others, r.bA, r.bB)
	}
}

// followJoints lists the joints again if other joints have become active. It records the joints that
// have become inactive.
func (m *mirror) followJoints() {
	owner, old := m.owner, m.joints
	same := len(old) == len(owner.Joints.Active)
	for i := 0; same && i < len(old); i++ {
		e := &owner.Joints.All[owner.Joints.Active[i]]
		if same = old[i].base == e.Base; old[i].extra != e.Extra {
			old[i].extra = e.Extra
		}
	}
	if same {
		return
	}
	for i := range old {
		base := old[i].base
		if n := base.M_index; n < len(owner.Joints.All) && owner.Joints.All[n].Base == base && !owner.Joints.All[n].Listed {
			m.retiredJoints = append(m.retiredJoints, base)
		}
	}
	m.joints, m.hasGearJoint, m.relist = m.joints[:0], false, true
	for _, n := range owner.Joints.Active {
		e := &owner.Joints.All[n]
		rev, _ := e.J.(*box2d.B2RevoluteJoint)
		m.joints = append(m.joints, jointRef{j: e.J, base: e.Base, revolute: rev, extra: e.Extra})
		m.hasGearJoint = m.hasGearJoint || e.Gear
	}
	clear(m.joints[len(m.joints):cap(m.joints)])
}

// followBodies lists the active bodies, and the inactive bodies of active contacts and joints. It
// sets the bodies' indices in contacts and joints. If the same bodies are active as in the last
// step, it sets only indices of contacts that are missing.
func (m *mirror) followBodies() {
	owner, last := m.owner, m.last[:0] // last has the bodies that may no longer be in the list
	same := m.bodyOrder == owner.Bodies.Order && m.activeCount == len(owner.Bodies.Active) && len(m.index) >= len(owner.Bodies.All) && !m.relist
	if !same {
		m.bodyOrder, m.relist, m.unindexed = owner.Bodies.Order, false, 0
		last = append(last, m.bodies...)
		m.bodies, m.numbers = m.bodies[:0], m.numbers[:0]
		m.index = reslice.ResizeDirty(m.index, len(owner.Bodies.All))
		for _, n := range owner.Bodies.Active {
			m.indexOf(n)
		}
		m.activeCount = len(m.bodies)
		clear(m.bodies[m.activeCount:cap(m.bodies)])
	}
	m.last = append(last, m.others...)
	clear(m.others)
	m.others = m.others[:0]
	for i := m.unindexed; i < len(m.contacts); i++ {
		if r := &m.contacts[i]; r.indexA < 0 || !same {
			e := &owner.Contacts.All[r.slot]
			r.indexA, r.indexB = m.indexOf(e.A), m.indexOf(e.B)
		}
	}
	m.indexed, m.unindexed = len(m.contacts), len(m.contacts)
	for i := 0; i < len(m.joints) && !same; i++ {
		j := &m.joints[i]
		j.indexA, j.indexB = m.indexOf(owner.Bodies.Number(j.base.M_bodyA)), m.indexOf(owner.Bodies.Number(j.base.M_bodyB))
		if g, ok := j.j.(*box2d.B2GearJoint); ok { // a gear reads the M_islandIndex of these bodies
			m.indexOf(owner.Bodies.Number(g.M_bodyC))
			m.indexOf(owner.Bodies.Number(g.M_bodyD))
		}
	}
	for _, b := range m.last {
		if n := owner.Bodies.Number(b); n >= 0 && !m.has(n) {
			m.retiredBodies = append(m.retiredBodies, b)
		}
	}
	clear(m.last)
}

// indexFrom gives the bodies of contacts[from:] their indices in the list of bodies. It adds the
// bodies that are not in the list. The function extend has added these contacts.
func (m *mirror) indexFrom(from int) {
	for i := from; i < len(m.contacts); i++ {
		e := &m.owner.Contacts.All[m.contacts[i].slot]
		m.indexOf(e.A)
		m.indexOf(e.B)
	}
}

// creationOrder returns the age of contact i as a number. A newer contact has a greater number.
func (m *mirror) creationOrder(i int) uint64 { return m.owner.Contacts.All[m.contacts[i].slot].Seq }

// has reports whether the list bodies contains the body with the number n.
func (m *mirror) has(n int32) bool {
	i := m.index[n]
	return i >= 0 && int(i) < len(m.numbers) && m.numbers[i] == n
}

// indexOf returns the index in bodies of the body with the number n. It adds the body to the list if
// necessary.
func (m *mirror) indexOf(n int32) int32 {
	if m.has(n) {
		return m.index[n]
	}
	i := int32(len(m.bodies))
	m.index[n] = i
	m.bodies, m.numbers = append(m.bodies, m.owner.Bodies.All[n].B), append(m.numbers, n)
	return i
}

// retire empties retiredBodies and retiredContacts. The function solve empties retiredJoints.
func (m *mirror) retire() {
	clear(m.retiredBodies)
	clear(m.retiredContacts)
	m.retiredBodies, m.retiredContacts = m.retiredBodies[:0], m.retiredContacts[:0]
}

func makeContactRef(owner *box.World, slot int32) contactRef {
	e := &owner.Contacts.All[slot]
	r := contactRef{
		c: e.C, manifold: e.C.M_manifold, iface: e.I, kind: e.Kind, slot: slot, id: e.ID,
		fA: e.C.M_fixtureA, fB: e.C.M_fixtureB, proxyA: e.ProxyA, proxyB: e.ProxyB,
	}
	r.bA, r.bB = r.fA.M_body, r.fB.M_body
	r.solid = isSolid(&r)
	return r
}
