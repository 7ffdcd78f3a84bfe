package stepper

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/b2"
	"halfstep/physicsloop/stepper/active"
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
	seq            uint64 // its age: see active.Contact
	id             uint32 // likewise
	slot           int32  // its number in the active.Set
	indexA, indexB int32  // indices of bA and bB in mirror.bodies
	proxyA, proxyB int32
	kind           b2.Kind
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

// mirror holds the active part of the world as slices, oldest element first. (The
// library prepends, so its lists run newest first.) What becomes active after
// follow is at the end.
type mirror struct {
	set *active.Set

	bodies   []*box2d.B2Body // those that are active, then the others that these touch
	numbers  []int32         // of bodies, in the set
	listed   int             // how many of bodies are active
	contacts []contactRef
	joints   []jointRef

	hasGearJoint bool
	indexed      int  // contacts[:indexed] have valid indexA and indexB
	changed      bool // bodies have come or gone since the last step

	// What the last step has left flags on, and this one does not look at.
	retiredBodies   []*box2d.B2Body
	retiredContacts []*box2d.B2Contact
	retiredJoints   []*box2d.B2Joint

	index []int32 // by number of a body: its index in bodies, if bodies has it there
	at    []int32 // by number of a contact: its index in contacts, likewise
	spare []contactRef
	last  []*box2d.B2Body

	others []*box2d.B2Body // of contacts that extend has added
}

// begin brings the mirror up to date before a step. It returns false if the world
// has a contact or joint of an unknown type.
func (m *mirror) begin(w *box2d.B2World) bool {
	if !m.set.Begin() {
		return false
	}
	m.changed = m.set.BodiesChanged()
	m.follow(callbacksMayWrite)
	return true
}

// follow lists what is active in the order of age.
func (m *mirror) follow(mode callbackMode) {
	m.followContacts(mode)
	m.followJoints()
	m.followBodies()
}

func (m *mirror) followContacts(mode callbackMode) {
	set, old := m.set, m.contacts
	same := len(old) == len(set.Contacts)
	for i := 0; same && i < len(old); i++ {
		same = m.isRef(i, set.Contacts[i])
	}
	m.indexed = 0
	if same {
		return
	}
	m.at = grow(m.at, len(set.Contact))
	for i := range old {
		m.at[old[i].slot] = int32(i)
	}
	// As a rule what is new is at the end. Otherwise it is put aside first.
	fresh := len(set.Contacts)
	for fresh > 0 && m.refOf(set.Contacts[fresh-1]) < 0 {
		fresh--
	}
	next, inPlace := old[:0], true
	for _, slot := range set.Contacts[:fresh] {
		if m.refOf(slot) < 0 {
			inPlace = false
			old = append(m.spare[:0], old...)
			m.spare = old
			break
		}
	}
	from := 0 // what of old has not been looked at
	for _, slot := range set.Contacts {
		i := -1
		if k := int(m.at[slot]); k >= from && k < len(old) && old[k].id == set.Contact[slot].ID {
			i = k
		}
		switch {
		case i >= 0:
			m.retireContacts(old[from:i])
			from = i + 1
		case inPlace: // it may overwrite what is left
			m.retireContacts(old[from:])
			from = len(old)
		}
		switch {
		case i < 0:
			next = append(next, m.newContactRef(slot, mode))
		case inPlace && len(next) == i:
			next = next[:i+1]
		default:
			next = append(next, old[i])
		}
	}
	m.retireContacts(old[from:])
	if len(next) < len(m.contacts) {
		clear(m.contacts[len(next):])
	}
	clear(m.spare)
	m.spare = m.spare[:0]
	m.contacts = next
}

// isRef reports whether ref i is that of a contact.
func (m *mirror) isRef(i int, slot int32) bool {
	return m.contacts[i].id == m.set.Contact[slot].ID
}

// refOf returns the index of a contact's ref, or -1.
func (m *mirror) refOf(slot int32) int {
	if i := int(m.at[slot]); i >= 0 && i < len(m.contacts) && m.isRef(i, slot) {
		return i
	}
	return -1
}

func (m *mirror) retireContacts(refs []contactRef) {
	for i := range refs {
		if c := refs[i].c; c != nil && m.set.Contact[refs[i].slot].ID == refs[i].id {
			m.retiredContacts = append(m.retiredContacts, c)
		}
	}
}

// newContactRef makes the ref of a contact that has become active.
func (m *mirror) newContactRef(slot int32, mode callbackMode) contactRef {
	r := makeContactRef(m.set, slot)
	if mode == callbacksNone {
		r.resetFlags()
	}
	return r
}

// extend adds the contacts that have become active since follow or the last
// extend, and reports whether there are any.
func (m *mirror) extend(mode callbackMode) bool {
	if len(m.contacts) == len(m.set.Contacts) {
		return false
	}
	fresh := m.set.Contacts[len(m.contacts):]
	m.contacts, m.others = slices.Grow(m.contacts, len(fresh)), slices.Grow(m.others, 2*len(fresh))
	for _, slot := range fresh {
		r := m.newContactRef(slot, mode)
		m.contacts = append(m.contacts, r)
		m.others = append(m.others, r.bA, r.bB)
	}
	return true
}

func (m *mirror) followJoints() {
	set, old := m.set, m.joints
	same := len(old) == len(set.Joints)
	for i := 0; same && i < len(old); i++ {
		same = old[i].base == set.Joint[set.Joints[i]].Base
	}
	if same {
		return
	}
	for i := range old {
		base := old[i].base
		if n := base.M_index; n < len(set.Joint) && set.Joint[n].Base == base && !set.Joint[n].Listed {
			m.retiredJoints = append(m.retiredJoints, base)
		}
	}
	m.joints, m.hasGearJoint = m.joints[:0], false
	for _, n := range set.Joints {
		e := &set.Joint[n]
		rev, _ := e.J.(*box2d.B2RevoluteJoint)
		m.joints = append(m.joints, jointRef{j: e.J, base: e.Base, revolute: rev})
		m.hasGearJoint = m.hasGearJoint || e.Gear
	}
	clear(m.joints[len(m.joints):cap(m.joints)])
}

// followBodies lists the bodies that are active and those that they touch, and
// gives contacts and joints their indices.
func (m *mirror) followBodies() {
	set := m.set
	m.last = append(append(m.last[:0], m.bodies...), m.others...)
	clear(m.others)
	m.others = m.others[:0]
	m.bodies, m.numbers = m.bodies[:0], m.numbers[:0]
	m.index = grow(m.index, len(set.Body))
	for _, n := range set.Bodies {
		m.indexOf(n)
	}
	m.listed = len(m.bodies)
	for i := range m.contacts {
		r := &m.contacts[i]
		e := &set.Contact[r.slot]
		r.seq, r.indexA, r.indexB = e.Seq, m.indexOf(e.A), m.indexOf(e.B)
	}
	m.indexed = len(m.contacts)
	for i := range m.joints {
		j := &m.joints[i]
		j.indexA, j.indexB = m.indexOf(set.Number(j.base.M_bodyA)), m.indexOf(set.Number(j.base.M_bodyB))
		if g, ok := j.j.(*box2d.B2GearJoint); ok { // it reads their M_islandIndex
			m.indexOf(set.Number(g.M_bodyC))
			m.indexOf(set.Number(g.M_bodyD))
		}
	}
	for _, b := range m.last {
		if n := set.Number(b); n >= 0 && !m.has(n) {
			m.retiredBodies = append(m.retiredBodies, b)
		}
	}
	clear(m.last)
	clear(m.bodies[len(m.bodies):cap(m.bodies)])
}

// indexFrom lists the bodies of contacts that extend has added, and reports whether
// one of these is older than the one before.
func (m *mirror) indexFrom(from int) (older bool) {
	for i := from; i < len(m.contacts); i++ {
		e := &m.set.Contact[m.contacts[i].slot]
		m.indexOf(e.A)
		m.indexOf(e.B)
		older = older || i > 0 && m.contacts[i-1].seq > m.contacts[i].seq
	}
	return older
}

func (m *mirror) has(n int32) bool {
	i := m.index[n]
	return i >= 0 && int(i) < len(m.numbers) && m.numbers[i] == n
}

// indexOf returns the index of a body, which it adds if it is new.
func (m *mirror) indexOf(n int32) int32 {
	if m.has(n) {
		return m.index[n]
	}
	i := int32(len(m.bodies))
	m.index[n] = i
	m.bodies, m.numbers = append(m.bodies, m.set.Body[n].B), append(m.numbers, n)
	return i
}

// retire forgets what the last step has left flags on.
func (m *mirror) retire() {
	clear(m.retiredBodies)
	clear(m.retiredContacts)
	m.retiredBodies, m.retiredContacts = m.retiredBodies[:0], m.retiredContacts[:0]
}

// reset drops all pointers into the world.
func (m *mirror) reset() { *m = mirror{set: m.set} }

// makeContactRef looks up what contactRef holds.
func makeContactRef(set *active.Set, slot int32) contactRef {
	e := &set.Contact[slot]
	r := contactRef{
		c: e.C, manifold: e.C.M_manifold, iface: e.I, kind: e.Kind, slot: slot, seq: e.Seq, id: e.ID,
		fA: e.C.M_fixtureA, fB: e.C.M_fixtureB, proxyA: e.ProxyA, proxyB: e.ProxyB,
	}
	r.bA, r.bB = r.fA.M_body, r.fB.M_body
	r.solid = isSolid(&r)
	return r
}
