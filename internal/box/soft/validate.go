package soft

import (
	"fmt"
	"slices"

	"halfstep/internal/box"
)

var _ box.Tables = (*Stepper)(nil)

// Validate checks the links of the stepper's tables after a step.
func (s *Stepper) Validate() error {
	if err := s.shapes.statics.Validate(); err != nil {
		return fmt.Errorf("statics: %w", err)
	}
	for k := range s.shapes.all {
		sh := &s.shapes.all[k]
		if sh.f == nil || s.set.ChangeOf(sh.body) != 0 || s.bodies.all[sh.body].b != s.set.Bodies.All[sh.body].B {
			continue // the next step loads the body
		}
		if is := s.set.Shapes.All[k]; sh.f.M_body != s.bodies.all[sh.body].b || is.F != sh.f || is.Child != sh.child {
			return fmt.Errorf("shapes[%d]: body %d does not have this shape", k, sh.body)
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
	if err := s.validateRows(); err != nil {
		return err
	}
	for n := range s.contacts.all {
		if n >= len(s.set.Contacts.All) || s.set.Contacts.All[n].ID == 0 || !s.set.Contacts.All[n].Known {
			continue
		}
		c, e := &s.contacts.all[n], &s.set.Contacts.All[n]
		if c.bodyA != e.A || c.bodyB != e.B || box.Proxy(c.shapeA) != e.ProxyA || box.Proxy(c.shapeB) != e.ProxyB {
			return fmt.Errorf("contacts[%d]: it is between shapes %d and %d instead of %d and %d", n, c.shapeA, c.shapeB, e.ProxyA, e.ProxyB)
		}
	}
	return nil
}

// validateRows checks rows that the next step does not load. Loading them again must not change them.
// It also checks that the next step would list the same joints.
func (s *Stepper) validateRows() error {
	b, linked := s.bodies, s.bodies.linked
	s.bodies.poses, s.bodies.masses = slices.Clone(b.poses), slices.Clone(b.masses)
	s.bodies.motions, s.bodies.plans = slices.Clone(b.motions), slices.Clone(b.plans)
	defer func() { s.bodies = b }()
	loads := map[int32]bool{}
	for _, i := range b.passing {
		loads[i] = true
		linked = linked || b.all[i].b != nil && b.all[i].b.M_jointList != nil
	}
	for n := range b.all {
		i, is := int32(n), &s.set.Bodies.All[n]
		if b.all[n].b == nil || loads[i] {
			continue
		}
		if b.all[n].b != is.B || is.IsEdited() {
			linked = true
			continue
		}
		p, was := &s.bodies.poses[n], b.poses[n].flags
		p.flags = was & (poseFast | poseStopped | poseDone)
		s.bodies.load(i)
		if v := b.motions[n].v; p.flags&poseAwake != 0 && !isFinite(float64(v.x+v.y+b.motions[n].w)) {
			continue // the body is lost
		}
		if p.flags != was || p.flags&poseAwake != 0 && s.bodies.motions[n] != b.motions[n] || s.bodies.masses[n] != b.masses[n] || s.bodies.plans[n] != b.plans[n] {
			return fmt.Errorf("bodies[%d]: its row has the flags %b and the motion %+v instead of %b and %+v", n, was, b.motions[n], p.flags, s.bodies.motions[n])
		}
	}
	if of := &s.set.Joints; linked || s.joints.order != of.Order || s.joints.listed != len(of.Active) {
		return nil
	}
	j := s.joints
	j.active = nil
	if j.listActive(); !slices.Equal(j.active, s.joints.active) || j.sleepers != s.joints.sleepers {
		return fmt.Errorf("joints: %d are listed instead of %d", len(s.joints.active), len(j.active))
	}
	return nil
}
