package box

import (
	"reflect"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
)

// JointDef is what a joint is made of.
type JointDef struct {
	Kind             int // the library's type minus E_revoluteJoint
	A, B             *box2d.B2Body
	CollideConnected bool
	UserData         any
	Geared           [2]box2d.B2JointInterface // the joints that a gear couples
	Fields           JointFields               // its settings: anchors, limits, motor, spring
}

// emptyDefs are the library's definitions by kind of joint, in the order of B2JointType.
var emptyDefs = [...]func() box2d.B2JointDefInterface{
	nil, // a revolute joint, the most frequent, is made without a definition
	emptyDef[box2d.B2PrismaticJointDef], emptyDef[box2d.B2DistanceJointDef],
	func() box2d.B2JointDefInterface { return &box2d.B2PulleyJointDef{Ratio: 1} },
	emptyDef[box2d.B2MouseJointDef], emptyDef[box2d.B2GearJointDef], emptyDef[box2d.B2WheelJointDef],
	emptyDef[box2d.B2WeldJointDef], emptyDef[box2d.B2FrictionJointDef], emptyDef[box2d.B2RopeJointDef],
	emptyDef[box2d.B2MotorJointDef],
}

// emptyDef makes a definition of which nothing is set.
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

// makeJoint makes a joint of which nothing is set. It lets the bodies collide, or the library
// would look at all contacts of B.
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

// derive computes what follows from the fields of a new joint, with the same bits on every
// machine: float64 keeps the compiler from fusing a product with a sum. A mouse joint whose
// anchor is zero pulls the point of B that is at its target.
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

// coordinate is how far a joint that a gear couples has turned or moved.
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

// DestroyJoint destroys a joint, which wakes its bodies. No gear may couple it.
func (s *World) DestroyJoint(j box2d.B2JointInterface) {
	s.JointGoes(j)
	a, b := j.GetBodyA(), j.GetBodyB()
	apart := !j.IsCollideConnected()
	if base := b2.BaseJoint(j); base != nil && apart {
		base.M_collideConnected = true // or the library would look at all contacts of B
	}
	s.world.DestroyJoint(j)
	if apart {
		s.refilterPair(a, b)
		s.findPairOf(a, b)
	}
}

// EditJoint notes a change of a joint's settings, before or after it. With wake it wakes both
// bodies. If the next step looks at everything anyway, a single change needs no note. Steps
// find settings for which the library's joint has no field in Extra. It points to the joint's
// own JointExtra, so it shows a change that is still to come.
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

// SetCollideConnected says whether the two bodies of a joint collide, and wakes both if that
// changes.
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

// refilterPair has the next step ask again whether two bodies collide. Both list their
// contacts, so the search ends with the shorter list.
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

// findPairOf has the next step look whether two bodies collide that a joint has kept
// apart: they may touch already, and have no contact (RobustToolbox 1712). Touching one
// of them is enough. The ground may have very many neighbours.
func (s *World) findPairOf(a, b *box2d.B2Body) {
	if a.M_type == b2.StaticBody || b.M_type != b2.StaticBody && fewerLeaves(b, a) {
		a = b
	}
	s.touchLeaves(a)
	s.findPairs()
}

// fewerLeaves reports whether a has fewer leaves in the broad phase than b. It looks at
// no more than twice as many as the one has that has fewer.
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

// leavesOf is how many leaves a shape has.
func leavesOf(f *box2d.B2Fixture) int {
	if f.M_proxyCount == 0 {
		return 0
	}
	return f.M_shape.GetChildCount()
}

// ForgetPushes zeroes the impulses of a joint before one of its bodies gets another type, or is
// switched off or on: the next step must not start from them.
func (s *World) ForgetPushes(j box2d.B2JointInterface) {
	f := FieldsOf(j)
	f.forget()
	s.EditJoint(j, false)
}

// Relax forgets the impulses that the joints of a body would start their next step from, and
// what the solver has computed for the last one.
func (s *World) Relax(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; e = e.Next {
		forgetSolved(e.Joint)
		s.ForgetPushes(e.Joint)
	}
}

// forgetSolved zeroes all that a joint's solver has computed: the numbers from M_indexA on,
// and some before.
func forgetSolved(j box2d.B2JointInterface) {
	v := reflect.ValueOf(j).Elem()
	scratch, known := v.Type().FieldByName("M_indexA")
	_, rope := j.(*box2d.B2RopeJoint)
	for i := 0; known && i < v.NumField(); i++ { // only the library's own are known
		name := v.Type().Field(i).Name
		solved := i >= scratch.Index[0] || slices.Contains(solvedFields, name) || rope && name == "M_length"
		if f := v.Field(i); solved && (f.Kind() == reflect.Float64 || f.Kind() == reflect.Struct) {
			f.SetZero()
		}
	}
}

var solvedFields = []string{"M_bias", "M_gamma", "M_beta"}
