package b2

import "github.com/ByteArena/box2d"

// Kind is the pair of shape types of a contact.
type Kind uint8

const (
	Unknown Kind = iota // a type of contact that neither the library nor this package has
	Polygons
	Circles
	PolygonCircle
	EdgeCircle
	EdgePolygon
	ChainCircle
	ChainPolygon
	Rounds // at least one shape is a RoundPolygon
)

// BaseContact returns the part of a contact that all types share, or nil if the contact's type is
// Unknown. It is for loops over many contacts, because each of the library's getters copies 136
// bytes.
func BaseContact(i box2d.B2ContactInterface) *box2d.B2Contact {
	c, _ := Base(i)
	return c
}

// Base returns the result of BaseContact, and the contact's Kind.
func Base(i box2d.B2ContactInterface) (*box2d.B2Contact, Kind) {
	if c, ok := i.(*box2d.B2PolygonContact); ok {
		return &c.B2Contact, Polygons
	}
	switch c := i.(type) {
	case *box2d.B2CircleContact:
		return &c.B2Contact, Circles
	case *box2d.B2PolygonAndCircleContact:
		return &c.B2Contact, PolygonCircle
	case *box2d.B2EdgeAndCircleContact:
		return &c.B2Contact, EdgeCircle
	case *box2d.B2EdgeAndPolygonContact:
		return &c.B2Contact, EdgePolygon
	case *box2d.B2ChainAndCircleContact:
		return &c.B2Contact, ChainCircle
	case *box2d.B2ChainAndPolygonContact:
		return &c.B2Contact, ChainPolygon
	case *RoundContact:
		return &c.B2Contact, Rounds
	}
	return nil, Unknown
}

// BaseJoint returns the part of a joint that all types share, or nil for an
// unknown type.
func BaseJoint(j box2d.B2JointInterface) *box2d.B2Joint {
	if j, ok := j.(*box2d.B2RevoluteJoint); ok {
		return j.B2Joint
	}
	switch j := j.(type) {
	case *box2d.B2PrismaticJoint:
		return j.B2Joint
	case *box2d.B2DistanceJoint:
		return j.B2Joint
	case *box2d.B2PulleyJoint:
		return j.B2Joint
	case *box2d.B2MouseJoint:
		return j.B2Joint
	case *box2d.B2GearJoint:
		return j.B2Joint
	case *box2d.B2WheelJoint:
		return j.B2Joint
	case *box2d.B2WeldJoint:
		return j.B2Joint
	case *box2d.B2FrictionJoint:
		return j.B2Joint
	case *box2d.B2RopeJoint:
		return j.B2Joint
	case *box2d.B2MotorJoint:
		return j.B2Joint
	}
	return nil
}
