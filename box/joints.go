package box

import (
	"reflect"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/box/b2"
)

// CreateJoint joins two bodies. round computes again what the library has computed of the
// joint, with the same bits on every machine.
func (s *World) CreateJoint(def box2d.B2JointDefInterface, collide bool, round func(box2d.B2JointInterface)) box2d.B2JointInterface {
	def.SetCollideConnected(true) // or the library looks at all contacts of B
	j := s.world.CreateJoint(def)
	round(j)
	s.JointMade(j)
	if !collide {
		b2.BaseJoint(j).M_collideConnected = false
		s.refilterPair(j.GetBodyA(), j.GetBodyB())
	}
	return j
}

// DestroyJoint destroys a joint, which wakes its bodies. No gear may couple it.
func (s *World) DestroyJoint(j box2d.B2JointInterface) {
	s.JointGoes(j)
	a, b := j.GetBodyA(), j.GetBodyB()
	apart := !j.IsCollideConnected()
	if base := b2.BaseJoint(j); base != nil && apart {
		base.M_collideConnected = true // as in CreateJoint
	}
	s.world.DestroyJoint(j)
	if apart {
		s.refilterPair(a, b)
		s.findPairOf(a, b)
	}
}

// EditJoint comes before or after a change of how a joint is set. With wake it wakes both
// bodies.
func (s *World) EditJoint(j box2d.B2JointInterface, wake bool) {
	for _, b := range [...]*box2d.B2Body{j.GetBodyA(), j.GetBodyB()} {
		if s.edit(b, 0); wake {
			s.WakeBody(b)
		}
	}
	if !s.everything {
		s.addDirtyJoint(j)
	}
}

// refilterPair has the next step ask again whether two bodies collide. Both list their
// contacts, so the search ends with the shorter list.
func (s *World) refilterPair(a, b *box2d.B2Body) {
	for e, f := a.M_contactList, b.M_contactList; e != nil && f != nil; e, f = e.Next, f.Next {
		if e.Other == b {
			e.Contact.FlagForFiltering()
			s.Flag(e.Contact)
		}
		if f.Other == a {
			f.Contact.FlagForFiltering()
			s.Flag(f.Contact)
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
			n, f = n+1+f.M_proxyCount, f.M_next
		} else {
			if g == nil {
				return false
			}
			m, g = m+1+g.M_proxyCount, g.M_next
		}
	}
}

// ForgetPushes ends what a joint has pushed with, which no step may renew: one of its bodies
// is to be of another kind, or switched off or on.
func (s *World) ForgetPushes(j box2d.B2JointInterface) {
	forgetSolved(j, false)
	s.EditJoint(j, false)
}

// Relax forgets the impulses that the joints of a body would start their next step from, and
// what the solver has computed for the last one.
func (s *World) Relax(b *box2d.B2Body) {
	for e := b.M_jointList; e != nil; e = e.Next {
		forgetSolved(e.Joint, true)
		s.EditJoint(e.Joint, false)
	}
}

// forgetSolved zeroes the impulses of a joint, or all that its solver has computed: all
// numbers from M_indexA on, and some before.
func forgetSolved(j box2d.B2JointInterface, all bool) {
	v := reflect.ValueOf(j).Elem()
	scratch, known := v.Type().FieldByName("M_indexA")
	for i := 0; known && i < v.NumField(); i++ { // only the library's own are known
		name := v.Type().Field(i).Name
		_, rope := j.(*box2d.B2RopeJoint)
		solved := slices.Contains(impulses, name) || all && (i >= scratch.Index[0] || slices.Contains(solvedFields, name) || rope && name == "M_length")
		if f := v.Field(i); solved && (f.Kind() == reflect.Float64 || f.Kind() == reflect.Struct) {
			f.SetZero()
		}
	}
}

var (
	impulses     = []string{"M_impulse", "M_motorImpulse", "M_springImpulse", "M_linearImpulse", "M_angularImpulse"}
	solvedFields = []string{"M_bias", "M_gamma", "M_beta"}
)
