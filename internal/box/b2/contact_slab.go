package b2

import (
	"unsafe"

	"github.com/ByteArena/box2d"
)

// contactCell is the memory of a contact in one piece. The library allocates the contact,
// its manifold and its two edges one by one.
type contactCell struct {
	number  int32 // see SetNumber; on the same cache line as the fields that link contacts
	inUse   bool
	listed  bool   // listed says that the contact is in Contacts.free or Contacts.ended.
	endedIn uint16 // low bits of the round (the step) in which the contact ended

	contact      box2d.B2PolygonContact // may have another of the library's contact types, all of which have the same fields
	manifold     box2d.B2Manifold
	edgeA, edgeB box2d.B2ContactEdge
}

// Contacts makes the contacts of a world, many with one allocation. It uses the memory of an
// ended contact again, but not before the next step, because the present step may still
// refer to the contact. The zero value is ready to use.
type Contacts struct {
	slab        []contactCell  // the unused cells of the newest allocation
	size        int            // size is the size of the newest slab.
	round       uint32         // the number of steps that have begun
	free, ended []*contactCell // some may be in use again, because the world went back in time and Back was called
}

const (
	leastSlab = 16
	mostSlab  = 256
)

// New makes the contact of two child shapes, in memory of p.
func (p *Contacts) New(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) box2d.B2ContactInterface {
	a, child, b, kind := OrderEnds(fA, indexA, fB, indexB)
	if kind == Unknown {
		return nil
	}
	c := p.take()
	c.inUse = true
	return c.fill(a, child, b, kind)
}

// take returns a cell that is not in use and did not end in this round.
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

// cellOf returns the memory of a contact, or nil for a contact made by the library.
func cellOf(c *box2d.B2Contact) *contactCell {
	const at = unsafe.Offsetof(contactCell{}.contact)
	manifold := uintptr(unsafe.Pointer(c)) + unsafe.Offsetof(contactCell{}.manifold) - at
	if manifold != uintptr(unsafe.Pointer(c.M_manifold)) {
		return nil
	}
	return (*contactCell)(unsafe.Add(unsafe.Pointer(c), -int(at)))
}

// SetNumber stores a number in a contact that a [Contacts] has made.
func SetNumber(c *box2d.B2Contact, n int32) {
	if cell := cellOf(c); cell != nil {
		cell.number = n
	}
}

// Number returns the number from the last SetNumber, or -1 for a contact made by the
// library. The number means nothing before the first SetNumber and after the contact's end,
// so callers must check that it belongs to the contact.
func Number(c *box2d.B2Contact) int32 {
	if cell := cellOf(c); cell != nil {
		return cell.number
	}
	return -1
}

// End frees the memory of a contact that is no longer in the world.
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

// Back is called for a contact that returns because the world has gone back in time. The
// contact's cell stays in the lists, where BeginRound and take skip it.
func (p *Contacts) Back(contact *box2d.B2Contact) {
	if c := cellOf(contact); c != nil {
		c.inUse = true
	}
}

// BeginRound is called before a step. From then on, the memory of contacts that have ended
// can be used again. It clears their pointers.
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

// clear clears the contact's pointers. It keeps the pointers to the contact's own manifold
// and edges, because a restore may bring the contact back.
func (c *contactCell) clear() {
	c.contact.B2Contact = box2d.B2Contact{M_manifold: &c.manifold, M_nodeA: &c.edgeA, M_nodeB: &c.edgeB}
	c.manifold, c.edgeA, c.edgeB = box2d.B2Manifold{}, box2d.B2ContactEdge{}, box2d.B2ContactEdge{}
}
