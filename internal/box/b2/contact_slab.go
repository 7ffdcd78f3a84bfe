package b2

import (
	"unsafe"

	"github.com/ByteArena/box2d"
)

// contactCell is the memory of a contact: the library allocates the contact, its
// manifold and its two edges one by one.
type contactCell struct {
	number  int32 // see SetNumber; it lies beside what links contacts
	inUse   bool
	listed  bool   // in Contacts.free or Contacts.ended
	endedIn uint16 // the low bits of the round, a step, in which it was given back

	contact      box2d.B2PolygonContact // or any other of the library's types, which are alike
	manifold     box2d.B2Manifold
	edgeA, edgeB box2d.B2ContactEdge
}

// Contacts makes the contacts of a world, many with one allocation, and uses the
// memory of ended contacts again: not before the next step, because a step may still
// hold contacts that it has ended. The zero value is ready to use.
type Contacts struct {
	slab        []contactCell  // the rest of the newest
	size        int            // of the newest slab
	round       uint32         // how many steps have begun
	free, ended []*contactCell // some may be in use again: the world went back, and Back was called
}

const (
	leastSlab = 16
	mostSlab  = 256
)

// New is NewContact with memory from p.
func (p *Contacts) New(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) box2d.B2ContactInterface {
	a, child, b, kind := OrderEnds(fA, indexA, fB, indexB)
	if kind == Unknown {
		return nil
	}
	c := p.take()
	c.inUse = true
	return c.fill(a, child, b, kind)
}

// take returns a cell that is not in use, and did not end in this round.
func (p *Contacts) take() *contactCell {
	for k := len(p.free); k > 0; k = len(p.free) {
		c := p.free[k-1]
		p.free = p.free[:k-1]
		if c.endedIn == uint16(p.round) && !c.inUse {
			p.ended = append(p.ended, c)
			continue
		}
		if c.listed = false; !c.inUse {
			return c
		}
	}
	if len(p.slab) == 0 {
		p.size = min(max(2*p.size, leastSlab), mostSlab)
		p.slab = make([]contactCell, p.size)
	}
	c := &p.slab[0]
	p.slab = p.slab[1:]
	return c
}

// cellOf returns the memory of a contact, or nil for one that the library has made.
func cellOf(c *box2d.B2Contact) *contactCell {
	const at = unsafe.Offsetof(contactCell{}.contact)
	manifold := uintptr(unsafe.Pointer(c)) + unsafe.Offsetof(contactCell{}.manifold) - at
	if manifold != uintptr(unsafe.Pointer(c.M_manifold)) {
		return nil
	}
	return (*contactCell)(unsafe.Add(unsafe.Pointer(c), -int(at)))
}

// SetNumber notes a number of a contact that [Contacts] has made.
func SetNumber(c *box2d.B2Contact, n int32) {
	if cell := cellOf(c); cell != nil {
		cell.number = n
	}
}

// Number returns what SetNumber has noted last, or -1 for a contact that the library has
// made. Before the first time it is meaningless, and so it is of a contact that is gone:
// whoever must know looks whether that number is the contact's.
func Number(c *box2d.B2Contact) int32 {
	if cell := cellOf(c); cell != nil {
		return cell.number
	}
	return -1
}

// End gives back the memory of a contact that is no longer in the world.
func (p *Contacts) End(contact *box2d.B2Contact) {
	c := cellOf(contact)
	if c == nil || !c.inUse {
		return
	}
	c.inUse, c.endedIn = false, uint16(p.round)
	if !c.listed {
		c.listed = true
		p.ended = append(p.ended, c)
	}
}

// Back follows the return of a contact to the world, which has gone back to a state in which
// it was there. Its cell is not taken from the lists: BeginRound and take pass over it.
func (p *Contacts) Back(contact *box2d.B2Contact) {
	if c := cellOf(contact); c != nil {
		c.inUse = true
	}
}

// BeginRound comes before a step: what has ended so far may be used again. Nothing
// that it pointed to is kept.
func (p *Contacts) BeginRound() {
	p.round++
	for _, c := range p.ended {
		if c.inUse {
			c.listed = false
			continue
		}
		c.clear()
		p.free = append(p.free, c)
	}
	clear(p.ended)
	p.ended = p.ended[:0]
}

// clear drops the contact's pointers, except those to its own manifold and edges, which
// never change: the contact may come back as it was.
func (c *contactCell) clear() {
	c.contact.B2Contact = box2d.B2Contact{M_manifold: &c.manifold, M_nodeA: &c.edgeA, M_nodeB: &c.edgeB}
	c.manifold, c.edgeA, c.edgeB = box2d.B2Manifold{}, box2d.B2ContactEdge{}, box2d.B2ContactEdge{}
}
