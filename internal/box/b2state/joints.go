package b2state

import (
	"reflect"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box"
	"halfstep/internal/box/store"
)

// jointTypes are the library's types of joint, by their B2JointType.
var jointTypes = map[uint8]reflect.Type{
	box2d.B2JointType.E_revoluteJoint:  reflect.TypeFor[box2d.B2RevoluteJoint](),
	box2d.B2JointType.E_prismaticJoint: reflect.TypeFor[box2d.B2PrismaticJoint](),
	box2d.B2JointType.E_distanceJoint:  reflect.TypeFor[box2d.B2DistanceJoint](),
	box2d.B2JointType.E_pulleyJoint:    reflect.TypeFor[box2d.B2PulleyJoint](),
	box2d.B2JointType.E_mouseJoint:     reflect.TypeFor[box2d.B2MouseJoint](),
	box2d.B2JointType.E_gearJoint:      reflect.TypeFor[box2d.B2GearJoint](),
	box2d.B2JointType.E_wheelJoint:     reflect.TypeFor[box2d.B2WheelJoint](),
	box2d.B2JointType.E_weldJoint:      reflect.TypeFor[box2d.B2WeldJoint](),
	box2d.B2JointType.E_frictionJoint:  reflect.TypeFor[box2d.B2FrictionJoint](),
	box2d.B2JointType.E_ropeJoint:      reflect.TypeFor[box2d.B2RopeJoint](),
	box2d.B2JointType.E_motorJoint:     reflect.TypeFor[box2d.B2MotorJoint](),
}

// value is the struct behind a joint, which is of one of the jointTypes.
func value(j box2d.B2JointInterface) reflect.Value { return reflect.ValueOf(j).Elem() }

func newJoint(t reflect.Type) box2d.B2JointInterface {
	return reflect.New(t).Interface().(box2d.B2JointInterface)
}

// jointMemory allocates joints, many at a time.
type jointMemory map[reflect.Type]reflect.Value // by type, a slice of unused joints

func (m jointMemory) take(t reflect.Type, others int) box2d.B2JointInterface {
	left, ok := m[t]
	if !ok || left.Len() == 0 {
		left = reflect.MakeSlice(reflect.SliceOf(t), others, others)
	}
	m[t] = left.Slice(1, left.Len())
	return left.Index(0).Addr().Interface().(box2d.B2JointInterface)
}

// savedJoint is a joint with the library's links to and from it.
type savedJoint struct {
	of           box.Joint              // Base is nil if there is no joint
	value        box2d.B2JointInterface // a copy of the joint; without a joint, memory for the next one
	base         box2d.B2Joint          // the part of the joint that all types share, with links
	edgeA, edgeB [2]*box2d.B2JointEdge  // edges before and after the joint's edge
	extra        *box.JointExtra        // a copy of the extra, which never changes, or nil
}

// addJoints adds the columns of joints. Between two edits a soft step changes only the numbers in
// worked, while the library's solver changes nearly all numbers.
func (p *Past) addJoints() {
	p.memory = jointMemory{}
	c := &store.Column[savedJoint]{Stamps: &p.owner.Joints.Stamps, Save: p.saveJoints, Load: p.loadJoint, Copy: copyJoint, Clear: clearJoint}
	if p.owner.Soft() {
		c.Stamps, c.Often = &p.owner.Joints.Links, true // a marked value has changed, so only race builds compare
		c.Same = (*savedJoint).isSame
	}
	if p.joints = store.Add(p.store, c); p.owner.Soft() {
		p.worked = store.Add(p.store, &store.Column[worked]{Stamps: &p.owner.Joints.Stamps, Save: p.saveWorked, Load: p.loadWorked, Flat: true})
	}
}

// isSame reports whether two saved joints have the same values, apart from the flags Known and
// Listed, which are not loaded.
func (j *savedJoint) isSame(o *savedJoint) bool {
	a, b := j.of, o.of
	a.Known, a.Listed, b.Known, b.Listed = false, false, false, false
	if a != b || j.base != o.base || j.edgeA != o.edgeA || j.edgeB != o.edgeB || (j.extra == nil) != (o.extra == nil) {
		return false
	}
	return a.Base == nil || value(j.value).Equal(value(o.value)) && (j.extra == nil || *j.extra == *o.extra)
}

// whole returns the value and the extra of a joint of a State. They include the numbers that
// steps write.
func (s *State) whole(n int32) (box2d.B2JointInterface, *box.JointExtra) {
	j := s.joint(n)
	if s.past.worked == nil {
		return j.value, j.extra
	}
	v, x := newJoint(value(j.value).Type()), new(box.JointExtra)
	value(v).Set(value(j.value))
	if j.extra == nil {
		s.past.worked.At(&s.Values, int(n)).putTo(v, nil)
		return v, nil
	}
	*x = *j.extra
	s.past.worked.At(&s.Values, int(n)).putTo(v, x)
	return v, copyExtra(x)
}

// copyJoint copies a joint. If the parameter to has a value of the same type, it copies to that value.
func copyJoint(to, from *savedJoint) {
	value := to.value
	*to = *from
	if to.value = value; from.of.Base != nil {
		to.setValue(from.value)
	}
}

// clearJoint removes the joint, but keeps the memory of its value for the next joint.
func clearJoint(j *savedJoint) {
	if j.value != nil {
		value(j.value).SetZero()
	}
	*j = savedJoint{value: j.value}
}

func (p *Past) saveJoints(r store.Run, to []savedJoint) {
	for i, n := range r.Things() {
		if n < len(p.owner.Joints.All) && p.owner.Joints.All[n].Base != nil {
			p.saveJoint(p.owner.Joints.All[n], &to[i], len(to))
			if p.owner.Soft() {
				new(worked).putTo(to[i].value, to[i].extra)
			}
		} else {
			clearJoint(&to[i])
		}
	}
}

// saveJoint saves a joint. When it needs memory, it allocates more for later joints.
func (p *Past) saveJoint(joint box.Joint, to *savedJoint, others int) {
	to.of = joint
	to.extra = copyExtra(joint.Extra)
	v := value(joint.J)
	if reflect.TypeOf(to.value) != reflect.TypeOf(joint.J) {
		to.value = p.memory.take(v.Type(), others)
	}
	value(to.value).Set(v)
	to.base = *to.of.Base
	a, b := to.base.M_edgeA, to.base.M_edgeB
	to.edgeA, to.edgeB = [2]*box2d.B2JointEdge{a.Prev, a.Next}, [2]*box2d.B2JointEdge{b.Prev, b.Next}
}

// setValue copies the struct behind a joint.
func (j *savedJoint) setValue(from box2d.B2JointInterface) {
	v := value(from)
	if reflect.TypeOf(j.value) != reflect.TypeOf(from) {
		j.value = newJoint(v.Type())
	}
	value(j.value).Set(v)
}

func (p *Past) loadJoint(n int, from *savedJoint) {
	j := from.of.Base
	if j == nil {
		if n < len(p.owner.Joints.All) {
			p.owner.Joints.Put(n, &box.Joint{})
		}
		return
	}
	p.owner.Joints.Put(n, &from.of)
	value(from.of.J).Set(value(from.value))
	*j = from.base
	box.PutExtra(from.of.J, from.extra)
	p.owner.Joints.Stamps.Mark(int32(n)) // the numbers that steps write are restored after this
	*j.M_edgeA = box2d.B2JointEdge{Other: j.M_bodyB, Joint: from.of.J, Prev: from.edgeA[0], Next: from.edgeA[1]}
	*j.M_edgeB = box2d.B2JointEdge{Other: j.M_bodyA, Joint: from.of.J, Prev: from.edgeB[0], Next: from.edgeB[1]}
}

// copyExtra returns a copy of a joint's extra, or nil for the library's defaults.
func copyExtra(x *box.JointExtra) *box.JointExtra {
	if x == nil || *x == (box.JointExtra{}) {
		return nil
	}
	return new(*x)
}
