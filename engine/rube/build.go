package rube

import (
	"errors"
	"fmt"
	"strings"

	"halfstep/world"
)

// Build creates the scene's bodies and joints in w, in the order of the file; gear joints that
// couple later joints come last. If Box2D cannot make a body or joint, the error is one line
// that begins with the file's name. The bodies and joints that were made before it stay.
func (s *Scene) Build(w *world.World) error {
	bodies := make([]world.Body, len(s.Bodies))
	for i, d := range s.Bodies {
		var err error
		if bodies[i], err = w.CreateBody(d); err != nil {
			if text, _, one := strings.Cut(err.Error(), " (shape "); one { // the limit is on all fixtures of the body together
				err = errors.New(strings.TrimPrefix(text, "world: "))
			}
			return fmt.Errorf("%s: %s: %w", s.Name, describe("body", i, d.Name), err)
		}
	}
	joints := make([]world.Joint, len(s.Joints))
	for _, i := range s.order() {
		j := &s.Joints[i]
		d := j.Def
		if d.Kind == world.GearJoint { // a gear has the bodies of its two joints
			d.Joint1, d.Joint2 = joints[j.Joint1], joints[j.Joint2]
		} else if d.B = bodies[j.BodyB]; j.BodyA >= 0 {
			d.A = bodies[j.BodyA]
		}
		var err error
		if joints[i], err = w.CreateJoint(d); err != nil {
			return fmt.Errorf("%s: joint %d: %w", s.Name, i, err)
		}
	}
	return nil
}

// order returns the joints in an order in which they can be made.
func (s *Scene) order() (order []int) {
	for _, late := range []bool{false, true} {
		for i, j := range s.Joints {
			if waits := j.Def.Kind == world.GearJoint && max(j.Joint1, j.Joint2) > i; waits == late {
				order = append(order, i)
			}
		}
	}
	return order
}
