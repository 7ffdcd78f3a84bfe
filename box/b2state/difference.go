package b2state

import (
	"reflect"

	"github.com/ByteArena/box2d"

	"halfstep/box"
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
	s, o = s.flat(), o.flat()
	for i := range min(len(s.bodies), len(o.bodies)) {
		a, b := &s.bodies[len(s.bodies)-1-i], &o.bodies[len(o.bodies)-1-i]
		if d := behind("body", &a.value, &b.value); d != nil {
			d.A = a.b
			return d
		}
	}
	if d := counted("body", len(s.bodies), len(o.bodies)); d != nil {
		return d
	}
	for i := range s.fixtures { // as many as the bodies say
		a, b := &s.fixtures[i], &o.fixtures[i]
		d := behind("shape", &a.value, &b.value)
		if d == nil && a.shape != b.shape {
			d = behind("shape", a.shape, b.shape)
		}
		if d != nil {
			d.A = a.value.M_body
			return d
		}
	}
	if d := s.contactDifference(o); d != nil {
		return d
	}
	if d := s.jointDifference(o); d != nil {
		return d
	}
	for _, part := range [][2]any{{&s.proxies, &o.proxies}, {&s.nodes, &o.nodes}, {&s.moves, &o.moves}} {
		if d := behind("broad phase", part[0], part[1]); d != nil {
			return d
		}
	}
	return behind("world", &s.world, &o.world)
}

func (s *State) contactDifference(o *State) *Difference {
	if d := counted("contact", len(s.contacts), len(o.contacts)); d != nil {
		return d
	}
	var mine, other map[*box2d.B2Fixture]int // where they are not of the same objects
	for i := range s.contacts {
		a, b := &s.contacts[i], &o.contacts[i]
		var d *Difference
		if a.ends != b.ends || a.child != b.child {
			if mine == nil {
				mine, other = s.places(), o.places()
			}
			was, is := a.contactEnds(mine), b.contactEnds(other)
			d = behind("contact", &was, &is)
		}
		if d == nil {
			was, is := s.surfaces[a.surface].values(), o.surfaces[b.surface].values()
			was.flags, is.flags = a.flags, b.flags
			d = behind("contact", &was, &is)
		}
		if d == nil && a.manifold >= 0 && b.manifold >= 0 {
			d = behind("contact", &s.manifolds[a.manifold], &o.manifolds[b.manifold])
		} else if d == nil && a.manifold != b.manifold {
			d = counted("contact", int(a.manifold), int(b.manifold))
		}
		if d != nil {
			d.A, d.B = a.ends.a.M_body, a.ends.b.M_body
			return d
		}
	}
	return nil
}

func (s *State) places() map[*box2d.B2Fixture]int {
	m := make(map[*box2d.B2Fixture]int, len(s.fixtures))
	for i := range s.fixtures {
		m[s.fixtures[i].f] = i
	}
	return m
}

func (s *State) jointDifference(o *State) *Difference {
	if d := counted("joint", len(s.joints), len(o.joints)); d != nil {
		return d
	}
	for i := range s.joints {
		a, b := &s.joints[i], &o.joints[i]
		d := behind("joint", &a.base, &b.base)
		if d == nil {
			d = behind("joint", a.value, b.value)
		}
		if d == nil {
			d = behind("joint", extraOf(a), extraOf(b))
		}
		if d != nil {
			d.A, d.B = a.base.M_bodyA, a.base.M_bodyB
			return d
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
