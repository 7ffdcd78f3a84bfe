package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/box"
)

// Bodies, Fixtures, Joints, Contacts and Nodes (of the tree) are how many there are.
func (s *State) Bodies() int   { return len(s.bodies) }
func (s *State) Fixtures() int { return len(s.fixtures) }
func (s *State) Joints() int   { return len(s.joints) }
func (s *State) Contacts() int { return len(s.contacts) }
func (s *State) Nodes() int    { return len(s.nodes) }

// Body returns a body of the tables by its index. user becomes its user data.
func (s *State) Body(i int, user any) *box2d.B2Body {
	s.bodies[i].value.M_userData = user
	return s.bodies[i].b
}

// Fixture does so for a fixture, and tells the body that it belongs to.
func (s *State) Fixture(i int, user any) (f *box2d.B2Fixture, of *box2d.B2Body) {
	s.fixtures[i].value.M_userData = user
	return s.fixtures[i].f, s.fixtures[i].value.M_body
}

// Joint does so for a joint, and sets its extra.
func (s *State) Joint(i int, user any) box2d.B2JointInterface {
	s.joints[i].base.M_userData = user
	if x, ok := user.(interface{ JointExtra() *box.JointExtra }); ok && s.joints[i].extra != nil {
		*x.JointExtra() = *s.joints[i].extra
	}
	return s.joints[i].j
}

// Each calls body with every body, shape with every fixture and its shape, joint with the
// numbers of every joint, and contact with what the surfaces of every contact are like, as
// they will be, until one returns an error.
func (s *State) Each(
	body func(*box2d.B2Body) error,
	shape func(*box2d.B2Fixture, box2d.B2ShapeInterface) error,
	joint func(box2d.B2JointInterface) error,
	contact func(friction, restitution, tangentSpeed float64) error,
) error {
	for i := range s.bodies {
		if err := body(&s.bodies[i].value); err != nil {
			return err
		}
	}
	for i := range s.fixtures {
		if err := shape(&s.fixtures[i].value, s.fixtures[i].shape); err != nil {
			return err
		}
	}
	for i := range s.joints {
		if err := joint(s.joints[i].value); err != nil {
			return err
		}
	}
	for i := range s.surfaces {
		var c box2d.B2Contact
		s.surfaces[i].restore(&c)
		if err := contact(c.M_friction, c.M_restitution, c.M_tangentSpeed); err != nil {
			return err
		}
	}
	return nil
}
