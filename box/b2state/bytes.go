package b2state

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/ByteArena/box2d"

	"halfstep/box"
	"halfstep/box/b2"
	"halfstep/internal/plain"
)

// Index says where the objects of a State are in its tables.
type Index struct {
	Bodies   map[*box2d.B2Body]int
	Fixtures map[*box2d.B2Fixture]int
	Joints   map[box2d.B2JointInterface]int
}

// contactValues is a contact as bytes.
type contactValues struct {
	flags                                    uint32
	toiCount                                 int32
	manifold                                 int32
	toi, friction, restitution, tangentSpeed float64
}

// contactEnds and jointEnds say what a contact or joint connects, by indices.
type contactEnds struct{ fixtureA, fixtureB, childA, childB int32 }

type jointEnds struct{ bodyA, bodyB, joint1, joint2 int32 } // -1: none

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
		reflect.TypeFor[savedProxy](), reflect.TypeFor[contactValues](), reflect.TypeFor[contactEnds](),
		reflect.TypeFor[box2d.B2Manifold](), reflect.TypeFor[box2d.B2Joint](), reflect.TypeFor[jointEnds](), reflect.TypeFor[box.JointExtra](),
		reflect.TypeFor[savedNode](),
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

// Append appends the state as bytes, without user data and without what the world
// calls. The index is of the tables as they are written.
func (s *State) Append(b []byte) ([]byte, Index) {
	s = s.flat()
	at := Index{map[*box2d.B2Body]int{}, map[*box2d.B2Fixture]int{}, map[box2d.B2JointInterface]int{}}
	w := s.world
	w.knowsCalls = false
	b = appendOf(b, &w)
	b = appendCount(b, len(s.bodies))
	for i := range s.bodies {
		at.Bodies[s.bodies[i].b] = i
		b = appendOf(b, &s.bodies[i].value)
	}
	proxies := s.proxies
	b = appendCount(b, len(s.fixtures))
	for i := range s.fixtures {
		f := &s.fixtures[i]
		at.Fixtures[f.f] = i
		b = appendOf(b, &f.value)
		b = append(b, f.shape.GetType())
		b = plain.Append(b, reflect.ValueOf(f.shape).Elem())
		own := proxies[:len(f.value.M_proxies)]
		b = appendOf(b, &own)
		proxies = proxies[len(own):]
	}
	b = appendOf(b, &s.manifolds)
	b = appendCount(b, len(s.contacts))
	for i := range s.contacts {
		ends := s.contacts[i].contactEnds(at.Fixtures)
		b = appendOf(b, &ends)
		f := s.surfaces[s.contacts[i].surface].values()
		f.flags, f.manifold = s.contacts[i].flags, s.contacts[i].manifold
		b = appendOf(b, &f)
	}
	for i := range s.joints {
		at.Joints[s.joints[i].j] = i
	}
	b = appendCount(b, len(s.joints))
	for i := range s.joints {
		j := &s.joints[i]
		ends := jointEnds{indexOf(at.Bodies, j.base.M_bodyA), indexOf(at.Bodies, j.base.M_bodyB), -1, -1}
		if gear, ok := j.value.(*box2d.B2GearJoint); ok {
			ends.joint1, ends.joint2 = indexOf(at.Joints, gear.M_joint1), indexOf(at.Joints, gear.M_joint2)
		}
		b = append(b, j.base.M_type)
		b = appendOf(b, &ends)
		b = appendOf(b, &j.base)
		b = plain.Append(b, value(j.value))
		extra := j.extra != nil
		if b = appendOf(b, &extra); extra {
			b = appendOf(b, j.extra)
		}
	}
	b = appendOf(b, &s.nodes)
	return appendOf(b, &s.moves), at
}

func (c *savedContact) contactEnds(at map[*box2d.B2Fixture]int) contactEnds {
	return contactEnds{indexOf(at, c.ends.a), indexOf(at, c.ends.b), c.child, 0}
}

func (s *surface) values() contactValues {
	return contactValues{
		toiCount: s.toiCount, toi: math.Float64frombits(s.toi), friction: math.Float64frombits(s.friction),
		restitution: math.Float64frombits(s.restitution), tangentSpeed: math.Float64frombits(s.tangentSpeed),
	}
}

func indexOf[K comparable](m map[K]int, key K) int32 {
	if i, ok := m[key]; ok {
		return int32(i)
	}
	return -1
}
