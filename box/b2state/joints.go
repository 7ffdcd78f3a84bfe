package b2state

import (
	"reflect"

	"github.com/ByteArena/box2d"

	"halfstep/box"
)

// jointTypes are the library's types of joint, by B2JointType.
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

// value is the struct behind a joint, of one of jointTypes.
func value(j box2d.B2JointInterface) reflect.Value { return reflect.ValueOf(j).Elem() }

// baseOf returns the part that all types of joint share. It is their first field.
func baseOf(v reflect.Value) *box2d.B2Joint { return v.Field(0).Interface().(*box2d.B2Joint) }

func newJoint(t reflect.Type) box2d.B2JointInterface {
	return reflect.New(t).Interface().(box2d.B2JointInterface)
}

func (s *State) saveJoints(w *box2d.B2World, leaveNumbers bool) error {
	s.joints = resized(s.joints, w.M_jointCount)
	i := 0
	for j := w.M_jointList; j != nil; j = j.GetNext() {
		if reflect.TypeOf(j) != reflect.PointerTo(jointTypes[j.GetType()]) {
			return errUnknown("joint", j)
		}
		to, from := &s.joints[i], value(j)
		if reflect.TypeOf(to.value) != reflect.TypeOf(j) {
			to.value = newJoint(from.Type())
		}
		value(to.value).Set(from)
		to.j, to.base = j, *baseOf(from)
		to.extra = copyExtra(box.ExtraOf(j))
		if leaveNumbers {
			to.base.M_index = 0
		}
		i++
	}
	return nil
}

// restoreJoints links the joints oldest first, as they were created.
func (s *State) restoreJoints(w *box2d.B2World) {
	w.M_jointCount = len(s.joints)
	var head box2d.B2JointInterface
	var headBase *box2d.B2Joint
	for i := len(s.joints) - 1; i >= 0; i-- {
		from := &s.joints[i]
		v := value(from.j)
		v.Set(value(from.value))
		j := baseOf(v)
		*j = from.base
		putExtra(from.j, from.extra)
		linkJoint(j.M_edgeA, from.j, j.M_bodyA, j.M_bodyB)
		linkJoint(j.M_edgeB, from.j, j.M_bodyB, j.M_bodyA)
		j.M_next, j.M_prev = head, nil
		if headBase != nil {
			headBase.M_prev = from.j
		}
		head, headBase = from.j, j
	}
	w.M_jointList = head
}

// copyExtra returns a copy of a joint's extra, or nil if it is as the library has it.
func copyExtra(x *box.JointExtra) *box.JointExtra {
	if x == nil || *x == (box.JointExtra{}) {
		return nil
	}
	return new(*x)
}

// putExtra puts the extra of a joint back.
func putExtra(j box2d.B2JointInterface, from *box.JointExtra) {
	if x := box.ExtraOf(j); x != nil {
		*x = box.JointExtra{}
		if from != nil {
			*x = *from
		}
	}
}

func linkJoint(e *box2d.B2JointEdge, j box2d.B2JointInterface, body, other *box2d.B2Body) {
	*e = box2d.B2JointEdge{Other: other, Joint: j, Next: body.M_jointList}
	if e.Next != nil {
		e.Next.Prev = e
	}
	body.M_jointList = e
}

func (s *State) jointSize() (n int) {
	for i := range s.joints {
		n += int(value(s.joints[i].value).Type().Size())
	}
	return n
}
