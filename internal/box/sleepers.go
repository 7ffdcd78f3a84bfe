package box

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// A step looks at a contact only if one of its bodies is awake. So it would not report a sensor that is
// placed over a sleeping body until that body wakes (box2d.ts issue 47). A body that was made asleep
// would not touch the body below it. Therefore the World looks once at each new contact of two sleeping
// bodies. The soft stepper does that in its narrow phase.

// sleeper is a sleeping or static body with a leaf for which the next search looks for pairs.
type sleeper struct {
	b      *box2d.B2Body
	newest box2d.B2ContactInterface // newest contact of the body before the step
}

// ListSleepers is called before a step. It lists the sleeping bodies that have a leaf for which the next
// search looks for pairs.
func (s *World) ListSleepers() {
	if s.Soft() {
		return
	}
	bp := &s.world.M_contactManager.M_broadPhase
	for _, id := range bp.M_moveBuffer[:bp.M_moveCount] {
		if id == box2d.E_nullProxy {
			continue
		}
		p, _ := bp.M_tree.M_nodes[id].UserData.(*box2d.B2FixtureProxy)
		if p == nil || b2.IsAwake(p.Fixture.M_body) {
			continue
		}
		b := p.Fixture.M_body
		if n := len(s.sleepers); n > 0 && s.sleepers[n-1].b == b {
			continue
		}
		at := sleeper{b: b}
		if b.M_contactList != nil {
			at.newest = b.M_contactList.Contact
		}
		s.sleepers = append(s.sleepers, at)
	}
}

// TellOfSleepers is called after a step. It looks at the new contacts of the bodies that ListSleepers
// has listed. The function slept reports whether a body slept before the step. The function overlap
// reports whether the shapes of a contact overlap.
func (s *World) TellOfSleepers(slept func(*box2d.B2Body) bool, overlap func(Contact) bool) {
	for _, p := range s.sleepers {
		for e := p.b.M_contactList; e != nil && e.Contact != p.newest; e = e.Next {
			c := ContactOf(e.Contact)
			if !c.IsTouching() && slept(e.Other) && touchAsleep(e.Contact, c, overlap) {
				c.c.M_flags |= b2.ContactTouching
				s.Contacts.Mark(c)
				s.world.M_contactManager.M_contactListener.BeginContact(e.Contact)
			}
		}
	}
	clear(s.sleepers)
	s.sleepers = s.sleepers[:0]
}

// touchAsleep reports whether the shapes of a new contact touch and no step will report the contact.
func touchAsleep(i box2d.B2ContactInterface, at Contact, overlap func(Contact) bool) bool {
	c := at.c
	if at.IsSensor() {
		return overlap(at)
	}
	if b2.IsAwake(c.M_fixtureA.M_body) || b2.IsAwake(c.M_fixtureB.M_body) {
		return false // the next step reports the contact
	}
	i.Evaluate(c.M_manifold, c.M_fixtureA.M_body.M_xf, c.M_fixtureB.M_body.M_xf)
	return c.M_manifold.PointCount > 0
}

// FindPairsAsLibrary searches for pairs before the library's own step searches, if that search would
// wake bodies that were made asleep.
func (s *World) FindPairsAsLibrary() {
	s.Proxies.forgetMoves() // the library's step empties the move buffer
	dozes := uint32(0)
	for b := s.world.M_bodyList; b != nil; b = b.M_next {
		dozes |= b.M_flags & b2.BodyDozes
	}
	if dozes == 0 {
		return
	}
	type rest struct {
		flags uint32
		time  float64
	}
	var before []rest
	for b := s.world.M_bodyList; b != nil; b = b.M_next {
		before = append(before, rest{b.M_flags, b.M_sleepTime})
	}
	m := &s.world.M_contactManager
	known := m.M_contactList
	m.FindNewContacts()
	for b := s.world.M_bodyList; b != nil; b = b.M_next {
		b.M_flags, b.M_sleepTime = before[0].flags, before[0].time
		before = before[1:]
	}
	var made []*box2d.B2Contact // the newest contact first
	for i := m.M_contactList; i != known; i = i.GetNext() {
		made = append(made, ContactOf(i).c)
	}
	for _, c := range slices.Backward(made) {
		if a, b := c.M_fixtureA.M_body, c.M_fixtureB.M_body; !b2.IsSensor(c) && !b2.StayAsleep(a, b) {
			b2.Wake(a)
			b2.Wake(b)
		}
	}
}
