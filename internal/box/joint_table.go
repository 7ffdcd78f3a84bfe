package box

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/stamps"
)

// Joint is a joint of the world, or a free number.
type Joint struct {
	Base   *box2d.B2Joint // nil if no joint has the number
	J      box2d.B2JointInterface
	seq    uint64
	Gear   bool
	Listed bool // Listed says that the joint is in Joints.Active.
	Known  bool // the stepper knows the joint, and has set this

	Extra *JointExtra // settings that the library's joint lacks; nil if all are zero
}

// Joints are the joints of a world. A joint is active if one of its bodies is active.
type Joints struct {
	table[Joint]

	Links stamps.Stamps // by number: when the joint or a joint linked to it last changed, except by steps

	walked []box2d.B2JointInterface // scratch memory of listAll
}

func (e *Joint) isFree() bool { return e.Base == nil && !e.Listed }

// Number returns the number of a joint, or -1.
func (s *Joints) Number(base *box2d.B2Joint) int32 {
	if n := base.M_index; n >= 0 && n < len(s.All) && s.All[n].Base == base {
		return int32(n)
	}
	return -1
}

// mark stamps a joint that has a number as changed.
func (s *Joints) mark(j box2d.B2JointInterface) {
	if j != nil {
		s.markBase(b2.BaseJoint(j))
	}
}

func (s *Joints) markBase(base *box2d.B2Joint) {
	if n := s.Number(base); n >= 0 {
		s.Stamps.Mark(n)
		s.Links.Mark(n)
	}
}

// markAround stamps a new or destroyed joint and the joints that are linked to it as changed.
func (s *Joints) markAround(base *box2d.B2Joint) {
	s.markBase(base)
	s.mark(base.M_prev)
	s.mark(base.M_next)
	for _, e := range [...]*box2d.B2JointEdge{base.M_edgeA, base.M_edgeB} {
		if e.Prev != nil {
			s.mark(e.Prev.Joint)
		}
		if e.Next != nil {
			s.mark(e.Next.Joint)
		}
	}
}

// markWorked stamps a joint and its bodies, because a step has left flags on them.
func (s *Joints) markWorked(n int32, bodies *Bodies) {
	s.Stamps.Mark(n)
	if base := s.All[n].Base; base != nil {
		bodies.Mark(base.M_bodyA)
		bodies.Mark(base.M_bodyB)
	}
	if g, ok := s.All[n].J.(*box2d.B2GearJoint); ok {
		bodies.Mark(g.M_bodyC)
		bodies.Mark(g.M_bodyD)
	}
}

// add gives a number to a joint that was just created.
func (s *Joints) add(j box2d.B2JointInterface, base *box2d.B2Joint) int32 {
	n := s.number(j, base)
	s.renew(n)
	s.markAround(base)
	return n
}

func (s *Joints) number(j box2d.B2JointInterface, base *box2d.B2Joint) int32 {
	n := s.take((*Joint).isFree)
	_, gear := j.(*box2d.B2GearJoint)
	s.All[n] = Joint{Base: base, J: j, Gear: gear}
	base.M_index = int(n)
	return n
}

// renew makes a joint the newest joint, and reads its JointExtra.
func (s *Joints) renew(n int32) {
	e := &s.All[n]
	e.seq, e.Extra = s.older(), usedExtra(e.J)
}

// drop removes a joint from the table. A listed joint keeps its number until it leaves Active: see
// sweep.
func (s *Joints) drop(n int32) {
	e := &s.All[n]
	if e.Listed {
		e.Base, e.J = nil, nil
		return
	}
	s.clear(n)
}

// List adds a joint to the end of Active, unless Active has it already.
func (s *Joints) List(n int32) {
	s.enter(n, &s.All[n].Listed)
}

// sweep removes joints from Active that were destroyed or have no listed body. If stay is true, joints
// without a listed body remain for one step.
func (s *Joints) sweep(bodies *Bodies, stay bool) {
	s.leave(func(n int32) bool {
		e := &s.All[n]
		if e.Base != nil && (stay || bodies.isListed(e.Base.M_bodyA) || bodies.isListed(e.Base.M_bodyB)) {
			return true
		}
		e.Listed = false
		s.markWorked(n, bodies)
		if e.Base == nil {
			s.clear(n)
		}
		return false
	})
}

// Put restores element n of All. If the element is a joint, it is listed for the next step. The stepper
// does not know the joint yet.
func (s *Joints) Put(n int, to *Joint) {
	s.All = reaching(s.All, n)
	e := &s.All[n]
	had, listed := e.Base != nil, e.Listed
	*e = *to
	e.Listed, e.Known = listed, false
	switch {
	case e.Base != nil:
		s.List(int32(n))
	case had && !listed:
		s.putFree(n)
	}
}

// listAll numbers the joints of the world. The result ok is false if a joint has a type that is not the
// library's. The result gone reports whether any numbered joint no longer exists.
func (s *Joints) listAll(w *box2d.B2World, flags *flags) (gone, ok bool) {
	known := flags.of(len(s.All))
	list := s.walked[:0]
	for j := w.M_jointList; j != nil; {
		base := b2.BaseJoint(j)
		if base == nil {
			return false, false
		}
		list = append(list, j)
		if n := s.Number(base); n >= 0 {
			known[n] = true
		}
		j = base.M_next
	}
	for n := range known {
		if s.All[n].Base != nil && !known[n] {
			s.drop(int32(n))
			gone = true
		}
	}
	s.All = slices.Grow(s.All, max(0, len(list)-len(s.All)))
	fresh := false
	for _, j := range slices.Backward(list) {
		base := b2.BaseJoint(j)
		n := s.Number(base)
		if n < 0 {
			n, fresh = s.number(j, base), true
		}
		s.renew(n)
	}
	if fresh { // stamp all, because a search for the linked joints would take longer
		s.Stamps.MarkAll(len(s.All))
		s.Links.MarkAll(len(s.All))
	}
	clear(list)
	s.walked = list
	return gone, true
}
