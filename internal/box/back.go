package box

import (
	"halfstep/internal/box/b2"
)

// When a world goes back in time, its objects get back the numbers that they had then. An earlier
// step may have left flags on any object, so all objects are listed for one step.

// BeginPut is called at the start of a restore, before the first Put.
func (s *World) BeginPut() {
	s.Stamp()
	if s.Soft() {
		s.Shapes.Hide()
	}
}

// PutAll is called at the end of a restore, when all contacts, joints and bodies have been put into
// their tables and linked. moves are the shapes for which the next search looks for pairs, if the World
// is Soft. With all set the next step looks at everything.
func (s *World) PutAll(moves []int32, all bool) {
	if s.Soft() {
		s.Shapes.PutMoves(moves)
	}
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
	if all {
		s.LookAtAll()
	}
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
