package box

import (
	"fmt"

	"halfstep/internal/box/b2"
)

// Tables are tables that a stepper keeps by the numbers of a World. The soft stepper has such tables.
type Tables interface {
	// Validate returns an error for the first broken link. The error begins with the table's name.
	Validate() error
}

// Validate checks every link between the World's tables and the library's objects after a step. The
// error describes the first broken link, and begins with the table's name.
func (s *World) Validate() error {
	if s.sight.isBlind() {
		return nil // the next step makes all links anew
	}
	w := s.world
	if err := s.Shapes.Tree.Validate(); err != nil {
		return fmt.Errorf("Tree: %w", err)
	}
	bodies, contacts, joints := 0, 0, 0
	for b := w.M_bodyList; b != nil; b = b.M_next {
		if s.Bodies.Number(b) < 0 {
			return fmt.Errorf("Body: a body of the library has the number %d, which belongs to another body", b.M_islandIndex)
		}
		if err := s.Leaves().validate(b); err != nil {
			return err
		}
	}
	for n := range s.Bodies.All {
		if e := &s.Bodies.All[n]; e.B != nil {
			if bodies++; e.B.M_islandIndex != n {
				return fmt.Errorf("Body[%d]: its body has the number %d", n, e.B.M_islandIndex)
			}
		}
	}
	for n := range s.Contacts.All {
		if e := &s.Contacts.All[n]; e.ID != 0 {
			contacts++
			if err := s.Contacts.validate(int32(n), &s.Shapes, &s.Bodies); err != nil {
				return fmt.Errorf("Contact[%d]: %w", n, err)
			}
		}
	}
	for n := range s.Joints.All {
		if e := &s.Joints.All[n]; e.Base != nil {
			if joints++; s.Joints.Number(e.Base) != int32(n) || b2.BaseJoint(e.J) != e.Base {
				return fmt.Errorf("Joint[%d]: its joint has the number %d", n, e.Base.M_index)
			}
		}
	}
	for _, c := range [...]struct {
		what      string
		have, all int
	}{
		{"Body", bodies, w.M_bodyCount}, {"Contact", contacts, s.Contacts.Count()}, {"Joint", joints, w.M_jointCount}, {"pairs", s.Contacts.pairs.count, contacts},
	} {
		if c.have != c.all {
			return fmt.Errorf("%s: the table has %d elements instead of %d", c.what, c.have, c.all)
		}
	}
	for _, c := range [...]struct {
		what string
		err  error
	}{
		{"Bodies", s.Bodies.validate(&s.flags, func(e *Body) bool { return e.Listed })},
		{"Contacts", s.Contacts.table.validate(&s.flags, func(e *ContactEntry) bool { return e.Listed })},
		{"Joints", s.Joints.validate(&s.flags, func(e *Joint) bool { return e.Listed })},
	} {
		if c.err != nil {
			return fmt.Errorf("%s: %w", c.what, c.err)
		}
	}
	return nil
}
