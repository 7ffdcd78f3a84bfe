package box

import (
	"halfstep/internal/box/b2"
)

// When a world goes back to another time, its objects get back the numbers that they had
// then. What comes back is listed for one step, as after a look at everything, because
// an earlier step may have left flags on it.

// TakeContact is called before the first PutContact, for all contacts that will be put:
// a pair may have another number now than it had then.
func (s *World) TakeContact(n int) {
	if n < len(s.Contact) && s.Contact[n].ID != 0 {
		s.pairs.remove(Key(s.Contact[n].ProxyA, s.Contact[n].ProxyB))
		if !s.Soft {
			s.made.End(s.Contact[n].C)
		}
	}
}

// PutContact makes element n of Contact what it was: a contact or none. With anew the contact
// gets a new ID.
func (s *World) PutContact(n int, to *ContactEntry, anew bool) {
	s.Contact = reaching(s.Contact, n)
	e := &s.Contact[n]
	had, listed := e.ID != 0, e.Listed
	*e = *to
	e.Listed = listed
	switch {
	case e.ID != 0:
		if anew {
			s.id++
			e.ID = s.id
		}
		s.pairs.add(Key(e.ProxyA, e.ProxyB), int32(n))
		if s.listContact(int32(n)); s.Soft {
			s.Own = reaching(s.Own, n)
			break
		}
		s.made.Back(e.C)
		b2.SetNumber(e.C, int32(n))
	case had && !listed:
		s.freeContacts = s.putFree(s.freeContacts, n, len(s.Contact))
	}
}

// ListContact lists a contact that will be put back to what it was, and returns it.
func (s *World) ListContact(n int32) Contact {
	s.listContact(n)
	return s.At(n)
}

// PutJoint is PutContact for a joint.
func (s *World) PutJoint(n int, to *Joint) {
	s.Joint = reaching(s.Joint, n)
	e := &s.Joint[n]
	had, listed := e.Base != nil, e.Listed
	*e = *to
	e.Listed = listed
	switch {
	case e.Base != nil:
		s.listJoint(int32(n))
	case had && !listed:
		s.freeJoints = s.putFree(s.freeJoints, n, len(s.Joint))
	}
}

// PutBody is PutContact for a body, which then counts as edited.
func (s *World) PutBody(n int, to *Body) {
	s.Body = reaching(s.Body, n)
	e := &s.Body[n]
	had := e.B != nil
	if e.B != to.B {
		s.changed = true
	}
	e.B, e.Island, e.seq, e.Static, e.contacts = to.B, to.Island, to.seq, to.Static, to.contacts
	switch {
	case e.B != nil:
		s.noteEdited(int32(n))
	case had && e.isFree():
		*e = Body{}
		s.freeBodies = s.putFree(s.freeBodies, n, len(s.Body))
	}
}

// PutAll is called when all contacts, joints and bodies are put and linked.
func (s *World) PutAll() {
	for _, n := range s.edited {
		e := &s.Body[n]
		if e.B == nil || e.Listed {
			continue
		}
		e.Listed = true
		s.Bodies = append(s.Bodies, n)
		if !e.Static { // what sleeps on the ground goes on sleeping
			s.listAround(e)
		}
	}
	s.index.forget()
	s.Shapes.Tree.Refit(nil)
	if s.Soft && s.exposed {
		s.Shapes.show()
	}
	s.restored, s.sweep, s.sweepLate = true, true, true
	s.BodyOrder++
	s.ContactOrder++
	s.sortedBodies, s.sortedContacts, s.sortedJoints = 0, 0, 0
}

// listAround lists the contacts and joints of a body.
func (s *World) listAround(e *Body) {
	for c := range s.ContactsOf(e.B) {
		if k := s.numberAt(c); k >= 0 {
			s.listContact(k)
		}
	}
	for j := e.B.M_jointList; j != nil; j = j.Next {
		if k := s.JointNumber(b2.BaseJoint(j.Joint)); k >= 0 {
			s.listJoint(k)
		}
	}
}

// listJoint puts a joint at the end of Joints, if it is not there.
func (s *World) listJoint(n int32) {
	if e := &s.Joint[n]; !e.Listed {
		e.Listed = true
		s.Joints = append(s.Joints, n)
	}
}

// putFree gives a number back. Numbers that are there twice are dropped from time to
// time.
func (s *World) putFree(free []int32, n, numbers int) []int32 {
	if len(free) > 2*numbers {
		seen := make([]bool, numbers)
		k := 0
		for _, f := range free {
			if !seen[f] {
				seen[f] = true
				free[k] = f
				k++
			}
		}
		free = free[:k]
	}
	return append(free, int32(n))
}

// reaching returns a table that has an element n.
func reaching[T any](table []T, n int) []T {
	return append(table, make([]T, max(0, n+1-len(table)))...)
}
