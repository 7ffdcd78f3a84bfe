package soft

import (
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/physicsloop/stepper"
	"halfstep/physicsloop/stepper/internal/pairset"
)

// contact is a pair of shapes whose fat boxes overlap, and what is kept of it
// from step to step.
type contact struct {
	bodyA, bodyB   int32
	shapeA, shapeB int32
	flags          uint16
	count          uint8 // of points; 0 if they do not touch

	friction, restitution, tangentSpeed float32

	normal vec // of the world, from A to B
	points [2]point

	// The pose for which the points were computed. They are kept while the bodies
	// have moved little against each other since.
	qA, qB rot
	offset vec // from A's centre of mass to B's, in A's frame
}

// point is a point of a contact.
type point struct {
	rA, rB     vec     // from the centres of mass
	separation float32 // at the start of this step
	base       float32 // separation - dot(rB - rA + cB - cA, normal) when it was computed
	normal     float32 // impulse of the last sub-step, which warm-starts the next, N·s
	tangent    float32
	total      float32 // of the normal impulses of the last step
	id         uint16
}

// Flags of a contact.
const (
	touching = 1 << iota // the shapes touch: or may in this step
	enabled              // by PreSolve
	sensor               // one of the shapes is
	posed                // qA, qB and offset are valid
	flipped              // the reference face is B's
	gone                 // the fat boxes no longer overlap
	refilter             // the filters are to be asked again
	known                // friction and the like have been read
)

// contactRef holds the library's objects of a contact.
type contactRef struct {
	c        *box2d.B2Contact
	iface    box2d.B2ContactInterface
	manifold *box2d.B2Manifold
}

// syncContacts brings the table of contacts in line with the world's list.
func (s *Stepper) syncContacts() {
	if !s.contactsListed() {
		s.listContacts()
	} else if s.renumbered {
		for _, k := range s.order {
			c := &s.contacts[k]
			c.bodyA, c.bodyB = s.shapes[c.shapeA].body, s.shapes[c.shapeB].body
		}
	}
	s.renumbered = false
}

// contactsListed reports whether the table has the contacts of the world's list. A
// new contact becomes the head of that.
func (s *Stepper) contactsListed() bool {
	mgr := &s.world.M_contactManager
	return s.contactHead == mgr.M_contactList && len(s.order) == mgr.M_contactCount
}

// listContacts walks the world's list of contacts beside the last order. Contacts
// never change places, and what is new is at the list's head.
func (s *Stepper) listContacts() {
	mgr := &s.world.M_contactManager
	old := s.order
	next := s.spareOrder[:0]
	s.pairs.Clear()
	k := len(old) - 1
	for i := mgr.M_contactList; i != nil; {
		c := stepper.BaseContact(i)
		if c == nil {
			panic(fmt.Errorf("soft: a contact of type %T cannot be stepped", i))
		}
		if c.M_flags&contactKnown != 0 {
			for k >= 0 && s.refs[old[k]].c != c {
				s.freeContact(old[k])
				k--
			}
		}
		slot := int32(-1)
		if k >= 0 && s.refs[old[k]].c == c {
			slot = old[k]
			k--
		} else {
			slot = s.newSlot(i, c)
		}
		next = append(next, slot)
		e := &s.contacts[slot]
		e.bodyA, e.bodyB = s.shapes[e.shapeA].body, s.shapes[e.shapeB].body
		s.pairs.Add(pairset.Key(e.shapeA, e.shapeB))
		i = c.M_next
	}
	for ; k >= 0; k-- {
		s.freeContact(old[k])
	}
	slices.Reverse(next)
	s.spareOrder, s.order = old, next
	s.contactHead = mgr.M_contactList
}

// newSlot makes the entry of a contact.
func (s *Stepper) newSlot(i box2d.B2ContactInterface, c *box2d.B2Contact) int32 {
	slot := int32(len(s.contacts))
	if n := len(s.freeContacts); n > 0 {
		slot = s.freeContacts[n-1]
		s.freeContacts = s.freeContacts[:n-1]
	} else {
		s.contacts = append(s.contacts, contact{})
		s.refs = append(s.refs, contactRef{})
	}
	c.M_flags |= contactKnown
	c.M_manifold.PointCount = 0 // the slot has none yet
	s.setSlot(slot, i, c)
	if c.M_flags&contactTouching != 0 {
		s.contacts[slot].flags |= touching
	}
	return slot
}

// setSlot writes to a slot which contact has it.
func (s *Stepper) setSlot(slot int32, i box2d.B2ContactInterface, c *box2d.B2Contact) {
	s.refs[slot] = contactRef{c: c, iface: i, manifold: c.M_manifold}
	a := int32(c.M_fixtureA.M_proxies[c.M_indexA].ProxyId)
	b := int32(c.M_fixtureB.M_proxies[c.M_indexB].ProxyId)
	s.contacts[slot] = contact{
		shapeA: a, shapeB: b,
		bodyA: int32(c.M_fixtureA.M_body.M_islandIndex), bodyB: int32(c.M_fixtureB.M_body.M_islandIndex),
	}
}

func (s *Stepper) freeContact(slot int32) {
	s.refs[slot] = contactRef{}
	s.contacts[slot] = contact{bodyA: -1, bodyB: -1}
	s.freeContacts = append(s.freeContacts, slot)
}

// destroyContact destroys a contact and frees its slot. removeDestroyed follows.
func (s *Stepper) destroyContact(slot int32) {
	c := &s.contacts[slot]
	s.pairs.Remove(pairset.Key(c.shapeA, c.shapeB))
	s.world.M_contactManager.Destroy(s.refs[slot].iface)
	s.freeContact(slot)
	s.destroyed = true
}

// removeDestroyed takes the destroyed contacts out of the order.
func (s *Stepper) removeDestroyed() {
	if !s.destroyed {
		return
	}
	s.destroyed = false
	k := 0
	for _, slot := range s.order {
		if s.refs[slot].c != nil {
			s.order[k] = slot
			k++
		}
	}
	s.order = s.order[:k]
	s.contactHead = s.world.M_contactManager.M_contactList
}

func isSensorContact(c *box2d.B2Contact) bool {
	return c.M_fixtureA.M_isSensor || c.M_fixtureB.M_isSensor
}

// touchesSolidly reports whether one of the library's contacts holds bodies
// together.
func touchesSolidly(i box2d.B2ContactInterface) bool {
	c := stepper.BaseContact(i)
	const both = contactEnabled | contactTouching
	return c.M_flags&both == both && !isSensorContact(c)
}
