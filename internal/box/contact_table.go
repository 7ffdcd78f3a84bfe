package box

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/stamps"
)

// ContactEntry has the values of a contact that steps use.
type ContactEntry struct {
	C              *box2d.B2Contact // the library's contact, or nil if the World keeps the contact itself
	I              box2d.B2ContactInterface
	A, B           int32 // the numbers of the contact's two bodies
	ProxyA, ProxyB Proxy
	Seq            uint64 // the contact's age: an older contact has a lower number
	ID             uint32 // differs from the ID of any earlier contact with this number; 0 if the number is free
	Kind           b2.Kind
	Listed         bool // Listed says that the contact is in Contacts.Active.
	Known          bool // the stepper knows the contact, and has set this
}

// Contacts are the contacts of a world. A contact is active if one of its bodies is active. The
// library keeps all contacts, unless World.Soft: then the World keeps them.
type Contacts struct {
	table[ContactEntry]

	Links stamps.Stamps // by number: when the contact, or the next older contact in the world's list, was last replaced

	Own       []OwnContact // by number
	Newest    int32        // link to the newest own contact, or 0; see OwnPlace
	Manifolds Manifolds    // the points of touch of own contacts; nil without the soft stepper
	Listener  Listener     // may be nil; see World.Listen

	manager   *box2d.B2ContactManager // manager is the contact manager of the library.
	own       bool                    // the World keeps the contacts itself
	pairs     pairs                   // the contacts by their proxies
	made      b2.Contacts             // makes the library's contacts
	id        uint32                  // the last ID given to a contact
	ended     uint64                  // the highest age of a contact at the end of the last step
	destroyed []int32                 // numbers of destroyed contacts that are still in Active

	walked []box2d.B2ContactInterface // scratch memory of listAll
}

func (e *ContactEntry) isFree() bool { return e.ID == 0 && !e.Listed }

// At returns the contact with the number n.
func (s *Contacts) At(n int32) Contact {
	if s.own {
		return Contact{of: s, n: n}
	}
	return Contact{c: s.All[n].C}
}

// number returns the number of a contact, or -1.
func (s *Contacts) number(c Contact) int32 {
	if c.c == nil {
		return c.n
	}
	return s.NumberOf(c.c)
}

// NumberOf returns the number of a contact of the library, or -1. The contact may be destroyed.
func (s *Contacts) NumberOf(c *box2d.B2Contact) int32 {
	if n := b2.Number(c); n >= 0 && int(n) < len(s.All) && s.All[n].C == c {
		return n
	}
	if !hasProxy(c.M_fixtureA, c.M_indexA) || !hasProxy(c.M_fixtureB, c.M_indexB) {
		return -1
	}
	if n := s.Find(proxyOf(c.M_fixtureA, c.M_indexA), proxyOf(c.M_fixtureB, c.M_indexB)); n >= 0 && s.All[n].C == c {
		return n
	}
	return -1
}

func hasProxy(f *box2d.B2Fixture, child int) bool { return f != nil && child < len(f.M_proxies) }

func proxyOf(f *box2d.B2Fixture, child int) Proxy { return Proxy(f.M_proxies[child].ProxyId) }

// Find returns the number of the contact of two proxies, or -1.
func (s *Contacts) Find(a, b Proxy) int32 { return s.pairs.find(Key(a, b)) }

// Without removes from keys the pairs that have a contact.
func (s *Contacts) Without(keys []uint64) []uint64 { return s.pairs.without(keys) }

// Count is the number of contacts.
func (s *Contacts) Count() int {
	if s.own {
		return s.pairs.count
	}
	return s.manager.M_contactCount
}

// mostRoom is the greatest number of contacts for which memory is allocated at once. Filters may
// reject most pairs, so more memory would often be wasted.
const mostRoom = 1 << 17

// Grow allocates memory for the contacts of a number of pairs, and for some later contacts.
func (s *Contacts) Grow(pairs int) {
	n := min(pairs+pairs/16, mostRoom)
	s.All = withRoom(s.All, n-len(s.free))
	s.Active = withRoom(s.Active, n)
	if s.own {
		s.Own = withRoom(s.Own, n-len(s.free))
	}
	s.pairs.grow(n)
}

// Free returns the numbers that the next n contacts will get. It returns fewer than n if fewer are
// free.
func (s *Contacts) Free(n int) []int32 { return s.free[max(0, len(s.free)-n):] }

// Mark stamps a contact that has a number as changed.
func (s *Contacts) Mark(c Contact) {
	if n := s.number(c); n >= 0 {
		s.Stamps.Mark(n)
	}
}

// MarkLibrary stamps a contact of the library that has a number as changed.
func (s *Contacts) MarkLibrary(c *box2d.B2Contact) { s.Mark(Contact{c: c}) }

// markWorked stamps a contact and its bodies, because a step has left flags on them.
func (s *Contacts) markWorked(n int32, bodies *stamps.Stamps) {
	s.Stamps.Mark(n)
	bodies.Mark(s.All[n].A)
	bodies.Mark(s.All[n].B)
}

// markMade stamps a contact that is made or destroyed, its bodies, and the next older contact, whose
// link changes. It does not stamp the other linked contacts, because that would take too long in a
// step that makes many. Code that stores links must compare them with those that it has stored. The
// lists of the World's own contacts stamp all contacts whose links change.
func (s *Contacts) markMade(n int32, bodies *stamps.Stamps) {
	s.markWorked(n, bodies)
	s.Links.Mark(n)
	if !s.own {
		s.MarkLinks(s.All[n].C.M_next)
	}
}

// MarkLinks stamps a contact whose neighbours in lists have changed. If the contact has been
// destroyed, MarkLinks may stamp another contact with the same number, which does no harm.
func (s *Contacts) MarkLinks(i box2d.B2ContactInterface) {
	if i == nil {
		return
	}
	c := b2.BaseContact(i)
	n := b2.Number(c)
	if n < 0 {
		n = s.NumberOf(c)
	}
	if n >= 0 {
		s.Links.Mark(n)
	}
}

// add gives a number to a contact of two bodies and two proxies.
func (s *Contacts) add(e ContactEntry, a, b *box2d.B2Body, proxyA, proxyB Proxy, bodies *stamps.Stamps) int32 {
	n := s.take((*ContactEntry).isFree)
	s.id++
	e.Seq, e.ID = s.older(), s.id
	e.A, e.B = int32(a.M_islandIndex), int32(b.M_islandIndex)
	e.ProxyA, e.ProxyB = proxyA, proxyB
	s.All[n] = e
	s.pairs.add(Key(e.ProxyA, e.ProxyB), n)
	s.markMade(n, bodies)
	return n
}

// addLibrary gives a number to a contact of the library.
func (s *Contacts) addLibrary(i box2d.B2ContactInterface, c *box2d.B2Contact, kind b2.Kind, bodies *stamps.Stamps) int32 {
	a, b := c.M_fixtureA, c.M_fixtureB
	n := s.add(ContactEntry{C: c, I: i, Kind: kind}, a.M_body, b.M_body, proxyOf(a, c.M_indexA), proxyOf(b, c.M_indexB), bodies)
	b2.SetNumber(c, n)
	return n
}

// Make makes the library's contact of two children of fixtures, and links it as the library does. It
// wakes and lists no body. It returns the contact's number, or -1 if shapes of these two types never
// collide.
func (s *Contacts) Make(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int, bodies *Bodies) int32 {
	i := s.made.New(fA, indexA, fB, indexB)
	if i == nil {
		return -1
	}
	c, kind := b2.Base(i)
	m := s.manager
	c.M_next = m.M_contactList
	if h := b2.BaseContact(c.M_next); h != nil {
		h.M_prev = i
	}
	m.M_contactList = i
	m.M_contactCount++
	bA, bB := c.M_fixtureA.M_body, c.M_fixtureB.M_body
	b2.LinkEdge(c.M_nodeA, i, bA, bB)
	b2.LinkEdge(c.M_nodeB, i, bB, bA)
	return s.addLibrary(i, c, kind, &bodies.Stamps)
}

// MakeOwn does the work of Make for a contact that the World keeps itself, of the shapes with the
// numbers a and b.
func (s *Contacts) MakeOwn(a, b int32, shapes []Shape, bodies *Bodies) int32 {
	of := &shapes[a]
	fA, child, fB, kind := b2.OrderEnds(of.F, int(of.Child), shapes[b].F, int(shapes[b].Child))
	if kind == b2.Unknown {
		return -1
	}
	if fA != of.F {
		a, b = b, a
	}
	n := s.add(ContactEntry{Kind: kind}, fA.M_body, fB.M_body, Proxy(a), Proxy(b), &bodies.Stamps)
	s.Own = reaching(s.Own, int(n))
	c := &s.Own[n]
	*c = OwnContact{OwnPlace: OwnPlace{A: fA, B: fB, Child: int32(child)}, Flags: b2.ContactEnabled}
	c.Friction, c.Restitution = b2.Mix(fA, fB)
	for k, first := range s.heads(n, bodies.All) {
		end := 3*n + int32(k) + 1
		if c.Next[k] = *first; *first != 0 {
			*s.prev(*first) = end
		}
		*first = end
	}
	return n
}

// Destroy destroys a contact as B2ContactManager.Destroy does.
func (s *Contacts) Destroy(n int32, bodies *Bodies) {
	s.markMade(n, &bodies.Stamps)
	if s.own {
		s.endOwn(n, bodies.All)
	} else {
		b2.DestroyContact(s.manager, s.All[n].I, s.All[n].C)
	}
	s.drop(n)
}

// drop removes a contact from the table. A listed contact keeps its number until it leaves Active.
func (s *Contacts) drop(n int32) {
	e := &s.All[n]
	s.pairs.remove(Key(e.ProxyA, e.ProxyB))
	if s.own {
		s.Own[n].A, s.Own[n].B = nil, nil // the garbage collector must be able to free destroyed fixtures
	} else {
		s.made.End(e.C)
	}
	e.C, e.I, e.ID = nil, nil, 0
	if e.Listed {
		s.destroyed = append(s.destroyed, n)
		return
	}
	s.clear(n)
}

// list adds a contact to the end of Active, unless Active has it already.
func (s *Contacts) list(n int32) {
	s.enter(n, &s.All[n].Listed)
}

// sweep removes contacts from Active that were destroyed or have no listed body. If stay is true,
// contacts without a listed body remain for one step. The result late reports whether contacts may
// have to leave after the step.
func (s *Contacts) sweep(bodies *Bodies, stay bool) (late bool) {
	s.destroyed = s.destroyed[:0]
	s.leave(func(n int32) bool {
		e := &s.All[n]
		listed := e.ID != 0 && (bodies.All[e.A].Listed || bodies.All[e.B].Listed)
		// A step clears the flags of each contact that it meets for the first time.
		if listed || e.ID != 0 && (stay || e.Seq > s.ended || *s.At(n).Flags()&b2.ContactFilter != 0) {
			late = late || !listed
			return true
		}
		e.Listed = false
		s.markWorked(n, &bodies.Stamps)
		if e.ID == 0 {
			s.clear(n)
		}
		return false
	})
	return late
}

// leaveDestroyed removes destroyed contacts from Active in the middle of a step.
func (s *Contacts) leaveDestroyed(bodies *stamps.Stamps, flags *flags) {
	if len(s.destroyed) == 0 {
		return
	}
	gone := flags.of(len(s.All))
	for _, n := range s.destroyed {
		gone[n] = s.All[n].ID == 0
	}
	s.leave(func(n int32) bool {
		if !gone[n] {
			return true
		}
		s.markWorked(n, bodies)
		s.clear(n)
		return false
	})
	s.destroyed = s.destroyed[:0]
}

// Take is called before the first Put. It forgets which pairs have a contact, because Put may give a
// pair another number.
func (s *Contacts) Take(n int) {
	if n < len(s.All) && s.All[n].ID != 0 {
		s.pairs.remove(Key(s.All[n].ProxyA, s.All[n].ProxyB))
		if !s.own {
			s.made.End(s.All[n].C)
		}
	}
}

// Put restores element n of All. If the element is a contact, it is listed for the next step. If anew
// is true, the contact gets a new ID.
func (s *Contacts) Put(n int, to *ContactEntry, anew bool) {
	s.All = reaching(s.All, n)
	e := &s.All[n]
	had, listed := e.ID != 0, e.Listed
	*e = *to
	e.Listed = listed
	switch {
	case e.ID != 0:
		if anew {
			s.id++
			e.ID = s.id
		}
		s.pairs.add(Key(e.ProxyA, e.ProxyB), int32(n))
		if s.list(int32(n)); s.own {
			s.Own = reaching(s.Own, n)
			break
		}
		s.made.Back(e.C)
		b2.SetNumber(e.C, int32(n))
	case had && !listed:
		s.putFree(n)
	}
}

// List adds a contact that will be restored to Active, and returns the contact.
func (s *Contacts) List(n int32) Contact {
	s.list(n)
	return s.At(n)
}

// listAll numbers the contacts of the library. It returns false if a contact has a type that is not
// the library's.
func (s *Contacts) listAll(flags *flags, bodies *stamps.Stamps) bool {
	s.Order++
	known := flags.of(len(s.All))
	s.walked = s.walked[:0]
	for i := s.manager.M_contactList; i != nil; {
		c := b2.BaseContact(i)
		if c == nil {
			return false
		}
		s.walked = append(s.walked, i)
		if n := s.NumberOf(c); n >= 0 {
			known[n] = true
		}
		i = c.M_next
	}
	for n := range known {
		if e := &s.All[n]; e.ID != 0 && !known[n] {
			s.drop(int32(n)) // if the contact has another number, Back frees the memory below
		}
	}
	for _, i := range slices.Backward(s.walked) {
		c, kind := b2.Base(i)
		s.made.Back(c)
		n := s.NumberOf(c)
		if n < 0 {
			n = s.addLibrary(i, c, kind, bodies)
		}
		s.All[n].Seq = s.older()
	}
	clear(s.walked)
	return true
}

// proxies combines the two proxies of a contact into one number.
func (s *Contacts) proxies(n int32) uint64 {
	e := &s.All[n]
	return uint64(e.ProxyA)<<32 | uint64(e.ProxyB)
}

// heads points to the first links of the three lists that contain an own contact.
func (s *Contacts) heads(n int32, bodies []Body) [3]*int32 {
	e := &s.All[n]
	return [...]*int32{&s.Newest, &bodies[e.A].contacts, &bodies[e.B].contacts}
}

// prev and next point to one of the links of a contact, which the caller will change. They stamp the
// contact as changed.
func (s *Contacts) prev(end int32) *int32 {
	s.Links.Mark((end - 1) / 3)
	return &s.Own[(end-1)/3].Prev[(end-1)%3]
}

func (s *Contacts) next(end int32) *int32 {
	s.Links.Mark((end - 1) / 3)
	return &s.Own[(end-1)/3].Next[(end-1)%3]
}

// endOwn does the work of B2ContactManager.Destroy for a contact that the World keeps itself.
func (s *Contacts) endOwn(n int32, bodies []Body) {
	c, own := s.At(n), &s.Own[n]
	if s.Listener != nil && c.IsTouching() {
		s.Listener.EndContact(c)
	}
	for k, before := range s.heads(n, bodies) {
		if own.Next[k] != 0 {
			*s.prev(own.Next[k]) = own.Prev[k]
		}
		if own.Prev[k] != 0 {
			before = s.next(own.Prev[k])
		}
		*before = own.Next[k]
	}
	if s.Manifolds.MayTouch(n) && !c.IsSensor() {
		e := &s.All[n]
		for _, body := range [...]int32{e.A, e.B} {
			if b := bodies[body].B; b != nil {
				b2.Wake(b)
			}
		}
	}
}

// isStale reports whether a shape or body of an own contact no longer exists, or whether a shape has
// another place in the tree than before. Only raw access makes contacts stale.
func (s *Contacts) isStale(n int32, shapes *Shapes, bodies []Body) bool {
	stays := func(f *box2d.B2Fixture, child int32, proxy Proxy, body int32) bool {
		of := &shapes.All[proxy]
		return of.F == f && of.Child == child && f.M_body != nil && f.M_body == bodies[body].B && (f.M_proxyCount < 0 || shapes.isLeaf(int32(proxy)))
	}
	c, e := &s.Own[n], &s.All[n]
	return !stays(c.A, c.Child, e.ProxyA, e.A) || !stays(c.B, 0, e.ProxyB, e.B)
}

// listOwn gives new ages to the contacts that the World keeps itself, because after a restore their
// ages may come from another World. After raw access it ends stale contacts. It also marks contacts
// for filtering if a shape was touched or a joint forbids the contact. The library cannot mark them,
// because it does not know these contacts.
func (s *Contacts) listOwn(raw bool, shapes *Shapes, bodies *Bodies) {
	touched := func(p Proxy) bool { return raw && shapes.Moves.Has(int32(p)) }
	s.Order++
	s.age += uint64(s.Count())
	age := s.age
	for end := s.Newest; end != 0; {
		n := (end - 1) / 3
		e, own := &s.All[n], &s.Own[n]
		end = own.Next[0]
		e.Seq = age
		age--
		if raw && s.isStale(n, shapes, bodies.All) {
			for f, body := range map[*box2d.B2Fixture]int32{own.A: e.A, own.B: e.B} {
				if f.M_body == nil { // the shape is destroyed, and the listener may need its body
					f.M_body = cmp.Or(bodies.All[body].B, new(box2d.B2Body))
				}
			}
			s.Destroy(n, bodies)
		} else if touched(e.ProxyA) || touched(e.ProxyB) || raw && !b2.ShouldCollide(own.A.M_body, own.B.M_body) {
			own.Flags |= b2.ContactFilter
		}
	}
}

// validate checks that a contact has the shapes, the bodies and the number in its entry.
func (s *Contacts) validate(n int32, shapes *Shapes, bodies *Bodies) error {
	e, c := &s.All[n], s.At(n)
	fA, fB := c.Shapes()
	childA, childB := c.Children()
	most := int32(len(bodies.All))
	switch {
	case e.A < 0 || e.A >= most || e.B < 0 || e.B >= most:
		return fmt.Errorf("its bodies are %d and %d, of %d in the table", e.A, e.B, most)
	case s.own && (min(e.ProxyA, e.ProxyB) < 0 || int(max(e.ProxyA, e.ProxyB)) >= len(shapes.All) || s.isStale(n, shapes, bodies.All)):
		return fmt.Errorf("one of its shapes is gone or has another number")
	case !s.own && !isThere(fA, childA) || !s.own && !isThere(fB, childB):
		return fmt.Errorf("one of its shapes is gone")
	case !s.own && (b2.BaseContact(e.I) != e.C || s.NumberOf(e.C) != n):
		return fmt.Errorf("its contact has the number %d", s.NumberOf(e.C))
	case s.own && !s.isLinked(n, bodies.All):
		return fmt.Errorf("its neighbours in a list do not link back to it")
	case bodies.Number(fA.M_body) != e.A || bodies.Number(fB.M_body) != e.B:
		return fmt.Errorf("its bodies are %d and %d, and not %d and %d", bodies.Number(fA.M_body), bodies.Number(fB.M_body), e.A, e.B)
	case !s.own && proxyOf(fA, childA) != e.ProxyA || !s.own && proxyOf(fB, childB) != e.ProxyB:
		return fmt.Errorf("its proxies are not %d and %d", e.ProxyA, e.ProxyB)
	case s.Find(e.ProxyA, e.ProxyB) != n:
		return fmt.Errorf("the table of pairs has contact %d for its proxies", s.Find(e.ProxyA, e.ProxyB))
	}
	return nil
}

// isThere reports whether a shape belongs to a body, and a segment of the shape has a leaf in the tree.
func isThere(f *box2d.B2Fixture, child int) bool {
	return f != nil && f.M_body != nil && child >= 0 && child < f.M_proxyCount
}

// isLinked checks that the neighbours of an own contact link back to the contact. It checks three
// lists: the world's, and those of the contact's two bodies. The form of a link is described at
// OwnPlace.
func (s *Contacts) isLinked(n int32, bodies []Body) bool {
	own := &s.Own[n]
	for k, to := range s.heads(n, bodies) {
		end, prev, next := 3*n+int32(k)+1, own.Prev[k], own.Next[k]
		if !s.isEnd(prev) || !s.isEnd(next) {
			return false
		}
		if prev != 0 {
			to = &s.Own[(prev-1)/3].Next[(prev-1)%3]
		}
		if *to != end || next != 0 && s.Own[(next-1)/3].Prev[(next-1)%3] != end {
			return false
		}
	}
	return true
}

// isEnd reports whether a link is empty, or leads to an existing contact.
func (s *Contacts) isEnd(link int32) bool {
	n := int((link - 1) / 3)
	return link == 0 || link > 0 && n < len(s.Own) && n < len(s.All) && s.All[n].ID != 0
}
