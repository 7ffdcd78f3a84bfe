package soft

import (
	"math/bits"
	"slices"

	"github.com/ByteArena/box2d"

	"halfstep/box/paged"
)

// past is what the States of a stepper share: its tables as they were when a State
// was last taken or put back, in pages. The box.World says what has changed since.
type past struct {
	bodies   paged.Pool[savedBody]
	contacts paged.Pool[contact]
	joints   paged.Pool[joint]
	boxes    paged.Pool[leafBox]
	now      pages
}

// pages are tables by the Set's numbers. What a stepper has not seen yet is zero: no
// contact holds one body alone.
type pages struct {
	of       *past
	bodies   paged.Table[savedBody]
	contacts paged.Table[contact]
	joints   paged.Table[joint]
	boxes    paged.Table[leafBox] // by proxy
	sizes    [3]int               // how many bodies, contacts and joints there were
}

// leafBox is what a savedBox is, or zero where there is none.
type leafBox struct {
	is    bool
	moved uint8
	aabb
}

func (s *pages) tables() [4]paged.Any {
	return [...]paged.Any{&s.bodies, &s.contacts, &s.joints, &s.boxes}
}

func (s *pages) drop() {
	if s == nil {
		return
	}
	for _, t := range s.tables() {
		t.Drop()
	}
	*s = pages{}
}

func (s *pages) share(to *pages) {
	if to.of != s.of {
		to.drop()
	}
	from := s.tables()
	for i, t := range to.tables() {
		t.Share(from[i])
	}
	to.of, to.sizes = s.of, s.sizes
}

func pastOf(s *Stepper) *past { return s.past.(*past) }

// pagesOf is nil where a State has never had any.
func pagesOf(st *State) *pages {
	p, _ := st.pages.(*pages)
	return p
}

// Copied is how many pages were made or copied for States so far.
func (s *Stepper) Copied() (n int) {
	for _, t := range pastOf(s).now.tables() {
		n += t.Copied()
	}
	return n
}

// SaveChanged is Save after a b2state.State has been taken that shares its pages, and
// before the Set's Dirty is cleared. It copies what has changed.
func (s *Stepper) SaveChanged(st *State) {
	p, set, d := pastOf(s), s.set, &s.set.Dirty
	if p.now.of == nil {
		p.now.of = p
		p.bodies.Flat, p.contacts.Flat, p.joints.Flat, p.boxes.Flat = true, true, true, true
	}
	shared := pagesOf(st)
	if shared == nil {
		shared = new(pages)
	}
	if shared.of == p {
		for _, t := range shared.tables() {
			t.Reuse()
		}
	}
	d.Bodies.EachRun(func(first, size int, dirty uint64) {
		to := p.now.bodies.Write(&p.bodies, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			if n := first + i; n < len(set.Body) && set.Body[n].B != nil {
				s.saveBody(&to[i], set.Body[n].B)
			} else {
				to[i] = savedBody{}
			}
		}
	})
	d.Contacts.EachRun(func(first, size int, dirty uint64) {
		dirty |= set.FreeContacts(first, size)
		to := p.now.contacts.Write(&p.contacts, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			if n := first + i; n < len(set.Contact) && set.Contact[n].C != nil && set.Contact[n].Known {
				to[i] = s.contacts[n]
			} else {
				to[i] = contact{}
			}
		}
	})
	d.Joints.EachRun(func(first, size int, dirty uint64) {
		to := p.now.joints.Write(&p.joints, first, size, dirty)
		for ; dirty != 0; dirty &= dirty - 1 {
			i := bits.TrailingZeros64(dirty)
			if n := first + i; n < len(set.Joint) && set.Joint[n].Base != nil && set.Joint[n].Known {
				to[i] = s.joints[n]
			} else {
				to[i] = joint{}
			}
		}
	})
	s.saveBoxes()
	w := s.world
	p.now.sizes = [3]int{w.M_bodyCount, w.M_contactManager.M_contactCount, w.M_jointCount}
	p.now.share(shared)
	*st = State{subSteps: int32(s.opts.SubSteps), lastH: s.lastH, pages: shared}
	for _, t := range p.now.tables() {
		t.Trim()
	}
}

// dirtyLeaves are the nodes of the tree of which the stepper may know something else.
func (s *Stepper) dirtyLeaves() *paged.Marks {
	d := &s.set.Dirty
	d.Leaves.Merge(&d.Nodes)
	return &d.Leaves
}

// saveBoxes copies the pages that have changed. Most of what is marked has not.
func (s *Stepper) saveBoxes() {
	p, nodes := pastOf(s), s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	s.dirtyLeaves().Each(func(n int) {
		var to leafBox
		if n < len(nodes) {
			to = s.boxToSave(n, &nodes[n])
		}
		if was := p.now.boxes.At(n); was == nil && to.is || was != nil && *was != to {
			*p.now.boxes.Value(&p.boxes, n) = to
		}
	})
}

// RestoreChanged is Restore after a b2state.State has been put back where it differs,
// which was taken with this one, and before the Set's Dirty is cleared. What is the
// same is left alone.
func (s *Stepper) RestoreChanged(st *State) {
	p, d, from := pastOf(s), &s.set.Dirty, pagesOf(st)
	p.now.bodies.Differences(&from.bodies, d.Bodies.AddPage)
	p.now.contacts.Differences(&from.contacts, d.Contacts.AddPage)
	p.now.joints.Differences(&from.joints, d.Joints.AddPage)
	p.now.boxes.Differences(&from.boxes, d.Leaves.AddPage)
	s.opts.SubSteps, s.lastH = int(st.subSteps), st.lastH
	from.restoreBodies(s)
	from.restoreBoxes(s)
	from.restoreContacts(s)
	s.joints = growTo(s.joints, len(s.set.Joint))
	d.Joints.Each(func(n int) {
		if to := from.joints.At(n); to != nil && n < len(s.joints) {
			s.joints[n] = *to
		}
	})
	s.forgetColours()
	s.fresh = false
	from.share(&p.now)
}

func (from *pages) restoreBodies(s *Stepper) {
	set, none := s.set, new(savedBody)
	s.growBodies()
	each := func(f func(n int32, from *savedBody)) {
		set.Dirty.Bodies.Each(func(n int) {
			if n >= len(set.Body) {
				return
			}
			to := from.bodies.At(n)
			if to == nil {
				to = none
			}
			f(int32(n), to)
		})
	}
	each(func(n int32, from *savedBody) {
		if s.bodies[n].fixed {
			s.noteStatics(n)
		}
		s.replaceBody(n)
		if set.Body[n].B != nil {
			s.unloadBody(n, from)
		}
	})
	s.growShapes()
	each(func(n int32, from *savedBody) {
		s.restoreBody(n, from)
		if s.bodies[n].fixed {
			s.noteStatics(n)
		}
	})
}

func (from *pages) restoreBoxes(s *Stepper) {
	nodes := s.world.M_contactManager.M_broadPhase.M_tree.M_nodes
	moved := s.movedList
	s.dirtyLeaves().Each(func(n int) {
		if n >= len(nodes) {
			return
		}
		s.fatBoxes[n], s.room[n] = boxOf(&nodes[n].Aabb), 0
		how := uint8(0)
		if to := from.boxes.At(n); to != nil && to.is {
			s.fatBoxes[n], how = to.aabb, to.moved
		}
		if how != 0 && s.moved[n] == 0 {
			moved = append(moved, int32(n))
		}
		s.moved[n] = how
	})
	s.movedList = slices.DeleteFunc(moved, func(n int32) bool { return s.moved[n] == 0 })
}

func (from *pages) restoreContacts(s *Stepper) {
	set := s.set
	s.contacts = growTo(s.contacts, len(set.Contact))
	set.Dirty.Contacts.Each(func(n int) {
		to := from.contacts.At(n)
		if to == nil || n >= len(set.Contact) || set.Contact[n].C == nil {
			return
		}
		m := set.Contact[n].C.M_manifold
		if set.Contact[n].Known = to.bodyA != to.bodyB; set.Contact[n].Known {
			s.contacts[n] = *to
			m.PointCount = int(to.count) // the rest waits for Refresh
		} else {
			*m = box2d.B2Manifold{} // no Refresh writes it
		}
	})
}

// Flat is the State as one that shares nothing, given the numbers of its bodies,
// contacts and joints in the order of the world's lists. Any goroutine may ask for it.
func (st *State) Flat(bodies, contacts, joints []int32) *State {
	from := pagesOf(st)
	if from == nil || from.of == nil {
		return st
	}
	to := new(State)
	to.empty()
	to.subSteps, to.lastH = st.subSteps, st.lastH
	for _, n := range bodies {
		to.bodies = append(to.bodies, *from.bodies.At(int(n)))
	}
	for _, n := range contacts {
		to.addContact(from.contacts.At(int(n)))
	}
	from.boxes.Pages(func(first int, page []leafBox) {
		for i := range page {
			if b := &page[i]; b.is {
				to.moved = append(to.moved, savedBox{int32(first + i), b.moved, b.aabb})
			}
		}
	})
	for i := range joints {
		to.joints = append(to.joints, from.joints.At(int(joints[len(joints)-1-i])).pushed)
	}
	return to
}
