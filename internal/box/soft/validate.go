package soft

import (
	"fmt"

	"halfstep/internal/box"
)

var _ box.Tables = (*Stepper)(nil)

// Validate walks the links of the stepper's tables after a step.
func (s *Stepper) Validate() error {
	if err := s.shapes.statics.Validate(); err != nil {
		return fmt.Errorf("statics: %w", err)
	}
	for k := range s.shapes.all {
		sh := &s.shapes.all[k]
		if sh.f == nil || s.set.ChangeOf(sh.body) != 0 || s.bodies.all[sh.body].b != s.set.Bodies.All[sh.body].B {
			continue // the next step loads it
		}
		if is := s.set.Shapes.All[k]; sh.f.M_body != s.bodies.all[sh.body].b || is.F != sh.f || is.Child != sh.child {
			return fmt.Errorf("shapes[%d]: it is no shape of body %d", k, sh.body)
		}
	}
	for i := range s.bodies.all {
		if s.bodies.all[i].b == nil {
			continue // there is no body, or the next step loads it
		}
		for k, n := s.bodies.all[i].first, 0; k >= 0; k = s.shapes.all[k].next {
			if n++; s.shapes.all[k].body != int32(i) || n > len(s.shapes.all) {
				return fmt.Errorf("bodies[%d]: its list of shapes leads to %d, of body %d", i, k, s.shapes.all[k].body)
			}
		}
	}
	for n := range s.contacts.all {
		if n >= len(s.set.Contacts.All) || s.set.Contacts.All[n].ID == 0 || !s.set.Contacts.All[n].Known {
			continue
		}
		c, e := &s.contacts.all[n], &s.set.Contacts.All[n]
		if c.bodyA != e.A || c.bodyB != e.B || box.Proxy(c.shapeA) != e.ProxyA || box.Proxy(c.shapeB) != e.ProxyB {
			return fmt.Errorf("contacts[%d]: it is between shapes %d and %d, and not %d and %d", n, c.shapeA, c.shapeB, e.ProxyA, e.ProxyB)
		}
	}
	return nil
}
