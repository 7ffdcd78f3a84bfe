// Package b2 has faster forms of parts of Box2D: flags as constants, and contacts and
// joints without their getters. It also has the computations of Box2D's edits, with the
// same bits on every machine.
package b2

import "github.com/ByteArena/box2d"

// Flags of a B2Contact.
const (
	ContactIsland   = 0x0001
	ContactTouching = 0x0002
	ContactEnabled  = 0x0004
	ContactFilter   = 0x0008 // the world must ask the filters again about the contact
	ContactTOI      = 0x0020
)

// Flags of a B2Body.
const (
	BodyIsland    = 0x0001
	BodyAwake     = 0x0002
	BodyAutoSleep = 0x0004
	BodyBullet    = 0x0008
	BodyFixed     = 0x0010 // a body with this flag never turns
	BodyActive    = 0x0020

	// The body was made asleep, and no step has handled it yet. The library lacks this flag.
	BodyDozes = 0x0100
	// The centre of mass of the body always keeps its x, or its y. The library lacks these flags.
	BodyFixedX    = 0x0200
	BodyFixedY    = 0x0400
	BodyFixedAxes = BodyFixedX | BodyFixedY
)

// AlongFree returns v without its components along the fixed axes of a body with these flags.
func AlongFree(flags uint32, v box2d.B2Vec2) box2d.B2Vec2 {
	if flags&BodyFixedX != 0 {
		v.X = 0
	}
	if flags&BodyFixedY != 0 {
		v.Y = 0
	}
	return v
}

// Types of a B2Body.
const (
	StaticBody    = 0
	KinematicBody = 1
	DynamicBody   = 2
)

// Types of a shape.
const (
	CircleShape  = 0
	EdgeShape    = 1
	PolygonShape = 2
	ChainShape   = 3
	RoundShape   = 4 // the type of a RoundPolygon, which the library lacks
)

// Wake is B2Body.SetAwake(true).
func Wake(b *box2d.B2Body) {
	b.M_flags |= BodyAwake
	b.M_sleepTime = 0
}

// IsAwake reports whether a step works on a body: the body is awake and enabled, and not
// static.
func IsAwake(b *box2d.B2Body) bool {
	const both = BodyAwake | BodyActive
	return b.M_flags&both == both && b.M_type != StaticBody
}

// StayAsleep reports whether a new contact of two bodies leaves both bodies asleep. That is so if one of
// the bodies was made asleep, and neither is awake.
func StayAsleep(a, b *box2d.B2Body) bool {
	return (a.M_flags|b.M_flags)&BodyDozes != 0 && !IsAwake(a) && !IsAwake(b)
}

// IsSensor reports whether one of a contact's shapes is a sensor.
func IsSensor(c *box2d.B2Contact) bool { return c.M_fixtureA.M_isSensor || c.M_fixtureB.M_isSensor }

// ShouldCollide is B2Body.ShouldCollide. It reports whether one of the bodies is dynamic and no joint
// between them prevents a collision. Both bodies list such a joint, so it searches the shorter list.
func ShouldCollide(a, b *box2d.B2Body) bool {
	if a.M_type != DynamicBody && b.M_type != DynamicBody {
		return false
	}
	for e, f := a.M_jointList, b.M_jointList; e != nil && f != nil; e, f = e.Next, f.Next {
		if e.Other == b && !BaseJoint(e.Joint).M_collideConnected ||
			f.Other == a && !BaseJoint(f.Joint).M_collideConnected {
			return false
		}
	}
	return true
}

// MayCollide reports whether two fixtures may have a contact. Their bodies and the world's filter
// decide.
func MayCollide(m *box2d.B2ContactManager, a, b *box2d.B2Fixture) bool {
	return ShouldCollide(b.M_body, a.M_body) && (m.M_contactFilter == nil || m.M_contactFilter.ShouldCollide(a, b))
}

// TestOverlap reports whether two boxes overlap. A box with a NaN overlaps all boxes.
func TestOverlap(a, b *box2d.B2AABB) bool {
	return !(b.LowerBound.X-a.UpperBound.X > 0 || b.LowerBound.Y-a.UpperBound.Y > 0 ||
		a.LowerBound.X-b.UpperBound.X > 0 || a.LowerBound.Y-b.UpperBound.Y > 0)
}

// HasNaN reports whether a box may contain a NaN.
func HasNaN(b *box2d.B2AABB) bool {
	sum := b.LowerBound.X + b.LowerBound.Y + b.UpperBound.X + b.UpperBound.Y
	return sum != sum
}
