package b2state

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
)

// Difference is the first difference between two States.
type Difference struct {
	Of   string        // kind of object: body, shape, contact, joint, broad phase or world
	A, B *box2d.B2Body // the bodies of the different object, as in the first State, or nil
	binenc.Differs
}

// scratch are fields that mean nothing between two steps. Among them are the proxies, because
// a State stores these in a table of their own.
var scratch = []string{"M_islandIndex", "M_islandFlag", "M_proxies"}

// Difference compares the States of two runs of one world: first the bodies, oldest first,
// then their shapes, contacts and joints. It returns nil if the States are equal.
func (s *State) Difference(o *State) (found *Difference) {
	at, to := s.Order(), o.Order()
	mine, other := s.index(&at), o.index(&to) // the objects that contacts and joints connect are compared by index
	c := binenc.Comparison{Skip: scratch}
	// differ compares two objects. The parameters a and b are their bodies in the first State.
	differ := func(of string, a, b *box2d.B2Body, was, is binenc.Values) bool {
		d, differs := c.Difference(was, is)
		if differs {
			found = &Difference{of, a, b, d}
		}
		return differs
	}
	slices.Reverse(at.Bodies)
	slices.Reverse(to.Bodies)
	bodies := min(len(at.Bodies), len(to.Bodies))
	for i, n := range at.Bodies[:bodies] {
		if differ("body", s.body(n).of.B, nil, one(&s.body(n).value), one(&o.body(to.Bodies[i]).value)) {
			return found
		}
	}
	for i, n := range at.Bodies[:bodies] {
		fixtures, others := s.shapes(n).fixtures, o.shapes(to.Bodies[i]).fixtures
		for k := range fixtures {
			if differ("shape", s.body(n).of.B, nil, fixtures[k].values(), others[k].values()) {
				return found
			}
		}
	}
	if differ("world", nil, nil, one(&s.counts), one(&o.counts)) {
		return found
	}
	for i, n := range at.Contacts {
		place := &s.contact(n).place
		if differ("contact", place.A.M_body, place.B.M_body, s.valuesOfContact(n, &mine), o.valuesOfContact(to.Contacts[i], &other)) {
			return found
		}
	}
	for i, n := range at.Joints {
		base := &s.joint(n).base
		if differ("joint", base.M_bodyA, base.M_bodyB, s.valuesOfJoint(n, &mine), o.valuesOfJoint(to.Joints[i], &other)) {
			return found
		}
	}
	if !differ("broad phase", nil, nil, s.broadPhase(&at), o.broadPhase(&to)) {
		differ("world", nil, nil, one(&s.world), one(&o.world))
	}
	return found
}

// one returns the Values of an object that has one part.
func one(v any) binenc.Values { return func(f func(any)) { f(v) } }

// broadPhase returns the Values of the tree, its proxies, and the leaves for which the next
// search looks for pairs.
func (s *State) broadPhase(at *Order) binenc.Values {
	return func(f func(any)) {
		if s.past.leaves != nil {
			for _, n := range at.Bodies {
				for _, leaves := range s.leavesOf(n) {
					f(&leaves)
				}
			}
			f(&s.moves)
			return
		}
		for _, n := range at.Bodies {
			for _, proxies := range s.proxies(n) {
				f(&proxies)
			}
		}
		for n := range s.counts.nodes {
			f(s.node(n))
		}
		f(&s.moves)
	}
}
