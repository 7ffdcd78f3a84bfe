package world

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// A contact with a one-way shape is solid or passing (box.Passing). It becomes solid when the other shape comes
// from the front, and then stays solid until the two shapes separate. Each step checks a passing contact again,
// because the other shape may move to the front: a box may slide from one platform onto the next. After
// DropThrough (box.Dropping), the contact stays passing until the two shapes separate.
const (
	oneWayCone = .5 // least cosine of the angle between the direction and the normal

	// oneWaySlop is the greatest depth of a shape in front of the surface, in m. If two outlines are placed edge
	// to edge, their skins overlap by 2 cm.
	oneWaySlop = 2*box2d.B2_polygonRadius + 2*box2d.B2_linearSlop
)

func checkOneWay(direction Vec) error { return checkVec("one-way direction", direction, maxPosition) }

// SetOneWay makes a shape solid from one side only. The direction points to that side. It is in the body's
// frame, so it turns with the body. Its length does not matter. The zero Vec makes the shape solid from all
// sides.
//
// A shape that comes from the front is stopped. That means three things: its contact normal is at most 60°
// from the direction, it approaches, and a step ago it was in front of the surface. From then on the contact
// is solid until the two shapes separate. A shape that comes from behind or from the side is not pushed
// until it is in front. Only solid contacts have events, so ContactBegin comes when the shape is stopped.
// Present contacts stay solid or passing.
//
// [World.DropThrough] lets a body fall through.
func (w *World) SetOneWay(s Shape, direction Vec) error {
	sh, err := w.editShape(s, checkOneWay(direction))
	if err != nil {
		return err
	}
	w.surfaces.makeOneWay(sh, direction)
	w.box.Touch(sh.of.b)
	w.box.WakeNeighbours(sh.of.b) // contacts that pass may become solid
	return nil
}

func (u *surfaces) makeOneWay(s *shape, direction Vec) {
	s.oneWay = Vec{}
	if direction != (Vec{}) {
		s.oneWay = fromB2(axis(direction))
		u.hasOneWay = true
	}
}

// DropThrough lets a body fall through the one-way shapes on which it stands. The body passes through these
// shapes, and through others that it meets meanwhile, until it has left them all. A body that stands on no
// one-way shape is not affected.
func (w *World) DropThrough(b Body) error {
	r, err := w.edit(b)
	if err != nil {
		return err
	}
	for c := range w.box.ContactsOf(r.b) {
		if !c.IsSolid() || !passes(c, r.b) {
			continue
		}
		w.contacts.makeEvents(ContactEnd, c, 0) // the event has no speed
		w.box.DropContact(c)
		w.box.WakeBody(r.b)
	}
	return nil
}

// Stops reports whether a fast shape is stopped at a one-way shape that it has not touched yet. The fast shape
// must come from the front, and its body must not be falling through another one-way shape.
func (l *listener) Stops(fast, other *box2d.B2Fixture, way box2d.B2Vec2) bool {
	a, b := shapeOf(fast), shapeOf(other)
	if a.isOneWay() && facing(a, way) <= 0 {
		return false
	}
	return !b.isOneWay() || facing(b, way) < 0 && !l.contacts.isDropping(fast.M_body)
}

func (s *shape) isOneWay() bool { return s != nil && s.oneWay != Vec{} }

// passes reports whether the body b meets a one-way shape at the contact c.
func passes(c box.Contact, b *box2d.B2Body) bool {
	return shapeOf(c.Other(b)).isOneWay()
}

// startsToPass marks the contact of two shapes that meet as passing, if one of the shapes lets the other
// through.
func (k *contacts) startsToPass(c box.Contact) {
	a, b := c.Shapes()
	for _, f := range [...]*box2d.B2Fixture{a, b} {
		if passes(c, f.M_body) && k.isDropping(f.M_body) {
			c.Set(box.Passing | box.Dropping)
			return
		}
	}
	if !k.inFront(c) {
		c.Set(box.Passing)
	}
}

// isDropping reports whether a body falls through a one-way shape on which it stood.
func (k *contacts) isDropping(b *box2d.B2Body) bool {
	for c := range k.box.ContactsOf(b) {
		if c.Has(box.Dropping) && c.Points() > 0 && passes(c, b) {
			return true
		}
	}
	return false
}

// goesOnPassing reports whether a passing contact also passes in this step.
func (k *contacts) goesOnPassing(c box.Contact) bool {
	if c.Has(box.Dropping) || !k.inFront(c) {
		return true
	}
	c.Clear(box.Passing)
	return false
}

// inFront reports whether a contact is solid. If a shape is one-way, the other shape must be in front of it.
// [World.SetOneWay] says what that means.
func (k *contacts) inFront(c box.Contact) bool {
	fA, fB := c.Shapes()
	a, b := shapeOf(fA), shapeOf(fB)
	if !a.isOneWay() && !b.isOneWay() {
		return true
	}
	m := k.placed(c)
	deepest := 0
	if c.Points() > 1 && m.Separations[1] < m.Separations[0] {
		deepest = 1
	}
	p, n := m.Points[deepest], m.Normal
	vA, vB := b2.VelocityAt(fA.M_body, p), b2.VelocityAt(fB.M_body, p)
	approach := -b2.Dot(box2d.B2Vec2Sub(vB, vA), n) // in m/s
	deep := -m.Separations[deepest]
	// With the soft stepper there may be a gap between the shapes. If this step does not close the gap, the contact
	// does not begin yet, because its ContactBegin would have no impulse. (The conversion keeps compilers from fusing
	// the product with the sums.)
	if way := float64(approach * k.when.dt); !(approach >= 0 && deep <= oneWaySlop+way && deep+way >= 0) {
		return false
	}
	return (!a.isOneWay() || facing(a, n) >= oneWayCone) && (!b.isOneWay() || -facing(b, n) >= oneWayCone)
}

// facing returns the cosine of the angle between a shape's direction and a normal.
func facing(s *shape, n box2d.B2Vec2) float64 {
	return b2.Dot(b2.Rotate(s.of.b.M_xf.Q, b2vec(s.oneWay)), n)
}
