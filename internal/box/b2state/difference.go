package b2state

import (
	"reflect"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/plain"
)

// Difference is where two States differ first.
type Difference struct {
	Of    string        // body, shape, contact, joint, broad phase or world
	A, B  *box2d.B2Body // of what it is, as in the first State; nil for none
	Value string        // the path of a field
	Was   any           // in the first State
	Is    any
}

// scratch are fields that mean nothing between two steps, and the proxies, which a
// State has in a table of their own.
var scratch = []string{"M_islandIndex", "M_index", "M_islandFlag", "M_proxies"}

// Difference compares the States of two runs of one world, bodies first, in order of
// creation. It returns nil if they are the same.
func (s *State) Difference(o *State) *Difference {
	at, to := s.Order(), o.Order()
	for k := range min(len(at.Bodies), len(to.Bodies)) {
		a, b := s.body(at.Bodies[len(at.Bodies)-1-k]), o.body(to.Bodies[len(to.Bodies)-1-k])
		if d := behind("body", &a.value, &b.value).of(a.of.B, nil); d != nil {
			return d
		}
	}
	if d := counted("body", len(at.Bodies), len(to.Bodies)); d != nil {
		return d
	}
	for i := range at.Bodies {
		if d := s.shapeDifference(o, at.Bodies[i], to.Bodies[i], false); d != nil {
			return d
		}
	}
	if d := s.contactDifference(o, &at, &to); d != nil {
		return d
	}
	if d := counted("joint", len(at.Joints), len(to.Joints)); d != nil {
		return d
	}
	for i := range at.Joints {
		a, b := s.joint(at.Joints[i]), o.joint(to.Joints[i])
		d := behind("joint", &a.base, &b.base)
		if d == nil {
			d = behind("joint", a.value, b.value)
		}
		if d == nil {
			d = behind("joint", extraOf(a), extraOf(b))
		}
		if d != nil {
			return d.of(a.base.M_bodyA, a.base.M_bodyB)
		}
	}
	for i := range at.Bodies {
		if d := s.shapeDifference(o, at.Bodies[i], to.Bodies[i], true); d != nil {
			return d
		}
	}
	if d := counted("broad phase", s.counts.nodes, o.counts.nodes); d != nil {
		return d
	}
	for n := range s.counts.nodes {
		if d := behind("broad phase", s.node(n), o.node(n)); d != nil {
			return d
		}
	}
	if d := behind("broad phase", &s.moves, &o.moves); d != nil {
		return d
	}
	return behind("world", &s.world, &o.world)
}

// of says whose difference it is.
func (d *Difference) of(a, b *box2d.B2Body) *Difference {
	if d != nil {
		d.A, d.B = a, b
	}
	return d
}

// shapeDifference compares the shapes of a body, of which there are as many, or their proxies.
func (s *State) shapeDifference(o *State, n, m int32, proxies bool) *Difference {
	x, y := s.shapes(n), o.shapes(m)
	k := 0
	for i := range x.fixtures {
		a, b := &x.fixtures[i], &y.fixtures[i]
		if !proxies {
			d := behind("shape", &a.value, &b.value)
			if d == nil && a.shape != b.shape {
				d = behind("shape", a.shape, b.shape)
			}
			if d != nil {
				return d.of(a.value.M_body, nil)
			}
			continue
		}
		for range a.value.M_proxies {
			was, is := s.proxy(a, x.proxies[k]), o.proxy(b, y.proxies[k])
			if d := behind("broad phase", &was, &is); d != nil {
				return d
			}
			k++
		}
	}
	return nil
}

func (s *State) contactDifference(o *State, at, to *Order) *Difference {
	if d := counted("contact", len(at.Contacts), len(to.Contacts)); d != nil {
		return d
	}
	mine, other := s.places(at.Bodies), o.places(to.Bodies)
	for i := range at.Contacts {
		a, b := s.contact(at.Contacts[i]), o.contact(to.Contacts[i])
		was, is := a.indices(mine), b.indices(other)
		d := behind("contact", &was, &is)
		if d == nil {
			was, m := s.contactValues(at.Contacts[i])
			is, n := o.contactValues(to.Contacts[i])
			if d = behind("contact", &was, &is); d == nil {
				d = behind("contact", m, n)
			}
		}
		if d != nil {
			return d.of(a.place.A.M_body, a.place.B.M_body)
		}
	}
	return nil
}

func extraOf(j *savedJoint) *box.JointExtra {
	if j.extra == nil {
		return new(box.JointExtra)
	}
	return j.extra
}

func counted(of string, was, is int) *Difference {
	if was == is {
		return nil
	}
	return &Difference{Of: of, Value: "number", Was: was, Is: is}
}

// behind compares what two pointers of one type lead to.
func behind(of string, a, b any) *Difference {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	if x.Type() != y.Type() {
		return &Difference{Of: of, Value: "type", Was: x.Type(), Is: y.Type()}
	}
	d, differs := plain.Difference(x, y, scratch...)
	if !differs {
		return nil
	}
	return &Difference{Of: of, Value: d.Path, Was: d.Was, Is: d.Is}
}
