package b2state

import (
	"encoding/binary"
	"reflect"

	"github.com/ByteArena/box2d"

	"halfstep/internal/binenc"
	"halfstep/internal/box"
	"halfstep/internal/box/b2"
)

// Index has the index of each object of a State among the written objects of its kind.
type Index struct {
	Bodies   map[*box2d.B2Body]int
	Fixtures map[*box2d.B2Fixture]int
	Joints   map[box2d.B2JointInterface]int
}

// contactValues are the values of a contact except its shapes and its manifold.
type contactValues struct {
	flags uint32
	surface
	touched bool // the manifold was written to at least once
}

// contactEnds and jointEnds have the indices of the objects that a contact or joint connects.
type contactEnds struct{ fixtureA, fixtureB, childA int32 }

type jointEnds struct{ bodyA, bodyB, joint1, joint2 int32 } // -1 means no object

// kind is the type of a shape or joint.
type kind struct{ kind uint8 }

// hasExtra says whether a box.JointExtra follows in the bytes.
type hasExtra struct{ extra bool }

// proxyValues are the values of a proxy, and its box.
type proxyValues struct {
	savedProxy
	aabb box2d.B2AABB
}

// shapeTypes are the types of shape, by the result of their GetType.
var shapeTypes = []reflect.Type{
	reflect.TypeFor[box2d.B2CircleShape](), reflect.TypeFor[box2d.B2EdgeShape](),
	reflect.TypeFor[box2d.B2PolygonShape](), reflect.TypeFor[box2d.B2ChainShape](),
	reflect.TypeFor[b2.RoundPolygon](),
}

// Layout returns a text that describes how States are written. Versions that write States in
// different ways have different texts.
func Layout() (s string) {
	for _, t := range []reflect.Type{
		reflect.TypeFor[worldValues](), reflect.TypeFor[box2d.B2Body](), reflect.TypeFor[box2d.B2Fixture](),
		reflect.TypeFor[proxyValues](), reflect.TypeFor[contactValues](), reflect.TypeFor[contactEnds](), reflect.TypeFor[box2d.B2Manifold](),
		reflect.TypeFor[box2d.B2Joint](), reflect.TypeFor[jointEnds](), reflect.TypeFor[box.JointExtra](),
		reflect.TypeFor[nodeValues](), reflect.TypeFor[leaf](),
	} {
		s += binenc.Describe(t)
	}
	for _, t := range shapeTypes {
		s += binenc.Describe(t)
	}
	for kind := range uint8(len(jointTypes) + 1) {
		if t := jointTypes[kind]; t != nil {
			s += binenc.Describe(t)
		}
	}
	return s
}

// Append appends the state as bytes. It leaves out user data and the world's callbacks, which are
// its listeners and its filter. The parameter o is the order of the state. The Index is for the
// written objects.
func (s *State) Append(b []byte, o *Order) ([]byte, Index) {
	at := s.index(o)
	add := func(v any) { b = binenc.Append(b, reflect.ValueOf(v).Elem()) }
	count := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	w := s.world
	w.knowsCalls = false
	add(&w)
	count(len(o.Bodies))
	for _, n := range o.Bodies {
		value := s.body(n).value
		value.M_islandIndex = 0
		add(&value)
		fixtures := s.shapes(n).fixtures
		if s.past.leaves != nil {
			for k, leaves := range s.leavesOf(n) {
				fixtures[k].values()(add)
				count(len(leaves))
				for i := range leaves {
					add(&leaves[i])
				}
			}
			continue
		}
		for k, proxies := range s.proxies(n) {
			fixtures[k].values()(add)
			count(len(proxies))
			for i := range proxies {
				add(&proxies[i])
			}
		}
	}
	if s.past.leaves != nil {
		free := s.freeShapes()
		count(len(free))
		for i := range free {
			add(&free[i])
		}
	}
	count(len(o.Contacts))
	for _, n := range o.Contacts {
		s.valuesOfContact(n, &at)(add)
	}
	count(len(o.Joints))
	for _, n := range o.Joints {
		s.valuesOfJoint(n, &at)(add)
	}
	if s.past.leaves == nil {
		count(s.counts.nodes)
		for n := range s.counts.nodes {
			add(s.node(n))
		}
	}
	count(len(s.moves))
	for i := range s.moves {
		add(&s.moves[i])
	}
	return b, at
}

// index numbers bodies, shapes and joints in the given order.
func (s *State) index(o *Order) Index {
	at := Index{map[*box2d.B2Body]int{}, map[*box2d.B2Fixture]int{}, map[box2d.B2JointInterface]int{}}
	for i, n := range o.Bodies {
		at.Bodies[s.body(n).of.B] = i
		for _, f := range s.shapes(n).fixtures {
			at.Fixtures[f.f] = len(at.Fixtures)
		}
	}
	for i, n := range o.Joints {
		at.Joints[s.joint(n).of.J] = i
	}
	return at
}

// Each of the next functions returns the Values of an object that are written and compared,
// in the form of a function that calls f with a pointer to each part. The Values omit
// M_islandIndex of bodies and M_index of joints, which are numbers of the World.

func (of *savedFixture) values() binenc.Values {
	kind := kind{of.shape.GetType()}
	return func(f func(any)) { f(&of.value); f(&kind); f(of.shape) }
}

func (s *State) valuesOfContact(n int32, at *Index) binenc.Values {
	place := &s.contact(n).place
	v, manifold := s.contactValues(n)
	all := struct {
		contactEnds
		contactValues
	}{contactEnds{indexOf(at.Fixtures, place.A), indexOf(at.Fixtures, place.B), place.Child}, v}
	return func(f func(any)) {
		if f(&all); all.touched {
			f(manifold)
		}
	}
}

func (s *State) valuesOfJoint(n int32, at *Index) binenc.Values {
	j := s.joint(n)
	ends := jointEnds{indexOf(at.Bodies, j.base.M_bodyA), indexOf(at.Bodies, j.base.M_bodyB), -1, -1}
	joint, extra := s.whole(n)
	if gear, ok := joint.(*box2d.B2GearJoint); ok {
		ends.joint1, ends.joint2 = indexOf(at.Joints, gear.M_joint1), indexOf(at.Joints, gear.M_joint2)
	}
	kind, base, has := kind{j.base.M_type}, j.base, hasExtra{extra != nil}
	base.M_index = 0
	return func(f func(any)) {
		f(&kind)
		f(&ends)
		f(&base)
		f(joint)
		if f(&has); has.extra {
			f(extra)
		}
	}
}

// proxies returns the proxies of each shape of a body, with their boxes if the proxies are in
// the tree.
func (s *State) proxies(n int32) [][]proxyValues {
	all := s.shapes(n)
	rest, lists := all.proxies, make([][]proxyValues, len(all.fixtures))
	for k := range all.fixtures {
		f := &all.fixtures[k].value
		list := make([]proxyValues, len(f.M_proxies))
		for i, p := range rest[:len(list)] {
			if list[i].savedProxy = p; f.M_proxyCount > 0 {
				list[i].aabb = *s.box(p.id)
			}
		}
		lists[k], rest = list, rest[len(list):]
	}
	return lists
}

// indexOf returns the index of a key, or -1.
func indexOf[K comparable](m map[K]int, key K) int32 {
	if i, ok := m[key]; ok {
		return int32(i)
	}
	return -1
}
