package box

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/stamps"
)

// Joint is a joint of the world.
type Joint struct {
	Base   *box2d.B2Joint // nil: the number is free
	J      box2d.B2JointInterface
	seq    uint64
	Gear   bool
	Listed bool // in Joints.Active
	Known  bool // set by the stepper, when it knows the joint

	Extra *JointExtra // settings that the library's joint lacks; nil if all are zero
}

// Joints are the joints of a world. A joint is active if one of its bodies is.
type Joints struct {
	table[Joint]

	Links stamps.Stamps // by number: when the joint or a joint linked to it last changed, apart from changes by steps

	walked []box2d.B2JointInterface // scratch of listAll
}

func (e *Joint) isFree() bool { return e.Base == nil && !e.Listed }

// Number returns the number of a joint, or -1.
func (s *Joints) Number(base *box2d.B2Joint) int32 {
	if n := base.M_index; n >= 0 && n < len(s.All) && s.All[n].Base == base {
		return int32(n)
	}
	return -1
}

// mark stamps a joint that has a number.
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

// markAround stamps a new or destroyed joint, and the joints linked to it.
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

// markWorked stamps a joint that a step has worked on, and its bodies, in which the step leaves
// flags.
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

// add is called after the creation of a joint.
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

// renew makes a joint the newest, and reads its extra.
func (s *Joints) renew(n int32) {
	e := &s.All[n]
	e.seq, e.Extra = s.older(), usedExtra(e.J)
}

// drop forgets a joint. A listed joint keeps its number until it leaves the list: see sweep.
func (s *Joints) drop(n int32) {
	e := &s.All[n]
	if e.Listed {
		e.Base, e.J = nil, nil
		return
	}
	s.clear(n)
}

// List adds a joint to the end of Active, if it is not there.
func (s *Joints) List(n int32) {
	s.enter(n, &s.All[n].Listed)
}

// sweep removes joints from Active that were destroyed or have no listed body. With stay the joints
// without a listed body stay for a step.
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

// Put restores element n: a joint, which is listed for the next step, or none. The stepper does not
// know the joint yet.
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

// listAll numbers the joints of the world. ok is false if a joint is of a foreign type. gone
// reports whether joints are gone.
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
	if fresh { // to stamp each joint and its linked joints would take longer
		s.Stamps.MarkAll(len(s.All))
		s.Links.MarkAll(len(s.All))
	}
	clear(list)
	s.walked = list
	return gone, true
}
