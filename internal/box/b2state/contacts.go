package b2state

import (
	"math"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/store"
)

// savedContact has the parts of a contact that never change.
type savedContact struct {
	of    box.ContactEntry // its ID is 0 if no contact has the number
	place box.OwnPlace     // without links if the library keeps the contact, because the contact's memory may later belong to another contact
}

// savedLinks has the neighbours of a contact in the library's lists: in that of the world, and in
// those of the bodies.
type savedLinks struct {
	prev, next   box2d.B2ContactInterface
	edgeA, edgeB [2]*box2d.B2ContactEdge // edges before and after the contact's edge
}

// surface is a contact's Surface and its time of impact. A surface rarely changes.
type surface struct {
	toiCount int32
	toi      float64
	box.Surface
}

// addContacts adds the columns of contacts. If the World is Soft it keeps the contacts itself. Then
// savedContact has the links of the World's lists, and the stepper has the manifolds.
func (p *Past) addContacts() {
	to, d := p.store, &p.owner.Contacts
	p.contacts = store.Add(to, &store.Column[savedContact]{Stamps: &d.Links, Save: p.saveContacts, Load: p.loadContact,
		Free: func(n int, _ *savedContact) { p.owner.Contacts.Take(n) },
		Same: func(a, b *savedContact) bool { return *a == *b }})
	if !p.owner.Soft() {
		p.links = store.Add(to, &store.Column[savedLinks]{Stamps: &d.Links, Save: p.saveLinks, Load: p.loadLinks, Follow: p.followLinks,
			Same: func(a, b *savedLinks) bool { return *a == *b }, Often: true})
	}
	p.flags = store.Add(to, &store.Column[uint32]{Stamps: &d.Stamps, Flat: true,
		Same: func(a, b *uint32) bool { return *a == *b },
		Save: func(r store.Run, to []uint32) {
			for i, n := range r.Things() {
				if to[i] = 0; p.isContact(n) {
					to[i] = *p.owner.Contacts.At(int32(n)).Flags()
				}
			}
		},
		Load: func(n int, from *uint32) {
			if p.isContact(n) {
				*p.owner.Contacts.List(int32(n)).Flags() = *from
			}
		}})
	p.surfaces = store.Add(to, &store.Column[surface]{Stamps: &d.Stamps, Save: p.saveSurfaces, Load: p.loadSurface, Same: (*surface).isSame, Flat: true})
	if p.owner.Soft() {
		return // the stepper has the manifolds, in its own columns
	}
	p.manifolds = store.Add(to, &store.Column[box2d.B2Manifold]{Stamps: &d.Stamps, Flat: true,
		Save: func(r store.Run, to []box2d.B2Manifold) {
			for i, n := range r.Things() {
				if c := p.contact(n); c != nil {
					to[i] = *c.M_manifold
				} else {
					to[i] = box2d.B2Manifold{}
				}
			}
		},
		Load: func(n int, from *box2d.B2Manifold) {
			if c := p.contact(n); c != nil {
				*c.M_manifold = *from
			}
		}})
}

// isContact reports whether a contact has the number n.
func (p *Past) isContact(n int) bool {
	return n < len(p.owner.Contacts.All) && p.owner.Contacts.All[n].ID != 0
}

// contact returns the library's contact with a number, or nil.
func (p *Past) contact(n int) *box2d.B2Contact {
	if n < len(p.owner.Contacts.All) {
		return p.owner.Contacts.All[n].C
	}
	return nil
}

func (p *Past) saveContacts(r store.Run, to []savedContact) {
	for i, n := range r.Things() {
		to[i] = savedContact{}
		if p.isContact(n) {
			to[i] = savedContact{p.owner.Contacts.All[n], p.owner.Contacts.At(int32(n)).Where()}
			to[i].of.Listed = false // whether a step works on the contact now is not part of its state
		}
	}
}

func (p *Past) loadContact(n int, from *savedContact) {
	of := &from.of
	if of.ID == 0 && n >= len(p.owner.Contacts.All) {
		return
	}
	if p.owner.Contacts.Put(n, of, p.other); p.owner.Soft() {
		p.owner.Contacts.Own[n].OwnPlace = from.place
	} else if of.ID != 0 {
		of.C.M_fixtureA, of.C.M_fixtureB, of.C.M_indexA = from.place.A, from.place.B, int(from.place.Child)
	}
}

func (p *Past) saveLinks(r store.Run, to []savedLinks) {
	for i, n := range r.Things() {
		to[i] = p.linksOf(n)
	}
}

func (p *Past) linksOf(n int) (l savedLinks) {
	if c := p.contact(n); c != nil {
		l.prev, l.next = c.M_prev, c.M_next
		l.edgeA, l.edgeB = [2]*box2d.B2ContactEdge{c.M_nodeA.Prev, c.M_nodeA.Next}, [2]*box2d.B2ContactEdge{c.M_nodeB.Prev, c.M_nodeB.Next}
	}
	return l
}

func (p *Past) loadLinks(n int, from *savedLinks) {
	c := p.contact(n)
	if c == nil {
		return
	}
	c.M_prev, c.M_next = from.prev, from.next
	a, b, i := c.M_fixtureA.M_body, c.M_fixtureB.M_body, p.owner.Contacts.All[n].I
	*c.M_nodeA = box2d.B2ContactEdge{Other: b, Contact: i, Prev: from.edgeA[0], Next: from.edgeA[1]}
	*c.M_nodeB = box2d.B2ContactEdge{Other: a, Contact: i, Prev: from.edgeB[0], Next: from.edgeB[1]}
}

// followLinks completes the stamps of links before the column of links is saved, because the World
// marks only contacts that were made or destroyed. It marks the contacts that were next to
// such a contact, or are next to one now, in the list of the world or of a body. The other
// links are unchanged.
func (p *Past) followLinks() {
	owner, list, since := p.owner, p.list[:0], p.links.Serial()
	if since == 0 {
		return // all contacts count as changed
	}
	stamps := &owner.Contacts.Links
	for n := range stamps.Since(since) {
		list = append(list, int32(n))
	}
	if p.list = list; 2*len(list) > len(owner.Contacts.All) { // a search for the other contacts would take longer
		stamps.MarkAll(len(owner.Contacts.All))
		return
	}
	mark := func(l *savedLinks) {
		owner.Contacts.MarkLinks(l.prev)
		owner.Contacts.MarkLinks(l.next)
		for _, edges := range [...][2]*box2d.B2ContactEdge{l.edgeA, l.edgeB} {
			for _, e := range edges {
				if e != nil {
					owner.Contacts.MarkLinks(e.Contact)
				}
			}
		}
	}
	for _, n := range list {
		is := p.linksOf(int(n))
		mark(p.links.Last(int(n)))
		mark(&is)
	}
}

func (p *Past) saveSurfaces(r store.Run, to []surface) {
	for i, n := range r.Things() {
		if p.isContact(n) {
			to[i] = surface{Surface: p.owner.Contacts.At(int32(n)).Surface()}
			if c := p.contact(n); c != nil {
				to[i].toiCount, to[i].toi = int32(c.M_toiCount), c.M_toi
			}
		} else {
			to[i] = *p.surfaces.Last(n) // the next contact with this number often has the same surface
		}
	}
}

// isSame reports whether two surfaces have exactly the same values.
func (s *surface) isSame(o *surface) bool {
	return s.toiCount == o.toiCount && math.Float64bits(s.toi) == math.Float64bits(o.toi) &&
		math.Float64bits(s.Friction) == math.Float64bits(o.Friction) && math.Float64bits(s.Restitution) == math.Float64bits(o.Restitution) &&
		math.Float64bits(s.TangentSpeed) == math.Float64bits(o.TangentSpeed)
}

func (p *Past) loadSurface(n int, from *surface) {
	if p.isContact(n) {
		p.owner.Contacts.At(int32(n)).SetSurface(from.Surface)
		if c := p.contact(n); c != nil {
			c.M_toiCount, c.M_toi = int(from.toiCount), from.toi
		}
	}
}

// isBlank reports whether all bits of a manifold are 0. The manifold of two shapes that have never
// touched is blank.
func isBlank(m *box2d.B2Manifold) bool {
	if m.PointCount != 0 || m.Type != 0 {
		return false
	}
	bits := vecBits(m.LocalNormal) | vecBits(m.LocalPoint)
	for i := range m.Points {
		p := &m.Points[i]
		if p.Id != (box2d.B2ContactID{}) {
			return false
		}
		bits |= vecBits(p.LocalPoint) | math.Float64bits(p.NormalImpulse) | math.Float64bits(p.TangentImpulse)
	}
	return bits == 0
}

func vecBits(v box2d.B2Vec2) uint64 { return math.Float64bits(v.X) | math.Float64bits(v.Y) }
