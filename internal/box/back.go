package box

import (
	"halfstep/internal/box/b2"
)

// When a world goes back in time, its objects get back the numbers that they had then.
// All these objects are listed for one step, as after LookAtAll, because an earlier step
// may have left flags on them.

// PutAll is called at the end of a restore, when all contacts, joints and bodies have
// been put into their tables and linked.
func (s *World) PutAll() {
	for _, n := range s.Bodies.edited {
		e := &s.Bodies.All[n]
		if e.B == nil || e.Listed {
			continue
		}
		s.Bodies.enter(n, &e.Listed)
		if !e.Static { // bodies that sleep on the ground continue to sleep
			s.listAround(e)
		}
	}
	s.Proxies.forgetMoves()
	s.Shapes.Tree.Refit(nil)
	if s.Soft() && s.sight.lent {
		s.Shapes.show()
	}
	s.sight.goBack()
	s.sweep, s.sweepLate = true, true
	s.Bodies.resort()
	s.Contacts.resort()
	s.Joints.resort()
}

// listAround lists the contacts and joints of a body for the next step.
func (s *World) listAround(e *Body) {
	for c := range s.ContactsOf(e.B) {
		if k := s.Contacts.number(c); k >= 0 {
			s.Contacts.list(k)
		}
	}
	for j := e.B.M_jointList; j != nil; j = j.Next {
		if k := s.Joints.Number(b2.BaseJoint(j.Joint)); k >= 0 {
			s.Joints.List(k)
		}
	}
}
