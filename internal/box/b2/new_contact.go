package b2

import (
	"math"

	"github.com/ByteArena/box2d"
)

// The library fills its table of contact types when it creates its first contact, and panics if a
// contact is destroyed before that. The function init fills the table early, so that worlds on
// different goroutines do not write to it. It adds the contacts of RoundPolygons, so that the
// library can make and destroy them.
func init() {
	box2d.B2Shape_Type.E_typeCount = RoundShape + 1
	f := box2d.NewB2Fixture()
	f.M_shape = box2d.NewB2CircleShape()
	box2d.B2ContactFactory(f, 0, f, 0)
	for _, other := range [...]uint8{EdgeShape, ChainShape, PolygonShape} {
		box2d.AddType(NewContact, endContact, other, RoundShape)
	}
	box2d.AddType(NewContact, endContact, RoundShape, RoundShape)
	box2d.AddType(NewContact, endContact, RoundShape, CircleShape)
}

// The library calls endContact to free a contact. The garbage collector frees the memory.
func endContact(box2d.B2ContactInterface) {}

// NewContact makes the contact of two fixtures' child shapes, without linking it. It returns nil
// if no type of contact fits the pair. It may swap the fixtures.
func NewContact(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) box2d.B2ContactInterface {
	a, child, b, kind := OrderEnds(fA, indexA, fB, indexB)
	if kind == Unknown {
		return nil
	}
	return new(contactCell).fill(a, child, b, kind)
}

// OrderEnds returns two child shapes in the order that the library's contacts have, and the kind
// of their contact. Only the first shape may be one of several children, because at most the first
// is a chain.
func OrderEnds(fA *box2d.B2Fixture, indexA int, fB *box2d.B2Fixture, indexB int) (a *box2d.B2Fixture, child int, b *box2d.B2Fixture, kind Kind) {
	tA, tB := shapeType(fA.M_shape), shapeType(fB.M_shape)
	if tA > RoundShape || tB > RoundShape {
		return nil, 0, nil, Unknown
	}
	if ranks[tA] < ranks[tB] {
		fA, indexA, fB = fB, indexB, fA
		tA, tB = tB, tA
	}
	if tA != ChainShape {
		indexA = 0
	}
	return fA, indexA, fB, kinds[tA][tB]
}

// shapeType returns the result of GetType. It finds it by the Go type of the shape, because the
// shape's memory is rarely in the processor's cache.
func shapeType(s box2d.B2ShapeInterface) uint8 {
	switch s.(type) {
	case *box2d.B2PolygonShape:
		return PolygonShape
	case *box2d.B2CircleShape:
		return CircleShape
	case *RoundPolygon:
		return RoundShape
	}
	return s.GetType()
}

// ranks has the rank of each type of shape. In a contact, the shape with the higher rank comes
// first.
var ranks = [...]uint8{CircleShape: 0, RoundShape: 1, PolygonShape: 2, EdgeShape: 3, ChainShape: 3}

// kinds has the Kind of a contact, by the types of its first and second shape.
var kinds = [...][5]Kind{
	CircleShape:  {CircleShape: Circles},
	PolygonShape: {CircleShape: PolygonCircle, PolygonShape: Polygons, RoundShape: Rounds},
	RoundShape:   {CircleShape: Rounds, RoundShape: Rounds},
	EdgeShape:    {CircleShape: EdgeCircle, PolygonShape: EdgePolygon, RoundShape: Rounds},
	ChainShape:   {CircleShape: ChainCircle, PolygonShape: ChainPolygon, RoundShape: Rounds},
}

// Mix returns the friction and restitution of two fixtures by the library's rules.
func Mix(a, b *box2d.B2Fixture) (friction, restitution float64) {
	friction, restitution = math.Sqrt(a.M_friction*b.M_friction), b.M_restitution
	if a.M_restitution > restitution {
		restitution = a.M_restitution
	}
	return friction, restitution
}

// fill makes a contact of two child shapes in the cell, and returns the contact with the Go type
// of its kind.
func (c *contactCell) fill(a *box2d.B2Fixture, child int, b *box2d.B2Fixture, kind Kind) box2d.B2ContactInterface {
	c.clear()
	to := &c.contact
	to.M_flags = ContactEnabled
	to.M_fixtureA, to.M_fixtureB, to.M_indexA = a, b, child
	to.M_friction, to.M_restitution = Mix(a, b)
	switch kind {
	case Circles:
		return (*box2d.B2CircleContact)(&c.contact)
	case PolygonCircle:
		return (*box2d.B2PolygonAndCircleContact)(&c.contact)
	case EdgeCircle:
		return (*box2d.B2EdgeAndCircleContact)(&c.contact)
	case EdgePolygon:
		return (*box2d.B2EdgeAndPolygonContact)(&c.contact)
	case ChainCircle:
		return (*box2d.B2ChainAndCircleContact)(&c.contact)
	case ChainPolygon:
		return (*box2d.B2ChainAndPolygonContact)(&c.contact)
	case Rounds:
		return (*RoundContact)(&c.contact)
	}
	return &c.contact
}
