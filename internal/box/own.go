package box

import (
	"cmp"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// OwnContact is a contact that the World keeps itself, in place of the library: see World.Soft.
type OwnContact struct {
	OwnPlace
	Flags uint32 // as in B2Contact
	Surface
}

// OwnPlace has the shapes of a contact and its links in three lists, newest first: the world's
// list, and those of the bodies of A and B. A link is an end: 3 times a contact's number + which
// of its three lists is meant + 1. 0 is none.
type OwnPlace struct {
	A, B       *box2d.B2Fixture
	Child      int32 // which segment of A, where that is a chain; only A may be one
	Prev, Next [3]int32
}

// Manifolds knows where the shapes of the World's own contacts touch.
type Manifolds interface {
	Points(n int32) int
	Impulse(n int32, point int) (normal, tangent float64)
	Place(n int32, to *box2d.B2WorldManifold)
}

// heads returns the heads of the three lists that a contact is in.
func (s *World) heads(n int32) [3]*int32 {
	e := &s.Contact[n]
	return [...]*int32{&s.Newest, &s.Body[e.A].contacts, &s.Body[e.B].contacts}
}

// prev and next return the links of an end for writing. They mark its contact as changed.
func (s *World) prev(end int32) *int32 {
	s.Dirty.Links.Mark((end - 1) / 3)
	return &s.Own[(end-1)/3].Prev[(end-1)%3]
}

func (s *World) next(end int32) *int32 {
	s.Dirty.Links.Mark((end - 1) / 3)
	return &s.Own[(end-1)/3].Next[(end-1)%3]
}

// MakeOwn makes a contact of two shapes, as the library would: it wakes and lists nothing. It returns its
// number, or -1 if the two are no kinds of shapes that collide.
func (s *World) MakeOwn(shapeA, shapeB int32) int32 {
	of := &s.Shapes.All[shapeA]
	a, child, b, kind := b2.OrderEnds(of.F, int(of.Child), s.Shapes.All[shapeB].F, int(s.Shapes.All[shapeB].Child))
	if kind == b2.Unknown {
		return -1
	}
	if a != of.F {
		shapeA, shapeB = shapeB, shapeA
	}
	n := s.number(ContactEntry{Kind: kind}, a.M_body, b.M_body, Proxy(shapeA), Proxy(shapeB))
	s.Own = reaching(s.Own, int(n))
	c := &s.Own[n]
	*c = OwnContact{OwnPlace: OwnPlace{A: a, B: b, Child: int32(child)}, Flags: b2.ContactEnabled}
	c.Friction, c.Restitution = b2.Mix(a, b)
	for k, first := range s.heads(n) {
		end := 3*n + int32(k) + 1
		if c.Next[k] = *first; *first != 0 {
			*s.prev(*first) = end
		}
		*first = end
	}
	return n
}

// endOwn is B2ContactManager.Destroy for a contact of the World's own.
func (s *World) endOwn(n int32) {
	c, own := s.At(n), &s.Own[n]
	if s.Listener != nil && c.IsTouching() {
		s.Listener.EndContact(c)
	}
	for k, before := range s.heads(n) {
		if own.Next[k] != 0 {
			*s.prev(own.Next[k]) = own.Prev[k]
		}
		if own.Prev[k] != 0 {
			before = s.next(own.Prev[k])
		}
		*before = own.Next[k]
	}
	if c.Points() > 0 && !c.IsSensor() {
		e := &s.Contact[n]
		for _, body := range [...]int32{e.A, e.B} {
			if b := s.Body[body].B; b != nil {
				b2.Wake(b)
			}
		}
	}
}

// isStale reports whether a shape or body of a contact of the World's own is gone, or not where
// it was in the tree.
func (s *World) isStale(n int32) bool {
	stays := func(f *box2d.B2Fixture, child int32, proxy Proxy, body int32) bool {
		of := &s.Shapes.All[proxy]
		return of.F == f && of.Child == child && f.M_body != nil && f.M_body == s.Body[body].B && (f.M_proxyCount < 0 || s.Shapes.isLeaf(int32(proxy)))
	}
	c, e := &s.Own[n], &s.Contact[n]
	return !stays(c.A, c.Child, e.ProxyA, e.A) || !stays(c.B, 0, e.ProxyB, e.B)
}

// listOwn gives the World's own contacts new ages: after a restore their ages may be those of
// another World. After raw access it ends stale contacts, and has contacts filtered again if
// one of their shapes was touched or a joint forbids them, because the library does not know
// the own contacts.
func (s *World) listOwn() {
	touched := func(p Proxy) bool { return s.raw && s.Shapes.Moves.Has(int32(p)) }
	s.ContactOrder++
	s.seq += uint64(s.ContactCount())
	age := s.seq
	for end := s.Newest; end != 0; {
		n := (end - 1) / 3
		e, own := &s.Contact[n], &s.Own[n]
		end = own.Next[0]
		e.Seq = age
		age--
		if s.raw && s.isStale(n) {
			for f, body := range map[*box2d.B2Fixture]int32{own.A: e.A, own.B: e.B} {
				if f.M_body == nil { // the shape is destroyed, and the listener may ask for its body
					f.M_body = cmp.Or(s.Body[body].B, new(box2d.B2Body))
				}
			}
			s.Destroy(n)
		} else if touched(e.ProxyA) || touched(e.ProxyB) || s.raw && !b2.ShouldCollide(own.A.M_body, own.B.M_body) {
			own.Flags |= b2.ContactFilter
		}
	}
	s.raw = false
}
