package box

import (
	"reflect"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// JointDef is the definition of a joint.
type JointDef struct {
	Kind             int // the library's type minus E_revoluteJoint
	A, B             *box2d.B2Body
	CollideConnected bool
	UserData         any
	Geared           [2]box2d.B2JointInterface // the joints that this gear couples
	Fields           JointFields               // Fields are the joint's settings: anchors, limits, motor, and spring.
}

// emptyDefs has, by kind of joint, the function that makes the library's definition. The order is that
// of B2JointType.
var emptyDefs = [...]func() box2d.B2JointDefInterface{
	nil, // revolute joints are made without a definition, because most joints are revolute
	emptyDef[box2d.B2PrismaticJointDef], emptyDef[box2d.B2DistanceJointDef],
	func() box2d.B2JointDefInterface { return &box2d.B2PulleyJointDef{Ratio: 1} },
	emptyDef[box2d.B2MouseJointDef], emptyDef[box2d.B2GearJointDef], emptyDef[box2d.B2WheelJointDef],
	emptyDef[box2d.B2WeldJointDef], emptyDef[box2d.B2FrictionJointDef], emptyDef[box2d.B2RopeJointDef],
	emptyDef[box2d.B2MotorJointDef],
}

// emptyDef makes a definition without values.
func emptyDef[T any, P interface {
	*T
	box2d.B2JointDefInterface
}]() box2d.B2JointDefInterface {
	return P(new(T))
}

// CreateJoint joins two bodies.
func (s *World) CreateJoint(d *JointDef) box2d.B2JointInterface {
	j := s.makeJoint(d)
	s.extra = JointExtra{}
	f := fieldsOf(j, &s.extra)
	f.CopyFrom(&d.Fields)
	if s.extra != (JointExtra{}) {
		PutExtra(j, &s.extra)
	}
	derive(j)
	s.JointMade(j)
	if !d.CollideConnected {
		b2.BaseJoint(j).M_collideConnected = false
		s.refilterPair(j.GetBodyA(), j.GetBodyB())
	}
	return j
}

// makeJoint makes a joint without settings. The joint lets its two bodies collide, so that the library
// does not walk through all contacts of B.
func (s *World) makeJoint(d *JointDef) box2d.B2JointInterface {
	if d.Kind == 0 {
		return b2.NewRevoluteJoint(s.world, d.A, d.B, d.UserData)
	}
	def := emptyDefs[d.Kind]()
	def.SetType(box2d.B2JointType.E_revoluteJoint + uint8(d.Kind))
	def.SetBodyA(d.A)
	def.SetBodyB(d.B)
	def.SetUserData(d.UserData)
	def.SetCollideConnected(true)
	if g, ok := def.(*box2d.B2GearJointDef); ok {
		g.Joint1, g.Joint2 = d.Geared[0], d.Geared[1]
	}
	return s.world.CreateJoint(def)
}

// derive computes the values of a new joint that follow from its fields. The bits are the same on every
// machine, because float64 keeps the compiler from fusing a product with a sum. A mouse joint with a
// zero anchor pulls the point of B that is at the target.
func derive(made box2d.B2JointInterface) {
	switch j := made.(type) {
	case *box2d.B2PrismaticJoint:
		x := b2.Unit(j.M_localXAxisA)
		j.M_localXAxisA, j.M_localYAxisA = x, box2d.B2Vec2{X: -x.Y, Y: x.X}
	case *box2d.B2WheelJoint:
		x := j.M_localXAxisA
		j.M_localYAxisA = box2d.B2Vec2{X: -x.Y, Y: x.X}
	case *box2d.B2MouseJoint:
		if j.M_localAnchorB == (box2d.B2Vec2{}) {
			j.M_localAnchorB = b2.TransformBack(&j.M_bodyB.M_xf, j.M_targetA)
		}
	case *box2d.B2PulleyJoint:
		j.M_constant = j.M_lengthA + float64(j.M_ratio*j.M_lengthB)
	case *box2d.B2GearJoint:
		j.M_constant = coordinate(j.M_joint1) + float64(j.M_ratio*coordinate(j.M_joint2))
	}
}

// coordinate is the position of a joint that a gear couples: an angle in rad, or a translation in m.
func coordinate(of box2d.B2JointInterface) float64 {
	a, b := of.GetBodyA(), of.GetBodyB()
	switch j := of.(type) {
	case *box2d.B2RevoluteJoint:
		return b.M_sweep.A - a.M_sweep.A - j.M_referenceAngle
	case *box2d.B2PrismaticJoint:
		arm := box2d.B2Vec2Add(b2.Rotate(b.M_xf.Q, j.M_localAnchorB), box2d.B2Vec2Sub(b.M_xf.P, a.M_xf.P))
		return b2.Dot(box2d.B2Vec2Sub(b2.RotateBack(a.M_xf.Q, arm), j.M_localAnchorA), j.M_localXAxisA)
	}
	return 0
}

// DestroyJoint destroys a joint, which wakes the joint's bodies. No gear may couple the joint.
func (s *World) DestroyJoint(j box2d.B2JointInterface) {
	s.JointGoes(j)
	a, b := j.GetBodyA(), j.GetBodyB()
	apart := !j.IsCollideConnected()
	if base := b2.BaseJoint(j); base != nil && apart {
		base.M_collideConnected = true // keeps the library from walking through all contacts of B
	}
	s.world.DestroyJoint(j)
	if apart {
		s.refilterPair(a, b)
		s.findPairOf(a, b)
	}
}

// EditJoint records a change of a joint's settings, before or after the change. If wake is true, it
// wakes both bodies. It records nothing if the next step looks at everything.
func (s *World) EditJoint(j box2d.B2JointInterface, wake bool) {
	for _, b := range [...]*box2d.B2Body{j.GetBodyA(), j.GetBodyB()} {
		if s.edit(b, 0); wake {
			s.WakeBody(b)
		}
	}
	if !s.sight.isBlind() {
		s.Joints.mark(j)
		if n := s.Joints.Number(b2.BaseJoint(j)); n >= 0 {
			s.Joints.All[n].Extra = usedExtra(j)
		}
	}
}

// SetCollideConnected sets whether the two bodies of a joint collide. If that changes, it wakes both
// bodies.
func (s *World) SetCollideConnected(j box2d.B2JointInterface, on bool) {
	base := b2.BaseJoint(j)
	if base.M_collideConnected == on {
		return
	}
	base.M_collideConnected = on
	s.EditJoint(j, true)
	s.refilterPair(base.M_bodyA, base.M_bodyB)
	if on {
		s.findPairOf(base.M_bodyA, base.M_bodyB)
	}
}

// refilterPair makes the next step ask the filters about the contacts of two bodies again. It searches
// the shorter of the bodies' lists of contacts.
func (s *World) refilterPair(a, b *box2d.B2Body) {
	ofA, ofB := s.walk(a), s.walk(b)
	for {
		c, more := ofA.next()
		d, both := ofB.next()
		if !more || !both {
			return
		}
		if c.Other(a).M_body == b {
			s.flag(c)
		}
		if d.Other(b).M_body == a {
			s.flag(d)
		}
	}
}

// findPairOf makes the next step search for pairs of two bodies. A joint has kept the bodies apart, so
// they may touch and have no contact (RobustToolbox issue 1712). The search begins at the body with
// fewer leaves, because a static body such as the ground may have many neighbours.
func (s *World) findPairOf(a, b *box2d.B2Body) {
	if a.M_type == b2.StaticBody || b.M_type != b2.StaticBody && fewerLeaves(b, a) {
		a = b
	}
	s.touchLeaves(a)
	s.findPairs()
}

// fewerLeaves reports whether a has fewer leaves in the broad phase than b. The time that it takes
// depends on the smaller body only.
func fewerLeaves(a, b *box2d.B2Body) bool {
	f, g, n, m := a.M_fixtureList, b.M_fixtureList, 0, 0
	for {
		if n <= m {
			if f == nil {
				return true
			}
			n, f = n+1+leavesOf(f), f.M_next
		} else {
			if g == nil {
				return false
			}
			m, g = m+1+leavesOf(g), g.M_next
		}
	}
}

// leavesOf returns the number of leaves of a shape.
func leavesOf(f *box2d.B2Fixture) int {
	if f.M_proxyCount == 0 {
		return 0
	}
	return f.M_shape.GetChildCount()
}

// ForgetPushes sets the impulses of a joint to 0. It is called before one of the joint's bodies changes
// its type, is disabled or is enabled, because the next step must not start with these impulses.
func (s *World) ForgetPushes(j box2d.B2JointInterface) {
	f := FieldsOf(j)
	f.forget()
	s.EditJoint(j, false)
}

// Relax sets to 0 the impulses with which the joints of a body would start their next step. It also
// sets the results of the joints' solvers to 0.
func (s *World) Relax(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; e = e.Next {
		forgetSolved(e.Joint)
		s.ForgetPushes(e.Joint)
	}
}

// forgetSolved sets the results of a joint's solver to 0. These are the fields from M_indexA on, and
// some earlier fields.
func forgetSolved(j box2d.B2JointInterface) {
	v := reflect.ValueOf(j).Elem()
	scratch, known := v.Type().FieldByName("M_indexA")
	_, rope := j.(*box2d.B2RopeJoint)
	for i := 0; known && i < v.NumField(); i++ { // only the library's own types are known
		name := v.Type().Field(i).Name
		solved := i >= scratch.Index[0] || slices.Contains(solvedFields, name) || rope && name == "M_length"
		if f := v.Field(i); solved && (f.Kind() == reflect.Float64 || f.Kind() == reflect.Struct) {
			f.SetZero()
		}
	}
}

var solvedFields = []string{"M_bias", "M_gamma", "M_beta"}
