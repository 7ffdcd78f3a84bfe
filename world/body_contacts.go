package world

import "halfstep/internal/box"

// BodyContacts calls f with each contact of a body's solid shapes with other solid
// shapes, newest first, until f returns false. A is the body, so that Normal
// points away from it; Impulse is that of the last step.
//
// Contacts are those of the last step: a body that was created or teleported
// since then has none yet. f may change the world; contacts of shapes that are
// gone by then are left out. The error wraps [ErrStale].
func (w *World) BodyContacts(b Body, f func(Contact) bool) error {
	r, err := w.lookupBody(b)
	if err != nil {
		return err
	}
	w.tellTouching(r, box.Contact.IsSolid, f)
	return nil
}

// ShapeContacts calls f with each contact of a solid shape with other solid
// shapes, or with each shape that is in a sensor, as BodyContacts does. A and
// ShapeA are those of the shape. Contacts of a sensor have no Point, Normal and
// Impulse. The error wraps [ErrStale].
func (w *World) ShapeContacts(s Shape, f func(Contact) bool) error {
	sh, err := w.lookupShape(s)
	if err != nil {
		return err
	}
	w.tellTouching(sh.of, func(c box.Contact) bool {
		in := sh.fix.M_isSensor && c.IsTouching()
		a, b := c.Shapes()
		return (a == sh.fix || b == sh.fix) && (in || c.IsSolid())
	}, f)
	return nil
}

// tellTouching calls f with those contacts of a body that are asked for. It
// collects them first: f may ask for more, and change the world.
func (w *World) tellTouching(of *body, asked func(box.Contact) bool, f func(Contact) bool) {
	begin := len(w.touching)
	for c := range w.box.ContactsOf(of.b) {
		if asked(c) {
			found := w.contactNow(c)
			if found.A != of.handle {
				found = found.reversed()
			}
			w.touching = append(w.touching, found)
		}
	}
	end := len(w.touching)
	defer func() { w.touching = w.touching[:begin] }()
	there := func(s Shape) bool { return s == 0 || w.shapes[s] != nil }
	for i := begin; i < end; i++ {
		if c := w.touching[i]; there(c.ShapeA) && there(c.ShapeB) && !f(c) {
			return
		}
	}
}

// reversed is the same contact, seen from the other shape.
func (c Contact) reversed() Contact {
	c.A, c.ShapeA, c.B, c.ShapeB = c.B, c.ShapeB, c.A, c.ShapeA
	c.Normal = Vec{-c.Normal.X, -c.Normal.Y}
	return c
}
