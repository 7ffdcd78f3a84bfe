package box

import (
	"iter"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// Contact is what two shapes are to each other while their boxes overlap: which shapes they are,
// whether they touch and where, and how hard they pushed in the last step. It can be asked until
// the next step begins, or until one of its shapes is changed.
//
// It hides who keeps that: who has a Contact does not know the library's own.
type Contact struct{ c *box2d.B2Contact }

// ContactFlags are what others than the library note of a contact.
type ContactFlags uint32

const (
	// Passing is set while two shapes are near and one lets the other pass: they are not solid,
	// and nobody has been told that they touch.
	Passing ContactFlags = 0x100

	// Dropping is set with it where they go on passing until they part.
	Dropping ContactFlags = 0x200
)

// ContactOf is the contact that the library hands to a listener.
func ContactOf(i box2d.B2ContactInterface) Contact {
	if c := b2.BaseContact(i); c != nil {
		return Contact{c}
	}
	return Contact{&box2d.B2Contact{ // it is of a type that is not the library's: a copy of what can be asked
		M_flags: i.GetFlags(), M_next: i.GetNext(), M_manifold: i.GetManifold(),
		M_fixtureA: i.GetFixtureA(), M_fixtureB: i.GetFixtureB(),
		M_indexA: i.GetChildIndexA(), M_indexB: i.GetChildIndexB(),
		M_nodeA: &box2d.B2ContactEdge{Contact: i},
	}}
}

// EachContact yields all contacts of a world, newest first.
func (s *World) EachContact() iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		for i := s.world.M_contactManager.M_contactList; i != nil; {
			c := ContactOf(i)
			i = c.c.M_next
			if !yield(c) {
				return
			}
		}
	}
}

// ContactsOf yields the contacts of a body, newest first. The loop may destroy the contact that
// it is at.
func ContactsOf(b *box2d.B2Body) iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		for e := b.M_contactList; e != nil; {
			i := e.Contact
			e = e.Next
			if !yield(ContactOf(i)) {
				return
			}
		}
	}
}

// ContactsOfShape is ContactsOf for one shape.
func ContactsOfShape(f *box2d.B2Fixture) iter.Seq[Contact] {
	return func(yield func(Contact) bool) {
		for c := range ContactsOf(f.M_body) {
			if (c.c.M_fixtureA == f || c.c.M_fixtureB == f) && !yield(c) {
				return
			}
		}
	}
}

// Shapes are those of the contact. Normals point from a to b.
func (c Contact) Shapes() (a, b *box2d.B2Fixture) { return c.c.M_fixtureA, c.c.M_fixtureB }

// Children are which segments of its shapes it is of, where they are chains.
func (c Contact) Children() (a, b int) { return c.c.M_indexA, c.c.M_indexB }

// Own is the shape that one of the two bodies has, and which segment of it.
func (c Contact) Own(b *box2d.B2Body) (f *box2d.B2Fixture, child int) {
	if c.c.M_fixtureA.M_body == b {
		return c.c.M_fixtureA, c.c.M_indexA
	}
	return c.c.M_fixtureB, c.c.M_indexB
}

// Other is the shape that the other body has.
func (c Contact) Other(b *box2d.B2Body) *box2d.B2Fixture {
	if c.c.M_fixtureA.M_body == b {
		return c.c.M_fixtureB
	}
	return c.c.M_fixtureA
}

// IsSensor reports whether one of the shapes is a sensor.
func (c Contact) IsSensor() bool { return b2.IsSensor(c.c) }

// IsTouching reports whether the shapes touch.
func (c Contact) IsTouching() bool { return c.c.M_flags&b2.ContactTouching != 0 }

// IsSolid reports whether the shapes touch and are kept apart.
func (c Contact) IsSolid() bool { return b2.IsSolid(c.c) }

// Has reports whether one of the flags is set.
func (c Contact) Has(f ContactFlags) bool { return c.c.M_flags&uint32(f) != 0 }

// Set sets flags.
func (c Contact) Set(f ContactFlags) { c.c.M_flags |= uint32(f) }

// Clear clears flags.
func (c Contact) Clear(f ContactFlags) { c.c.M_flags &^= uint32(f) }

// Disable says that the shapes are not kept apart until the next step looks at them.
func (c Contact) Disable() { c.c.M_nodeA.Contact.SetEnabled(false) }

// Points is at how many points the shapes touch: 0 to 2.
func (c Contact) Points() int { return c.c.M_manifold.PointCount }

// Impulse is how hard the shapes pushed each other at a point in the last step, N·s.
func (c Contact) Impulse(point int) (normal, tangent float64) {
	p := &c.c.M_manifold.Points[point]
	return p.NormalImpulse, p.TangentImpulse
}

// Place writes where the shapes touch, in the world. Without points it writes nothing.
func (c Contact) Place(to *box2d.B2WorldManifold) { b2.PlaceManifold(to, c.c) }

// Surface is how the surfaces of two shapes act on each other.
type Surface struct {
	Friction, Restitution float64
	TangentSpeed          float64 // m/s, of B along A
}

// Surface returns that of the contact.
func (c Contact) Surface() Surface {
	return Surface{c.c.M_friction, c.c.M_restitution, c.c.M_tangentSpeed}
}

// SetSurface sets it while the world steps.
func (c Contact) SetSurface(s Surface) {
	c.c.M_friction, c.c.M_restitution, c.c.M_tangentSpeed = s.Friction, s.Restitution, s.TangentSpeed
}
