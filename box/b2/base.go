package b2

import "github.com/ByteArena/box2d"

// Kind is a contact's pair of shapes.
type Kind uint8

const (
	Unknown Kind = iota // not one of the library's contact types
	Polygons
	Circles
	PolygonCircle
	EdgeCircle
	EdgePolygon
	ChainCircle
	ChainPolygon
)

// BaseContact returns the part of a contact that all of the library's types
// share, or nil for a type that is not the library's. It is for those who read
// many contacts: the library's getters copy 136 bytes each.
func BaseContact(i box2d.B2ContactInterface) *box2d.B2Contact {
	c, _ := Base(i)
	return c
}

// Base is BaseContact, and tells the contact's pair of shapes.
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
	}
	return nil, Unknown
}

// BaseJoint returns the part of a joint that all types share, or nil if the type
// is Unknown.
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
