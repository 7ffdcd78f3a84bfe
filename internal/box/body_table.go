package box

import (
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/internal/box/b2"
	"halfstep/internal/stamps"
)

// Change says in which ways a body was edited between two steps.
type Change uint8

const (
	Placed     Change = 1 << iota // Placed: the body was moved.
	Reshaped                      // Reshaped: the body's shapes, mass or type have changed.
	Reboxed                       // the bounding boxes of its shapes have changed
	Resurfaced                    // another property of its shapes has changed
	Unknown                       // any of these changes is possible
)

// Body is a body of the world, or a free number. While a body is in the table, its M_islandIndex is
// its number, and Island keeps the library's value.
type Body struct {
	B      *box2d.B2Body // nil if no body has the number
	Island int           // the library's value of M_islandIndex
	seq    uint64        // the body's age: an older body has a lower number
	Listed bool          // Listed says that the body is in Bodies.Active.
	Static bool          // Static says that the body was static when it was last checked.
	seen   bool          // seen says that the body is in Bodies.Seen.
	edited bool          // edited says that the body is in Bodies.edited.
	Change Change        // what has changed since the last step; a stepper that reads it resets it

	contacts int32 // link to the body's newest contact in Contacts.Own, or 0; see OwnPlace
}

// Bodies are the bodies of a world. A body is active if it is awake, enabled and not static.
type Bodies struct {
	table[Body]

	Shaped stamps.Stamps // by number of a body: when one of its shapes, or the set of its shapes, last changed

	// Seen has the numbers of the bodies that were active in the last step or were edited before it.
	// Each number is in Seen once. Some of these bodies may have been destroyed since then.
	Seen []int32

	// Changed has the numbers of the bodies that were edited or destroyed between the last step and the
	// present one. After LookAtAll it has the numbers of all bodies. It is valid during a step, and a
	// number may be in it twice.
	Changed []int32

	edited  []int32 // numbers of the bodies that the next step looks at
	passing bool    // Seen contains bodies that are not active
	dozing  []int32 // numbers of the bodies in Active that may no longer be active
	slept   bool    // any body in Active may no longer be active
	anew    bool    // bodies were made or destroyed since the last call of HaveChanged

	walked []*box2d.B2Body // scratch memory of listAll
}

// isFree reports whether a new body can have the number of e.
func (e *Body) isFree() bool { return e.B == nil && !e.Listed && !e.seen && !e.edited }

// IsEdited reports whether the next step looks at the body.
func (e *Body) IsEdited() bool { return e.edited }

// Number returns the number of a body, or -1. During a step it must not be called for a body that
// the step is solving.
func (s *Bodies) Number(b *box2d.B2Body) int32 {
	if n := b.M_islandIndex; n >= 0 && n < len(s.All) && s.All[n].B == b {
		return int32(n)
	}
	return -1
}

// HaveChanged reports whether bodies were made or destroyed since the last call of HaveChanged.
func (s *Bodies) HaveChanged() bool {
	changed := s.anew
	s.anew = false
	return changed
}

// Mark stamps a body that has a number as changed.
func (s *Bodies) Mark(b *box2d.B2Body) {
	if b != nil {
		if n := s.Number(b); n >= 0 {
			s.Stamps.Mark(n)
		}
	}
}

// markAround stamps a new or destroyed body as changed, and the bodies that are linked to it.
func (s *Bodies) markAround(b *box2d.B2Body) {
	s.Mark(b)
	s.Mark(b.M_prev)
	s.Mark(b.M_next)
}

func (s *Bodies) add(b *box2d.B2Body) int32 {
	n := s.take((*Body).isFree)
	s.anew = true
	s.All[n] = Body{B: b, Island: b.M_islandIndex, seq: s.older(), Static: b.M_type == b2.StaticBody}
	b.M_islandIndex = int(n)
	s.markAround(b)
	s.Shaped.Mark(n)
	return n
}

// edit records that a body has changed, and how. If blind is true, it only notes the kind of change,
// because the next step compares all bodies. The comparison cannot find a change of a surface, or a
// change that was undone.
func (s *Bodies) edit(b *box2d.B2Body, what Change, blind bool) {
	if blind {
		if b == nil {
			return // raw access has destroyed the body, but a contact still points to it
		}
		if n := s.Number(b); n >= 0 {
			s.All[n].Change |= what
		}
		return
	}
	n := s.Number(b)
	if n < 0 {
		n = s.add(b)
	}
	s.noteEdited(n)
	s.All[n].Change |= what
	s.Stamps.Mark(n)
	if what&^Placed != 0 {
		s.Shaped.Mark(n)
	}
}

// noteEdited makes the next step look at a body.
func (s *Bodies) noteEdited(n int32) {
	if e := &s.All[n]; !e.edited {
		e.edited = true
		s.edited = append(s.edited, n)
	}
}

// See adds a body to Seen. The code that runs after a step looks only at the bodies in Seen.
func (s *Bodies) See(n int32) {
	if e := &s.All[n]; !e.seen {
		e.seen = true
		s.passing = s.passing || !e.Listed
		s.Seen = append(s.Seen, n)
		s.Stamps.Mark(n)
	}
}

// Slept is called when a step has put a body to sleep.
func (s *Bodies) Slept(n int32) { s.dozing = append(s.dozing, n) }

// AnySlept is called when a step may have put any body to sleep.
func (s *Bodies) AnySlept() { s.slept = true }

// forget removes from Seen the bodies that are not active.
func (s *Bodies) forget() {
	if !s.passing {
		return
	}
	s.passing = false
	k := 0
	for _, n := range s.Seen {
		e := &s.All[n]
		if e.Listed && e.B != nil {
			s.Seen[k] = n
			k++
			continue
		}
		e.seen = false
		s.giveBack(n)
	}
	s.Seen = s.Seen[:k]
}

// giveBack frees the number of a body, unless the number is still in use.
func (s *Bodies) giveBack(n int32) {
	if s.All[n].isFree() {
		s.clear(n)
	}
}

// leaveAsleep removes sleeping and destroyed bodies from Active. It reports whether it has removed
// any. If stay is true, sleeping bodies remain for one step, which clears their flags.
func (s *Bodies) leaveAsleep(stay bool) (left bool) {
	leaves := func(n int32) bool {
		e := &s.All[n]
		return e.Listed && (e.B == nil || !stay && !b2.IsAwake(e.B))
	}
	dozing := s.dozing
	s.dozing = s.dozing[:0]
	if !s.slept && !slices.ContainsFunc(dozing, leaves) {
		return false
	}
	s.slept = stay // sleeping bodies that remain may leave after the step
	s.leave(func(n int32) bool {
		e := &s.All[n]
		if !leaves(n) {
			return true
		}
		e.Listed, s.passing, left = false, true, true
		s.Stamps.Mark(n)
		s.giveBack(n)
		return false
	})
	return left
}

func (s *Bodies) isListed(b *box2d.B2Body) bool { return s.All[b.M_islandIndex].Listed }

// Put restores element n of All. If the element is a body, the body counts as edited.
func (s *Bodies) Put(n int, to *Body) {
	s.All = reaching(s.All, n)
	e := &s.All[n]
	had := e.B != nil
	if e.B != to.B {
		s.anew = true
	}
	e.B, e.Island, e.seq, e.Static, e.contacts = to.B, to.Island, to.seq, to.Static, to.contacts
	switch {
	case e.B != nil:
		s.noteEdited(int32(n))
	case had && e.isFree():
		*e = Body{}
		s.putFree(n)
	}
}

// listAll numbers the bodies of the world. A body that has a number keeps it. The result gone
// reports whether any numbered body no longer exists.
func (s *Bodies) listAll(w *box2d.B2World, flags *flags) (gone bool) {
	s.Order++
	known := flags.of(len(s.All))
	list := slices.Grow(s.walked[:0], w.M_bodyCount)
	for b := w.M_bodyList; b != nil; b = b.M_next {
		list = append(list, b)
		if n := s.Number(b); n >= 0 {
			known[n] = true
		}
	}
	for n := range known {
		if e := &s.All[n]; e.B != nil && !known[n] {
			e.B = nil
			s.anew, gone = true, true
			s.See(int32(n))
			s.Changed = append(s.Changed, int32(n))
		}
	}
	s.All = slices.Grow(s.All, max(0, len(list)-len(s.All)))
	for _, b := range slices.Backward(list) {
		n := s.Number(b)
		if n < 0 {
			n = s.add(b)
		}
		s.All[n].seq = s.older()
	}
	clear(list)
	s.walked = list
	return gone
}

// lookAtAll lists all bodies and treats all as changed, because a callback may change any body.
func (s *Bodies) lookAtAll() {
	for _, list := range [...]*[]int32{&s.Seen, &s.Changed, &s.Active} {
		*list = slices.Grow(*list, max(0, len(s.All)-len(*list)))
	}
	for n := range s.All {
		if e := &s.All[n]; e.B != nil {
			e.Static = e.B.M_type == b2.StaticBody
			s.See(int32(n))
			s.Changed = append(s.Changed, int32(n))
			e.Change |= Unknown
			s.enter(int32(n), &e.Listed)
		}
	}
}
