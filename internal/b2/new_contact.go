package b2

import (
	"math"

	"github.com/ByteArena/box2d"
)

// The library allocates a contact, its manifold and its two contact edges one by
// one. Here they are one object.
type (
	polygonsContact struct {
		box2d.B2PolygonContact
		parts contactParts
	}
	circlesContact struct {
		box2d.B2CircleContact
		parts contactParts
	}
	polygonCircleContact struct {
		box2d.B2PolygonAndCircleContact
		parts contactParts
	}
	edgeCircleContact struct {
		box2d.B2EdgeAndCircleContact
		parts contactParts
	}
	edgePolygonContact struct {
		box2d.B2EdgeAndPolygonContact
		parts contactParts
	}
	chainCircleContact struct {
		box2d.B2ChainAndCircleContact
		parts contactParts
	}
	chainPolygonContact struct {
		box2d.B2ChainAndPolygonContact
		parts contactParts
	}
)

type contactParts struct {
	manifold     box2d.B2Manifold
	edgeA, edgeB box2d.B2ContactEdge
}

// The library fills its table of contact types when it creates its first contact,
// and panics if a contact is destroyed before that. Filled while the program
// starts, the table is not written by worlds on different goroutines.
func init() {
	f := box2d.NewB2Fixture()
	f.M_shape = box2d.NewB2CircleShape()
	box2d.B2ContactFactory(f, 0, f, 0)
}

// NewContact makes the contact of two fixtures' child shapes, without linking it.
// It returns nil if the library has no contact type for the pair. It may swap the
// fixtures.
func NewContact(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) box2d.B2ContactInterface {
	tA, tB := fA.M_shape.GetType(), fB.M_shape.GetType()
	// Chains and edges come first, then polygons, then circles.
	if rank(tA) < rank(tB) {
		fA, indexA, fB, indexB = fB, indexB, fA, indexA
		tA, tB = tB, tA
	}
	switch {
	case tA == PolygonShape && tB == PolygonShape:
		c := &polygonsContact{}
		initContact(&c.B2Contact, &c.parts, fA, 0, fB, 0)
		return &c.B2PolygonContact
	case tA == CircleShape && tB == CircleShape:
		c := &circlesContact{}
		initContact(&c.B2Contact, &c.parts, fA, 0, fB, 0)
		return &c.B2CircleContact
	case tA == PolygonShape && tB == CircleShape:
		c := &polygonCircleContact{}
		initContact(&c.B2Contact, &c.parts, fA, 0, fB, 0)
		return &c.B2PolygonAndCircleContact
	case tA == EdgeShape && tB == CircleShape:
		c := &edgeCircleContact{}
		initContact(&c.B2Contact, &c.parts, fA, 0, fB, 0)
		return &c.B2EdgeAndCircleContact
	case tA == EdgeShape && tB == PolygonShape:
		c := &edgePolygonContact{}
		initContact(&c.B2Contact, &c.parts, fA, 0, fB, 0)
		return &c.B2EdgeAndPolygonContact
	case tA == ChainShape && tB == CircleShape:
		c := &chainCircleContact{}
		initContact(&c.B2Contact, &c.parts, fA, indexA, fB, indexB)
		return &c.B2ChainAndCircleContact
	case tA == ChainShape && tB == PolygonShape:
		c := &chainPolygonContact{}
		initContact(&c.B2Contact, &c.parts, fA, indexA, fB, indexB)
		return &c.B2ChainAndPolygonContact
	}
	return nil
}

func rank(shape uint8) int {
	switch shape {
	case CircleShape:
		return 0
	case PolygonShape:
		return 1
	}
	return 2
}

func initContact(c *box2d.B2Contact, parts *contactParts, fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) {
	c.M_flags = ContactEnabled
	c.M_fixtureA, c.M_fixtureB = fA, fB
	c.M_indexA, c.M_indexB = indexA, indexB
	c.M_manifold = &parts.manifold
	c.M_nodeA, c.M_nodeB = &parts.edgeA, &parts.edgeB
	c.M_friction = math.Sqrt(fA.M_friction * fB.M_friction)
	c.M_restitution = fB.M_restitution
	if fA.M_restitution > fB.M_restitution {
		c.M_restitution = fA.M_restitution
	}
}
