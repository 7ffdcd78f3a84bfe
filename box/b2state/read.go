package b2state

import (
	"math"
	"reflect"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/box"
	"halfstep/box/b2"
	"halfstep/internal/plain"
)

// Read reads a state that Append has appended, into new objects, and returns the
// rest. The bytes may come from anywhere: what no world can hold is refused. If
// finite is set, so are numbers that are not.
func Read(b []byte, finite bool) (s *State, rest []byte, err error) {
	s, r := new(State), &plain.Reader{Rest: b, Finite: finite}
	r.Value(&s.world)
	s.world.knowsCalls = false
	s.readBodies(r)
	s.readFixtures(r)
	s.readContacts(r)
	s.readJoints(r)
	r.Value(&s.nodes)
	r.Value(&s.moves)
	if r.Err == nil {
		s.check(r)
	}
	return s, r.Rest, r.Err
}

func (s *State) readBodies(r *plain.Reader) {
	s.bodies = make([]savedBody, r.Count(100))
	for i := range s.bodies {
		s.bodies[i].b = new(box2d.B2Body)
		v := &s.bodies[i].value
		r.Value(v)
		r.Want(v.M_type <= 2 && v.M_fixtureCount >= 0 && v.M_sweep.Alpha0 >= 0 && v.M_sweep.Alpha0 < 1)
	}
}

func (s *State) readFixtures(r *plain.Reader) {
	s.fixtures = make([]savedFixture, r.Count(40))
	of, left := -1, 0 // the body of the fixture at hand, and how many of it are to come
	for i := range s.fixtures {
		for left == 0 && of+1 < len(s.bodies) {
			of++
			left = s.bodies[of].value.M_fixtureCount
		}
		if !r.Want(left > 0) {
			return
		}
		left--
		f := &s.fixtures[i]
		f.f = new(box2d.B2Fixture)
		r.Value(&f.value)
		shape := readShape(r)
		var proxies []savedProxy
		r.Value(&proxies)
		count := 0
		if s.bodies[of].value.M_flags&b2.BodyActive != 0 {
			count = len(proxies)
		}
		if r.Err != nil || !r.Want(len(proxies) == shape.GetChildCount() && f.value.M_proxyCount == count) {
			return
		}
		f.shape, f.value.M_shape = shape, copyShape(shape)
		f.value.M_body = s.bodies[of].b
		f.value.M_proxies = make([]box2d.B2FixtureProxy, len(proxies))
		for k := range proxies {
			if !r.Want(proxies[k].child == int32(k) || f.value.M_proxyCount == 0) {
				return
			}
		}
		s.proxies = append(s.proxies, proxies...)
		*f.f = f.value // contacts and joints are made from it
	}
	for of++; of < len(s.bodies); of++ {
		left += s.bodies[of].value.M_fixtureCount
	}
	r.Want(left == 0)
}

func readShape(r *plain.Reader) box2d.B2ShapeInterface {
	kind := int(readByte(r))
	if !r.Want(kind < len(shapeTypes)) {
		return nil
	}
	s := reflect.New(shapeTypes[kind]).Interface().(box2d.B2ShapeInterface)
	r.Value(s)
	ok := int(s.GetType()) == kind && s.GetRadius() >= 0
	switch s := s.(type) {
	case *box2d.B2PolygonShape:
		ok = ok && s.M_count >= 3 && s.M_count <= box2d.B2_maxPolygonVertices
	case *b2.RoundPolygon:
		ok = ok && s.M_radius > 0 && s.M_count >= 2 && s.M_count <= box2d.B2_maxPolygonVertices
	case *box2d.B2ChainShape:
		ok = ok && s.M_count >= 2 && s.M_count == len(s.M_vertices)
	}
	r.Want(ok)
	return s
}

func (s *State) readContacts(r *plain.Reader) {
	r.Value(&s.manifolds)
	for i := range s.manifolds {
		m := &s.manifolds[i]
		r.Want(m.PointCount >= 0 && m.PointCount <= len(m.Points) && m.Type <= box2d.B2Manifold_Type.E_faceB)
	}
	s.contacts = make([]savedContact, r.Count(40))
	pairs := map[[2][2]int32]bool{} // two shapes have one contact
	for i := range s.contacts {
		var ends contactEnds
		r.Value(&ends)
		pair := [2][2]int32{{ends.fixtureA, ends.childA}, {ends.fixtureB, ends.childB}}
		if slices.Compare(pair[0][:], pair[1][:]) > 0 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		r.Want(!pairs[pair])
		pairs[pair] = true
		var v contactValues
		r.Value(&v)
		c := &s.contacts[i]
		c.flags, c.manifold = v.flags, v.manifold
		s.surfaces = append(s.surfaces, v.surface())
		c.surface = int32(i)
		a, b := s.end(r, ends.fixtureA, ends.childA), s.end(r, ends.fixtureB, ends.childB)
		if !r.Want(a != nil && b != nil && a.M_body != b.M_body && v.toiCount >= 0 && v.toi >= 0 && v.toi <= 1 &&
			v.manifold >= -1 && int(v.manifold) < len(s.manifolds)) {
			return
		}
		c.c = b2.NewContact(a, int(ends.childA), b, int(ends.childB))
		made := b2.BaseContact(c.c)
		if !r.Want(made != nil && made.M_fixtureA == a && made.M_indexA == int(ends.childA) && made.M_indexB == int(ends.childB)) {
			return
		}
		c.ends, c.child = endsOf(made)
	}
}

func (v *contactValues) surface() surface {
	return surface{
		v.toiCount, math.Float64bits(v.toi),
		math.Float64bits(v.friction), math.Float64bits(v.restitution), math.Float64bits(v.tangentSpeed),
	}
}

// end is a fixture with a proxy of a child, or nil.
func (s *State) end(r *plain.Reader, fixture, child int32) *box2d.B2Fixture {
	if r.Err != nil || fixture < 0 || int(fixture) >= len(s.fixtures) {
		return nil
	}
	if f := s.fixtures[fixture].f; child >= 0 && int(child) < f.M_proxyCount {
		return f
	}
	return nil
}

func (s *State) readJoints(r *plain.Reader) {
	s.joints = make([]savedJoint, r.Count(100))
	ends := make([]jointEnds, len(s.joints))
	for i := range s.joints {
		j, e := &s.joints[i], &ends[i]
		kind := jointTypes[readByte(r)]
		r.Value(e)
		if !r.Want(kind != nil && e.bodyA != e.bodyB && s.isBody(e.bodyA) && s.isBody(e.bodyB)) {
			return
		}
		j.j, j.value = newJoint(kind), newJoint(kind)
		r.Value(&j.base)
		r.Value(j.value)
		extra := false
		if r.Value(&extra); extra {
			j.extra = new(box.JointExtra)
			r.Value(j.extra)
		}
		if !r.Want(jointTypes[j.base.M_type] == kind) {
			return
		}
		j.base.M_bodyA, j.base.M_bodyB = s.bodies[e.bodyA].b, s.bodies[e.bodyB].b
		j.base.M_edgeA, j.base.M_edgeB = new(box2d.B2JointEdge), new(box2d.B2JointEdge)
		base := reflect.ValueOf(new(box2d.B2Joint))
		value(j.value).Field(0).Set(base)
		value(j.j).Field(0).Set(base)
	}
	for i, e := range ends {
		gear, ok := s.joints[i].value.(*box2d.B2GearJoint)
		if !ok {
			continue
		}
		one, two := s.geared(e.joint1), s.geared(e.joint2)
		if !r.Want(one != nil && two != nil &&
			one.base.M_bodyB == s.joints[i].base.M_bodyA && two.base.M_bodyB == s.joints[i].base.M_bodyB &&
			gear.M_typeA == one.base.M_type && gear.M_typeB == two.base.M_type) {
			return
		}
		gear.M_joint1, gear.M_joint2 = one.j, two.j
		gear.M_bodyC, gear.M_bodyD = one.base.M_bodyA, two.base.M_bodyA
	}
}

func (s *State) isBody(i int32) bool { return i >= 0 && int(i) < len(s.bodies) }

// geared is a joint that a gear may couple, or nil.
func (s *State) geared(i int32) *savedJoint {
	if i < 0 || int(i) >= len(s.joints) {
		return nil
	}
	j := &s.joints[i]
	if t := j.base.M_type; t != box2d.B2JointType.E_revoluteJoint && t != box2d.B2JointType.E_prismaticJoint {
		return nil
	}
	return j
}

func readByte(r *plain.Reader) (b uint8) {
	r.Value(&b)
	return b
}
