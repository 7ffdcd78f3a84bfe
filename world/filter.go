package world

import (
	"fmt"

	"github.com/ByteArena/box2d"
)

// SetFilter sets a function that decides whether two shapes collide, where their
// Filters and joints allow it. Of the two shapes, a was created first. All pairs
// are asked about anew: touching ones before the next step. The function is
// called often, in the middle of a step too. It should allocate nothing. It must
// not change the world; see the package comment.
//
// It must depend on nothing but the two shapes, the world and what it was given
// when it was set; otherwise two runs differ. Where what it depends on changes,
// call [World.Refilter]. A recording does not hold the function: set it in
// Setup, or in a function that [Register] knows, and a replay sets it too. Nil
// removes it.
func (w *World) SetFilter(f func(w *World, a, b Shape) bool) {
	w.own()
	if w.phase == stepping {
		w.later = append(w.later, func(w *World) { w.SetFilter(f) })
		return
	}
	w.decide = f
	for r := w.first; r != nil; r = r.next {
		w.refilter(r)
	}
}

// Refilter has the filter asked again about all pairs of a body, before the next
// step.
func (w *World) Refilter(b Body) error {
	r, err := w.edit(b)
	if err == nil {
		w.refilter(r)
	}
	return err
}

func (w *World) refilter(r *body) {
	for _, s := range r.shapes {
		s.fix.Refilter()
	}
	w.b2.M_flags |= box2d.B2World_Flags.E_newFixture // look for pairs before the step
}

// filter is the library's filter. The library asks it before it makes a
// contact, and gives no other chance to stop in the middle of a step.
type filter struct {
	box2d.B2ContactFilter
	w *World
}

func (f *filter) ShouldCollide(a, b *box2d.B2Fixture) bool {
	if !f.B2ContactFilter.ShouldCollide(a, b) || f.w.decide != nil && !f.w.decides(a, b) {
		return false
	}
	if n := f.w.cfg.MaxContacts; f.w.b2.M_contactManager.M_contactCount > n {
		panic(fmt.Errorf("world: %w: the world holds more than %d contacts", ErrCrowded, n))
	}
	return true
}

// decides asks the user's filter. What has no handle is left to the library's.
func (w *World) decides(a, b *box2d.B2Fixture) bool {
	s, t := shapeOf(a), shapeOf(b)
	if s == nil || t == nil {
		return true
	}
	if s.id > t.id {
		s, t = t, s
	}
	was := w.phase
	w.phase = stepping // pairs are looked for between two steps too
	defer func() { w.phase = was }()
	return w.decide(w, s.handle, t.handle)
}
