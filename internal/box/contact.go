package box

import (
	"iter"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/box/statehash"
)

// Contact is a pair of shapes whose boxes overlap. It tells whether and where the shapes touch, and
// the impulses between them in the last step. A Contact is valid until the next step begins, or
// until one of its shapes is changed. The library keeps the contact, or the World itself does.
type Contact struct {
	c  *box2d.B2Contact // the library's contact, or nil
	of *Contacts        // if c is nil, the table that has the contact in Own
	n  int32            // if c is nil, the contact's number
}

// Listener receives the events of contacts. A call must change only the contact that it gets.
type Listener interface {
	// closing is the speed at which the two shapes came together, in m/s. It is negative if the bodies
	// still have the speeds from before the collision.
	BeginContact(c Contact, closing float64)
	EndContact(Contact)
	PreSolve(Contact)
	PostSolve(Contact, *box2d.B2ContactImpulse)
}

// Listen sets the listener for the events of contacts.
func (s *World) Listen(l Listener) {
	if s.Contacts.Listener = l; !s.Soft() {
		s.world.SetContactListener(&told{l})
	}
}

// told passes each call of the library to a Listener.
type told struct{ l Listener }

// BeginContact passes -1, because the bodies still have the speeds from before the collision.
func (t *told) BeginContact(i box2d.B2ContactInterface) { t.l.BeginContact(ContactOf(i), -1) }
func (t *told) EndContact(i box2d.B2ContactInterface)   { t.l.EndContact(ContactOf(i)) }
func (t *told) PreSolve(i box2d.B2ContactInterface, _ box2d.B2Manifold) {
	t.l.PreSolve(ContactOf(i))
}
func (t *told) PostSolve(i box2d.B2ContactInterface, impulse *box2d.B2ContactImpulse) {
	t.l.PostSolve(ContactOf(i), impulse)
}

// ReadOnlyPostSolve reports that PostSolve changes nothing in the world.
func (t *told) ReadOnlyPostSolve() bool { return true }

// ReadOnlyCallbacks reports that callbacks change nothing but their contact, as every Listener
// promises.
func (t *told) ReadOnlyCallbacks() bool { return true }

// ContactFlags are flags of a contact that the library does not use.
type ContactFlags uint32

const (
	// Passing is set while two shapes are near each other and one lets the other pass through it. Such
	// a contact is not solid, and no listener is told that the shapes touch.
	Passing ContactFlags = 0x100

	// Dropping is set together with Passing if the shapes pass through each other until they separate.
	Dropping ContactFlags = 0x200
)

// ContactOf converts the contact that the library passes to a listener.
func ContactOf(i box2d.B2ContactInterface) Contact { return Contact{c: b2.BaseContact(i)} }

// EachContact yields all contacts of a world, newest first. It leaves out stale contacts, which exist
// only after raw access: see isStale.
func (s *World) EachContact() iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		w := walk{of: &s.Contacts, stale: s.stale(), end: s.Contacts.Newest}
		if w.each(yield); s.Soft() {
			return
		}
		for i := s.world.M_contactManager.M_contactList; i != nil; {
			c := ContactOf(i)
			i = c.c.M_next
			if !yield(c) {
				return
			}
		}
	}
}

// walk is a position in a list of contacts. The list has all contacts that the World keeps itself, or
// the contacts of one body.
type walk struct {
	of    *Contacts
	stale func(n int32) bool // reports whether a contact is stale; nil if none is
	end   int32              // a link as in OwnPlace: 3 × the contact's number + the number of the list + 1
	edge  *box2d.B2ContactEdge
}

// walk returns a position at the newest contact of a body.
func (s *World) walk(b *box2d.B2Body) walk {
	if !s.Soft() {
		return walk{edge: b.M_contactList}
	}
	w := walk{of: &s.Contacts, stale: s.stale()}
	if n := s.Bodies.Number(b); n >= 0 {
		w.end = s.Bodies.All[n].contacts
	}
	return w
}

// stale returns a function that reports whether a contact of the World itself is stale. It returns
// nil if no contact can be stale.
func (s *World) stale() func(n int32) bool {
	if !s.Soft() || !s.sight.isRaw() {
		return nil
	}
	return func(n int32) bool { return s.Contacts.isStale(n, &s.Shapes, s.Bodies.All) }
}

// next returns the contact at the position, and moves the position to the next contact.
func (w *walk) next() (c Contact, ok bool) {
	for w.end != 0 {
		c = Contact{of: w.of, n: (w.end - 1) / 3}
		if w.end = c.own().Next[(w.end-1)%3]; w.stale == nil || !w.stale(c.n) {
			return c, true
		}
	}
	if w.edge == nil {
		return c, false
	}
	c = ContactOf(w.edge.Contact)
	w.edge = w.edge.Next
	return c, true
}

// each yields the remaining contacts.
func (w *walk) each(yield func(Contact) bool) {
	for c, ok := w.next(); ok && yield(c); c, ok = w.next() {
	}
}

// ContactsOf yields the contacts of a body, newest first. The loop may destroy the contact that it
// has just got.
func (s *World) ContactsOf(b *box2d.B2Body) iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		w := s.walk(b)
		w.each(yield)
	}
}

// HasContact reports whether ContactsOf yields a contact for a body. Both are given by their numbers,
// in a World that keeps the contacts itself.
func (s *World) HasContact(body, contact int32) bool {
	if int(contact) >= len(s.Contacts.All) {
		return false
	}
	e, stale := &s.Contacts.All[contact], s.stale()
	return e.ID != 0 && (e.A == body || e.B == body) && (stale == nil || !stale(contact))
}

// ContactsOfShape yields the contacts of a shape, newest first.
func (s *World) ContactsOfShape(f *box2d.B2Fixture) iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		for c := range s.ContactsOf(f.M_body) {
			if a, b := c.Shapes(); (a == f || b == f) && !yield(c) {
				return
			}
		}
	}
}

func (c Contact) own() *OwnContact { return &c.of.Own[c.n] }

// Flags points to the flags of the contact. The bits are those of a B2Contact.
func (c Contact) Flags() *uint32 {
	if c.c == nil {
		return &c.own().Flags
	}
	return &c.c.M_flags
}

// Number is the number of a contact that the World keeps itself.
func (c Contact) Number() int32 { return c.n }

func (c Contact) bodies() (a, b *box2d.B2Body) {
	f, g := c.Shapes()
	return f.M_body, g.M_body
}

// Shapes returns the two shapes of a contact. The contact's normal points from a to b.
func (c Contact) Shapes() (a, b *box2d.B2Fixture) {
	if c.c == nil {
		return c.own().A, c.own().B
	}
	return c.c.M_fixtureA, c.c.M_fixtureB
}

// Children returns the numbers of the segments that touch. The number of a shape that is no chain is
// 0.
func (c Contact) Children() (a, b int) {
	if c.c == nil {
		return int(c.own().Child), 0
	}
	return c.c.M_indexA, c.c.M_indexB
}

// Own returns the shape of the contact that belongs to a given body, and the segment of that shape.
func (c Contact) Own(of *box2d.B2Body) (f *box2d.B2Fixture, child int) {
	a, b := c.Shapes()
	childA, childB := c.Children()
	if a.M_body == of {
		return a, childA
	}
	return b, childB
}

// Other returns the shape of the contact that does not belong to a given body.
func (c Contact) Other(of *box2d.B2Body) *box2d.B2Fixture {
	a, b := c.Shapes()
	if a.M_body == of {
		return b
	}
	return a
}

// IsSensor reports whether one of the shapes is a sensor.
func (c Contact) IsSensor() bool {
	a, b := c.Shapes()
	return a.M_isSensor || b.M_isSensor
}

// IsTouching reports whether the shapes touch.
func (c Contact) IsTouching() bool { return *c.Flags()&b2.ContactTouching != 0 }

// IsSolid reports whether the shapes touch and push each other apart.
func (c Contact) IsSolid() bool {
	const both = b2.ContactEnabled | b2.ContactTouching
	return *c.Flags()&both == both && !c.IsSensor()
}

// Has reports whether one of the given flags is set.
func (c Contact) Has(f ContactFlags) bool { return *c.Flags()&uint32(f) != 0 }

// Set sets the given flags.
func (c Contact) Set(f ContactFlags) { *c.Flags() |= uint32(f) }

// Clear clears the given flags.
func (c Contact) Clear(f ContactFlags) { *c.Flags() &^= uint32(f) }

// Disable lets the shapes overlap until the next step updates the contact.
func (c Contact) Disable() { *c.Flags() &^= b2.ContactEnabled }

// Where returns the shapes of a contact that the World keeps itself, and its links in lists.
func (c Contact) Where() OwnPlace {
	if c.c == nil {
		return c.own().OwnPlace
	}
	return OwnPlace{A: c.c.M_fixtureA, B: c.c.M_fixtureB, Child: int32(c.c.M_indexA)}
}

// Points is the number of points at which the shapes touch: 0 to 2.
func (c Contact) Points() int {
	if c.c == nil {
		return c.of.Manifolds.Points(c.n)
	}
	return c.c.M_manifold.PointCount
}

// Impulse returns the impulses at a point in the last step, in N·s.
func (c Contact) Impulse(point int) (normal, tangent float64) {
	if c.c == nil {
		return c.of.Manifolds.Impulse(c.n, point)
	}
	p := &c.c.M_manifold.Points[point]
	return p.NormalImpulse, p.TangentImpulse
}

// Place writes the points at which the shapes touch, in world coordinates. It writes nothing if there
// are no points.
func (c Contact) Place(to *box2d.B2WorldManifold) {
	if c.c == nil {
		c.of.Manifolds.Place(c.n, to)
	} else {
		b2.PlaceManifold(to, c.c)
	}
}

// Surface has the properties of two surfaces that touch.
type Surface struct {
	Friction, Restitution float64
	TangentSpeed          float64 // speed of B's surface along that of A, in m/s
}

// Surface returns the contact's Surface.
func (c Contact) Surface() Surface {
	if c.c == nil {
		return c.own().Surface
	}
	return Surface{c.c.M_friction, c.c.M_restitution, c.c.M_tangentSpeed}
}

// SetSurface sets the contact's Surface during a step. Between steps use World.SetSurface.
func (c Contact) SetSurface(s Surface) {
	if c.c == nil {
		c.own().Surface = s
	} else {
		c.c.M_friction, c.c.M_restitution, c.c.M_tangentSpeed = s.Friction, s.Restitution, s.TangentSpeed
	}
}

// Hash adds to h the identity of the contact and its values outside the manifold. The identity is the
// contact's two proxies and the next newer contact. A contact that the World keeps itself has no
// M_toiCount and no M_toi, so Hash adds 0 for them.
func (c Contact) Hash(h *statehash.Hash) {
	newer, times, toi := ^uint64(0), 0, 0.
	if c.c == nil {
		if end := c.own().Prev[0]; end != 0 {
			newer = c.of.proxies((end - 1) / 3)
		}
		h.Word(c.of.proxies(c.n))
	} else {
		if c.c.M_prev != nil {
			newer = proxiesOf(b2.BaseContact(c.c.M_prev))
		}
		times, toi = c.c.M_toiCount, c.c.M_toi
		h.Word(proxiesOf(c.c))
	}
	h.Word(newer)
	h.Word(uint64(*c.Flags() &^ b2.ContactIsland))
	h.Int(times)
	s := c.Surface()
	h.Floats(toi, s.Friction, s.Restitution, s.TangentSpeed)
}

// proxiesOf combines the two proxies of a contact of the library to one number.
func proxiesOf(c *box2d.B2Contact) uint64 {
	return uint64(proxyOf(c.M_fixtureA, c.M_indexA))<<32 | uint64(proxyOf(c.M_fixtureB, c.M_indexB))
}

// HashManifold adds to h the values of a manifold with which the library's next step starts. The
// library computes the other values again.
func (c Contact) HashManifold(h *statehash.Hash) {
	m := c.c.M_manifold
	h.Int(m.PointCount)
	for i := range m.Points[:m.PointCount] {
		p := &m.Points[i]
		h.Floats(p.NormalImpulse, p.TangentImpulse)
		h.Word(uint64(p.Id.IndexA) | uint64(p.Id.IndexB)<<8 | uint64(p.Id.TypeA)<<16 | uint64(p.Id.TypeB)<<24)
	}
}
