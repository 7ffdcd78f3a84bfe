package soft

import (
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// stops decides which shapes stop each other.
type stops struct {
	set      *box.World
	rules    *rules
	bodies   *bodies
	shapes   *shapes
	contacts *contacts
}

// mayStop reports whether another shape stops a shape that moves by way relative to it. The
// filter, joints and the result of PreSolve decide. A line does not stop a line. The second
// result is false if the filter must be asked first, which is allowed only if alone is true.
func (s *stops) mayStop(k, other int32, way vec, alone bool) (stops, known bool) {
	i, o := s.shapes.all[k].body, s.shapes.all[other].body
	a, b := s.shapes.all[k].f, s.shapes.all[other].f
	if s.rules.filter == nil && !s.shapes.passes(k, other) ||
		!b2.ShouldCollide(s.bodies.all[i].b, s.bodies.all[o].b) ||
		s.shapes.geometry(k).kind == b2.EdgeShape && s.shapes.geometry(other).kind == b2.EdgeShape {
		return false, true
	}
	if s.rules.filter == nil && !s.rules.tellsPreSolve {
		return true, true
	}
	switch c := s.contactOf(k, other); {
	case c != nil && c.count > 0:
		return !s.rules.tellsPreSolve || c.flags&enabled != 0, true // the last PreSolve has decided
	case c != nil || s.rules.filter == nil: // the filter has already been asked, or need not be asked
	case !alone:
		return false, false
	default:
		x, y := a, b
		if k > other { // this is the order of the two shapes in a contact
			x, y = b, a
		}
		if !s.rules.filter.ShouldCollide(x, y) {
			return false, true
		}
	}
	if !s.rules.tellsPreSolve {
		return true, true
	}
	return s.rules.listener.Stops(a, b, toB2(way)), true
}

// contactOf returns a contact between the fixtures of two shapes, or nil. If possible the contact
// has points.
func (s *stops) contactOf(k, other int32) (found *contact) {
	a, b, o := s.shapes.all[k].f, s.shapes.all[other].f, s.shapes.all[other].body
	if n := s.set.Contacts.Find(box.Proxy(k), box.Proxy(other)); n >= 0 {
		found = &s.contacts.all[n]
	}
	// Only a chain has further contacts. They differ only in the result of PreSolve.
	if !s.shapes.all[k].isOfChain() && !s.shapes.all[other].isOfChain() || found != nil && found.count > 0 && !s.rules.tellsPreSolve {
		return found
	}
	for of := range s.set.ContactsOf(a.M_body) {
		c := &s.contacts.all[of.Number()]
		if c.bodyA != o && c.bodyB != o {
			continue
		}
		if fA, fB := s.shapes.all[c.shapeA].f, s.shapes.all[c.shapeB].f; fA == a && fB == b || fA == b && fB == a {
			if found = c; c.count > 0 {
				break
			}
		}
	}
	return found
}

// touch reports whether this step has solved a contact between shape k of a fast body and
// another shape.
func (s *stops) touch(k, other int32) bool {
	c := s.contactOf(k, other)
	return c != nil && c.isSolid()
}
