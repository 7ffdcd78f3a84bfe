package b2state

import (
	"github.com/ByteArena/box2d"

	"halfstep/internal/box/store"
)

// Order has the numbers of a State's bodies, contacts and joints, in the order of the world's
// lists: newest first.
type Order struct{ Bodies, Contacts, Joints []int32 }

// Order computes the order of a State. Any goroutine may call it.
func (s *State) Order() (o Order) {
	if p := s.past; p != nil {
		at := &s.Values
		o.Bodies = order(at, p.bodies, s.heads.body, func(e *savedBody) *box2d.B2Body { return e.of.B },
			func(n int) *box2d.B2Body { return p.bodies.At(at, n).value.M_next })
		if p.links != nil {
			o.Contacts = order(at, p.contacts, s.heads.contact, func(e *savedContact) box2d.B2ContactInterface { return e.of.I },
				func(n int) box2d.B2ContactInterface { return p.links.At(at, n).next })
		} else {
			// The variable end is 3 × the number of a contact + the number of its list (0: the world) +
			// 1. See box.OwnPlace.
			for end := s.heads.own; end != 0; end = s.contact((end - 1) / 3).place.Next[0] {
				o.Contacts = append(o.Contacts, (end-1)/3)
			}
		}
		o.Joints = order(at, p.joints, s.heads.joint, func(e *savedJoint) box2d.B2JointInterface { return e.of.J },
			func(n int) box2d.B2JointInterface { return p.joints.At(at, n).base.M_next })
	}
	return o
}

// order walks a list of the world from its head, and returns the numbers of its elements in
// the column c. The function of returns the object of an element, and next the element after
// n in the list.
func order[T any, K comparable](s *store.State, c store.Kept[T], head K, of func(*T) K, next func(n int) K) (list []int32) {
	at := map[K]int{}
	c.Each(s, func(n int, v *T) { at[of(v)] = n })
	var end K
	for e := head; e != end; {
		n := at[e]
		list = append(list, int32(n))
		e = next(n)
	}
	return list
}

// The next methods read the values of the object with a number from the columns.

func (s *State) body(n int32) *savedBody       { return s.past.bodies.At(&s.Values, int(n)) }
func (s *State) shapes(n int32) *savedShapes   { return *s.past.shapes.At(&s.Values, int(n)) }
func (s *State) contact(n int32) *savedContact { return s.past.contacts.At(&s.Values, int(n)) }
func (s *State) joint(n int32) *savedJoint     { return s.past.joints.At(&s.Values, int(n)) }
func (s *State) box(id int32) *box2d.B2AABB    { return s.past.boxes.At(&s.Values, int(id)) }
func (s *State) node(n int) *nodeValues        { return &s.past.nodes.At(&s.Values, n).nodeValues }

// contactValues returns the values of a contact, without its shapes, and the library's
// manifold. The manifold is nil if the stepper has the manifolds.
func (s *State) contactValues(n int32) (v contactValues, m *box2d.B2Manifold) {
	at, p := &s.Values, s.past
	v = contactValues{flags: *p.flags.At(at, int(n)), surface: *p.surfaces.At(at, int(n))}
	if p.manifolds != nil {
		m = p.manifolds.At(at, int(n))
		v.touched = !isBlank(m)
	}
	return v, m
}
