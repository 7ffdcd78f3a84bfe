package b2state

import (
	"encoding/binary"
	"reflect"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/b2"
	"halfstep/internal/plain"
)

// Index says where the objects of a State are among those that are written.
type Index struct {
	Bodies   map[*box2d.B2Body]int
	Fixtures map[*box2d.B2Fixture]int
	Joints   map[box2d.B2JointInterface]int
}

// contactValues is what a contact is besides what it connects, and its manifold.
type contactValues struct {
	flags uint32
	surface
	touched bool // something was ever written to its manifold
}

// contactEnds and jointEnds say what a contact or joint connects, by indices.
type contactEnds struct{ fixtureA, fixtureB, childA int32 }

type jointEnds struct{ bodyA, bodyB, joint1, joint2 int32 } // -1: none

// proxyValues are a proxy and its box.
type proxyValues struct {
	savedProxy
	aabb box2d.B2AABB
}

// shapeTypes are the types of shape, by what their GetType returns.
var shapeTypes = []reflect.Type{
	reflect.TypeFor[box2d.B2CircleShape](), reflect.TypeFor[box2d.B2EdgeShape](),
	reflect.TypeFor[box2d.B2PolygonShape](), reflect.TypeFor[box2d.B2ChainShape](),
	reflect.TypeFor[b2.RoundPolygon](),
}

// Layout is a text that differs where States are written in different ways.
func Layout() (s string) {
	for _, t := range []reflect.Type{
		reflect.TypeFor[worldValues](), reflect.TypeFor[box2d.B2Body](), reflect.TypeFor[box2d.B2Fixture](),
		reflect.TypeFor[proxyValues](), reflect.TypeFor[contactValues](), reflect.TypeFor[contactEnds](), reflect.TypeFor[box2d.B2Manifold](),
		reflect.TypeFor[box2d.B2Joint](), reflect.TypeFor[jointEnds](), reflect.TypeFor[box.JointExtra](),
		reflect.TypeFor[nodeValues](),
	} {
		s += plain.Describe(t)
	}
	for _, t := range shapeTypes {
		s += plain.Describe(t)
	}
	for kind := range uint8(len(jointTypes) + 1) {
		if t := jointTypes[kind]; t != nil {
			s += plain.Describe(t)
		}
	}
	return s
}

func appendOf[T any](b []byte, v *T) []byte { return plain.Append(b, reflect.ValueOf(v).Elem()) }

func appendCount(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// Append appends the state as bytes, without user data and without what the world calls. The
// index is of the objects as they are written. The numbers that bodies and joints have for a
// step are no part of it.
func (s *State) Append(b []byte, o *Order) ([]byte, Index) {
	at := Index{map[*box2d.B2Body]int{}, s.places(o.Bodies), map[box2d.B2JointInterface]int{}}
	w := s.world
	w.knowsCalls = false
	b = appendOf(b, &w)
	b = appendCount(b, len(o.Bodies))
	for i, n := range o.Bodies {
		value := s.body(n).value
		at.Bodies[s.body(n).of.B] = i
		value.M_islandIndex = 0
		b = appendOf(b, &value)
		proxies := s.shapes(n).proxies
		for k := range s.shapes(n).fixtures {
			f := &s.shapes(n).fixtures[k]
			b = appendOf(b, &f.value)
			b = append(b, f.shape.GetType())
			b = plain.Append(b, reflect.ValueOf(f.shape).Elem())
			own := proxies[:len(f.value.M_proxies)]
			proxies = proxies[len(own):]
			b = appendCount(b, len(own))
			for _, p := range own {
				v := s.proxy(f, p)
				b = appendOf(b, &v)
			}
		}
	}
	b = appendCount(b, len(o.Contacts))
	for _, n := range o.Contacts {
		ends := s.contact(n).indices(at.Fixtures)
		v, manifold := s.contactValues(n)
		if b = appendOf(appendOf(b, &ends), &v); v.touched {
			b = appendOf(b, manifold)
		}
	}
	for i, n := range o.Joints {
		at.Joints[s.joint(n).of.J] = i
	}
	b = appendCount(b, len(o.Joints))
	for _, n := range o.Joints {
		j := s.joint(n)
		ends := jointEnds{indexOf(at.Bodies, j.base.M_bodyA), indexOf(at.Bodies, j.base.M_bodyB), -1, -1}
		if gear, ok := j.value.(*box2d.B2GearJoint); ok {
			ends.joint1, ends.joint2 = indexOf(at.Joints, gear.M_joint1), indexOf(at.Joints, gear.M_joint2)
		}
		base := j.base
		base.M_index = 0
		b = append(b, base.M_type)
		b = appendOf(appendOf(b, &ends), &base)
		b = plain.Append(b, value(j.value))
		extra := j.extra != nil
		if b = appendOf(b, &extra); extra {
			b = appendOf(b, j.extra)
		}
	}
	b = appendCount(b, s.counts.nodes)
	for n := range s.counts.nodes {
		b = appendOf(b, s.node(n))
	}
	b = appendCount(b, len(s.moves))
	for i := range s.moves {
		b = appendOf(b, &s.moves[i])
	}
	return b, at
}

// proxy is a proxy with its box, if it is in the tree.
func (s *State) proxy(f *savedFixture, p savedProxy) proxyValues {
	v := proxyValues{savedProxy: p}
	if f.value.M_proxyCount > 0 {
		v.aabb = *s.box(p.id)
	}
	return v
}

func (c *savedContact) indices(at map[*box2d.B2Fixture]int) contactEnds {
	return contactEnds{indexOf(at, c.place.A), indexOf(at, c.place.B), c.place.Child}
}

func indexOf[K comparable](m map[K]int, key K) int32 {
	if i, ok := m[key]; ok {
		return int32(i)
	}
	return -1
}
